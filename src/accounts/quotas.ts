/**
 * Limits that ROOT has set for one account. Absent: the server's setting applies, if any; 0: no limit.
 * Lowering a limit below the current usage removes nothing, but prevents growth.
 */
export interface Quotas {
  readonly storedBytes?: number;
  readonly nodes?: number;
  readonly chunks?: number;
  readonly requestsPerMinute?: number;
  readonly modelTokensPerDay?: number;
}

/** The limit that applies: the account's quota, else the setting; undefined if there is none. */
export function limitOf(quota: number | undefined, setting: number | undefined): number | undefined {
  const limit = quota ?? setting;
  return limit === 0 ? undefined : limit;
}

export const QUOTA_NAMES = [
  "storedBytes",
  "nodes",
  "chunks",
  "requestsPerMinute",
  "modelTokensPerDay",
] as const satisfies readonly (keyof Quotas)[];

export const NO_QUOTAS: Quotas = {};
