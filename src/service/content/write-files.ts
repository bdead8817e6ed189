import { append } from "../../base/append.ts";
import { EventLoopYielder } from "../../base/event-loop.ts";
import { lastOf, present } from "../../base/expect.ts";
import { invalidArgument } from "../../domain/errors.ts";
import { fileLayersJobs } from "../../domain/job.ts";
import { checkWritable } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import { embeddingJobs } from "../../enrich/embed-nodes-job.ts";
import { prepareFile } from "../../ingest/prepare-file.ts";
import { screenFile } from "../../ingest/screen-file.ts";
import { Conflict, retryConflicts } from "../../workspace/conflict.ts";
import type { FoundSecrets } from "../../workspace/found-secrets.ts";
import { Builder, type BuiltNode } from "../../workspace/tree/builder.ts";
import { entryOf, type Located, locate, partitionOwner } from "../../workspace/tree/locate.ts";
import { attachNode, ensureDirectory, type PendingCleanup } from "../../workspace/tree/tree.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import { enqueueDirectoryLayers, purgeJobs } from "../after-change.ts";
import { describeSkill, skillAt } from "../describe-skill.ts";
import { checkDistinct, type ListedItem, namingItem, refusedItem } from "../refused-item.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant } from "../tenants.ts";
import { checkTimeout, type QueueStatus, queueStatus, waitForJobs } from "../wait-for-jobs.ts";
import { appendText } from "./append-text.ts";
import { checkState, type WriteDeps, type WriteMode, writeModeOf } from "./write-file.ts";

/** Name of the list in the request. */
const LIST = "files";
/** Maximum number of files per call; equals the number of files that an import stores before it responds. */
export const MAX_FILES_WRITTEN = 200;
/** Maximum bytes of all files after the change. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Number of files, and of replaced chunks, above which the files are linked in steps. */
const MAX_AT_ONCE = 16;
const MAX_CHUNKS_AT_ONCE = 1000;
/** Memory per byte of a file: its content and its text. */
const WRITE_COST = 2;

export interface FileWriteInput {
  readonly uri: string;
  readonly content: string;
  readonly mode?: string | undefined;
  readonly ifMatch?: readonly string[] | undefined;
}

export interface WrittenFile {
  readonly uri: string;
  readonly mode: string;
  /** Size of the given content in bytes. */
  readonly writtenBytes: number;
  readonly etag: string;
}

export interface WrittenFiles {
  readonly files: WrittenFile[];
  readonly queueStatus?: QueueStatus;
}

/** A checked file of the request. */
interface Asked extends ListedItem {
  readonly path: Path;
  readonly mode: WriteMode;
  readonly ifMatch: readonly string[] | undefined;
  readonly sent: Uint8Array;
}

interface Built {
  readonly asked: Asked;
  readonly before: Located | undefined;
  readonly node: BuiltNode;
  readonly skill: ReturnType<typeof skillAt>;
}

/** POST content/write_many: writes several text files in one transaction, either all or none. */
export async function writeFiles(
  deps: WriteDeps,
  call: ServiceCall,
  input: {
    readonly files: readonly FileWriteInput[];
    readonly wait: boolean;
    readonly timeout?: number | undefined;
  },
): Promise<WrittenFiles> {
  const timeout = checkTimeout(input.timeout);
  if (input.files.length > MAX_FILES_WRITTEN)
    throw invalidArgument(
      "files",
      `has ${input.files.length} files; the limit is ${MAX_FILES_WRITTEN}: write them in several calls`,
    );
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const asked: Asked[] = [];
  const yielder = new EventLoopYielder(tenant.workspace.incarnation);
  for (const [index, file] of input.files.entries()) {
    asked.push(namingItem({ list: LIST, index, uri: file.uri }, () => askedOf(tenant, file, index)));
    await yielder.yieldIfDue();
  }
  checkDistinct(asked);
  const origin = deps.ids();
  const watch = input.wait ? deps.queue.watch({ origin }) : undefined;
  try {
    const files = await locked(tenant.workspace, asked.map(({ uri }) => uri).sort(), () =>
      tenant.workspace.secrets.watch(call.reply, (found) =>
        retryConflicts(() => writeAll(deps, call, tenant, asked, origin, found)),
      ),
    );
    if (!watch) return { files };
    await waitForJobs(watch, { operation: "content/write_many", timeout, call });
    return { files, queueStatus: queueStatus(watch) };
  } finally {
    watch?.release();
  }
}

