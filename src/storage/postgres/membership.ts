import { randomUUID } from "node:crypto";
import type { Clock } from "../../base/clock.ts";
import { itemAt } from "../../base/expect.ts";
import type { Log } from "../../base/log.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import type { Member, MemberState, Members } from "../stores.ts";
import type { Query } from "./connection.ts";
import { ACCOUNTS, BEHIND_ACCOUNTS } from "./pg-directory.ts";

/** Number of lease renewals, with checks of the other members, per lease duration. */
const RENEWALS = 4;
/**
 * Share of a lease during which this server relies on it without asking the store, because clocks run at
 * different speeds.
 */
const SURE_SHARE = 0.8;
const MEMBER_STATES = `
  SELECT m.member, m.url, m.draining,
    greatest(0, extract(epoch FROM m.until - clock_timestamp()) * 1000)::bigint AS ms,
    json_build_object(
      'count', count(a.name),
      'names', coalesce(json_agg(a.name ORDER BY a.name) FILTER (WHERE a.place <= $3), '[]'))::text AS accounts
  FROM ctxdb.members m
  LEFT JOIN (
    SELECT w.member, convert_from(substr(d.key, ${ACCOUNTS.length + 1}), 'UTF8') AS name,
      row_number() OVER (PARTITION BY w.member ORDER BY d.key) AS place
    FROM ctxdb.directory d JOIN ctxdb.workspaces w USING (incarnation)
    WHERE d.key > $1 AND d.key < $2) AS a USING (member)
  GROUP BY m.member ORDER BY m.member`;

interface Options {
  readonly query: Query;
  /** Reads for operators, which must not delay renewals. */
  readonly lookUp: Query;
  readonly url: string;
  readonly leaseMs: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when the lease expired or another server declared this one dead. */
  readonly onOver: () => void;
  /** Called with the workspaces of members that this server declared dead. */
  readonly onFree: (workspaces: readonly WorkspaceId[]) => void;
  /** Called after each successful renewal. */
  readonly onRenewed: () => Promise<void>;
}

/**
 * Membership of a running server: a row with a lease by the store's clock, and a number that is never reused.
 * Any member that finds an expired lease deletes the row; a renewal and a deletion never both succeed.
 */
