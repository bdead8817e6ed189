import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { authenticator } from "../../src/accounts/authenticate.ts";
import type { KeyUseLog } from "../../src/accounts/key-uses.ts";
import { limitOf } from "../../src/accounts/quotas.ts";
import type { Registry } from "../../src/accounts/registry.ts";
import { TokenLedger } from "../../src/accounts/token-ledger.ts";
import { type Core, openCore } from "../../src/app/core.ts";
import { holderOf } from "../../src/app/holder.ts";
import { isOver, jobHandlers } from "../../src/app/job-handlers.ts";
import type { SerialExecutor } from "../../src/base/concurrency/serial-executor.ts";
import { createIds } from "../../src/base/ids.ts";
import { untraced } from "../../src/base/trace.ts";
import type { Caller, Role } from "../../src/domain/caller.ts";
import { CURSOR_KEY_BYTES } from "../../src/domain/cursor.ts";
import { notFound } from "../../src/domain/errors.ts";
import { accountId, DEFAULT_ACCOUNT, type WorkspaceId } from "../../src/domain/ids.ts";
import {
  EMBED_NODES,
  type EmbedNodes,
  ERASE,
  type Job,
  PURGE,
  type Purge,
  SWEEP,
  TRIM,
} from "../../src/domain/job.ts";
import type { Message } from "../../src/domain/message.ts";
import { type NodeId, nodeId } from "../../src/domain/node.ts";
import { PRUNE_EXPIRED, PRUNE_SNAPSHOTS, PRUNE_TRASH, PRUNE_VERSIONS } from "../../src/domain/prune-jobs.ts";
import { archiveLayers } from "../../src/enrich/archive-layers.ts";
import { embeddingJobs } from "../../src/enrich/embed-nodes-job.ts";
import { TextIndex } from "../../src/enrich/text-index.ts";
import { Describer } from "../../src/ingest/describe/describer.ts";
import { AddressGuard } from "../../src/ingest/fetch/guard.ts";
import { type ImportSource, identityOf } from "../../src/ingest/source.ts";
import type { JobQueue } from "../../src/jobs/queue.ts";
import { Worker } from "../../src/jobs/worker.ts";
import type { EpisodeText } from "../../src/memory/episodes/episode-text.ts";
import type { ForgetDeps } from "../../src/memory/forget/carry-out.ts";
import type { QueuedEmbedder } from "../../src/providers/embedding.ts";
import { MeteredLanguage } from "../../src/providers/metered.ts";
import { openEmbedders } from "../../src/providers/open.ts";
import type { PassageCache } from "../../src/retrieve/passage-cache.ts";
import { QueryVectors } from "../../src/retrieve/query-vectors.ts";
import type { SearchScratch } from "../../src/retrieve/view.ts";
import { readContent } from "../../src/service/content/read-content.ts";
import { writeContent } from "../../src/service/content/write-content.ts";
import { Cursors } from "../../src/service/cursors.ts";
import { listEntries } from "../../src/service/filesystem/list-entries.ts";
import { makeDirectoryAt } from "../../src/service/filesystem/make-directory.ts";
import { moveNode } from "../../src/service/filesystem/move-node.ts";
import { removeNode } from "../../src/service/filesystem/remove-node.ts";
import { statNode } from "../../src/service/filesystem/stat-node.ts";
import { type AddResourceInput, addResource } from "../../src/service/resource/add-resource.ts";
import { RefreshSchedules } from "../../src/service/resource/refresh-schedules.ts";
import { findContexts } from "../../src/service/search/find.ts";
import { PatternWorkers } from "../../src/service/search/pattern-workers.ts";
import type { ServiceCall } from "../../src/service/service-call.ts";
import { removeSessionAgain } from "../../src/service/session/delete-session.ts";
import { TaskFollower } from "../../src/service/task-follower.ts";
import type { Tenant, Tenants } from "../../src/service/tenants.ts";
import type { WebhookDeps } from "../../src/service/webhook/own-webhooks.ts";
import { Webhooks } from "../../src/service/webhook/webhooks.ts";
import { SoleOwner } from "../../src/storage/embedded/sole-owner.ts";
import { Stores as OwnedStores } from "../../src/storage/stores.ts";
import type { Uploads } from "../../src/workspace/requests/uploads.ts";
import type { TrashLimits } from "../../src/workspace/trash/trash-limits.ts";
import type { Builder } from "../../src/workspace/tree/builder.ts";
import { locate } from "../../src/workspace/tree/locate.ts";
import type { Finding } from "../../src/workspace/verify/findings.ts";
import { verify } from "../../src/workspace/verify/verify.ts";
import type { VersionLimits } from "../../src/workspace/version-limits.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { parseHere } from "./parse-here.ts";
import type { ScriptedModel } from "./scripted-model.ts";
import { silentLog } from "./silent-log.ts";
import { newStores, type Stores } from "./stores.ts";

