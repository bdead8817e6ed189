import { namedAccount } from "../../accounts/account-lookup.ts";
import { MAX_RETENTION_DAYS, QUOTA_NAMES, type Quotas, RETENTION_NAMES } from "../../accounts/quotas.ts";
import type { Registry } from "../../accounts/registry.ts";
import type { Clock } from "../../base/clock.ts";
import { invalidArgument } from "../../domain/errors.ts";
import { pruneExpiredJob, pruneTrashJob, pruneVersionsJob } from "../../domain/prune-jobs.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { ServiceCall } from "../service-call.ts";
import { ACCOUNT_RULES } from "./account-rules.ts";

type Wanted = { readonly [K in keyof Quotas]?: Quotas[K] | undefined };

const RETENTION: ReadonlySet<string> = new Set(RETENTION_NAMES);

/**
 * PUT admin/accounts/{account_id}/quotas: replaces all quotas of an account, its retention included. A job
 * removes data older than a new retention. Requires ROOT: an administrator of the account could otherwise
 * remove the audit of their own calls.
 */
export async function setQuotas(
  deps: { readonly registry: Registry; readonly queue: Pick<JobQueue, "enqueue">; readonly clock: Clock },
  { caller }: ServiceCall,
  { accountId, ...wanted }: Wanted & { readonly accountId: string },
) {
  ACCOUNT_RULES.setQuotas(caller);
  const quotas = checkedQuotas(wanted);
  await deps.registry.quotas.set(namedAccount(accountId), quotas, (draft, incarnation) => {
    const now = deps.clock();
    for (const job of [pruneVersionsJob, pruneTrashJob, pruneExpiredJob])
      deps.queue.enqueue(draft, job(incarnation, now));
  });
  return { accountId, ...quotas };
}

function checkedQuotas(wanted: Wanted): Quotas {
  const quotas: { -readonly [K in keyof Quotas]: Quotas[K] } = {};
  for (const name of QUOTA_NAMES) {
    const quota = wanted[name];
    if (quota === undefined) continue;
    if (!Number.isSafeInteger(quota) || quota < 0)
      throw invalidArgument(fieldOf(name), "must be a whole number from 0 (no limit) to 9007199254740991");
    if (RETENTION.has(name) && quota > MAX_RETENTION_DAYS)
      throw invalidArgument(fieldOf(name), `must be at most ${MAX_RETENTION_DAYS} days; 0 means no limit`);
    quotas[name] = quota;
  }
  return quotas;
}

const fieldOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
