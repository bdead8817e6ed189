import { accountId, NO_WORKSPACE, type WorkspaceId } from "../../domain/ids.ts";
import { type MemberLoad, spread } from "../member-load.ts";
import type { DueHandOver, HandOverQueue } from "../placement.ts";
import type { HandOver, HandOverReason, Placing } from "../stores.ts";
import type { Query } from "./connection.ts";
import type { Membership } from "./membership.ts";
import { ACCOUNTS, BEHIND_ACCOUNTS } from "./pg-directory.ts";

/** Maximum number of hand-overs that a server reads at once. */
const PAGE = 100;
/** Maximum number of accounts that are considered for one hand-over. */
const MAX_MOVABLE = 100;
/** Maximum duration of a hand-over before it is dropped (PostgreSQL interval). */
const KEPT = "10 minutes";

/** Condition: no living server owns the workspace. */
export const FREE =
  "(w.member IS NULL OR NOT EXISTS (SELECT FROM ctxdb.members m WHERE m.member = w.member))";
/** Account names with their workspaces; $1 and $2 are the bounds of the keys. */
const NAMES = `
  SELECT d.incarnation, convert_from(substr(d.key, ${ACCOUNTS.length + 1}), 'UTF8') AS name
  FROM ctxdb.directory d WHERE d.key > $1 AND d.key < $2`;
const BOUNDS = [Buffer.from(ACCOUNTS), Buffer.from(BEHIND_ACCOUNTS)] as const;

interface Options {
  readonly query: Query;
  readonly membership: () => Membership;
}

/**
 * Hand-overs as rows of the store. A row names the next owner of a workspace, which loads a copy while the
 * owner continues to work. Rows only determine who acts next; the row in `workspaces` determines the owner.
 */
export class HandOvers implements Placing, HandOverQueue {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  get self(): number {
    return this.#options.membership().self;
  }

  get isDraining(): boolean {
    return this.#options.membership().isDraining;
  }

