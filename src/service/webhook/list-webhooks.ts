import { listWebhooks } from "../../workspace/webhooks/webhooks.ts";
import type { ServiceCall } from "../service-call.ts";
import { type WebhookDeps, type WebhookView, webhookView } from "./own-webhooks.ts";

/** GET webhooks: the caller's webhooks, oldest first. */
export async function listOwnWebhooks(
  { kv, tenants }: Pick<WebhookDeps, "kv" | "tenants">,
  { caller }: ServiceCall,
): Promise<{ webhooks: WebhookView[] }> {
  const { workspace } = await tenants.openOrEmpty(caller);
  const found = await listWebhooks(kv, workspace.incarnation, caller.user);
  return { webhooks: found.map((stored) => webhookView(workspace, stored)) };
}
