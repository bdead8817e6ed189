import type { Log } from "../../base/log.ts";
import { StartError } from "../../base/start-error.ts";
import { type Query, sqlStateOf } from "./connection.ts";
import { EMPTY, FORMAT, STEPS } from "./schema.ts";

/**
 * Maximum attempts to change the tables; one may fail because another server changes them at the same time.
 */
const ATTEMPTS = 5;
/** Settings that must be on; otherwise acknowledged writes may be lost. */
const REQUIRED = ["fsync", "full_page_writes", "synchronous_commit"];

/**
 * Brings the tables of a store to the current format, step by step. Several servers may do so at once.
 * Rejects with a StartError if the database may lose writes, or its format is unknown.
 */
export async function migrate(query: Query, log: Log): Promise<void> {
  await checkSettings(query);
  await repeated(() => query(EMPTY));
  for (let format = await formatOf(query); format < FORMAT; format = await formatOf(query)) {
    checkFormat(format);
    if (format > 0) log.info({ to: format + 1 }, "migrating the tables of the store");
    // the update locks the row first, so that servers that migrate at the same time wait for each other
    const raise = `UPDATE ctxdb.format SET version = ${format + 1} WHERE version = ${format};`;
    await repeated(() => query(`${raise}${STEPS[format]}`));
  }
  checkFormat(await formatOf(query));
}

/** The format of the tables of a store that is not empty. */
export async function formatOf(query: Query): Promise<number> {
  const [found] = await query<{ version: number }>("SELECT version FROM ctxdb.format", []);
  return found?.version ?? 0;
}

function checkFormat(format: number): void {
  if (format < 0)
    throw new StartError(
      "an import into the store has not finished: run the same `ctxdb store import` again, " +
        "or remove what it has left with `ctxdb store discard`",
    );
  if (format > FORMAT)
    throw new StartError(
      `the store has format ${format}, which this version does not support: use a newer version`,
    );
}

async function checkSettings(query: Query): Promise<void> {
  const off = await query<{ name: string }>(
    "SELECT name FROM pg_settings WHERE name = ANY($1::text[]) AND setting = 'off'",
    [REQUIRED],
  );
  if (off.length > 0)
    throw new StartError(
      `the PostgreSQL store may lose acknowledged writes: set ${off.map(({ name }) => name).join(", ")} to on`,
    );
}

async function repeated(change: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await change();
      return;
    } catch (error) {
      if (sqlStateOf(error) === undefined || attempt === ATTEMPTS) throw error;
    }
}