const MODELS = fileURLToPath(new URL("../../models", import.meta.url));
/**
 * Event loop turns after which unfinished background work counts as an error; the first turns are taken
 * without pause.
 */
const MAX_TURNS = 100_000;
const QUICK_TURNS = 10_000;

let instant: ReturnType<typeof openEmbedders>["instant"] | undefined;
const sharedEmbedder = () => (instant ??= openEmbedders("light", MODELS, silentLog).instant);

const LATER: ReadonlySet<string> = new Set([
  ERASE,
  SWEEP,
  TRIM,
  PRUNE_VERSIONS,
  PRUNE_TRASH,
  PRUNE_SNAPSHOTS,
  PRUNE_EXPIRED,
]);

/** Number of earlier versions kept unless a test says otherwise. */
const VERSIONS: VersionLimits = { perFile: 50, bytesPerFile: 1e8, bytes: 1e9, lifeMs: 30 * 24 * 3600_000 };

/** The files of a source by relative path. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A server without transport: the core that the server runs, over stores that can outlive it. */
export class House {
  readonly stores: Stores;
  readonly registry: Registry;
  readonly queue: JobQueue;
  readonly tenants: Tenants;
  readonly passages: PassageCache;
  readonly searchScratch: SearchScratch;
  readonly keyUses: KeyUseLog;
  readonly index: TextIndex;
  readonly uploads: Uploads;
  readonly follower: TaskFollower;
  readonly worker: Worker;
  readonly ledger: TokenLedger;
  readonly patterns = new PatternWorkers({ log: silentLog });
  readonly deps: ReturnType<House["serviceDeps"]>;
  /** Sources by name, for `add`. */
  readonly sources = new Map<string, Files>();
  /** Compaction of the index, and its failures. */
  readonly lane: SerialExecutor;
  readonly reports: string[];
  readonly #stop = new AbortController();

  private constructor(
    stores: Stores,
    core: Core,
    ledger: TokenLedger,
    reports: string[],
    queued: readonly QueuedEmbedder[],
    model: ScriptedModel | undefined,
  ) {
    const { kv } = stores;
    const clock = () => stores.clock.now;
    this.stores = stores;
    this.reports = reports;
    this.queue = core.queue;
    this.registry = core.registry;
    this.lane = core.compaction;
    this.tenants = core.tenants;
    this.passages = core.passages;
    this.searchScratch = core.searchScratch;
    this.keyUses = core.keyUses;
    this.uploads = core.uploads;
    this.index = new TextIndex(sharedEmbedder());
    this.follower = new TaskFollower({
      kv,
      queue: this.queue,
      tenants: this.tenants,
      log: silentLog,
      stop: this.#stop.signal,
    });
    this.ledger = ledger;
    this.deps = this.serviceDeps(queued, model);
    const handlers = jobHandlers(this.deps);
    this.worker = new Worker({ queue: this.queue, handlers, clock, log: silentLog, random: () => 0.5 });
    this.registry.onLost((lost) => {
      this.worker.end((job) => isOver(job, lost));
      this.deps.webhooks.lost(lost);
      this.deps.schedules.lost(lost);
    });
  }

