import { itemAt } from "../../base/expect.ts";
import type { Log } from "../../base/log.ts";
import { unavailable } from "../../domain/errors.ts";
import { NO_WORKSPACE, type WorkspaceId } from "../../domain/ids.ts";
import { rangesOf, workspaceOfKey } from "../key-owner.ts";
import type { Kv, KvOp } from "../kv.ts";
import type { Ownership, OwnershipEvents, Taken } from "../stores.ts";
import { byteaArray } from "./binary.ts";
import type { Query } from "./connection.ts";
import { copiedRows } from "./copied-rows.ts";
import { FREE, type HandOvers } from "./hand-overs.ts";
import type { LocalCopy, Written } from "./local-copy.ts";
import type { Membership } from "./membership.ts";
import { markOfLoad, type SharedPlace } from "./shared-place.ts";

/** Number of keys read per query, and bytes after which a page ends. */
const PAGE = 500;
const PAGE_BYTES = 4 * 1024 * 1024;
/** Number of changed keys above which all rows are read instead. */
const MAX_CHANGED_KEYS = 20_000;

/**
 * Workspaces whose copy can no longer be updated by changed keys: they were deleted, or the changes are no
 * longer recorded.
 */
const OUTDATED = `
SELECT c.workspace FROM unnest($1::bigint[], $2::bigint[]) AS c(workspace, version)
LEFT JOIN ctxdb.workspaces w ON w.incarnation = c.workspace
WHERE c.workspace NOT IN (SELECT incarnation FROM ctxdb.directory)
  OR c.version IS NULL OR w.version IS NULL OR w.version - c.version <> (
    SELECT count(*) FROM ctxdb.changes h WHERE h.incarnation = c.workspace AND h.version > c.version)`;

interface Options {
  readonly query: Query;
  /** See Connection. */
  readonly copyRows: (text: string) => AsyncIterable<Uint8Array>;
  readonly place: SharedPlace;
  readonly copy: LocalCopy;
  readonly kv: Kv;
  readonly membership: () => Membership;
  readonly handOvers: Pick<HandOvers, "assign">;
  /** Returns the id of the store and its current timeline. */
  readonly store: () => string;
  readonly log: Log;
}

/** Columns of a workspace's row. */
interface State {
  readonly version: number;
  readonly written: string | null;
}

const STATE = "version, written";
const writtenOf = ({ version, written }: State): Written => ({ version, written: written ?? "" });

interface StoredRow {
  readonly key: Buffer;
  readonly value: Buffer | null;
}

/**
 * Ownership by rows in the store: a server acquires a workspace by updating its row, then loads its records
 * into the local copy. The server's own records are those of NO_WORKSPACE, which one member owns.
 */
