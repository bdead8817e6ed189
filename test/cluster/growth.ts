import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { rowsOf } from "../support/postgres.ts";
import type { Cluster } from "./cluster.ts";

const PARTS = 3;
const EVERY_MS = 1000;
const MIB = 2 ** 20;

/** Sizes in MiB; `live` is what the rows of `kv` and `changes` hold. */
interface Tables {
  readonly kv: number;
  readonly changes: number;
  readonly live: number;
  /** Tables whose rows are few and change often: they grow only if vacuum does not keep up. */
  readonly small: number;
}

const SIZES = `SELECT pg_total_relation_size('ctxdb.kv') AS kv, pg_total_relation_size('ctxdb.changes') AS changes,
  pg_total_relation_size('ctxdb.members') + pg_total_relation_size('ctxdb.workspaces')
    + pg_total_relation_size('ctxdb.hand_overs') AS small,
  (SELECT coalesce(sum(octet_length(key) + octet_length(value)), 0) FROM ctxdb.kv)::bigint
    + (SELECT coalesce(sum(pg_column_size(keys)), 0) FROM ctxdb.changes) AS live`;

const round = (bytes: number): number => Math.round((bytes / MIB) * 10) / 10;

/** How much memory servers take and how large the tables of their store are, in each third of a run. */
export class Growth {
  /** The most memory of a server in each third, in MiB (resident set size). */
  readonly memory: number[] = Array.from({ length: PARTS }, () => 0);
  readonly tables: Tables[] = [];

  /** Until `isOver`, and at least `ms`. */
  async watch(cluster: Cluster, store: () => string, ms: number, isOver: () => boolean): Promise<void> {
    const began = performance.now();
    while (!isOver()) {
      const part = Math.min(PARTS - 1, Math.floor(((performance.now() - began) / ms) * PARTS));
      for (const { server } of cluster.nodes)
        this.memory[part] = Math.max(this.memory[part] ?? 0, await residentMib(server.pid));
      if (part === this.tables.length + 1) await this.measure(store());
      await sleep(EVERY_MS);
    }
  }

  /** The store may be away at the moment. */
  async measure(store: string): Promise<void> {
    const [found] = await rowsOf<Record<keyof Tables, number>>(store, SIZES).catch(() => []);
    if (!found) return;
    const { kv, changes, live, small } = found;
    this.tables.push({ kv: round(kv), changes: round(changes), live: round(live), small: round(small) });
  }
}

/** 0 for a server that has ended. */
async function residentMib(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024);
}
