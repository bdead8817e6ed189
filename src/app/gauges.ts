import { Counter, Gauge, type Registry } from "prom-client";
import type { TokenLedger } from "../accounts/token-ledger.ts";
import type { Clock } from "../base/clock.ts";
import type { ProcessPool } from "../base/processes/process-pool.ts";
import { QUEUES } from "../domain/job.ts";
import type { TextIndex } from "../enrich/text-index.ts";
import type { NeighbourIndexes } from "../index/vectors/neighbours.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Backups } from "../service/backup/backups.ts";
import type { ChangeStreams } from "../service/change/change-streams.ts";
import type { RefreshSchedules } from "../service/resource/refresh-schedules.ts";
import type { Tenants } from "../service/tenants.ts";
import type { Webhooks } from "../service/webhook/webhooks.ts";
import type { Embedding } from "./models.ts";
import type { SecretLog } from "./secret-log.ts";

interface Measured {
  readonly queue: JobQueue;
  readonly index: TextIndex;
  readonly tenants: Tenants;
  readonly embedding: Pick<Embedding, "embedded" | "queryVectors">;
  readonly ledger: TokenLedger;
  readonly neighbours: NeighbourIndexes | undefined;
  readonly parsers: Pick<ProcessPool, "running" | "waiting" | "deaths">;
  readonly backups: Pick<Backups, "lastSuccess">;
  readonly streams: Pick<ChangeStreams, "open" | "sent">;
  readonly webhooks: Pick<Webhooks, "states" | "underWay" | "counts">;
  readonly schedules: Pick<RefreshSchedules, "states" | "counts">;
  readonly secrets: Pick<SecretLog, "counts" | "mode">;
  readonly clock: Clock;
}

/** Registers gauges that are computed when /metrics is read. */
export function measure(
  registry: Registry,
  {
    queue,
    index,
    tenants,
    embedding,
    ledger,
    neighbours,
    parsers,
    backups,
    streams,
    webhooks,
    schedules,
    secrets,
    clock,
  }: Measured,
): void {
  const registers = [registry];
  const secretsFound = new Counter({
    name: "ctxdb_secrets_found_total",
    help: "Secrets found in content that came in since the start, by kind and what was done",
    labelNames: ["kind", "action"],
    registers,
    collect: setSecretsFound,
  });
  function setSecretsFound(): void {
    secretsFound.reset();
    for (const [kind, count] of secrets.counts) secretsFound.inc({ kind, action: secrets.mode }, count);
  }
  const backupAge = new Gauge({
    name: "ctxdb_backup_seconds_since_last",
    help: "Age of the newest backup in seconds",
    // a gauge without labels would report 0 if no backup is known
    labelNames: ["state"],
    registers,
    collect: setBackupAge,
  });
  function setBackupAge(): void {
    const { lastSuccess } = backups;
    if (lastSuccess !== undefined) backupAge.set({ state: "complete" }, (clock() - lastSuccess) / 1000);
  }
  const jobs = new Gauge({
    name: "ctxdb_jobs",
    help: "Jobs by queue and state",
    labelNames: ["queue", "state"],
    registers,
    collect: setJobs,
  });
  function setJobs(): void {
    for (const name of QUEUES) {
      const { pending, inProgress } = queue.drain.total(name);
      jobs.set({ queue: name, state: "pending" }, pending);
      jobs.set({ queue: name, state: "in_progress" }, inProgress);
    }
  }
  const ended = new Counter({
    name: "ctxdb_jobs_total",
    help: "Jobs ended since the start",
    labelNames: ["queue", "outcome"],
    registers,
    collect: setEnded,
  });
  function setEnded(): void {
    ended.reset();
    for (const name of QUEUES) {
      const { processed, errors } = queue.drain.total(name);
      ended.inc({ queue: name, outcome: "processed" }, processed);
      ended.inc({ queue: name, outcome: "failed" }, errors);
    }
  }
  const queued = new Gauge({
    name: "ctxdb_queued_bytes",
    help: "Bytes that wait with the jobs of all accounts",
    registers,
    collect: setQueued,
  });
  function setQueued(): void {
    queued.set(queue.backlog.bytes);
  }
  const dropped = new Counter({
    name: "ctxdb_dead_letters_dropped_total",
    help: "Reasons of failed jobs removed since the start because later ones came",
    registers,
    collect: setDropped,
  });
  function setDropped(): void {
    dropped.reset();
    dropped.inc(queue.letters.dropped);
  }
  const openStreams = new Gauge({
    name: "ctxdb_change_streams",
    help: "Open streams of changes",
    registers,
    collect: setOpenStreams,
  });
  function setOpenStreams(): void {
    openStreams.set(streams.open);
  }
  const changeEvents = new Counter({
    name: "ctxdb_change_events_total",
    help: "Changes sent by streams since the start",
    registers,
    collect: setChangeEvents,
  });
  function setChangeEvents(): void {
    changeEvents.reset();
    changeEvents.inc(streams.sent);
  }
  const embeddedTexts = new Counter({
    name: "ctxdb_embedded_texts_total",
    help: "Texts embedded since the start",
    registers,
    collect: setEmbedded,
  });
  function setEmbedded(): void {
    embeddedTexts.reset();
    embeddedTexts.inc(index.embedded);
  }
  const spaceTexts = new Counter({
    name: "ctxdb_space_texts_total",
    help: "Texts embedded by the Embedding queue since the start, by space",
    labelNames: ["space"],
    registers,
    collect: setSpaceTexts,
  });
  function setSpaceTexts(): void {
    spaceTexts.reset();
    for (const [space, texts] of embedding.embedded) spaceTexts.inc({ space }, texts);
  }
  const modelTokens = new Counter({
    name: "ctxdb_model_tokens_total",
    help: "Tokens of remote models, by model and what they were for, over restarts",
    labelNames: ["provider", "model", "part"],
    registers,
    collect: setModelTokens,
  });
  function setModelTokens(): void {
    modelTokens.reset();
    for (const { provider, model, prompt, completion } of ledger.models("server")) {
      modelTokens.inc({ provider, model, part: "prompt" }, prompt);
      modelTokens.inc({ provider, model, part: "completion" }, completion);
    }
  }
  const missed = new Counter({
    name: "ctxdb_queries_without_main_vector_total",
    help: "Searches that went on without their vector in the main space, since the start",
    registers,
    collect: setMissed,
  });
  function setMissed(): void {
    missed.reset();
    missed.inc(embedding.queryVectors.missed);
  }
  const opened = new Gauge({
    name: "ctxdb_open_workspaces",
    help: "Workspaces whose tables are in memory",
    registers,
    collect: setOpened,
  });
  function setOpened(): void {
    opened.set(tenants.opened);
  }
  measureQuotas(registers, tenants);
  measureParsers(registers, parsers);
  measureNeighbours(registers, neighbours);
  measureWebhooks(registers, webhooks);
  measureSchedules(registers, schedules);
}

