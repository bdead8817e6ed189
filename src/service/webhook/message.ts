import type { WebhookBatch } from "../../domain/webhook-batch.ts";
import { LogGap } from "../../workspace/changes/change-log.ts";
import type { WebhookRecord } from "../../workspace/webhooks/records.ts";
import { ChangeReader, type ChangeView, type ReadPlace } from "../change-reader.ts";
import type { Tenant, Tenants } from "../tenants.ts";
import type { ChangeFilter } from "../visible-changes.ts";

/** Maximum number of changes in a message, and of bytes of their JSON. */
const MAX_CHANGES = 500;
const MAX_BYTES = 256 * 1024;

/** A message to a receiver. */
export interface WebhookMessage {
  readonly type: "changes" | "changes.lost" | "test";
  readonly changes: number;
  readonly body: Uint8Array;
}

/** Changes that fit into one message, and the position after them. */
interface ReadChanges {
  readonly lines: readonly string[];
  /** Time of the last change, ISO 8601. */
  readonly time: string;
  readonly place: ReadPlace;
}

const filterOf = ({ path, kinds }: WebhookRecord): ChangeFilter => ({
  path,
  kinds: kinds && new Set(kinds),
});

/**
 * The changes after a position that the user may currently read, up to the limits of a message and the number
 * `to`. Throws LogGap.
 */
export async function readChanges(
  tenants: Pick<Tenants, "userNames">,
  tenant: Tenant,
  record: WebhookRecord,
  from: ReadPlace,
  signal: AbortSignal,
  to = Number.POSITIVE_INFINITY,
): Promise<ReadChanges> {
  const reader = new ChangeReader(tenants, tenant, filterOf(record), from);
  await reader.check();
  const lines: string[] = [];
  let [bytes, time, place] = [0, "", from];
  for await (const change of reader.read(signal)) {
    if (reader.place.next > to) return { lines, time, place };
    const line = JSON.stringify(jsonOf(change));
    bytes += Buffer.byteLength(line);
    if (lines.length === MAX_CHANGES || (bytes > MAX_BYTES && lines.length > 0))
      return { lines, time, place };
    lines.push(line);
    ({ time } = change);
    ({ place } = reader);
  }
  return { lines, time, place: reader.place };
}

/** The message of a batch; undefined if the user can no longer read any of it. Throws LogGap. */
export async function messageOf(
  tenants: Pick<Tenants, "userNames">,
  tenant: Tenant,
  record: WebhookRecord,
  batch: WebhookBatch,
  signal: AbortSignal,
): Promise<WebhookMessage | undefined> {
  if (batch.isLost) return lostMessage(record, batch);
  const { lines, time } = await readChanges(tenants, tenant, record, batch, signal, batch.to);
  return lines.length === 0 ? undefined : changesMessage(record, lines, time);
}

/** Whether the error means that the changes of a reader are trimmed. */
export const isLogGap = (error: unknown): boolean => error instanceof LogGap;

export const testMessage = (record: WebhookRecord, now: number): WebhookMessage => ({
  type: "test",
  changes: 0,
  body: bodyOf("test", new Date(now).toISOString(), record, "{}"),
});

const changesMessage = (record: WebhookRecord, lines: readonly string[], time: string): WebhookMessage => ({
  type: "changes",
  changes: lines.length,
  body: bodyOf("changes", time, record, `{"changes":[${lines.join(",")}]}`),
});

const lostMessage = (record: WebhookRecord, { toAt }: WebhookBatch): WebhookMessage => ({
  type: "changes.lost",
  changes: 0,
  body: bodyOf("changes.lost", new Date(toAt).toISOString(), record, "{}"),
});

/** Builds the body; the same batch always gives the same bytes. */
function bodyOf(type: string, time: string, { id }: WebhookRecord, data: string): Uint8Array {
  const head = JSON.stringify({ type, timestamp: time, webhook_id: id });
  return Buffer.from(`${head.slice(0, -1)},"data":${data}}`);
}

/** A change with the JSON names of WatchChanges. */
const jsonOf = ({ kind, uri, previousUri, isDir, time, size, etag, version, user }: ChangeView) => ({
  kind,
  uri,
  previous_uri: previousUri,
  is_dir: isDir,
  time,
  size,
  etag,
  version,
  user,
});