export class SharedOwner implements Ownership {
  readonly #options: Options;
  /** Workspaces that this server lost without releasing them, or could not take over. */
  readonly #missing = new Set<WorkspaceId>();
  #events: OwnershipEvents | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  async start(events: OwnershipEvents): Promise<ReadonlyMap<WorkspaceId, number>> {
    this.#events = events;
    await this.#takeServer();
    const rows = await this.#options.query<{ incarnation: WorkspaceId }>(
      `SELECT incarnation FROM ctxdb.workspaces w WHERE incarnation > $1 AND (w.member = $2 OR ${FREE})
       ORDER BY incarnation`,
      [NO_WORKSPACE, this.#options.membership().self],
    );
    const taken = new Map<WorkspaceId, number>();
    for (const { incarnation } of rows) {
      const found = await this.take(incarnation);
      if ("turn" in found) taken.set(incarnation, found.turn);
    }
    return taken;
  }

  isSure(): boolean {
    return this.#options.membership().isSure;
  }

  get hasServerRecords(): boolean {
    return this.#options.place.held.includes(NO_WORKSPACE);
  }

  async take(workspace: WorkspaceId, isNew = false): Promise<Taken> {
    const { query, place, membership, handOvers } = this.#options;
    // without a valid lease, this server could not serve what it acquires
    if (!this.isSure()) throw unavailable("the store did not answer in time; try again later");
    await query("INSERT INTO ctxdb.workspaces (incarnation) VALUES ($1) ON CONFLICT DO NOTHING", [workspace]);
    if (membership().isDraining && !isNew) await handOvers.assign([workspace], "drain");
    const taken = await query<State & { readonly turn: number }>(
      `UPDATE ctxdb.workspaces w SET member = $2, turn = turn + 1
       WHERE incarnation = $1 AND (w.member = $2 OR ${FREE})
         AND EXISTS (SELECT FROM ctxdb.members WHERE member = $2) RETURNING turn, ${STATE}`,
      [workspace, membership().self],
    );
    if (taken.length === 0) return { owner: await this.#ownerOf(workspace) };
    const { turn, ...state } = itemAt(taken, 0);
    try {
      await this.#load(workspace, writtenOf(state));
    } catch (error) {
      place.unload(workspace);
      throw error;
    }
    place.hold(workspace, turn, writtenOf(state));
    return { turn };
  }

  async prepare(workspace: WorkspaceId): Promise<void> {
    const { query, place } = this.#options;
    const [found] = await query<State>(`SELECT ${STATE} FROM ctxdb.workspaces WHERE incarnation = $1`, [
      workspace,
    ]);
    if (!found) return;
    try {
      // rows may be newer than this version; taking the workspace reads all keys that have changed since
      await this.#load(workspace, writtenOf(found));
    } finally {
      place.unload(workspace);
    }
  }

  async outdated(): Promise<readonly WorkspaceId[]> {
    return this.#outdatedOf([...(await this.#options.copy.workspaces())]);
  }

  async #outdatedOf(workspaces: readonly WorkspaceId[]): Promise<readonly WorkspaceId[]> {
    const { query, place, copy, store } = this.#options;
    const found = workspaces.filter((workspace) => !place.isHeld(workspace));
    if (found.length === 0) return [];
    const rows = await query<{ workspace: WorkspaceId }>(OUTDATED, [
      found,
      found.map((workspace) => copy.stateOf(workspace, store())?.version ?? null),
    ]);
    return rows.map(({ workspace }) => workspace);
  }

  async dropCopy(workspace: WorkspaceId, dropFiles: () => Promise<void>): Promise<void> {
    const { place } = this.#options;
    // the workspace may have been loaded again meanwhile
    if ((await this.#outdatedOf([workspace])).length === 0) return;
    await dropFiles();
    place.load(workspace);
    try {
      await this.#clear(workspace);
    } finally {
      place.unload(workspace);
    }
    for (const { gte, lt } of rangesOf(workspace)) await place.compact(gte, lt);
  }

  async give(workspace: WorkspaceId, to?: number): Promise<void> {
    const { query, place, kv, membership } = this.#options;
    const turn = place.release(workspace);
    if (turn === undefined) return;
    // pending transactions are already decided; they are written first
    await kv.transact(() => ({ ops: [], apply: () => undefined }));
    await query(
      `WITH given AS (
         UPDATE ctxdb.workspaces SET turn = turn + 1,
           member = (SELECT m.member FROM ctxdb.members m WHERE m.member = $4::bigint)
         WHERE incarnation = $1 AND turn = $2 AND member = $3 RETURNING member)
       UPDATE ctxdb.hand_overs h SET state = 'given' FROM given
       WHERE h.incarnation = $1 AND h.target = given.member`,
      [workspace, turn, membership().self, to ?? null],
    );
  }

  /** Marks all workspaces of this server as lost. */
  loseAll(): void {
    for (const workspace of this.#options.place.held) {
      this.#options.place.release(workspace);
      this.lost(workspace);
    }
  }

  /**
   * Called with a new connection before its use, and after each renewal of the lease. Gives up workspaces
   * whose rows differ from what this server wrote, because its memory no longer matches the store: the store
   * was restored or replaced, or another server has taken them.
   */
  async checkRows(query: Query): Promise<void> {
    const { place, log } = this.#options;
    // rows that are written meanwhile can only be newer
    const fences = place.fences;
    if (fences.length === 0) return;
    const rows = await query<{ workspace: WorkspaceId; turn: number; stored: number | null }>(
      `SELECT f.workspace, f.turn, w.version AS stored
       FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS f(workspace, turn, version)
       LEFT JOIN ctxdb.workspaces w ON w.incarnation = f.workspace
       WHERE w.turn IS DISTINCT FROM f.turn OR w.version < f.version`,
      [
        fences.map(({ workspace }) => workspace),
        fences.map(({ turn }) => turn),
        fences.map(({ version }) => version),
      ],
    );
    if (rows.length === 0) return;
    const turns = new Map(place.fences.map(({ workspace, turn }) => [workspace, turn]));
    for (const { workspace, turn, stored } of rows) {
      // given up, or taken again, while the rows were read
      if (turns.get(workspace) !== turn || place.release(workspace) === undefined) continue;
      log.error({ workspace, turn, stored }, "the store has lost changes: loading it again");
      this.lost(workspace);
    }
  }

  lost(workspace: WorkspaceId): void {
    if (workspace === NO_WORKSPACE) return;
    this.#missing.add(workspace);
    this.#events?.lost(workspace);
  }

  /** Acquires lost workspaces again, unless another server owns them. */
  async takeMissing(): Promise<void> {
    await this.#takeServer();
    const missing = [...this.#missing];
    this.#missing.clear();
    this.#acquire(missing);
  }

  /** Spreads workspaces of dead servers over the running ones, and acquires the share of this server. */
  takeOver(workspaces: readonly WorkspaceId[]): void {
    const free = workspaces.filter((workspace) => workspace !== NO_WORKSPACE);
    if (free.length === 0) return;
    void this.#options.handOvers
      .assign(free, "failover")
      .then((own) => this.#acquire(own))
      .catch((error: unknown) => {
        this.#options.log.error({ err: error }, "not taken over; it is tried again");
        for (const workspace of free) this.#missing.add(workspace);
      });
  }

  /**
   * Takes workspaces. A failed one is tried again after the next renewal: its last server is no longer a
   * member, so no other server looks for it, and its jobs and webhooks would wait for the next call.
   */
  #acquire(workspaces: readonly WorkspaceId[]): void {
    for (const workspace of workspaces)
      void this.#events?.free(workspace).catch((error: unknown) => {
        this.#options.log.error({ err: error, workspace }, "not taken over; it is tried again");
        this.#missing.add(workspace);
      });
  }

  /** Acquires the server's own records, unless a running server owns them. */
  async #takeServer(): Promise<void> {
    if (!this.hasServerRecords) await this.take(NO_WORKSPACE);
  }

  async #ownerOf(workspace: WorkspaceId) {
    const found = await this.#options.query<{ member: number; url: string }>(
      `SELECT m.member, m.url FROM ctxdb.workspaces w JOIN ctxdb.members m USING (member)
       WHERE w.incarnation = $1 AND m.member <> $2`,
      [workspace, this.#options.membership().self],
    );
    const owner = found[0];
    // the workspace was just released, or this server was just declared dead
    if (!owner) throw unavailable("the account is moving to another server; try again");
    return { number: owner.member, url: owner.url };
  }

  /** Updates the copy to a version that no other server can change. */
  async #load(workspace: WorkspaceId, state: Written): Promise<void> {
    const { copy, place, store } = this.#options;
    const present = copy.stateOf(workspace, store());
    if (present?.version === state.version && present.written === state.written) return;
    const changed = present && (await this.#changedSince(workspace, present, state.version));
    place.load(workspace);
    if (changed) await this.#loadKeys(workspace, changed);
    else await this.#loadAll(workspace);
    place.load(workspace, { store: store(), ...state });
    await this.#write(workspace, []);
  }

  /**
   * Keys changed after a version; undefined if the record is trimmed, there are too many keys, or the store
   * was restored to a state without that version.
   */
  async #changedSince(
    workspace: WorkspaceId,
    { version: present, written }: Written,
    version: number,
  ): Promise<Buffer[] | undefined> {
    const [found] = await this.#options.query<{ versions: number; keys: number; after: string | null }>(
      `SELECT count(*) AS versions, coalesce(sum(cardinality(keys)), 0)::bigint AS keys,
         (array_agg(after ORDER BY version))[1] AS after
       FROM ctxdb.changes WHERE incarnation = $1 AND version > $2`,
      [workspace, present],
    );
    if (!found || found.versions !== version - present || found.keys > MAX_CHANGED_KEYS) return undefined;
    if (found.versions === 0 || (found.after ?? "") !== written) return undefined;
    const rows = await this.#options.query<{ key: Buffer }>(
      `SELECT DISTINCT unnest(keys) AS key FROM ctxdb.changes
       WHERE incarnation = $1 AND version > $2 ORDER BY key`,
      [workspace, present],
    );
    return rows.map(({ key }) => key);
  }

  async #loadKeys(workspace: WorkspaceId, keys: readonly Buffer[]): Promise<void> {
    for (let from = 0; from < keys.length; ) {
      const rows = await this.#options.query<StoredRow>(
        pageOf(`SELECT k.key, kv.value FROM unnest($2::bytea[]) AS k(key)
          LEFT JOIN ctxdb.kv ON kv.incarnation = $1 AND kv.key = k.key ORDER BY k.key`),
        [workspace, byteaArray(keys.slice(from, from + PAGE))],
      );
      await this.#write(workspace, rows.map(opOf));
      from += rows.length;
    }
  }

  async #clear(workspace: WorkspaceId): Promise<void> {
    for await (const keys of this.#options.copy.keysOf(workspace))
      await this.#write(
        workspace,
        keys.map((key) => ({ key, value: undefined })),
      );
  }

  async #loadAll(workspace: WorkspaceId): Promise<void> {
    await this.#clear(workspace);
    const all = this.#options.copyRows(
      `COPY (SELECT key, value FROM ctxdb.kv WHERE incarnation = ${workspace}) TO STDOUT (FORMAT binary)`,
    );
    for await (const rows of copiedRows(all)) await this.#write(workspace, rows.map(opOf));
  }

  /**
   * Writes to the copy. Does not touch directory keys that another workspace owns by now. Because of
   * `markOfLoad`, the copy's mark is written even without other operations.
   */
  #write(workspace: WorkspaceId, ops: readonly KvOp[]): Promise<void> {
    const { kv, copy, place } = this.#options;
    const isOwn = ({ key, value }: KvOp) => {
      if (workspaceOfKey(key) !== undefined) return true;
      const owner = copy.ownerOf(key);
      // rows loaded ahead may contain a name that a held workspace has acquired since
      return value === undefined ? owner === workspace : !(owner !== undefined && place.isHeld(owner));
    };
    return kv.transact(
      () => ({ ops: [...ops.filter(isOwn), markOfLoad(workspace)], apply: () => undefined }),
      { maxBytes: Number.POSITIVE_INFINITY },
    );
  }
}

/** The first rows of a selection, by key, up to PAGE_BYTES of values. */
const pageOf = (rows: string): string => `
  SELECT key, value FROM (
    SELECT key, value, sum(coalesce(length(value), 0)) OVER (ORDER BY key) - coalesce(length(value), 0) AS before
    FROM (${rows}) AS rows) AS page
  WHERE before < ${PAGE_BYTES} ORDER BY key`;

const opOf = ({ key, value }: StoredRow): KvOp => ({ key: key.toString(), value: value ?? undefined });