  /**
   * `given`: stores of a former process, or new ones. `work`: whether jobs run from the start. `queued`: embedders in addition to the static table, the
   * preferred one first.
   */
  static async open(
    given?: Stores,
    work = true,
    queued: readonly QueuedEmbedder[] = [],
    sealDocs?: number,
    model?: ScriptedModel,
    kept: {
      readonly versions?: Partial<VersionLimits>;
      /** No removed nodes are kept unless a test says otherwise. */
      readonly trash?: TrashLimits;
      readonly snapshots?: number;
      readonly maxStoredBytes?: number;
      readonly keptChangeBytes?: number;
      readonly contentMemoryBytes?: number;
    } = {},
  ): Promise<House> {
    const stores = given ?? (await newStores());
    const reports: string[] = [];
    const clock = () => stores.clock.now;
    const report = (what: string, error: unknown) => reports.push(`${what}: ${String(error)}`);
    const ledger = await TokenLedger.open({ kv: stores.kv, facts: stores.facts, clock, report });
    const owned = stores.owned ?? new OwnedStores({ ...stores, ownership: new SoleOwner() });
    const core = openCore({
      stores: owned,
      blobs: stores.blobs,
      indexFiles: stores.index,
      uploadBytes: stores.bytes,
      clock,
      report,
      keyless: true,
      spaces: queued.map(({ space }) => space.name),
      sealDocs,
      ...kept,
      versions: { ...VERSIONS, ...kept.versions },
    });
    const house = new House(stores, core, ledger, reports, queued, model);
    const mainSpace = queued[0]?.space.name;
    await owned.start(
      holderOf({ ...house.deps, worker: house.worker, mainSpace, endCalls: async () => undefined, report }),
    );
    if (work) house.worker.start();
    return house;
  }

  private serviceDeps(queued: readonly QueuedEmbedder[], model: ScriptedModel | undefined) {
    const { tenants, passages, searchScratch, keyUses, queue, registry, uploads, follower, index, ledger } =
      this;
    const { kv, blobs, index: indexFiles } = this.stores;
    const clock = () => this.stores.clock.now;
    const open = async (spec: { readonly kind: string; readonly path?: string }): Promise<ImportSource> =>
      this.sourceNamed(spec.path ?? "");
    const webhooks = webhooksOf({ kv, tenants, queue, clock });
    const sources = {
      head: async () => undefined,
      open,
      openLocal: open,
      stateOf: async (spec: { readonly kind: string; readonly path?: string }) =>
        this.stateOf(spec.path ?? ""),
      watch: async () => () => undefined,
    };
    const chunk = index.ofText.bind(index);
    const meter = {
      log: silentLog,
      count: ledger.count.bind(ledger),
      spentToday: ledger.spentToday.bind(ledger),
      maxPerDay: (of: WorkspaceId) => limitOf(registry.quotas.of(of).modelTokensPerDay, model?.budget),
    };
    const ids = createIds(clock);
    const schedules = new RefreshSchedules({
      tenants,
      queue,
      follower,
      uploads,
      kv,
      clock,
      chunk,
      ids,
      sources,
      parse: parseHere,
      log: silentLog,
    });
    return {
      schedules,
      tenants,
      passages,
      searchScratch,
      keyUses,
      cursors: new Cursors(Buffer.alloc(CURSOR_KEY_BYTES, "k"), clock),
      queue,
      registry,
      ledger,
      adviser: model && new MeteredLanguage(model, meter),
      reranker: undefined,
      uploads,
      follower,
      index,
      kv,
      blobs,
      indexFiles,
      clock,
      chunk,
      parse: parseHere,
      webhooks: webhooks.webhooks,
      webhookDeps: webhooks,
      describer: new Describer({
        vision: undefined,
        speech: undefined,
        films: undefined,
        shown: async (_, bytes) => bytes,
      }),
      layerChunk: index.ofLayer.bind(index),
      packLimits: { maxFiles: 1000, maxBytes: 256 * 1024 * 1024 },
      sources,
      embedding: { embedder: queued[0], count: () => undefined },
      queryVectors: new QueryVectors({ instant: sharedEmbedder(), queued }),
      ids,
      trace: untraced,
      patterns: this.patterns,
      endJobs: (isOver: (job: Job) => boolean) => this.worker.end(isOver),
      vectorJobs: (workspace: Workspace, indexed: Builder["indexed"]) =>
        embeddingJobs(queue, workspace, indexed, []),
      passage: (passage: EpisodeText) => index.ofPassage(passage),
      archiveLayers: (said: readonly Message[], { name, messages }: { name: string; messages: number }) =>
        archiveLayers(said, name, messages),
      removeSession: (...[workspace, user, session]: Parameters<ForgetDeps["removeSession"]>) =>
        removeSessionAgain({ queue }, workspace, user, session),
    };
  }

