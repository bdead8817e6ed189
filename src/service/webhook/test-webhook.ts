import type { ServiceCall } from "../service-call.ts";
import { send } from "./deliver.ts";
import { testMessage } from "./message.ts";
import { type DeliveryView, deliveryView, type WebhookDeps, webhookOf } from "./own-webhooks.ts";

/** POST webhooks/{webhook_id}/test: sends a test message, even if the webhook is paused. */
export async function testWebhook(
  deps: WebhookDeps,
  { caller, signal }: ServiceCall,
  { webhookId }: { readonly webhookId: string },
): Promise<DeliveryView> {
  const { record, ref } = await webhookOf(deps, caller, webhookId);
  const place = deps.webhooks.enterTest(ref.workspace);
  try {
    const at = deps.clock();
    const id = `msg_${deps.ids()}`;
    const message = testMessage(record, at);
    const { status, error } = await send(deps, record, id, message, signal);
    return deliveryView({
      id,
      type: message.type,
      outcome: error === undefined ? "delivered" : "failed",
      attempt: 1,
      changes: 0,
      ...(status !== undefined && { status }),
      ...(error !== undefined && { error }),
      ms: Math.max(0, deps.clock() - at),
      at,
    });
  } finally {
    place.release();
  }
}