function askedOf({ workspace: { uris }, owner }: Tenant, file: FileWriteInput, index: number): Asked {
  const mode = writeModeOf(file.mode);
  const path = uris.parse(file.uri);
  const uri = uris.format(path);
  checkWritable(owner, path, uri, "uri");
  return {
    list: LIST,
    index,
    path,
    uri,
    mode,
    ifMatch: file.ifMatch,
    sent: Buffer.from(file.content.toWellFormed()),
  };
}

/**
 * Runs work while no other call writes any of the files. `uris` must be sorted, so that calls cannot
 * deadlock.
 */
function locked<T>(
  workspace: Workspace,
  uris: readonly string[],
  work: () => Promise<T>,
  from = 0,
): Promise<T> {
  const uri = uris[from];
  return uri === undefined ? work() : workspace.locks.run(uri, () => locked(workspace, uris, work, from + 1));
}

async function writeAll(
  deps: WriteDeps,
  call: ServiceCall,
  tenant: Tenant,
  asked: readonly Asked[],
  origin: string,
  secrets: FoundSecrets,
): Promise<WrittenFile[]> {
  const { workspace, owner } = tenant;
  secrets.clear();
  const found = asked.map((file) =>
    namingItem(file, () => {
      const before = locate(workspace.kv, workspace.keys, owner, file.path);
      checkState(workspace, before, file);
      return before;
    }),
  );
  const bytes = checkBytes(asked, found);
  const lease = call.reserve?.(WRITE_COST * bytes);
  const batch = new Batch(deps, call, tenant, origin, secrets);
  try {
    for (const [i, file] of asked.entries()) await batch.build(file, found[i]);
    return await batch.link();
  } catch (error) {
    await batch.abandon();
    throw error;
  } finally {
    batch.release();
    lease?.release();
  }
}

/** Total bytes of the files after the change. */
function checkBytes(asked: readonly Asked[], found: readonly (Located | undefined)[]): number {
  const bytes = asked.reduce(
    (sum, { sent, mode }, i) =>
      sum + sent.byteLength + (mode === "append" ? (found[i]?.entry?.size ?? 0) : 0),
    0,
  );
  if (bytes > MAX_BYTES)
    throw invalidArgument(
      "files",
      `would have ${bytes} bytes in all; the limit is ${MAX_BYTES}: write them in several calls`,
    );
  return bytes;
}

/** One attempt to write the files: they are built invisibly, then one transaction links them. */
class Batch {
  readonly #deps: WriteDeps;
  readonly #call: ServiceCall;
  readonly #tenant: Tenant;
  readonly #origin: string;
  readonly #secrets: FoundSecrets;
  /**
   * One builder per owner and kind of change: an owner has its own index partition, and a builder one kind of
   * change.
   */
  readonly #builders = new Map<string, Builder>();
  readonly #built: Built[] = [];
  readonly #releases: (() => void)[] = [];
  /** Follow-up work of the latest commit attempt. */
  #cleanup: PendingCleanup = { purge: [], stale: [] };

  constructor(deps: WriteDeps, call: ServiceCall, tenant: Tenant, origin: string, secrets: FoundSecrets) {
    this.#deps = deps;
    this.#call = call;
    this.#tenant = tenant;
    this.#origin = origin;
    this.#secrets = secrets;
  }

  async build(asked: Asked, before: Located | undefined): Promise<void> {
    this.#call.signal.throwIfAborted();
    try {
      await this.#buildFrom(asked, before, await this.#contentOf(asked, before));
    } catch (error) {
      throw refusedItem(error, asked);
    }
  }

  /** The content to store, after the secrets policy was applied. */
  async #contentOf(asked: Asked, before: Located | undefined): Promise<Uint8Array> {
    const { workspace } = this.#tenant;
    const { mode, uri, path, sent } = asked;
    // the memory is already reserved for the whole call
    const { bytes, known = 0 } =
      mode === "append"
        ? await appendText(workspace, {}, uri, entryOf(present(before, `file ${uri}`)), sent)
        : { bytes: sent };
    const place = { field: "content", uri };
    return screenFile(workspace.secrets, lastOf(path), bytes, place, this.#secrets, known);
  }

