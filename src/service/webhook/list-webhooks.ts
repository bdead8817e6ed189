import { permissionDenied } from "../../domain/errors.ts";
import { listWebhooks } from "../../workspace/webhooks/webhooks.ts";
import type { ServiceCall } from "../call.ts";
import { isAdministrator, type WebhookDeps, type WebhookView, webhookView } from "./own-webhooks.ts";

/** GET webhooks: the caller's, or for administrators those of the account, the oldest first. */
export async function listOwnWebhooks(
  { kv, tenants }: Pick<WebhookDeps, "kv" | "tenants">,
  { caller }: ServiceCall,
  { all }: { readonly all: boolean },
): Promise<{ webhooks: WebhookView[] }> {
  if (all && !isAdministrator(caller))
    throw permissionDenied(
      "webhooks",
      "only ROOT and the administrators of the account may see those of all users",
    );
  const { workspace } = await tenants.reading(caller);
  const found = await listWebhooks(kv, workspace.incarnation, all ? undefined : caller.user);
  found.sort((a, b) => a.record.createdAt - b.record.createdAt);
  return { webhooks: found.map((stored) => webhookView(workspace, stored)) };
}
