import type { Blobs } from "./blobs.ts";
import type { Kv } from "./kv.ts";

/** The first format of a data directory. */
export const FIRST_FORMAT = 1;

/** The stores that a migration may change. */
export interface MigratedStores {
  readonly kv: Kv;
  readonly blobs: Blobs;
}

/**
 * One step from a format to the next. It may be killed at any moment and is then run again from its beginning:
 * every change it makes must be one that can be made twice.
 */
export interface Migration {
  /** For people, of the data directory: "splits …". */
  readonly what: string;
  run(stores: MigratedStores): Promise<void>;
}

/** From FIRST_FORMAT on, one for each format; the last one leads to the format of this version. */
export const MIGRATIONS: readonly Migration[] = [];

export const currentFormat = (migrations: readonly Migration[]): number => FIRST_FORMAT + migrations.length;

/** The migrations that a data directory of a format lacks, in order; undefined for a format of a later version. */
export const pendingMigrations = (
  format: number,
  migrations: readonly Migration[],
): readonly Migration[] | undefined =>
  format < FIRST_FORMAT || format > currentFormat(migrations)
    ? undefined
    : migrations.slice(format - FIRST_FORMAT);
