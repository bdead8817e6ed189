import { invalidArgument, notFound } from "../../domain/errors.ts";
import { checkMainKey } from "../../domain/permission.ts";
import { putWebhook, readWebhook } from "../../workspace/webhooks/webhooks.ts";
import type { ServiceCall } from "../service-call.ts";
import { type WebhookDeps, webhookOf } from "./own-webhooks.ts";
import { newSecret } from "./signature.ts";

const DEFAULT_HOURS = 24;
const MAX_HOURS = 168;
const HOUR_MS = 3600_000;

/**
 * POST webhooks/{webhook_id}/secret: replaces the secret; messages have both signatures until the old one
 * expires.
 */
export async function rotateWebhookSecret(
  deps: WebhookDeps,
  { caller }: ServiceCall,
  {
    webhookId,
    overlapHours = DEFAULT_HOURS,
  }: { readonly webhookId: string; readonly overlapHours?: number | undefined },
): Promise<{ secret: string }> {
  checkMainKey(caller, "change webhooks");
  if (overlapHours > MAX_HOURS) throw invalidArgument("overlap_hours", `must be 0 to ${MAX_HOURS}`);
  const { ref } = await webhookOf(deps, caller, webhookId);
  const { workspace } = await deps.tenants.openOrCreate(caller);
  return workspace.transact((draft) => {
    const stored = readWebhook(draft, ref);
    if (!stored) throw notFound("webhook", webhookId);
    const { before: _, ...record } = stored.record;
    const now = deps.clock();
    const before = { secret: record.secret, until: now + overlapHours * HOUR_MS };
    const secret = newSecret();
    putWebhook(draft, ref.workspace, {
      ...record,
      secret,
      ...(overlapHours > 0 && { before }),
      updatedAt: now,
    });
    return () => ({ secret });
  });
}
