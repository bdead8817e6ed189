import type { Log } from "../../base/log.ts";
import { StartError } from "../../base/start-error.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import type { Pair } from "../backup/packed-records.ts";
import { workspaceOfKey } from "../key-owner.ts";
import { type KvOp, prefixRange } from "../kv.ts";
import type { RecordsPlace } from "../transfer/records-place.ts";
import { byteaArray } from "./binary.ts";
import { Connection, sqlStateOf } from "./connection.ts";
import { copiedRows } from "./copied-rows.ts";
import { formatOf, migrate } from "./migrate.ts";
import { FORMAT } from "./schema.ts";

/** Facts that name the source of an unfinished import, and the bucket that it fills. */
const SOURCE = "import";
const BUCKET = "import/contents";
/** Number of rows removed per statement. */
const REMOVED_ROWS = 5000;
const UNFINISHED = -FORMAT;
const LIVING = "(SELECT FROM ctxdb.members WHERE until > clock_timestamp())";
/** SQLSTATE of a table or schema that is missing. */
const MISSING = "42P01";

const WRITE = `
WITH gone AS (DELETE FROM ctxdb.kv USING unnest($4::bytea[]) AS d(key)
  WHERE kv.incarnation = $1 AND kv.key = d.key),
unnamed AS (DELETE FROM ctxdb.directory USING unnest($4::bytea[]) AS d(key)
  WHERE directory.incarnation = $1 AND directory.key = d.key),
named AS (INSERT INTO ctxdb.directory (key, incarnation) SELECT key, $1::bigint FROM unnest($5::bytea[]) AS n(key)
  ON CONFLICT (key) DO UPDATE SET incarnation = excluded.incarnation)
INSERT INTO ctxdb.kv (incarnation, key, value) SELECT $1::bigint, p.* FROM unnest($2::bytea[], $3::bytea[]) AS p
ON CONFLICT (incarnation, key) DO UPDATE SET value = excluded.value`;

/** The records of a PostgreSQL store while no server uses it. */
export class StoreRecords implements RecordsPlace {
  readonly #log: Log;
  /** Rows are read while others are written. */
  readonly #reading: Connection;
  readonly #writing: Connection;

  constructor(url: string, log: Log) {
    this.#log = log;
    this.#reading = new Connection(url, log);
    this.#writing = new Connection(url, log);
  }

  /** Why the last statement failed; undefined if the database responded. */
  get fault(): unknown {
    return this.#writing.fault ?? this.#reading.fault;
  }

