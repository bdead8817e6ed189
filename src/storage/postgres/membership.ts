import type { Clock } from "../../base/clock.ts";
import { itemAt } from "../../base/expect.ts";
import type { Log } from "../../base/log.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import type { Query } from "./connection.ts";

/** Renewals and looks at the others in a lease's time. */
const RENEWALS = 4;
/** Share of a lease in which this server may answer from memory: clocks run at different speeds. */
const SURE_SHARE = 0.8;

interface Options {
  readonly query: Query;
  readonly url: string;
  readonly leaseMs: number;
  readonly clock: Clock;
  readonly log: Log;
  /** The lease is over, or the store has declared this server dead. */
  readonly onOver: () => void;
  /** Workspaces of a server that this one has declared dead. */
  readonly onFree: (workspaces: readonly WorkspaceId[]) => void;
  /** The lease is good, as it was found again a moment ago. */
  readonly onRenewed: () => Promise<void>;
}

/**
 * A running server in the store: a row with a lease by the store's clock, under a number that is never given
 * again. Who finds a lease over deletes the row; a renewal and a deletion never both succeed.
 */
export class Membership {
  readonly #options: Options;
  #number = 0;
  /** By the monotonic clock, and by the wall clock: a suspended machine stops the first. */
  #sureUntil = { monotonic: 0, wall: 0 };
  #isOver = true;
  #tick: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  get number(): number {
    return this.#number;
  }

  /** Whether no other server can have taken what this one has. Synchronous. */
  get isSure(): boolean {
    const { monotonic, wall } = this.#sureUntil;
    const isSure = performance.now() < monotonic && this.#options.clock() < wall;
    if (!isSure) this.#end();
    return isSure;
  }

  /** Registers, and renews the lease from then on. */
  async start(): Promise<void> {
    await this.#register();
    const everyMs = this.#options.leaseMs / RENEWALS;
    this.#tick = setInterval(() => {
      this.#working ??= this.#work().finally(() => {
        this.#working = undefined;
      });
    }, everyMs).unref();
  }

  /** Ends the membership: others need not wait for the end of the lease. */
  async stop(): Promise<void> {
    clearInterval(this.#tick);
    await this.#working;
    await this.#options
      .query("DELETE FROM ctxdb.members WHERE member = $1", [this.#number])
      .catch((error) =>
        this.#options.log.warn({ err: error }, "the store still has this server as a member"),
      );
  }

  async #work(): Promise<void> {
    try {
      await this.#renew();
      await this.#watch();
      await this.#options.onRenewed();
    } catch {
      // the connection has logged it; the lease may end
    }
    void this.isSure;
  }

  async #renew(): Promise<void> {
    const { query, leaseMs } = this.#options;
    const renewed = this.#sure();
    const rows = await query(
      `UPDATE ctxdb.members SET until = clock_timestamp() + $2 * interval '1 ms'
       WHERE member = $1 AND until > clock_timestamp() RETURNING member`,
      [this.#number, leaseMs],
    );
    if (rows.length === 0) {
      this.#end();
      await this.#register();
      return;
    }
    // a lease that ended here alone is good again; what this server had is taken anew
    this.#sureUntil = renewed;
    this.#isOver = false;
  }

  /** Declares members dead whose lease is over. */
  async #watch(): Promise<void> {
    const found = await this.#options.query<{ incarnation: WorkspaceId | null }>(
      `WITH dead AS (DELETE FROM ctxdb.members WHERE until < clock_timestamp() RETURNING member)
       SELECT w.incarnation FROM dead LEFT JOIN ctxdb.workspaces w USING (member)`,
      [],
    );
    const free = found.flatMap(({ incarnation }) => incarnation ?? []);
    if (free.length > 0) this.#options.onFree(free);
  }

  async #register(): Promise<void> {
    const { query, url, leaseMs } = this.#options;
    const sure = this.#sure();
    const rows = await query<{ member: number }>(
      `INSERT INTO ctxdb.members (url, until)
       VALUES ($1, clock_timestamp() + $2 * interval '1 ms') RETURNING member`,
      [url, leaseMs],
    );
    this.#number = Number(itemAt(rows, 0).member);
    this.#sureUntil = sure;
    this.#isOver = false;
  }

  /** The end of a lease that is asked for now. */
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
