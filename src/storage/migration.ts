import type { Blobs } from "./blobs.ts";
import type { Kv } from "./kv.ts";

/** The stores that a migration may change. */
export interface MigratedStores {
  readonly kv: Kv;
  readonly blobs: Blobs;
}

/**
 * One step from a format to the next. It may be killed at any moment and then starts over: every change must
 * be repeatable.
 */
export interface Migration {
  /** Its effect, for people: "splits …". */
  readonly what: string;
  run(stores: MigratedStores): Promise<void>;
}
