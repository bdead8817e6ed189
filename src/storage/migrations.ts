import type { Migration } from "./migration.ts";
import { FACTS } from "./migrations/facts.ts";
import { JOBS } from "./migrations/jobs.ts";
import { UPLOADS_BY_WORKSPACE } from "./migrations/uploads.ts";

/** The first format of a data directory. */
export const FIRST_FORMAT = 1;

/** From FIRST_FORMAT on, one per format; the last one leads to the current format. */
export const MIGRATIONS: readonly Migration[] = [FACTS, JOBS, UPLOADS_BY_WORKSPACE];

export const currentFormat = (migrations: readonly Migration[]): number => FIRST_FORMAT + migrations.length;

/** The pending migrations of a data directory, in order; undefined for a later format. */
export const pendingMigrations = (
  format: number,
  migrations: readonly Migration[],
): readonly Migration[] | undefined =>
  format < FIRST_FORMAT || format > currentFormat(migrations)
    ? undefined
    : migrations.slice(format - FIRST_FORMAT);
