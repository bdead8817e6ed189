import type { WorkspaceId } from "../../domain/ids.ts";

import type { Draft } from "../../storage/draft.ts";

/** Limits of the trash of one workspace. */
export interface TrashLimits {
  /** Items of one owner; 0: no trash. */
  readonly items: number;
  readonly bytes: number;
  /** Lifetime in ms after the removal. */
  readonly lifeMs: number;
}

/** The same, as one workspace applies them. */
export interface AppliedTrashLimits extends TrashLimits {
  /** Stored bytes of the account above which the oldest items go, whatever the other limits say. */
  readonly storedBytes: number;
}

export const NO_TRASH: TrashLimits = { items: 0, bytes: 0, lifeMs: 0 };

/** Time in ms after which the limits are looked at again. */
export const TRASH_PAUSE_MS = 24 * 3600_000;

/** Share of an account's quota for the trash, and the share in use from which the trash gives way. */
const TRASH_SHARE = 0.25;
const QUOTA_SHARE = 0.75;

/** `small`: one file; `large`: its bytes are still to be counted; `full`: a limit is exceeded. */
export type TrashChange = "small" | "large" | "full";

/** Called within the change that moves something to the trash, or brings the account close to its quota. */
export type Trashed = (draft: Draft, incarnation: WorkspaceId, change: TrashChange) => void;

export function appliedTrashLimits(limits = NO_TRASH, maxStoredBytes = 0): AppliedTrashLimits {
  if (maxStoredBytes === 0) return { ...limits, storedBytes: Number.POSITIVE_INFINITY };
  return {
    ...limits,
    bytes: Math.min(limits.bytes, Math.floor(maxStoredBytes * TRASH_SHARE)),
    storedBytes: Math.floor(maxStoredBytes * QUOTA_SHARE),
  };
}
