import type { Blobs } from "./blobs.ts";
import type { Kv } from "./kv.ts";

/** Stores that a migration may change. */
export interface MigratedStores {
  readonly kv: Kv;
  readonly blobs: Blobs;
}

/**
 * Migrates from one format to the next. Every change must be idempotent, because the process may be killed
 * and the migration starts again.
 */
export interface Migration {
  /** Description of the migration, starting with a verb: "splits …". */
  readonly what: string;
  run(stores: MigratedStores): Promise<void>;
}