  async drain(member: number, isDraining: boolean): Promise<boolean> {
    const rows = await this.#query(
      "UPDATE ctxdb.members SET draining = $2 WHERE member = $1 RETURNING member",
      [member, isDraining],
    );
    // hand-overs whose workspace is not given up yet are cancelled
    if (!isDraining)
      await this.#query(
        `DELETE FROM ctxdb.hand_overs h USING ctxdb.workspaces w
         WHERE w.incarnation = h.incarnation AND w.member = $1 AND reason = 'drain' AND state <> 'given'`,
        [member],
      );
    return rows.length > 0;
  }

  async move(workspace: WorkspaceId, member: number): Promise<"requested" | "there" | "absent"> {
    const [found] = await this.#query<{ owner: number | null; isAble: boolean }>(
      `SELECT (SELECT member FROM ctxdb.workspaces WHERE incarnation = $1) AS owner,
         EXISTS (SELECT FROM ctxdb.members WHERE member = $2 AND NOT draining) AS "isAble"`,
      [workspace, member],
    );
    if (found?.owner === member) return "there";
    if (!found?.isAble) return "absent";
    await this.request(workspace, member, "move");
    return "requested";
  }

  async handOvers(limit: number): Promise<readonly HandOver[]> {
    const rows = await this.#query<Omit<HandOver, "account"> & { readonly name: string | null }>(
      `SELECT a.name, w.member AS "from", h.target AS "to", h.state, h.reason
       FROM ctxdb.hand_overs h JOIN ctxdb.workspaces w USING (incarnation)
       LEFT JOIN (${NAMES}) AS a USING (incarnation) ORDER BY h.at, h.incarnation LIMIT $3`,
      [...BOUNDS, limit],
    );
    return rows.map(({ name, ...one }) => ({ ...one, account: name === null ? undefined : accountId(name) }));
  }

  async due(): Promise<readonly DueHandOver[]> {
    const [state] = await this.#query<{ draining: boolean }>(
      "SELECT draining FROM ctxdb.members WHERE member = $1",
      [this.self],
    );
    if (state) this.#options.membership().isDraining = state.draining;
    return this.#query<DueHandOver>(
      `SELECT h.incarnation AS workspace, w.member AS "from", h.target AS "to", h.state, h.reason,
         t.member IS NOT NULL AND NOT t.draining AS "isAble"
       FROM ctxdb.hand_overs h JOIN ctxdb.workspaces w USING (incarnation)
       LEFT JOIN ctxdb.members t ON t.member = h.target
       WHERE h.target = $1 OR w.member = $1 ORDER BY h.at, h.incarnation LIMIT ${PAGE}`,
      [this.self],
    );
  }

  async request(workspace: WorkspaceId, to: number, reason: HandOverReason): Promise<void> {
    await this.#query(
      `INSERT INTO ctxdb.hand_overs (incarnation, target, state, reason) VALUES ($1, $2, 'wanted', $3)
       ON CONFLICT (incarnation) DO UPDATE
       SET target = excluded.target, reason = excluded.reason, at = clock_timestamp(),
         state = CASE hand_overs.target WHEN excluded.target THEN hand_overs.state ELSE 'wanted' END`,
      [workspace, to, reason],
    );
  }

  async loaded(workspace: WorkspaceId): Promise<void> {
    await this.#query(
      `UPDATE ctxdb.hand_overs SET state = 'loaded'
       WHERE incarnation = $1 AND target = $2 AND state = 'wanted'`,
      [workspace, this.self],
    );
  }

  async end(workspace: WorkspaceId, to: number): Promise<void> {
    await this.#query("DELETE FROM ctxdb.hand_overs WHERE incarnation = $1 AND target = $2", [workspace, to]);
  }

  async loads(): Promise<readonly MemberLoad[]> {
    return this.#query<MemberLoad>(
      `SELECT m.member AS number, m.draining AS "isDraining", count(a.name) AS accounts
       FROM ctxdb.members m
       LEFT JOIN (SELECT w.member, n.name FROM (${NAMES}) AS n JOIN ctxdb.workspaces w USING (incarnation)) AS a
         USING (member)
       GROUP BY m.member, m.draining ORDER BY m.member`,
      BOUNDS,
    );
  }

  async movable(): Promise<readonly WorkspaceId[]> {
    const rows = await this.#query<{ workspace: WorkspaceId }>(
      `SELECT n.incarnation AS workspace FROM (${NAMES}) AS n JOIN ctxdb.workspaces w USING (incarnation)
       WHERE w.member = $3 ORDER BY n.incarnation DESC LIMIT ${MAX_MOVABLE}`,
      [...BOUNDS, this.self],
    );
    return rows.map(({ workspace }) => workspace);
  }

  /**
   * Gives workspaces to the servers with the fewest accounts; returns those that remain with this server.
   * Only workspaces that nobody owns are given, and, unless the reason is a failover, those of this server.
   */
  async assign(workspaces: readonly WorkspaceId[], reason: HandOverReason): Promise<readonly WorkspaceId[]> {
    const { self } = this;
    const isFailover = reason === "failover";
    const loads = (await this.loads()).filter(({ number }) => isFailover || number !== self);
    const targets = spread(loads, workspaces.length);
    const others = workspaces.flatMap((workspace, i) => {
      const to = targets[i] ?? self;
      return to === self ? [] : [{ workspace, to }];
    });
    if (others.length === 0) return workspaces;
    await this.#query(
      `WITH given AS (
         UPDATE ctxdb.workspaces w SET member = t.member, turn = turn + 1
         FROM unnest($1::bigint[], $2::bigint[]) AS t(incarnation, member)
         WHERE w.incarnation = t.incarnation AND (w.member = $3 OR ${FREE})
           AND EXISTS (SELECT FROM ctxdb.members m WHERE m.member = t.member)
         RETURNING w.incarnation, w.member)
       INSERT INTO ctxdb.hand_overs (incarnation, target, state, reason)
       SELECT incarnation, member, 'given', $4 FROM given
       ON CONFLICT (incarnation) DO UPDATE
       SET target = excluded.target, state = 'given', reason = excluded.reason, at = clock_timestamp()`,
      [
        others.map(({ workspace }) => workspace),
        others.map(({ to }) => to),
        // after a failover, a call may have made this server take a workspace meanwhile: it must keep it,
        // because it would not learn of another owner
        isFailover ? null : self,
        reason,
      ],
    );
    const given = new Set(others.map(({ workspace }) => workspace));
    return workspaces.filter((workspace) => !given.has(workspace));
  }

  /** Gives all workspaces of this server to other servers, if there are any. */
  async assignAll(): Promise<void> {
    const rows = await this.#query<{ workspace: WorkspaceId }>(
      "SELECT incarnation AS workspace FROM ctxdb.workspaces WHERE member = $1 AND incarnation > $2",
      [this.self, NO_WORKSPACE],
    );
    if (rows.length > 0)
      await this.assign(
        rows.map(({ workspace }) => workspace),
        "stop",
      );
  }

  /** Drops hand-overs that take too long, or whose next owner has ended. */
  async forget(): Promise<void> {
    await this.#query(
      `DELETE FROM ctxdb.hand_overs h WHERE at < clock_timestamp() - $1::interval
         OR NOT EXISTS (SELECT FROM ctxdb.members m WHERE m.member = h.target)`,
      [KEPT],
    );
  }

  get #query(): Query {
    return this.#options.query;
  }
}
