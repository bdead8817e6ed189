import type { Draft } from "../storage/draft.ts";
import { prefixRange } from "../storage/kv.ts";
import { decode, encode } from "../storage/records.ts";
import type { Workspace } from "./workspace.ts";

/** First answers are repeated for this long (ruling E20). */
export const RETRY_LIFE_MS = 24 * 3600_000;

/** A first answer under an Idempotency-Key. */
export interface RetryRecord {
  /** Of the request: another one under the same key is refused. */
  readonly bodyHash: string;
  /** The encoded response message, base64. */
  readonly message: string;
  readonly etag?: string;
  /** Unix time in ms. */
  readonly at: number;
}

/** The first answer of a user under the hash of operation and key, while it lives. */
export function findRetry(workspace: Workspace, user: string, hash: string): RetryRecord | undefined {
  const record = decode<RetryRecord>(workspace.kv.get(workspace.keys.retry(user, hash)));
  return record && record.at + RETRY_LIFE_MS > workspace.clock() ? record : undefined;
}

export const putRetry = (draft: Draft, workspace: Workspace, user: string, hash: string, record: RetryRecord): void =>
  draft.put(workspace.keys.retry(user, hash), encode(record));

export async function keepRetry(workspace: Workspace, user: string, hash: string, record: RetryRecord): Promise<void> {
  await workspace.commit((draft) => {
    putRetry(draft, workspace, user, hash, record);
    return () => undefined;
  });
}

/** Removes first answers that have expired. */
export async function trimRetries(workspace: Workspace): Promise<void> {
  const now = workspace.clock();
  const all = await workspace.kv.range(prefixRange(workspace.keys.allRetries()));
  const expired = all.filter(([, value]) => decode<RetryRecord>(value).at + RETRY_LIFE_MS <= now);
  if (expired.length === 0) return;
  await workspace.commit((draft) => {
    for (const [key] of expired) draft.delete(key);
    return () => undefined;
  });
}