  /** Returns the state of a source by name. A name without files counts as deleted. */
  private stateOf(name: string): string {
    const files = this.sources.get(name);
    if (!files) throw notFound("path", name);
    return JSON.stringify(files);
  }

  sourceNamed(name: string): ImportSource {
    const files = Object.entries(this.sources.get(name) ?? {}).map(([path, content]) => ({
      relPath: path.split("/"),
      read: async () => (typeof content === "string" ? Buffer.from(content) : content),
    }));
    return {
      name,
      isDirectory: true,
      identity: identityOf("path", name),
      files,
      bytes: files.length,
      warnings: [],
    };
  }

  /** Makes a call with the root key, to administer accounts. */
  get root(): ServiceCall {
    const names = { account: DEFAULT_ACCOUNT, user: "default", agent: "default" };
    return new Actor(this, { role: "root", ...names, accountNamed: false, keyless: false }).call;
  }

  /** Returns a user of an account, with the service's calls. */
  as(user: string, account = "acme", role: Role = "root"): Actor {
    return new Actor(this, {
      ...authenticator(this.registry.records, undefined, () => this.stores.clock.now)({ account, user }),
      role,
    });
  }

  /** Waits until all jobs have finished. A job scheduled for later counts as an error. */
  async drain(): Promise<void> {
    // somebody is waiting, so batching of further changes is off
    const watch = this.queue.watch("everything");
    try {
      await this.#drained();
      // many waits for the last job end in later turns
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      watch.release();
    }
  }

  async #drained(): Promise<void> {
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      // freed blobs and stored first answers expire after a while
      const jobs = [...this.queue.jobs()].filter(
        (job) => job.claimed || !LATER.has(job.kind) || job.dueAt <= this.stores.clock.now,
      );
      if (jobs.length === 0) return;
      const isStuck = jobs.every((job) => !job.claimed && job.dueAt > this.stores.clock.now);
      if (isStuck) throw new Error(`jobs wait for later: ${jobs.map((job) => job.kind).join()}`);
      await new Promise((resolve) => (turn < QUICK_TURNS ? setImmediate(resolve) : setTimeout(resolve, 1)));
    }
    throw new Error("the jobs do not come to an end");
  }

  async workspaceOf(account = "acme"): Promise<Workspace> {
    return (await this.tenants.ofAccount(accountId(account)))!;
  }

  async findings(account = "acme"): Promise<Finding[]> {
    const purging = new Set(
      [...this.queue.jobs()]
        .filter((job) => job.kind === PURGE)
        .flatMap((job) => (job.payload as Purge).removed.map(({ node }) => node)),
    );
    const unembedded = new Set(
      [...this.queue.jobs()]
        .filter((job) => job.kind === EMBED_NODES)
        .flatMap((job) => (job.payload as EmbedNodes).nodes),
    );
    return verify(await this.workspaceOf(account), purging, unembedded);
  }

  /** Ends a test: finishes all jobs, checks every table, and closes the server even if a check fails. */
  async end(): Promise<void> {
    try {
      await this.drain();
      await this.expectSound();
    } finally {
      await this.close();
    }
  }

  /** Checks that every table agrees with the records. Every test that writes calls it at its end. */
  async expectSound(account = "acme"): Promise<void> {
    expect(await this.findings(account)).toEqual([]);
  }

  keys(prefix = ""): Promise<string[]> {
    return this.stores.kv.keys({ gte: prefix, lt: `${prefix}\u{10ffff}`, limit: 1_000_000 });
  }

  /** Shuts the process down normally; the stores stay. Running jobs are left for the next process. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error("stopped"));
    this.uploads.close();
    await this.worker.stop(1000);
    await this.deps.webhooks.close();
    await this.deps.schedules.close();
    await this.lane.stop();
    await this.patterns.close();
    await this.ledger.flush();
    // as a server of a shared store does at its end; the next one takes them
    if (this.stores.owned)
      for (const incarnation of await this.registry.incarnations()) await this.tenants.release(incarnation);
  }

  async close(): Promise<void> {
    await this.stop();
    await this.stores.close();
  }
}

/** Webhooks that ignore changes made before a test begins. */
function webhooksOf(deps: Pick<WebhookDeps, "kv" | "tenants" | "queue" | "clock">): WebhookDeps {
  const all = {
    ...deps,
    ids: createIds(deps.clock),
    random: () => 0.5,
    log: silentLog,
    guard: new AddressGuard(true),
    settings: { attempts: 1, firstPauseMs: 1, limitMs: 1000 },
  };
  return { ...all, webhooks: new Webhooks(all), allowsPrivate: true };
}

