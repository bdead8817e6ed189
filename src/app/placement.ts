import { Counter, Gauge, type Registry as Metrics } from "prom-client";
import type { Log } from "../base/log.ts";
import type { StoreConfig } from "../config/shared-store.ts";
import type { Worker } from "../jobs/worker.ts";
import type { Cluster } from "../storage/open.ts";
import { HAND_OVER_REASONS, Placement } from "../storage/placement.ts";
import type { Stores } from "../storage/stores.ts";
import type { Uploads } from "../workspace/requests/uploads.ts";

interface Deps {
  readonly cluster: Cluster;
  readonly config: Pick<StoreConfig, "balanceSeconds">;
  readonly stores: Stores;
  readonly worker: Pick<Worker, "isBusy">;
  readonly uploads: Pick<Uploads, "held">;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Hand-overs between the servers of a store, and the metrics of these servers. */
export function placementOf({ cluster, config, stores, worker, uploads, log, metrics }: Deps): Placement {
  const { members, handOvers } = cluster;
  const { balanceSeconds } = config;
  const placement = new Placement({
    stores,
    queue: handOvers,
    hasUploads: (workspace) => uploads.held(workspace) > 0,
    hasJobs: (workspace) => worker.isBusy(workspace),
    balanceMs: balanceSeconds === 0 ? undefined : balanceSeconds * 1000,
    log,
  });
  const registers = [metrics];
  const servers: Gauge = new Gauge({
    name: "ctxdb_cluster_members",
    help: "Running servers of the store, as of the last lease renewal",
    registers,
    collect: () => servers.set(members.living.length),
  });
  const lease: Gauge = new Gauge({
    name: "ctxdb_cluster_lease_seconds",
    help: "Seconds for which the server still answers if the store does not renew its lease",
    registers,
    collect: () => lease.set(members.sureSeconds),
  });
  const draining: Gauge = new Gauge({
    name: "ctxdb_cluster_draining",
    help: "1 while the server hands over all its accounts",
    registers,
    collect: () => draining.set(Number(handOvers.isDraining)),
  });
  const handedOver: Counter = new Counter({
    name: "ctxdb_cluster_handed_over_total",
    help: "Accounts that the server has handed over to other servers, by reason",
    labelNames: ["reason"],
    registers,
    collect() {
      handedOver.reset();
      for (const reason of HAND_OVER_REASONS) handedOver.inc({ reason }, placement.counts.get(reason) ?? 0);
    },
  });
  return placement;
}
