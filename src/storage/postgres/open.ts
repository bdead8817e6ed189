import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { StartError } from "../../base/start-error.ts";
import { type Trace, untraced } from "../../base/trace.ts";
import { GroupKv, type ReadablePlace } from "../group-kv.ts";
import { type Members, Stores } from "../stores.ts";
import { TracedKv } from "../traced-kv.ts";
import { Committer } from "./committer.ts";
import { Connection, type Query } from "./connection.ts";
import { HandOvers } from "./hand-overs.ts";
import { LocalCopy } from "./local-copy.ts";
import { Membership } from "./membership.ts";
import { migrate } from "./migrate.ts";
import { PgDirectory } from "./pg-directory.ts";
import { PgFacts } from "./pg-facts.ts";
import { RowLoads } from "./row-loads.ts";
import { SharedOwner } from "./shared-owner.ts";
import { SharedPlace } from "./shared-place.ts";

/** How long the changed keys are kept for servers with an outdated copy (PostgreSQL interval). */
const KEPT_CHANGES = "1 hour";
const FORGET_EVERY_MS = 60_000;
/** Number of connections that load whole workspaces. */
const LOADS = 2;

export interface SharedOptions {
  /** `postgres://…` */
  readonly url: string;
  /** URL at which other servers reach this one. */
  readonly memberUrl: string;
  readonly leaseMs: number;
  /** Storage for this server's own copy; initially empty. */
  readonly copy: ReadablePlace;
  readonly clock: Clock;
  readonly log: Log;
  readonly trace?: Trace;
  readonly onBroken?: (error: Error) => void;
}

export interface SharedStores {
  readonly stores: Stores;
  readonly members: Members;
  readonly handOvers: HandOvers;
  /** Hands all workspaces over to the other servers and ends the membership. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a PostgreSQL database as the store of several servers and joins them. Rejects with a StartError if
 * the database is unusable.
 */
export async function openShared(options: SharedOptions): Promise<SharedStores> {
  const { url, log, clock, trace = untraced } = options;
  let past = "";
  let forgottenAt = clock();
  const identify = async (query: Query) => {
    past = await pastOf(query);
  };
  // separate connections, so that large transactions and loads delay neither lease renewals nor directory
  // lookups nor the takeover of other workspaces
  const commits = new Connection(url, log, identify);
  const work = new Connection(url, log, identify);
  const lease = new Connection(url, log, async (query) => {
    await identify(query);
    await owner.checkRows(query);
  });
  const lookups = new Connection(url, log, identify);
  const loads = new RowLoads(Array.from({ length: LOADS }, () => new Connection(url, log, identify)));
  const closeAll = async () => {
    await Promise.all([commits, work, lease, lookups, loads].map((connection) => connection.close()));
  };
  try {
    await migrate(work.query, log);
  } catch (error) {
    await closeAll();
    if (error instanceof StartError) throw error;
    const fault = work.fault ?? error;
    throw new StartError(
      `the PostgreSQL store cannot be used: ${fault instanceof Error ? fault.message : fault}`,
      fault,
    );
  }
  const copy = new LocalCopy(options.copy);
  const place = new SharedPlace({
    copy,
    committer: new Committer(commits.query),
    store: () => past,
    onLost: (workspace) => owner.lost(workspace),
  });
  const kv = new GroupKv(place, log, options.onBroken);
  const membership = new Membership({
    query: lease.query,
    lookUp: lookups.query,
    url: options.memberUrl,
    leaseMs: options.leaseMs,
    clock,
    log,
    onOver: () => owner.loseAll(),
    onFree: (workspaces) => owner.takeOver(workspaces),
    onRenewed: async () => {
      await owner.checkRows(lease.query);
      await owner.takeMissing();
      if (clock() - forgottenAt < FORGET_EVERY_MS) return;
      forgottenAt = clock();
      await forgetChanges(lease.query, place);
      await handOvers.forget();
    },
  });
  const handOvers = new HandOvers({ query: lookups.query, membership: () => membership });
  const owner = new SharedOwner({
    query: work.query,
    copyRows: (text) => loads.copy(text),
    place,
    copy,
    kv,
    membership: () => membership,
    handOvers,
    store: () => past,
    log,
  });
  await membership.start();
  const close = async () => {
    await kv.close();
    await handOvers
      .assignAll()
      .catch((error: unknown) => log.warn({ err: error }, "the accounts were not handed over"));
    await membership.stop();
    await closeAll();
  };
  const stores = new Stores({
    kv: trace === untraced ? kv : new TracedKv(kv, trace),
    facts: new PgFacts(work.query),
    directory: new PgDirectory(lookups.query),
    ownership: owner,
  });
  return { stores, members: membership, handOvers, close };
}

/** Id of the database and its timeline; a restore or a promoted standby has a different one. */
async function pastOf(query: Query): Promise<string> {
  const [found] = await query<{ system: string; timeline: string }>(
    `SELECT system_identifier::text AS system,
       substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline FROM pg_control_system()`,
    [],
  );
  return `${found?.system}/${found?.timeline}`;
}

async function forgetChanges(query: Query, { held }: SharedPlace): Promise<void> {
  await query(
    `DELETE FROM ctxdb.changes WHERE incarnation = ANY($1::bigint[])
     AND at < clock_timestamp() - $2::interval`,
    [held, KEPT_CHANGES],
  );
}
