import type { ServiceCall } from "../service-call.ts";
import { type WebhookDeps, type WebhookView, webhookOf, webhookView } from "./own-webhooks.ts";

/** GET webhooks/{webhook_id}: returns a webhook. */
export async function getWebhook(
  deps: Pick<WebhookDeps, "kv" | "tenants">,
  { caller }: ServiceCall,
  { webhookId }: { readonly webhookId: string },
): Promise<WebhookView> {
  const found = await webhookOf(deps, caller, webhookId);
  return webhookView(found.workspace, found);
}
