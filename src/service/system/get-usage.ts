import { namedAccount } from "../../accounts/account-lookup.ts";
import { limitOf } from "../../accounts/quotas.ts";
import type { Registry } from "../../accounts/registry.ts";
import type { RequestCounts } from "../../accounts/request-counts.ts";
import type { TokenLedger } from "../../accounts/token-ledger.ts";
import type { Caller } from "../../domain/caller.ts";
import { notFound } from "../../domain/errors.ts";
import type { AccountId } from "../../domain/ids.ts";
import { checkAccountAdmin } from "../../domain/permission.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { countedBytes, countedNodes, countedVersions } from "../../workspace/tree/stored-bytes.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";

export interface UsageDeps {
  readonly tenants: Tenants;
  readonly registry: Pick<Registry, "quotas">;
  readonly queue: Pick<JobQueue, "backlog">;
  readonly ledger: Pick<TokenLedger, "spentToday" | "dayEndsAt">;
  readonly requestCounts: Pick<RequestCounts, "used" | "resetsAt">;
  /** The server's setting; undefined: no limit. */
  readonly modelTokensPerDay: number | undefined;
}

/** Usage of one resource in API responses. */
interface ResourceUsage {
  readonly resource: string;
  readonly unit: string;
  readonly used: number;
  /** Absent: no limit. */
  readonly limit?: number;
  readonly source: "quota" | "server";
  /** ISO 8601, UTC. */
  readonly resetsAt?: string;
}

/** How long one kind of past data is retained, in the format of the API. */
interface RetentionView {
  readonly kind: string;
  /** Absent: unlimited. */
  readonly days?: number;
  readonly source: "quota" | "server";
}

const DAY_MS = 24 * 3600_000;

/**
 * Users may see the totals of their own account, because refused writes and WebDAV show these anyway. Only
 * ROOT may see another account. Throws PERMISSION_DENIED.
 */
export function checkUsage(caller: Caller, accountId: string | undefined): void {
  if (accountId !== undefined && accountId !== caller.account) checkAccountAdmin(caller, accountId);
}

/**
 * GET system/usage, GET admin/accounts/{account_id}/usage: current usage of each limited resource. Reads only
 * maintained counters, so the time does not depend on the account's size.
 */
export async function getUsage(
  deps: UsageDeps,
  { caller }: ServiceCall,
  { accountId }: { readonly accountId?: string | undefined },
): Promise<{ accountId: string; resources: ResourceUsage[]; retention: RetentionView[] }> {
  checkUsage(caller, accountId);
  const account = accountId === undefined ? caller.account : namedAccount(accountId);
  const workspace = await workspaceOf(deps, caller, account);
  return {
    accountId: account,
    resources: resourcesOf(deps, account, workspace),
    retention: retentionOf(deps, workspace),
  };
}

async function workspaceOf({ tenants }: UsageDeps, caller: Caller, account: AccountId): Promise<Workspace> {
  if (account === caller.account) return (await tenants.openOrEmpty(caller)).workspace;
  const workspace = await tenants.ofAccount(account);
  if (!workspace) throw notFound("account", account);
  return workspace;
}

function resourcesOf(deps: UsageDeps, account: AccountId, workspace: Workspace): ResourceUsage[] {
  const { incarnation, kv, keys, limits } = workspace;
  const { ledger, requestCounts, queue, registry } = deps;
  const quotas = registry.quotas.of(incarnation);
  const { nodes, chunks } = countedNodes(kv, keys);
  const queued = queue.backlog.usage(incarnation);
  return [
    usage("stored_bytes", "bytes", countedBytes(kv, keys) ?? 0, limits.quotas.bytes, quotas.storedBytes),
    usage("version_bytes", "bytes", countedVersions(kv, keys), limits.versions.bytes),
    usage("nodes", "nodes", nodes, quotas.nodes, quotas.nodes),
    usage("chunks", "chunks", chunks, quotas.chunks, quotas.chunks),
    {
      ...usage(
        "requests_per_minute",
        "requests",
        requestCounts.used(account),
        quotas.requestsPerMinute,
        quotas.requestsPerMinute,
      ),
      resetsAt: timeText(requestCounts.resetsAt),
    },
    {
      ...usage(
        "model_tokens_per_day",
        "tokens",
        ledger.spentToday(incarnation),
        limitOf(quotas.modelTokensPerDay, deps.modelTokensPerDay),
        quotas.modelTokensPerDay,
      ),
      resetsAt: timeText(ledger.dayEndsAt),
    },
    usage("queued_bytes", "bytes", queued.bytes, queued.maxBytes),
    usage("queued_jobs", "jobs", queued.jobs, queued.maxJobs),
  ];
}

function retentionOf({ registry }: UsageDeps, { incarnation, limits }: Workspace): RetentionView[] {
  const { versionDays, trashDays, taskDays, sessionDays, auditDays } = registry.quotas.of(incarnation);
  return [
    retention("version_days", versionDays, limits.versions.lifeMs / DAY_MS),
    retention("trash_days", trashDays, limits.trash.lifeMs / DAY_MS),
    retention("task_days", taskDays, taskDays),
    retention("session_days", sessionDays, sessionDays),
    retention("audit_days", auditDays, auditDays),
  ];
}

/** `quota`: the account's own retention, if any. `days`: 0, infinite or undefined: no limit. */
function retention(kind: string, quota: number | undefined, days: number | undefined): RetentionView {
  const isLimited = days !== undefined && days > 0 && Number.isFinite(days);
  return { kind, ...(isLimited && { days }), source: quota === undefined ? "server" : "quota" };
}

/** `limit`: 0, infinite or undefined: no limit. `quota`: the account's own quota, if any. */
function usage(
  resource: string,
  unit: string,
  used: number,
  limit: number | undefined,
  quota?: number,
): ResourceUsage {
  const isLimited = limit !== undefined && limit > 0 && Number.isFinite(limit);
  const source = quota === undefined ? "server" : "quota";
  return { resource, unit, used, ...(isLimited && { limit }), source };
}

const timeText = (time: number): string => new Date(time).toISOString();
