import type { Migration } from "./migration.ts";
import { FACTS } from "./migrations/facts.ts";
import { JOBS } from "./migrations/jobs.ts";
import { UPLOADS_BY_WORKSPACE } from "./migrations/uploads.ts";

/** Oldest supported format of a data directory. */
export const FIRST_FORMAT = 1;

/** Migrations from FIRST_FORMAT on, one per format, up to the current format. */
export const MIGRATIONS: readonly Migration[] = [FACTS, JOBS, UPLOADS_BY_WORKSPACE];

export const currentFormat = (migrations: readonly Migration[]): number => FIRST_FORMAT + migrations.length;

/** The pending migrations of a data directory in order; undefined if its format is newer. */
export const pendingMigrations = (
  format: number,
  migrations: readonly Migration[],
): readonly Migration[] | undefined =>
  format < FIRST_FORMAT || format > currentFormat(migrations)
    ? undefined
    : migrations.slice(format - FIRST_FORMAT);
