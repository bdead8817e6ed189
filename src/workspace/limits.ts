import type { WorkspaceId } from "../domain/ids.ts";
import { DEFAULT_SNAPSHOTS } from "./snapshots/snapshots.ts";
import { type AppliedTrashLimits, appliedTrashLimits, type TrashLimits } from "./trash/limits.ts";
import { NO_VERSIONS, type VersionLimits } from "./version-limits.ts";

/** Storage limits of one account; 0: no limit. */
export interface StoredQuotas {
  readonly bytes: number;
  readonly nodes: number;
  readonly chunks: number;
  /** Whether the byte limit is the account's own quota, not the server's setting. */
  readonly hasOwnBytes: boolean;
}

export const UNLIMITED: StoredQuotas = { bytes: 0, nodes: 0, chunks: 0, hasOwnBytes: false };

export interface LimitOptions {
  /** Quotas of a workspace; they may change at any time. Undefined: no limits. */
  readonly quotas?: ((incarnation: WorkspaceId) => StoredQuotas) | undefined;
  /** Undefined: earlier versions are not stored. */
  readonly versions?: VersionLimits | undefined;
  /** Maximum number of snapshots per owner. */
  readonly snapshots?: number | undefined;
  /** Undefined: there is no trash. */
  readonly trash?: TrashLimits | undefined;
}

/** Share of an account's quota for earlier versions. */
const VERSIONS_SHARE = 0.25;

/** The current limits of a workspace. */
export class WorkspaceLimits {
  readonly #options: LimitOptions;
  readonly #incarnation: WorkspaceId;

  constructor(options: LimitOptions, incarnation: WorkspaceId) {
    this.#options = options;
    this.#incarnation = incarnation;
  }

  get quotas(): StoredQuotas {
    return this.#options.quotas?.(this.#incarnation) ?? UNLIMITED;
  }

  /** Versions are limited to a share of the account's quota. */
  get versions(): VersionLimits {
    const { versions = NO_VERSIONS } = this.#options;
    const { bytes } = this.quotas;
    if (bytes === 0) return versions;
    return { ...versions, bytes: Math.min(versions.bytes, Math.floor(bytes * VERSIONS_SHARE)) };
  }

  get snapshots(): number {
    return this.#options.snapshots ?? DEFAULT_SNAPSHOTS;
  }

  get trash(): AppliedTrashLimits {
    return appliedTrashLimits(this.#options.trash, this.quotas.bytes);
  }
}
