import { notFound } from "../../domain/errors.ts";
import { checkMainKey } from "../../domain/permission.ts";
import type { WebhookProgress, WebhookRecord } from "../../workspace/webhooks/records.ts";
import { putProgress, putWebhook, readWebhook } from "../../workspace/webhooks/webhooks.ts";
import type { ServiceCall } from "../service-call.ts";
import { checkDescription } from "./create-webhook.ts";
import { type WebhookDeps, type WebhookView, webhookOf, webhookView } from "./own-webhooks.ts";
import { checkReceiver } from "./receiver-url.ts";

interface UpdateWebhookInput {
  readonly webhookId: string;
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly paused?: boolean | undefined;
}

/** PATCH webhooks/{webhook_id}: changes a webhook. */
export async function updateWebhook(
  deps: WebhookDeps,
  { caller, signal }: ServiceCall,
  { webhookId, description, paused, ...input }: UpdateWebhookInput,
): Promise<WebhookView> {
  checkMainKey(caller, "change webhooks");
  const { ref } = await webhookOf(deps, caller, webhookId);
  if (description !== undefined) checkDescription(description);
  const url = input.url === undefined ? undefined : await checkReceiver(input.url, deps);
  signal.throwIfAborted();
  const { workspace } = await deps.tenants.openOrCreate(caller);
  return workspace.transact((draft) => {
    const stored = readWebhook(draft, ref);
    if (!stored) throw notFound("webhook", webhookId);
    const { paused: reason, ...rest } = stored.record;
    const pause = paused === undefined ? reason : paused ? (reason ?? "paused by its user") : undefined;
    const record: WebhookRecord = {
      ...rest,
      ...(url !== undefined && { url }),
      ...(description !== undefined && { description }),
      ...(pause !== undefined && { paused: pause }),
      updatedAt: deps.clock(),
    };
    const isResumed = reason !== undefined && pause === undefined;
    const progress = isResumed ? startedOver(stored.progress) : stored.progress;
    putWebhook(draft, ref.workspace, record);
    if (isResumed) putProgress(draft, ref, progress);
    return () => {
      deps.webhooks.wake(ref, pause !== undefined);
      return webhookView(workspace, { record, progress });
    };
  });
}

/** Makes batches that wait for their next attempt due at once, with all attempts available again. */
function startedOver({ batch, again, ...progress }: WebhookProgress): WebhookProgress {
  const begin = { attempts: 0, dueAt: 0 };
  return {
    ...progress,
    ...(batch && { batch: { ...batch, ...begin } }),
    again: again.map((one) => ({ ...one, ...begin })),
    givenUp: 0,
  };
}
