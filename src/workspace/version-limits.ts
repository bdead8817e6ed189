import type { WorkspaceId } from "../domain/ids.ts";
import type { Draft } from "../storage/draft.ts";

/** Limits of kept earlier contents. */
export interface VersionLimits {
  /** Earlier versions of one file; 0: none. */
  readonly perFile: number;
  readonly bytesPerFile: number;
  /** Bytes of earlier versions in one workspace. */
  readonly bytes: number;
  /** Lifetime in ms after the content was replaced. */
  readonly lifeMs: number;
}

export const NO_VERSIONS: VersionLimits = { perFile: 0, bytesPerFile: 0, bytes: 0, lifeMs: 0 };

/** Upper limit of the setting: one change may have to remove all versions of a file. */
export const MAX_VERSIONS_PER_FILE = 1000;

/** Called within the change that keeps a version; `isFull`: a limit is exceeded. */
export type VersionKept = (draft: Draft, incarnation: WorkspaceId, isFull: boolean) => void;

/** Interval in ms between removals of expired versions. */
export const VERSIONS_PAUSE_MS = 24 * 3600_000;
