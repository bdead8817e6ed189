/**
 * Retention of an account's past data in days of 24 hours. Absent: the server's setting applies, if any;
 * 0: no limit.
 */
export interface RetentionDays {
  /** Earlier versions of files, from the time of their replacement. */
  readonly versionDays?: number;
  /** Items in the trash. */
  readonly trashDays?: number;
  /** Finished tasks. */
  readonly taskDays?: number;
  /** Days after its last change until a session is removed with its archives. */
  readonly sessionDays?: number;
  /** Entries of the audit trail. */
  readonly auditDays?: number;
}

/**
 * Limits that ROOT set for one account. Absent: the server's setting applies, if any; 0: no limit.
 * Lowering a limit below the current usage removes nothing, but prevents growth.
 */
export interface Quotas extends RetentionDays {
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

export const RETENTION_NAMES = [
  "versionDays",
  "trashDays",
  "taskDays",
  "sessionDays",
  "auditDays",
] as const satisfies readonly (keyof RetentionDays)[];

/** A century, far within the range of dates. */
export const MAX_RETENTION_DAYS = 36_500;

const DAY_MS = 24 * 3600_000;

/** Retention in ms; infinite: no limit of time; undefined: the server's setting applies. */
export const retentionMs = (days: number | undefined): number | undefined =>
  days === 0 ? Number.POSITIVE_INFINITY : days && days * DAY_MS;

export const QUOTA_NAMES = [
  "storedBytes",
  "nodes",
  "chunks",
  "requestsPerMinute",
  "modelTokensPerDay",
  ...RETENTION_NAMES,
] as const satisfies readonly (keyof Quotas)[];

export const NO_QUOTAS: Quotas = {};
