import type { Caller } from "../../domain/caller.ts";
import { notFound } from "../../domain/errors.ts";
import type { Kv } from "../../storage/kv.ts";
import type { DeliveryAttempt } from "../../workspace/webhooks/records.ts";
import { readWebhook, type StoredWebhook, type WebhookRef } from "../../workspace/webhooks/webhooks.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Tenants } from "../tenants.ts";
import type { DeliveryDeps } from "./deliver.ts";
import type { Webhooks } from "./webhooks.ts";

export interface WebhookDeps extends DeliveryDeps {
  readonly webhooks: Webhooks;
  /** Whether plain http and private addresses are allowed. */
  readonly allowsPrivate: boolean;
}

/** A webhook in API responses. */
export interface WebhookView {
  webhookId: string;
  url: string;
  uri?: string;
  kinds: string[];
  description: string;
  userId: string;
  state: "active" | "paused";
  pauseReason?: string;
  failedAttempts: number;
  nextAttemptAt?: string;
  createdAt: string;
  updatedAt: string;
}

/** An attempt in API responses. */
export interface DeliveryView {
  deliveryId: string;
  type: string;
  outcome: string;
  attempt: number;
  changes: number;
  status?: number;
  error?: string;
  durationMs: number;
  at: string;
}

/** A webhook that the caller may see, with its location. */
interface FoundWebhook extends StoredWebhook {
  readonly ref: WebhookRef;
  readonly workspace: Workspace;
}

const ID = /^[0-9A-Z]{26}$/;

/** The caller's webhook with this id. Throws NOT_FOUND, also for webhooks of other users. */
export async function webhookOf(
  { kv, tenants }: { readonly kv: Kv; readonly tenants: Tenants },
  caller: Caller,
  id: string,
): Promise<FoundWebhook> {
  if (!ID.test(id)) throw notFound("webhook", id);
  const { workspace } = await tenants.openOrEmpty(caller);
  const ref = { workspace: workspace.incarnation, user: caller.user, id };
  const found = readWebhook(kv, ref);
  if (!found) throw notFound("webhook", id);
  return { ...found, ref, workspace };
}

export function webhookView(
  { uris }: Pick<Workspace, "uris">,
  { record, progress }: StoredWebhook,
): WebhookView {
  const { batch } = progress;
  return {
    webhookId: record.id,
    url: record.url,
    ...(record.path !== undefined && { uri: uris.format(record.path.split("/")) }),
    kinds: [...(record.kinds ?? [])],
    description: record.description,
    userId: record.user,
    state: record.paused === undefined ? "active" : "paused",
    ...(record.paused !== undefined && { pauseReason: record.paused }),
    failedAttempts: batch?.attempts ?? 0,
    ...(batch && batch.attempts > 0 && { nextAttemptAt: isoTime(batch.dueAt) }),
    createdAt: isoTime(record.createdAt),
    updatedAt: isoTime(record.updatedAt),
  };
}

export const deliveryView = ({
  id,
  type,
  outcome,
  attempt,
  changes,
  status,
  error,
  ms,
  at,
}: DeliveryAttempt): DeliveryView => ({
  deliveryId: id,
  type,
  outcome,
  attempt,
  changes,
  ...(status !== undefined && { status }),
  ...(error !== undefined && { error }),
  durationMs: ms,
  at: isoTime(at),
});

const isoTime = (ms: number): string => new Date(ms).toISOString();
