import type { AccountId } from "../domain/ids.ts";
import type { KvReader } from "../storage/kv.ts";
import type { Keys } from "../workspace/keys.ts";
import type { StoredQuotas } from "../workspace/limits.ts";
import { countedBytes, countedNodes } from "../workspace/tree/stored-bytes.ts";

/** Share of a quota from which an account is reported. */
const NEAR = 0.8;
/** Maximum number of reported shares, because each is a time series of its own. */
const MAX_REPORTED = 100;

/** How much of a quota an account uses; 1 is all of it. */
export interface QuotaShare {
  readonly account: AccountId;
  readonly resource: "stored_bytes" | "nodes" | "chunks";
  readonly share: number;
}

/** What an account uses of the quotas that it has nearly reached. */
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

/** The highest shares, as many as are reported. */
export const highestShares = (shares: readonly QuotaShare[]): QuotaShare[] =>
  [...shares].sort((a, b) => b.share - a.share).slice(0, MAX_REPORTED);
