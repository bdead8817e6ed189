import type { WorkspaceId } from "../domain/ids.ts";
import type { Draft } from "../storage/draft.ts";

/** What is kept of earlier contents at most. */
export interface VersionLimits {
  /** Versions of one file, beside the present one; 0: none. */
  readonly perFile: number;
  readonly bytesPerFile: number;
  /** Of one workspace. */
  readonly bytes: number;
  /** For how long after another content has replaced it. */
  readonly lifeMs: number;
}

export const NO_VERSIONS: VersionLimits = { perFile: 0, bytesPerFile: 0, bytes: 0, lifeMs: 0 };

/** Versions of one file that a setting may ask for: a change may have to remove them all. */
export const MAX_VERSIONS_PER_FILE = 1000;

/** Told within the change that keeps a version; `isFull`: there are more than may be kept. */
export type VersionKept = (draft: Draft, incarnation: WorkspaceId, isFull: boolean) => void;

/** Between two looks for versions that are too old. */
export const VERSIONS_PAUSE_MS = 24 * 3600_000;
