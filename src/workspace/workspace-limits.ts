import type { WorkspaceId } from "../domain/ids.ts";
import { DEFAULT_SNAPSHOTS } from "./snapshots/snapshots.ts";
import {
  type AppliedTrashLimits,
  appliedTrashLimits,
  NO_TRASH,
  type TrashLimits,
} from "./trash/trash-limits.ts";
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

/**
 * Retention of one account in ms. Infinite: unlimited. Absent: the server's setting; for tasks and sessions,
 * unlimited.
 */
export interface Lifetimes {
  readonly versions?: number | undefined;
  readonly trash?: number | undefined;
  readonly tasks?: number | undefined;
  readonly sessions?: number | undefined;
}

export interface LimitOptions {
  /** Quotas of a workspace; they may change at any time. Undefined: no limits. */
  readonly quotas?: ((incarnation: WorkspaceId) => StoredQuotas) | undefined;
  /** Retention of a workspace; it may change at any time. Undefined: the server's settings. */
  readonly lifetimes?: ((incarnation: WorkspaceId) => Lifetimes) | undefined;
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

  get lifetimes(): Lifetimes {
    return this.#options.lifetimes?.(this.#incarnation) ?? {};
  }

  /** Versions are limited to a share of the account's quota. */
  get versions(): VersionLimits {
    const limits = this.#options.versions ?? NO_VERSIONS;
    const versions = { ...limits, lifeMs: this.lifetimes.versions ?? limits.lifeMs };
    const { bytes } = this.quotas;
    if (bytes === 0) return versions;
    return { ...versions, bytes: Math.min(versions.bytes, Math.floor(bytes * VERSIONS_SHARE)) };
  }

  get snapshots(): number {
    return this.#options.snapshots ?? DEFAULT_SNAPSHOTS;
  }

  get trash(): AppliedTrashLimits {
    const limits = this.#options.trash ?? NO_TRASH;
    const trash = { ...limits, lifeMs: this.lifetimes.trash ?? limits.lifeMs };
    return appliedTrashLimits(trash, this.quotas.bytes);
  }
}
