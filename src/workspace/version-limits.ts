import type { WorkspaceId } from "../domain/ids.ts";
import type { Draft } from "../storage/draft.ts";

/** Limits of stored earlier contents. */
export interface VersionLimits {
  /** Maximum number of earlier versions per file; 0: none. */
  readonly perFile: number;
  readonly bytesPerFile: number;
  /** Maximum bytes of earlier versions per workspace. */
  readonly bytes: number;
  /** Lifetime in ms after a content was replaced. */
  readonly lifeMs: number;
}

export const NO_VERSIONS: VersionLimits = { perFile: 0, bytesPerFile: 0, bytes: 0, lifeMs: 0 };

/** Maximum value of the setting, because one transaction may have to remove all versions of a file. */
export const MAX_VERSIONS_PER_FILE = 1000;

/** Called within the transaction that stores a version; `isFull`: a limit is exceeded. */
export type VersionKept = (draft: Draft, incarnation: WorkspaceId, isFull: boolean) => void;

/** Interval in ms between removals of expired versions. */
export const VERSIONS_PAUSE_MS = 24 * 3600_000;
