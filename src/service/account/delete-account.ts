import { namedAccount } from "../../accounts/account-lookup.ts";
import type { Registry } from "../../accounts/registry.ts";
import { eraseJob } from "../../domain/job.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { ACCOUNT_RULES } from "./account-rules.ts";

/**
 * DELETE admin/accounts/{account_id}: removes an account; name, keys and URIs are gone on return, and a job
 * purges the data. Requires ROOT.
 */
export async function deleteAccount(
  deps: { registry: Registry; tenants: Tenants; queue: JobQueue },
  call: ServiceCall,
  input: { readonly accountId: string },
) {
  ACCOUNT_RULES.deleteAccount(call.caller);
  await deps.registry.deleteAccount(namedAccount(input.accountId), (draft, incarnation) => {
    deps.queue.enqueue(draft, eraseJob(incarnation));
    draft.onDurable(() => deps.tenants.forget(incarnation));
  });
  return { deleted: true };
}
