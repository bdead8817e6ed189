import type { AccountId } from "../domain/ids.ts";
import type { KvReader } from "../storage/kv.ts";
import type { Keys } from "../workspace/keys.ts";
import { countedBytes, countedNodes } from "../workspace/tree/stored-bytes.ts";
import type { StoredQuotas } from "../workspace/workspace-limits.ts";

/** Used share from which a quota is reported. */
const NEAR = 0.8;
/** Maximum number of reported shares; each is a separate time series. */
const MAX_REPORTED = 100;

/** Share of a quota that an account uses; 1: the whole quota. */
export interface QuotaShare {
  readonly account: AccountId;
  readonly resource: "stored_bytes" | "nodes" | "chunks";
  readonly share: number;
}

/** The shares of an account's nearly exhausted quotas. */
export function nearQuotas(
  kv: Pick<KvReader, "get">,
  keys: Keys,
  account: AccountId,
  quotas: StoredQuotas,
): QuotaShare[] {
  const { nodes, chunks } = countedNodes(kv, keys);
  const uses = [
    ["stored_bytes", countedBytes(kv, keys) ?? 0, quotas.bytes],
    ["nodes", nodes, quotas.nodes],
    ["chunks", chunks, quotas.chunks],
  ] as const;
  return uses
    .filter(([, used, limit]) => limit > 0 && used >= limit * NEAR)
    .map(([resource, used, limit]) => ({ account, resource, share: used / limit }));
}

/** The highest shares, up to the maximum number. */
export const highestShares = (shares: readonly QuotaShare[]): QuotaShare[] =>
  [...shares].sort((a, b) => b.share - a.share).slice(0, MAX_REPORTED);