export class Membership implements Members {
  readonly #options: Options;
  #url: string;
  /** Whether this server is draining: it hands over all workspaces and takes no new ones. */
  isDraining = false;
  #number = 0;
  /** Random id of the row: a restored database may assign the number again. */
  #life = "";
  #living: readonly Member[] = [];
  readonly #listeners: ((living: readonly Member[]) => void)[] = [];
  /**
   * End of the time for which the lease can be relied on, by the monotonic clock and by the wall clock,
   * because the monotonic clock stops while a machine is suspended.
   */
  #sureUntil = { monotonic: 0, wall: 0 };
  #isOver = true;
  #tick: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#url = options.url;
  }

  get self(): number {
    return this.#number;
  }

  get living(): readonly Member[] {
    return this.#living;
  }

  get sureSeconds(): number {
    return Math.max(0, this.#sureUntil.monotonic - performance.now()) / 1000;
  }

  onRefresh(listener: (living: readonly Member[]) => void): void {
    this.#listeners.push(listener);
  }

  async announce(url: string): Promise<void> {
    this.#url = url;
    await this.#options.query("UPDATE ctxdb.members SET url = $2 WHERE member = $1", [this.#number, url]);
  }

  async states(limit: number): Promise<readonly MemberState[]> {
    const rows = await this.#options.lookUp<{
      member: number;
      url: string;
      draining: boolean;
      ms: number;
      accounts: string;
    }>(MEMBER_STATES, [Buffer.from(ACCOUNTS), Buffer.from(BEHIND_ACCOUNTS), limit]);
    return rows.map(({ member, url, draining, ms, accounts }) => {
      const { count, names } = JSON.parse(accounts) as { count: number; names: string[] };
      const lease = { leaseSeconds: ms / 1000, isDraining: draining };
      return { number: member, url, ...lease, accountCount: count, accounts: names };
    });
  }

  /** Whether the lease certainly still holds, so that no other server can own this one's workspaces. */
  get isSure(): boolean {
    const { monotonic, wall } = this.#sureUntil;
    const isSure = performance.now() < monotonic && this.#options.clock() < wall;
    if (!isSure) this.#end();
    return isSure;
  }

  /** Registers the server, and renews its lease periodically. */
  async start(): Promise<void> {
    await this.#register();
    await this.#refresh();
    const everyMs = this.#options.leaseMs / RENEWALS;
    this.#tick = setInterval(() => {
      this.#working ??= this.#work().finally(() => {
        this.#working = undefined;
      });
    }, everyMs).unref();
  }

  /** Deletes the membership, so that others do not wait for the lease to expire. */
  async stop(): Promise<void> {
    clearInterval(this.#tick);
    await this.#working;
    await this.#options
      .query("DELETE FROM ctxdb.members WHERE member = $1 AND life = $2", [this.#number, this.#life])
      .catch((error) =>
        this.#options.log.warn({ err: error }, "the store still has this server as a member"),
      );
  }

  async #work(): Promise<void> {
    try {
      await this.#renew();
      await this.#watch();
      await this.#refresh();
      await this.#options.onRenewed();
    } catch {
      // already logged by the connection; the lease may expire
    }
    void this.isSure;
  }

  async #renew(): Promise<void> {
    const { query, leaseMs } = this.#options;
    const renewed = this.#sure();
    const rows = await query(
      `UPDATE ctxdb.members SET until = clock_timestamp() + $2 * interval '1 ms'
       WHERE member = $1 AND life = $3 AND until > clock_timestamp() RETURNING member`,
      [this.#number, leaseMs, this.#life],
    );
    if (rows.length === 0) {
      this.#end();
      await this.#register();
      return;
    }
    // the lease may have expired only by the local clock; ownership is then acquired again
    this.#sureUntil = renewed;
    this.#isOver = false;
  }

  /** Declares members with an expired lease dead. */
  async #watch(): Promise<void> {
    const found = await this.#options.query<{ incarnation: WorkspaceId | null }>(
      `WITH dead AS (DELETE FROM ctxdb.members WHERE until < clock_timestamp() RETURNING member)
       SELECT w.incarnation FROM dead LEFT JOIN ctxdb.workspaces w USING (member)`,
      [],
    );
    const free = found.flatMap(({ incarnation }) => incarnation ?? []);
    if (free.length > 0) this.#options.onFree(free);
  }

  async #refresh(): Promise<void> {
    const rows = await this.#options.query<Member>(
      "SELECT member AS number, url FROM ctxdb.members ORDER BY member",
      [],
    );
    this.#living = rows;
    for (const listener of this.#listeners) listener(rows);
  }

  async #register(): Promise<void> {
    const { query, leaseMs } = this.#options;
    const sure = this.#sure();
    const life = randomUUID();
    const rows = await query<{ member: number }>(
      `INSERT INTO ctxdb.members (url, until, draining, life)
       VALUES ($1, clock_timestamp() + $2 * interval '1 ms', $3, $4) RETURNING member`,
      [this.#url, leaseMs, this.isDraining, life],
    );
    this.#life = life;
    this.#number = Number(itemAt(rows, 0).member);
    this.#sureUntil = sure;
    this.#isOver = false;
  }

  /** Until when a lease requested now can be relied on. */
  #sure(): { monotonic: number; wall: number } {
    const ms = this.#options.leaseMs * SURE_SHARE;
    return { monotonic: performance.now() + ms, wall: this.#options.clock() + ms };
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#sureUntil = { monotonic: 0, wall: 0 };
    this.#options.onOver();
  }
}