/** The service as used by one caller, with URIs. */
export class Actor {
  readonly house: House;
  readonly caller: Caller;

  constructor(house: House, caller: Caller) {
    this.house = house;
    this.caller = caller;
  }

  get call(): ServiceCall {
    return { caller: this.caller, signal: new AbortController().signal, reply: {} };
  }

  tenant(): Promise<Tenant> {
    return this.house.tenants.openOrCreate(this.caller);
  }

  async node(uri: string): Promise<NodeId> {
    const { workspace, owner } = await this.tenant();
    return locate(workspace.kv, workspace.keys, owner, workspace.uris.parse(uri))?.node ?? nodeId(-1);
  }

  mkdir(uri: string, description?: string) {
    return makeDirectoryAt(this.house.deps, this.call, { uri, description });
  }

  mv(fromUri: string, toUri: string) {
    return moveNode(this.house.deps, this.call, { fromUri, toUri });
  }

  rm(uri: string, recursive = true) {
    return removeNode(this.house.deps, this.call, { uri, recursive, permanent: false });
  }

  create(uri: string, content: string) {
    return writeContent(this.house.deps, this.call, { uri, content, mode: "create", wait: false });
  }

  replace(uri: string, content: string) {
    return writeContent(this.house.deps, this.call, { uri, content, mode: "replace", wait: false });
  }

  append(uri: string, content: string) {
    return writeContent(this.house.deps, this.call, { uri, content, mode: "append", wait: false });
  }

  async read(uri: string): Promise<string> {
    return (await readContent(this.house.deps, this.call, { uri })).content;
  }

  stat(uri: string) {
    return statNode(this.house.deps, this.call, { uri });
  }

  /** Returns the URIs of all nodes below a folder in order, including hidden ones. */
  async tree(uri: string, showAllHidden = false): Promise<string[]> {
    const { entries } = await listEntries(this.house.deps, this.call, {
      uri,
      simple: true,
      recursive: true,
      showAllHidden,
      nodeLimit: 100_000,
    });
    return entries as string[];
  }

  async find(query: string, options: { readonly target?: string; readonly limit?: number } = {}) {
    const found = await findContexts(this.house.deps, this.call, {
      query,
      targetUris: options.target ? [options.target] : [],
      limit: options.limit ?? 20,
    });
    return [...found.memories, ...found.resources, ...found.skills];
  }

  async found(query: string, target?: string): Promise<string[]> {
    return (await this.find(query, target === undefined ? {} : { target })).map(({ uri }) => uri);
  }

  /** Imports a source; its name decides whether it is the same source as before. */
  async add(name: string, files: Files, options: Partial<AddResourceInput> = {}) {
    this.house.sources.set(name, files);
    const input = {
      path: name,
      reason: "",
      instruction: "",
      wait: true,
      summarize: false,
      ignoreDirs: "",
      include: "",
      exclude: "",
      strict: false,
    };
    return addResource(this.house.deps, this.call, { ...input, ...options });
  }
}

/** Returns the code with which a promise rejects, or "OK" if it resolves. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "OK",
    (error: { code?: string }) => error.code ?? String(error),
  );
}
