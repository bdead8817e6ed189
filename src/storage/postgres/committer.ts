import { setTimeout as pause } from "node:timers/promises";
import { alreadyExists, unavailable } from "../../domain/errors.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import type { KvOp } from "../kv.ts";
import { byteaArray } from "./binary.ts";
import { type Query, sqlStateOf } from "./connection.ts";
import { LOST, TAKEN } from "./schema.ts";

/**
 * Maximum number of attempts to write a transaction when the connection breaks, and the first pause between
 * two in ms, which doubles.
 */
const ATTEMPTS = 6;
const PAUSE_MS = 100;
/** Time in ms after which no further attempt begins, because all writes of the server wait for this one. */
const MAX_ATTEMPTS_MS = 60_000;

/** The next version of a workspace that this server owns. */
export interface NextVersion {
  readonly workspace: WorkspaceId;
  readonly turn: number;
  readonly version: number;
  /** See Written. */
  readonly written: string;
  /** `written` of the previous version; "" if unknown. */
  readonly after: string;
  readonly ops: readonly KvOp[];
  /** The operations whose keys are also in the directory. */
  readonly named: readonly KvOp[];
}

/** Nothing was written: another server owns a workspace, or owned it in the meantime. */
export class LostWorkspaces extends Error {
  readonly workspaces: readonly WorkspaceId[];

  constructor(workspaces: readonly WorkspaceId[], cause: unknown) {
    super("a workspace has another owner", { cause });
    this.workspaces = workspaces;
  }
}

const COMMIT = `
WITH want AS (SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $13::uuid[], $14::uuid[])
  AS t(incarnation, turn, version, written, after)),
fence AS (UPDATE ctxdb.workspaces w SET version = want.version, written = want.written FROM want
  WHERE w.incarnation = want.incarnation AND w.turn = want.turn AND w.version = want.version - 1
  RETURNING w.incarnation, w.version, want.after),
gone AS (DELETE FROM ctxdb.kv USING unnest($6::bigint[], $7::bytea[]) AS d(incarnation, key)
  WHERE kv.incarnation = d.incarnation AND kv.key = d.key),
puts AS (INSERT INTO ctxdb.kv (incarnation, key, value)
  SELECT * FROM unnest($4::bigint[], $5::bytea[], $8::bytea[])
  ON CONFLICT (incarnation, key) DO UPDATE SET value = excluded.value),
noted AS (INSERT INTO ctxdb.changes (incarnation, version, after, keys)
  SELECT fence.incarnation, fence.version, fence.after, array_agg(t.key) FROM fence JOIN (
    SELECT * FROM unnest($4::bigint[], $5::bytea[]) AS p(incarnation, key)
    UNION ALL SELECT * FROM unnest($6::bigint[], $7::bytea[]) AS d(incarnation, key)) t USING (incarnation)
  GROUP BY fence.incarnation, fence.version, fence.after),
unnamed AS (DELETE FROM ctxdb.directory USING unnest($11::bigint[], $12::bytea[]) AS d(incarnation, key)
  WHERE directory.incarnation = d.incarnation AND directory.key = d.key),
named AS (INSERT INTO ctxdb.directory (incarnation, key) SELECT * FROM unnest($9::bigint[], $10::bytea[])
  ON CONFLICT (key) DO UPDATE SET incarnation = excluded.incarnation
  WHERE directory.incarnation = excluded.incarnation RETURNING key)
SELECT CASE
  WHEN (SELECT count(*) FROM fence) < cardinality($1::bigint[]) THEN ctxdb.refuse('${LOST}')
  WHEN (SELECT count(*) FROM named) < cardinality($9::bigint[]) THEN ctxdb.refuse('${TAKEN}')
  ELSE 0 END AS ok`;

/** Who wrote a version of each workspace: `written` if it is the present one, otherwise `after`. */
const WRITTEN = `
SELECT w.incarnation, w.turn, w.version, w.written, c.after
FROM unnest($1::bigint[], $2::bigint[]) AS want(incarnation, version)
JOIN ctxdb.workspaces w ON w.incarnation = want.incarnation
LEFT JOIN ctxdb.changes c ON c.incarnation = want.incarnation AND c.version = want.version + 1`;

