import type { Registry } from "../accounts/registry.ts";
import type { Closers } from "../base/closers.ts";
import type { Config } from "../config/config.ts";
import { AddressGuard } from "../ingest/fetch/guard.ts";
import type { DeliveryDeps } from "../service/webhook/deliver.ts";
import type { WebhookDeps } from "../service/webhook/own-webhooks.ts";
import { Webhooks } from "../service/webhook/webhooks.ts";

interface Deps extends Omit<DeliveryDeps, "guard" | "settings"> {
  readonly registry: Registry;
  readonly closers: Closers;
}

/**
 * The webhooks of all accounts, with the dependencies of their operations. Nothing is sent before `start`.
 */
export function openWebhooks(
  { webhooks: { allowsPrivate, ...settings } }: Pick<Config, "webhooks">,
  { registry, closers, kv, tenants, queue, clock, ids, random, log }: Deps,
): WebhookDeps {
  const guard = new AddressGuard(allowsPrivate, undefined, {
    what: "webhooks",
    setting: "CTXDB_WEBHOOK_ALLOW_PRIVATE",
  });
  const deps = { kv, tenants, queue, clock, ids, random, log, guard, settings };
  const webhooks = new Webhooks(deps);
  closers.add("webhooks", "work", () => webhooks.close());
  registry.onLost((lost) => webhooks.lost(lost));
  return { ...deps, webhooks, allowsPrivate };
}