function measureQuotas(registers: Registry[], tenants: Pick<Tenants, "nearQuota">): void {
  const ratio: Gauge<"account" | "resource"> = new Gauge({
    name: "ctxdb_account_usage_ratio",
    help: "Share of a quota in use, of accounts that use 80 % or more of it; updated once a minute",
    labelNames: ["account", "resource"],
    registers,
    collect: () => {
      ratio.reset();
      for (const { account, resource, share } of tenants.nearQuota) ratio.set({ account, resource }, share);
    },
  });
}

function measureParsers(registers: Registry[], parsers: Measured["parsers"]): void {
  const gauge = (name: string, help: string, figure: "running" | "waiting") => {
    const shown: Gauge = new Gauge({ name, help, registers, collect: () => shown.set(parsers[figure]) });
  };
  gauge("ctxdb_parse_processes", "Processes that read files", "running");
  gauge("ctxdb_parse_files_waiting", "Files that wait for a process to read them", "waiting");
  const deaths: Counter = new Counter({
    name: "ctxdb_parse_deaths_total",
    help: "Processes that ended over a file since the start",
    registers,
    collect: () => {
      deaths.reset();
      deaths.inc(parsers.deaths);
    },
  });
}

function measureWebhooks(registers: Registry[], webhooks: Measured["webhooks"]): void {
  const states: Gauge<"state"> = new Gauge({
    name: "ctxdb_webhooks",
    help: "Webhooks by state",
    labelNames: ["state"],
    registers,
    collect: () => {
      for (const [state, count] of Object.entries(webhooks.states)) states.set({ state }, count);
    },
  });
  const underWay: Gauge = new Gauge({
    name: "ctxdb_webhook_deliveries_under_way",
    help: "Webhooks whose next message is looked for or sent",
    registers,
    collect: () => underWay.set(webhooks.underWay),
  });
  const deliveries: Counter<"outcome"> = new Counter({
    name: "ctxdb_webhook_deliveries_total",
    help: "Attempts to deliver a message since the start; a given up one counts as failed, too",
    labelNames: ["outcome"],
    registers,
    collect: () => {
      deliveries.reset();
      const { delivered, failed, givenUp } = webhooks.counts;
      deliveries.inc({ outcome: "delivered" }, delivered);
      deliveries.inc({ outcome: "failed" }, failed);
      deliveries.inc({ outcome: "given_up" }, givenUp);
    },
  });
  const changes: Counter = new Counter({
    name: "ctxdb_webhook_changes_total",
    help: "Changes in delivered messages since the start",
    registers,
    collect: () => {
      changes.reset();
      changes.inc(webhooks.counts.changes);
    },
  });
}

function measureSchedules(registers: Registry[], schedules: Measured["schedules"]): void {
  const states: Gauge<"state"> = new Gauge({
    name: "ctxdb_refresh_schedules",
    help: "Refresh schedules of imported resources by state",
    labelNames: ["state"],
    registers,
    collect: () => {
      for (const [state, count] of Object.entries(schedules.states)) states.set({ state }, count);
    },
  });
  const runs: Counter<"outcome"> = new Counter({
    name: "ctxdb_refresh_runs_total",
    help: "Scheduled refreshes since the start by outcome",
    labelNames: ["outcome"],
    registers,
    collect: () => {
      runs.reset();
      for (const [outcome, count] of Object.entries(schedules.counts)) runs.inc({ outcome }, count);
    },
  });
}

function measureNeighbours(registers: Registry[], neighbours: NeighbourIndexes | undefined): void {
  const figures = [
    ["builds", "Indexes of neighbours built since the start"],
    ["rows", "Vectors in the indexes of neighbours built since the start"],
    ["restarts", "Times a process for indexes of neighbours was started again"],
  ] as const;
  for (const [figure, help] of figures) {
    const counter: Counter = new Counter({
      name: `ctxdb_neighbour_${figure}_total`,
      help,
      registers,
      collect: () => {
        counter.reset();
        counter.inc(neighbours?.counts[figure] ?? 0);
      },
    });
  }
  const searches: Counter<"by"> = new Counter({
    name: "ctxdb_neighbour_searches_total",
    help: "Searches of parts that have an index of neighbours: by the index, or by a scan and why",
    labelNames: ["by"],
    registers,
    collect: () => {
      searches.reset();
      if (!neighbours) return;
      const { answers, exact } = neighbours.counts;
      searches.inc({ by: "index" }, answers);
      for (const [reason, count] of Object.entries(exact)) searches.inc({ by: `scan_${reason}` }, count);
    },
  });
}