interface WrittenRow {
  readonly incarnation: WorkspaceId;
  readonly turn: number;
  readonly version: number;
  readonly written: string | null;
  readonly after: string | null;
}

/**
 * Writes changes of several workspaces in one statement, hence atomically. Writes nothing unless each
 * workspace has the turn and version that this server knows (fencing).
 */
export class Committer {
  readonly #query: Query;

  constructor(query: Query) {
    this.#query = query;
  }

  /**
   * Resolves once the changes are durable. Rejects with LostWorkspaces (nothing was written), ALREADY_EXISTS
   * if another workspace has one of the names, or UNAVAILABLE: the outcome is unknown, and ownership of the
   * workspaces must be acquired again.
   */
  async commit(changes: readonly NextVersion[]): Promise<void> {
    const values = valuesOf(changes);
    let broken: unknown;
    const began = performance.now();
    const isLate = () => broken !== undefined && performance.now() - began > MAX_ATTEMPTS_MS;
    for (let attempt = 0; attempt < ATTEMPTS && !isLate(); attempt++) {
      try {
        // the statement may have been written, or may still be running, although its response was lost
        if (broken !== undefined && (await this.#isWritten(changes, broken))) return;
        await this.#query(COMMIT, values, "commit");
        return;
      } catch (error) {
        if (error instanceof LostWorkspaces) throw error;
        const state = sqlStateOf(error);
        if (state === TAKEN) throw alreadyExists("account", nameOf(changes));
        if (state !== undefined && state !== LOST) throw error;
        broken = error;
        if (state === undefined) await pause(PAUSE_MS * 2 ** attempt);
      }
    }
    throw unavailable(
      "the store does not answer, and the change may or may not have been written: check it, then try again",
    );
  }

  /** Whether an earlier attempt was written. Throws LostWorkspaces. */
  async #isWritten(changes: readonly NextVersion[], cause: unknown): Promise<boolean> {
    const rows = await this.#query<WrittenRow>(WRITTEN, [
      changes.map(({ workspace }) => workspace),
      changes.map(({ version }) => version),
    ]);
    const found = new Map(rows.map((row) => [row.incarnation, row]));
    const lost: WorkspaceId[] = [];
    let written = 0;
    for (const { workspace, turn, version, written: id } of changes) {
      const row = found.get(workspace);
      // another server may have taken the workspace after the change was written, and changed it further
      if (row && (row.version === version ? row.written : row.after) === id) written++;
      else if (row?.turn !== turn) lost.push(workspace);
    }
    if (lost.length > 0 && written === 0) throw new LostWorkspaces(lost, cause);
    return written > 0;
  }
}

function valuesOf(changes: readonly NextVersion[]): unknown[] {
  const puts = rowsOf(changes, "ops", true);
  const gone = rowsOf(changes, "ops", false);
  const named = rowsOf(changes, "named", true);
  const unnamed = rowsOf(changes, "named", false);
  return [
    changes.map(({ workspace }) => workspace),
    changes.map(({ turn }) => turn),
    changes.map(({ version }) => version),
    puts.workspaces,
    byteaArray(puts.keys),
    gone.workspaces,
    byteaArray(gone.keys),
    byteaArray(puts.values),
    named.workspaces,
    byteaArray(named.keys),
    unnamed.workspaces,
    byteaArray(unnamed.keys),
    changes.map(({ written }) => written),
    changes.map(({ after }) => after || null),
  ];
}

interface Rows {
  readonly workspaces: WorkspaceId[];
  readonly keys: Buffer[];
  readonly values: Uint8Array[];
}

function rowsOf(changes: readonly NextVersion[], of: "ops" | "named", isPut: boolean): Rows {
  const rows: Rows = { workspaces: [], keys: [], values: [] };
  for (const change of changes)
    for (const { key, value } of change[of]) {
      if ((value !== undefined) !== isPut) continue;
      rows.workspaces.push(change.workspace);
      rows.keys.push(Buffer.from(key));
      if (value !== undefined) rows.values.push(value);
    }
  return rows;
}

/** Name of the first account among the changes, for the error. */
const nameOf = (changes: readonly NextVersion[]): string =>
  changes.flatMap(({ named }) => named.flatMap(({ key }) => (key.startsWith("a/") ? key.slice(2) : [])))[0] ??
  "";