  async #buildFrom(asked: Asked, before: Located | undefined, bytes: Uint8Array): Promise<void> {
    const { workspace } = this.#tenant;
    const builder = await this.#builderFor(asked);
    const prepared = await prepareFile(
      { ...this.#deps, contents: workspace.contents },
      lastOf(asked.path),
      bytes,
      {
        workspace: workspace.incarnation,
        strict: false,
        index: true,
        // names of derived files are chosen when the file is linked
        isTaken: () => false,
        signal: this.#call.signal,
      },
    );
    this.#releases.push(prepared.release);
    const { node, created } = before?.entry ?? {};
    const kept = node === undefined ? {} : { node, ...(created !== undefined && { created }) };
    const built = await builder.addFile(prepared.file, kept);
    this.#built.push({ asked, before, node: built, skill: skillAt(asked.path, bytes) });
  }

  /** The builder for a file's owner and kind of change. */
  async #builderFor({ path, mode }: Asked): Promise<Builder> {
    const { workspace, owner } = this.#tenant;
    const change = mode === "append" ? "append" : "write";
    const of = partitionOwner(owner, path);
    const key = `${change} ${of}`;
    const builder =
      this.#builders.get(key) ??
      new Builder(workspace, await workspace.partitionFor(of), { by: owner.author, change });
    this.#builders.set(key, builder);
    return builder;
  }

  link(): Promise<WrittenFile[]> {
    const { workspace } = this.#tenant;
    const written = this.#built.map(({ asked, node }) => ({
      uri: asked.uri,
      mode: asked.mode,
      writtenBytes: asked.sent.byteLength,
      etag: node.entry.hash ?? "",
    }));
    const decide = (draft: WorkspaceDraft) => {
      this.#decide(draft);
      this.#call.keepAnswer?.(draft, { files: written });
      return () => written;
    };
    if (this.#isLarge) return workspace.transactLarge((draft) => this.#prepare(draft), decide);
    return workspace.transact((draft) => {
      for (const _ of this.#prepare(draft));
      return decide(draft);
    });
  }

  get #isLarge(): boolean {
    const chunks = this.#built.reduce((sum, { before }) => sum + (before?.entry?.chunks?.count ?? 0), 0);
    return this.#built.length > MAX_AT_ONCE || chunks > MAX_CHUNKS_AT_ONCE;
  }

  *#prepare(draft: WorkspaceDraft): Generator<void> {
    const { workspace } = this.#tenant;
    this.#cleanup = { purge: [], stale: [] };
    const origins = [this.#origin];
    for (const builder of this.#builders.values()) {
      builder.putRest(draft);
      yield;
    }
    for (const built of this.#built) {
      namingItem(built.asked, () => this.#linkOne(draft, built));
      yield;
    }
    const builders = [...this.#builders.values()];
    const { incarnation } = workspace;
    for (const jobs of [
      fileLayersJobs(
        incarnation,
        builders.flatMap(({ versions }) => versions),
        origins,
      ),
      embeddingJobs(
        this.#deps.queue,
        workspace,
        builders.flatMap(({ indexed }) => indexed),
        origins,
      ),
      purgeJobs(workspace, this.#cleanup),
    ])
      for (const job of jobs) {
        this.#deps.queue.enqueue(draft, job);
        yield;
      }
  }

  #linkOne(draft: WorkspaceDraft, { asked, before, node }: Built): void {
    const { workspace, owner } = this.#tenant;
    const { path, uri } = asked;
    const now = locate(draft, workspace.keys, owner, path);
    checkState(workspace, now, asked);
    if (now?.entry?.generation !== before?.entry?.generation) throw new Conflict(uri);
    const directory = ensureDirectory(draft, workspace, owner, path.slice(0, -1), uri);
    const linked = attachNode(draft, workspace, directory, lastOf(path), node, {
      dropLater: this.#isLarge,
    });
    append(this.#cleanup.purge, linked.purge);
    append(this.#cleanup.stale, linked.stale);
  }

  /** Runs at the commit point, because jobs may merge with waiting ones. */
  #decide(draft: WorkspaceDraft): void {
    const { queue } = this.#deps;
    const { workspace } = this.#tenant;
    enqueueDirectoryLayers(draft, queue, workspace, this.#cleanup, [this.#origin]);
    for (const { skill } of this.#built)
      if (skill) describeSkill(draft, queue, this.#tenant, skill.name, skill.description, this.#origin);
    queue.admit(draft, workspace.incarnation);
  }

  async abandon(): Promise<void> {
    for (const builder of this.#builders.values()) await builder.abandon();
  }

  release(): void {
    for (const release of this.#releases) release();
  }
}