  /**
   * Begins or continues an import; servers cannot use the store until `finishImport`. `source` identifies the
   * imported data, `bucket` the bucket for large contents; `checkBucket` rejects if no import may begin to fill
   * it. Rejects with a StartError if the store has other records or running servers.
   */
  async beginImport(source: string, bucket: string, checkBucket: () => Promise<void>): Promise<void> {
    const { query } = this.#writing;
    if ((await this.#format()) !== UNFINISHED) {
      await migrate(query, this.#log);
      await this.#refuseServers();
      const [found] = await query<{ used: boolean }>(
        "SELECT EXISTS (SELECT FROM ctxdb.workspaces) AS used",
        [],
      );
      if (found?.used !== false) throw hasRecords();
      // before the import is recorded as begun: later attempts and a discard rely on an own bucket
      await checkBucket();
      const begun = await query(
        `UPDATE ctxdb.format SET version = $1 WHERE version = $2 AND NOT EXISTS ${LIVING}
         AND NOT EXISTS (SELECT FROM ctxdb.workspaces) RETURNING version`,
        [UNFINISHED, FORMAT],
      );
      if (begun.length === 0) throw hasRecords();
    }
    await query(
      "INSERT INTO ctxdb.facts (key, value) VALUES ($1, to_jsonb($2::text)), ($3, to_jsonb($4::text)) ON CONFLICT DO NOTHING",
      [SOURCE, source, BUCKET, bucket],
    );
    if ((await this.#text(SOURCE)) !== source)
      throw new StartError(
        "an import of another data directory has not finished: finish that one, or remove what it has left with `ctxdb store discard`",
      );
    const begun = await this.#text(BUCKET);
    if (begun !== bucket)
      throw new StartError(`the unfinished import fills ${begun}, not ${bucket}: set CTXDB_OBJECTS`);
  }

  /**
   * The bucket that an unfinished import fills; undefined if an earlier version began it. Rejects with a
   * StartError if no import is unfinished.
   */
  async unfinishedImport(): Promise<string | undefined> {
    if ((await this.#format()) !== UNFINISHED)
      throw new StartError("the store has no unfinished import: check CTXDB_STORE");
    return this.#text(BUCKET);
  }

  /** Removes the records of an unfinished import, in parts, and then the tables. Can be repeated. */
  async discard(onRemoved: (rows: number) => void): Promise<void> {
    const { query } = this.#writing;
    for (const table of ["kv", "directory"])
      for (let rows = REMOVED_ROWS; rows === REMOVED_ROWS; onRemoved(rows)) {
        const [found] = await query<{ rows: number }>(
          `WITH gone AS (DELETE FROM ctxdb.${table}
             WHERE ctid = ANY(ARRAY(SELECT ctid FROM ctxdb.${table} LIMIT ${REMOVED_ROWS})) RETURNING 1)
           SELECT count(*) AS rows FROM gone`,
          [],
        );
        rows = found?.rows ?? 0;
      }
    await query("DROP SCHEMA ctxdb CASCADE");
  }

  /**
   * Makes the store usable after the import of all records. `version` must be one that no server's local copy
   * can have. New workspaces get numbers above `last`.
   */
  async finishImport(
    workspaces: readonly WorkspaceId[],
    facts: ReadonlyMap<string, string>,
    { turn, version, last }: { readonly turn: number; readonly version: number; readonly last: number },
  ): Promise<void> {
    const { query } = this.#writing;
    await query("SELECT setval('ctxdb.incarnations', $1::bigint)", [Math.max(last, 1)]);
    await query(
      `INSERT INTO ctxdb.facts (key, value) SELECT key, value::jsonb FROM unnest($1::text[], $2::text[]) AS f(key, value)
       ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
      [[...facts.keys()], [...facts.values()]],
    );
    await query(
      `INSERT INTO ctxdb.workspaces (incarnation, turn, version) SELECT w, $2, $3 FROM unnest($1::bigint[]) AS w
       ON CONFLICT (incarnation) DO UPDATE SET turn = excluded.turn, version = excluded.version`,
      [workspaces, turn, version],
    );
    await query(
      `WITH finished AS (UPDATE ctxdb.format SET version = $1 WHERE version = $2 RETURNING version)
       DELETE FROM ctxdb.facts USING finished WHERE key = ANY($3::text[])`,
      [FORMAT, UNFINISHED, [SOURCE, BUCKET]],
    );
  }

  /** Rejects with a StartError if the store cannot be exported or has running servers. */
  async beginExport(): Promise<void> {
    const format = await this.#format();
    if (format === undefined) throw new StartError("the store is empty: check CTXDB_STORE");
    if (format < 0) throw new StartError("an import into the store has not finished");
    if (format !== FORMAT)
      throw new StartError(
        `the store has format ${format}, this version uses ${FORMAT}: start a server of this version once, or use a newer one`,
      );
    await this.#refuseServers();
  }

  /**
   * A fingerprint that changes as soon as a server uses the store. Rejects with a StartError while one runs.
   */
  async state(): Promise<string> {
    await this.#refuseServers();
    const [found] = await this.#writing.query<{ state: string }>(
      "SELECT concat_ws(' ', count(*), sum(turn), sum(version)) AS state FROM ctxdb.workspaces",
      [],
    );
    return found?.state ?? "";
  }

  async workspaces(): Promise<readonly WorkspaceId[]> {
    const rows = await this.#writing.query<{ incarnation: WorkspaceId }>(
      "SELECT incarnation FROM ctxdb.workspaces ORDER BY incarnation",
      [],
    );
    return rows.map(({ incarnation }) => incarnation);
  }

  /** The highest number that a workspace has or had. */
  async lastIncarnation(): Promise<number> {
    const [found] = await this.#writing.query<{ last: number }>(
      `SELECT greatest((SELECT last_value FROM ctxdb.incarnations),
         (SELECT coalesce(max(incarnation), 0) FROM ctxdb.workspaces)) AS last`,
      [],
    );
    return found?.last ?? 0;
  }

  /** Server facts by name, as JSON. */
  async facts(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#writing.query<{ key: string; value: string }>(
      "SELECT key, value::text AS value FROM ctxdb.facts",
      [],
    );
    return new Map(rows.map(({ key, value }) => [key, value]));
  }

  async *records(workspace: WorkspaceId, prefix?: string): AsyncGenerator<Pair[]> {
    const below = prefix === undefined ? "" : rangeOf(prefix);
    const rows = this.#reading.copy(
      `COPY (SELECT key, value FROM ctxdb.kv WHERE incarnation = ${workspace}${below} ORDER BY key) TO STDOUT (FORMAT binary)`,
    );
    for await (const page of copiedRows(rows))
      yield page.map(({ key, value }): Pair => [key.toString(), value]);
  }

  async write(workspace: WorkspaceId, ops: readonly KvOp[]): Promise<void> {
    const puts = ops.flatMap(({ key, value }) => (value ? [{ key, value }] : []));
    const gone = ops.filter(({ value }) => value === undefined);
    const named = puts.filter(({ key }) => workspaceOfKey(key) === undefined);
    await this.#writing.query(
      WRITE,
      [workspace, keysOf(puts), byteaArray(puts.map(({ value }) => value)), keysOf(gone), keysOf(named)],
      "write",
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.#reading.close(), this.#writing.close()]);
  }

  async #text(fact: string): Promise<string | undefined> {
    const [found] = await this.#writing.query<{ text: string }>(
      "SELECT value #>> '{}' AS text FROM ctxdb.facts WHERE key = $1",
      [fact],
    );
    return found?.text;
  }

  async #format(): Promise<number | undefined> {
    try {
      return await formatOf(this.#writing.query);
    } catch (error) {
      if (sqlStateOf(error) === MISSING) return undefined;
      throw error;
    }
  }

  async #refuseServers(): Promise<void> {
    const running = await this.#writing.query<{ url: string }>(
      "SELECT url FROM ctxdb.members WHERE until > clock_timestamp() ORDER BY member LIMIT 5",
      [],
    );
    if (running.length > 0)
      throw new StartError(
        `servers run over the store (${running.map(({ url }) => url).join(", ")}): stop them; after a kill, wait until the lease is over`,
      );
  }
}

const hasRecords = () =>
  new StartError(
    "the store has records already: give CTXDB_STORE an empty database, or empty it with DROP SCHEMA ctxdb CASCADE",
  );

const keysOf = (ops: readonly KvOp[]): Buffer => byteaArray(ops.map(({ key }) => Buffer.from(key)));

function rangeOf(prefix: string): string {
  const { gte, lt } = prefixRange(prefix);
  const [from, to] = [gte, lt].map((key) => `'\\x${Buffer.from(key).toString("hex")}'::bytea`);
  return ` AND key >= ${from} AND key < ${to}`;
}
