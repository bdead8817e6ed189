import type { WorkspaceId } from "../../domain/ids.ts";

import type { Draft } from "../../storage/draft.ts";

/** Limits of the trash of one workspace. */
export interface TrashLimits {
  /** Maximum number of items per owner; 0: no trash. */
  readonly items: number;
  readonly bytes: number;
  /** Lifetime of an item in ms. */
  readonly lifeMs: number;
}

/** Limits as applied to one workspace. */
export interface AppliedTrashLimits extends TrashLimits {
  /** Stored bytes of the account above which the oldest items are removed, regardless of the other limits. */
  readonly storedBytes: number;
}

export const NO_TRASH: TrashLimits = { items: 0, bytes: 0, lifeMs: 0 };

/** Interval in ms between checks of the limits. */
export const TRASH_PAUSE_MS = 24 * 3600_000;

/**
 * Share of an account's quota for the trash, and the share of the quota in use above which trash is removed.
 */
const TRASH_SHARE = 0.25;
const QUOTA_SHARE = 0.75;

/** `small`: one file. `large`: its bytes must still be counted. `full`: a limit is exceeded. */
export type TrashChange = "small" | "large" | "full";

/**
 * Called within the transaction that moves something to the trash, or brings the account close to its quota.
 */
export type Trashed = (draft: Draft, incarnation: WorkspaceId, change: TrashChange) => void;

export function appliedTrashLimits(limits: TrashLimits, maxStoredBytes: number): AppliedTrashLimits {
  if (maxStoredBytes === 0) return { ...limits, storedBytes: Number.POSITIVE_INFINITY };
  return {
    ...limits,
    bytes: Math.min(limits.bytes, Math.floor(maxStoredBytes * TRASH_SHARE)),
    storedBytes: Math.floor(maxStoredBytes * QUOTA_SHARE),
  };
}
