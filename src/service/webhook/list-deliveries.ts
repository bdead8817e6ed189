import type { ServiceCall } from "../service-call.ts";
import { type DeliveryView, deliveryView, type WebhookDeps, webhookOf } from "./own-webhooks.ts";

/** GET webhooks/{webhook_id}/deliveries: the latest attempts, newest first. */
export async function listDeliveries(
  deps: Pick<WebhookDeps, "kv" | "tenants">,
  { caller }: ServiceCall,
  { webhookId }: { readonly webhookId: string },
): Promise<{ deliveries: DeliveryView[] }> {
  const { progress } = await webhookOf(deps, caller, webhookId);
  return { deliveries: progress.recent.map(deliveryView) };
}
