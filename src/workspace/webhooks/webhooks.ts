import type { WorkspaceId } from "../../domain/ids.ts";
import { Draft } from "../../storage/draft.ts";
import { type Kv, type KvReader, pairPages, prefixRange, type TransactOptions } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { Keys } from "../keys.ts";
import { WEBHOOK_PROGRESS, WEBHOOKS, type WebhookProgress, type WebhookRecord } from "./records.ts";

const PAGE = 256;

export interface WebhookRef {
  readonly workspace: WorkspaceId;
  readonly user: string;
  readonly id: string;
}

export interface StoredWebhook {
  readonly record: WebhookRecord;
  readonly progress: WebhookProgress;
}

/** Undefined if it does not exist. */
export function readWebhook(read: Pick<KvReader, "get">, ref: WebhookRef): StoredWebhook | undefined {
  const keys = new Keys(ref.workspace);
  const record = WEBHOOKS.read(read, keys.webhook(ref.user, ref.id));
  const progress = WEBHOOK_PROGRESS.read(read, keys.webhookProgress(ref.user, ref.id));
  return record && progress && { record, progress };
}

/** The webhooks of a user, or of all users, oldest first. */
export async function listWebhooks(kv: Kv, workspace: WorkspaceId, user?: string): Promise<StoredWebhook[]> {
  const keys = new Keys(workspace);
  const prefix = user === undefined ? keys.allWebhooks() : keys.webhooksOf(user);
  const found: StoredWebhook[] = [];
  for await (const page of pairPages(kv, prefixRange(prefix, PAGE)))
    for (const [key, value] of page) {
      if (!keys.isWebhook(key)) continue;
      const record = WEBHOOKS.decode(value, key);
      const progress = WEBHOOK_PROGRESS.read(kv, keys.webhookProgress(record.user, record.id));
      if (progress) found.push({ record, progress });
    }
  return found;
}

export function putWebhook(draft: Draft, workspace: WorkspaceId, record: WebhookRecord): void {
  draft.put(new Keys(workspace).webhook(record.user, record.id), encodeRecord(record));
}

export function putProgress(draft: Draft, ref: WebhookRef, progress: WebhookProgress): void {
  draft.put(new Keys(ref.workspace).webhookProgress(ref.user, ref.id), encodeRecord(progress));
}

export function deleteWebhookRecords(draft: Draft, { workspace, user, id }: WebhookRef): void {
  const keys = new Keys(workspace);
  draft.delete(keys.webhook(user, id));
  draft.delete(keys.webhookProgress(user, id));
}

/**
 * Changes the progress of a webhook, for the server's own work. Writes nothing once the webhook is deleted,
 * even for work in progress.
 */
export function changeProgress(
  kv: Kv,
  ref: WebhookRef,
  change: (stored: StoredWebhook, draft: Draft) => WebhookProgress,
  options?: TransactOptions,
): Promise<StoredWebhook | undefined> {
  return kv.transact((read) => {
    const draft = new Draft(read);
    const stored = readWebhook(draft, ref);
    if (stored) putProgress(draft, ref, change(stored, draft));
    return draft.toChange(() => readWebhook(kv, ref));
  }, options);
}
