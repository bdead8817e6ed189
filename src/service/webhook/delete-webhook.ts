import { notFound } from "../../domain/errors.ts";
import { deleteWebhookRecords, readWebhook } from "../../workspace/webhooks/webhooks.ts";
import type { ServiceCall } from "../service-call.ts";
import { type WebhookDeps, webhookOf } from "./own-webhooks.ts";

/** DELETE webhooks/{webhook_id}: deletes a webhook. */
export async function deleteWebhook(
  deps: WebhookDeps,
  { caller }: ServiceCall,
  { webhookId }: { readonly webhookId: string },
): Promise<{ deleted: true }> {
  const { ref } = await webhookOf(deps, caller, webhookId);
  const { workspace } = await deps.tenants.openOrCreate(caller);
  await workspace.transact((draft) => {
    if (!readWebhook(draft, ref)) throw notFound("webhook", webhookId);
    deleteWebhookRecords(draft, ref);
    draft.isBeyondQuota = true;
    return () => deps.webhooks.leave(ref);
  });
  return { deleted: true };
}
