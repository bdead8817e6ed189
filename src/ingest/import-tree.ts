import { append } from "../base/append.ts";
import { EventLoopYielder } from "../base/event-loop.ts";
import { itemAt, lastOf, present } from "../base/expect.ts";
import { sha256InTurns } from "../base/sha256.ts";
import { sortSteps } from "../base/sort-steps.ts";
import { failedPrecondition, invalidArgument } from "../domain/errors.ts";
import type { Entry, NodeId } from "../domain/node.ts";
import type { Path } from "../domain/uri.ts";
import { Conflict } from "../workspace/conflict.ts";
import type { FoundSecrets } from "../workspace/found-secrets.ts";
import { ReplacedByImport } from "../workspace/trash/replaced.ts";
import { Builder, type BuiltNode } from "../workspace/tree/builder.ts";
import { walk } from "../workspace/tree/listing.ts";
import { type Located, locate, type Owner, SHARED } from "../workspace/tree/locate.ts";
import {
  attachNode,
  checkNotDerived,
  ensureDirectory,
  type PendingCleanup,
  renameDerivedAside,
  type TakeOut,
} from "../workspace/tree/tree.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { WorkspaceDraft } from "../workspace/workspace-draft.ts";
import { ImportNotes } from "./import-notes.ts";
import { type FileReading, type Prepared, prepareParsed, type ReadFile, readFile } from "./prepare-file.ts";
import { type BegunFile, readInOrder } from "./read-ahead.ts";
import { screenFile } from "./screen-file.ts";
import { comparePaths, fittingSteps, nameSteps, type SourceFile } from "./source-file.ts";

/** Number of built and removed files above which the records of replaced files are left to purge jobs. */
const MAX_AT_ONCE = 64;

export interface ImportOptions {
  readonly root: Path;
  readonly rootUri: string;
  readonly strict: boolean;
  readonly index: boolean;
  /** Metadata of the root, rendered as `.meta.json`. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Receives the secrets in the files. */
  readonly found: FoundSecrets;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
}

interface Link {
  readonly relPath: Path;
  readonly built: BuiltNode;
  /** The node with this name when the file was read. */
  readonly before: NodeId | undefined;
}

/**
 * Prepares updating a directory to the current content of a source. Unchanged files only cost a hash; changed
 * files get a new generation of their node; files missing from the source are moved to the trash. Nothing is
 * visible before `link`; the builder writes large amounts ahead.
 */
export async function planImport(
  deps: FileReading,
  workspace: Workspace,
  owner: Owner,
  files: readonly SourceFile[],
  options: ImportOptions,
): Promise<ImportPlan> {
  const author = { by: owner.author, change: "import" } as const;
  const builder = new Builder(workspace, await workspace.partitionFor(SHARED), author);
  const plan = new ImportPlan(deps, workspace, owner, options, builder);
  try {
    await plan.read(files);
    return plan;
  } catch (error) {
    plan.release();
    await plan.abandon();
    throw error;
  }
}

/** A prepared import, before the transaction that makes it visible. */
export class ImportPlan {
  readonly warnings = new ImportNotes();
  /** Files of known formats that are stored without their text, with the reason. */
  readonly errors = new ImportNotes();
  readonly #deps: FileReading;
  readonly #workspace: Workspace;
  readonly #owner: Owner;
  readonly #options: ImportOptions;
  readonly #links: Link[] = [];
  readonly #seen = new Set<string>();
  readonly #releases: (() => void)[] = [];
  readonly #builder: Builder;
  #start: Located | undefined;
  #before = new Map<string, Entry>();
  /** Content that the transaction replaces, in the order of the draft. */
  #replaced: ReplacedByImport | undefined;
  #vanished: [key: string, entry: Entry][] = [];
  /** Directories known to exist, by path. */
  readonly #ensured = new Map<string, NodeId>();
  #fresh: { root: BuiltNode; directories: Map<string, NodeId>; names: Map<string, Set<string>> } | undefined;

  constructor(
    deps: FileReading,
    workspace: Workspace,
    owner: Owner,
    options: ImportOptions,
    builder: Builder,
  ) {
    this.#builder = builder;
    this.#deps = deps;
    this.#workspace = workspace;
    this.#owner = owner;
    this.#options = options;
  }

  async read(files: readonly SourceFile[]): Promise<void> {
    const { root, rootUri } = this.#options;
    this.#start = locate(this.#workspace.kv, this.#workspace.keys, this.#owner, root);
    if (this.#start?.kind === "file")
      throw failedPrecondition(rootUri, "a file exists at this URI; a folder cannot replace it");
    checkNotDerived(this.#workspace, this.#start?.entry, rootUri);
    if (this.#start) await this.#readBefore(this.#start);
    const yielder = new EventLoopYielder(this.#workspace.incarnation);
    const { fitting, skipped } = await yielder.through(fittingSteps(this.#options.root, files));
    this.warnings.add(skipped);
    if (fitting.length === 0)
      throw invalidArgument(
        "path",
        "there is nothing to import: the source is empty, or all of its files are excluded",
      );
    const all = await yielder.through(sortSteps(fitting, (a, b) => comparePaths(a.relPath, b.relPath)));
    if (!this.#start)
      this.#fresh = {
        root: await this.#builder.emptyDirectory(lastOf(root), undefined, !this.#options.index),
        directories: new Map(),
        names: await yielder.through(nameSteps(all)),
      };
    await this.#takeAll(all);
    this.#vanished = await yielder.through(this.#vanishedSteps());
  }

  /** Whether the records of replaced files are left to purge jobs. */
  get isLarge(): boolean {
    return this.built.length + this.#vanished.length > MAX_AT_ONCE;
  }

  /**
   * Adds the import to a transaction in small steps: links, removals, metadata. Throws Conflict if the tree
   * has changed since the plan was made.
   */
  *link(draft: WorkspaceDraft): Generator<void, PendingCleanup> {
    const { root, rootUri, meta } = this.#options;
    const cleanup: PendingCleanup = { purge: [], stale: [] };
    this.#ensured.clear();
    this.#replaced = new ReplacedByImport(draft, this.#workspace, this.#owner, root);
    const now = locate(draft, this.#workspace.keys, this.#owner, root);
    if (now?.node !== this.#start?.node) throw new Conflict(rootUri);
    if (this.#fresh) {
      const parent = ensureDirectory(draft, this.#workspace, this.#owner, root.slice(0, -1), rootUri);
      this.#builder.putRest(draft);
      merge(cleanup, attachNode(draft, this.#workspace, parent, lastOf(root), this.#fresh.root, { meta }));
      return cleanup;
    }
    this.#builder.putRest(draft);
    yield;
    // removals first, because they free names for derived files
    yield* this.#takeOutVanished(draft, cleanup);
    yield* this.#linkChanged(draft, cleanup);
    yield* this.#updateRoot(draft, present(now, `directory ${rootUri}`), meta, cleanup);
    return cleanup;
  }

  /** Nodes with new chunks, and their number of chunks. */
  get indexed(): readonly (readonly [node: NodeId, chunks: number])[] {
    return this.#builder.indexed;
  }

  /** All built files, including derived ones. */
  get built(): readonly (readonly [node: NodeId, generation: number, bytes: number])[] {
    return this.#builder.versions;
  }

  async abandon(): Promise<void> {
    await this.#builder.abandon();
  }

  release(): void {
    for (const release of this.#releases.splice(0)) release();
  }

  async #readBefore(start: Located): Promise<void> {
    for await (const item of walk(this.#workspace, this.#workspace.kv, this.#owner, start, {
      levels: 0,
      showHidden: true,
    })) {
      // derived files follow their source, and rendered files have no nodes
      if (item.entry && item.entry.source === undefined)
        this.#before.set(item.path.slice(start.path.length).join("/"), item.entry);
    }
  }

  async #takeAll(files: readonly SourceFile[]): Promise<void> {
    const reading = new AbortController();
    const signal = AbortSignal.any([this.#options.signal, reading.signal]);
    let done = 0;
    const begin = (file: SourceFile, bytes: Uint8Array) => this.#begin(file, bytes, signal);
    try {
      for await (const begun of readInOrder(files, this.#workspace, signal, begin)) {
        signal.throwIfAborted();
        await this.#take(begun);
        this.#options.onProgress(++done);
      }
    } finally {
      // after a failure, do not wait for files that are read ahead
      reading.abort();
    }
  }

  /** Starts reading a file; undefined if it is unchanged. */
  async #begin(file: SourceFile, bytes: Uint8Array, signal: AbortSignal): Promise<ReadFile | undefined> {
    const key = file.relPath.join("/");
    const name = lastOf(file.relPath);
    const { strict, rootUri, found } = this.#options;
    const place = { field: "path", uri: `${rootUri}/${key}`, shown: key };
    const screened = await screenFile(this.#workspace.secrets, name, bytes, place, found);
    const hash = await sha256InTurns(screened);
    const before = this.#before.get(key);
    if (before?.kind === "file" && before.hash === hash && !(before.unindexed && this.#options.index))
      return undefined;
    return readFile(
      this.#deps,
      { name, bytes: screened, hash },
      { workspace: this.#workspace.incarnation, strict, signal, base: file.base, shown: key },
    );
  }

  async #take({ file, bytes, work }: BegunFile<SourceFile, ReadFile | undefined>): Promise<void> {
    const key = file.relPath.join("/");
    if (!bytes) {
      if (this.#options.strict)
        throw invalidArgument("path", `the file ${key} disappeared or cannot be read`);
      this.warnings.add([`${key}: skipped: it vanished or cannot be read`]);
      return;
    }
    for (let depth = 1; depth <= file.relPath.length; depth++)
      this.#seen.add(file.relPath.slice(0, depth).join("/"));
    const read = await work;
    if (!read) return;
    const prepared = await this.#prepare(file, read);
    const before = this.#before.get(key);
    const node = before?.kind === "file" ? before : undefined;
    const built = await this.#builder.addFile(
      prepared.file,
      node ? { node: node.node, created: node.created } : {},
    );
    if (this.#fresh) this.#builder.link(await this.#freshDirectory(file.relPath.slice(0, -1)), built);
    else this.#links.push({ relPath: file.relPath, built, before: before?.node });
  }

  async #prepare(file: SourceFile, read: ReadFile): Promise<Prepared> {
    const siblings = this.#fresh?.names.get(file.relPath.slice(0, -1).join("/"));
    const prepared = await prepareParsed({ ...this.#deps, contents: this.#workspace.contents }, read, {
      index: this.#options.index,
      shown: file.relPath.join("/"),
      isTaken: (name) => siblings?.has(name) ?? false,
    });
    this.#releases.push(prepared.release);
    this.warnings.add(prepared.warnings);
    this.errors.add(prepared.errors);
    // later files must not use the names of derived files
    for (const made of [prepared.file.text?.name, prepared.file.sections?.name])
      if (made) siblings?.add(made);
    return prepared;
  }

  async #freshDirectory(relPath: Path): Promise<NodeId> {
    const fresh = present(this.#fresh, "new directory");
    if (relPath.length === 0) return fresh.root.entry.node;
    const key = relPath.join("/");
    const known = fresh.directories.get(key);
    if (known !== undefined) return known;
    const parent = await this.#freshDirectory(relPath.slice(0, -1));
    const built = await this.#builder.emptyDirectory(lastOf(relPath), undefined, !this.#options.index);
    this.#builder.link(parent, built);
    fresh.directories.set(key, built.entry.node);
    return built.entry.node;
  }

  *#linkChanged(draft: WorkspaceDraft, cleanup: PendingCleanup): Generator<void> {
    const { rootUri } = this.#options;
    for (const { relPath, built, before } of this.#links) {
      const directory = this.#directoryOf(draft, relPath.slice(0, -1), cleanup);
      const now = draft.entry(directory, lastOf(relPath));
      if (now?.source !== undefined) renameDerivedAside(draft, directory, lastOf(relPath), now);
      else if (now?.node !== before) throw new Conflict(rootUri);
      const takeOut = this.#takeOutAt([...this.#options.root, ...relPath]);
      const options = { dropLater: this.isLarge, takeOut };
      merge(cleanup, attachNode(draft, this.#workspace, directory, lastOf(relPath), built, options));
      yield;
    }
  }

  #directoryOf(draft: WorkspaceDraft, relPath: Path, cleanup: PendingCleanup): NodeId {
    const { root, rootUri, index } = this.#options;
    const key = relPath.join("/");
    const known = this.#ensured.get(key);
    if (known !== undefined) return known;
    const place = [...root, ...relPath];
    this.#clearTheWay(draft, place, cleanup);
    const directory = ensureDirectory(
      draft,
      this.#workspace,
      this.#owner,
      place,
      rootUri,
      index ? {} : { unindexed: true },
    );
    this.#ensured.set(key, directory);
    return directory;
  }

  /** Removes a file at the path of a directory in the source. A derived file is renamed instead. */
  #clearTheWay(draft: WorkspaceDraft, place: Path, cleanup: PendingCleanup): void {
    for (let depth = this.#options.root.length + 1; depth <= place.length; depth++) {
      const found = locate(draft, this.#workspace.keys, this.#owner, place.slice(0, depth));
      if (!found?.entry) return;
      if (found.entry.source !== undefined)
        renameDerivedAside(draft, found.directory, itemAt(place, depth - 1), found.entry);
      else if (found.kind === "file")
        merge(cleanup, this.#takeOutAt(found.path)(found.directory, lastOf(found.path), found.entry));
    }
  }

  #takeOutAt(path: Path): TakeOut {
    const replaced = present(this.#replaced, "change of the import");
    return (directory, name, entry) => replaced.takeOut(path, directory, name, entry);
  }

  /** Entries missing from the source; only the topmost of each subtree. */
  *#vanishedSteps(): Generator<undefined, [key: string, entry: Entry][]> {
    const gone = new Set<string>();
    const vanished: [key: string, entry: Entry][] = [];
    for (const [key, entry] of this.#before) {
      yield;
      if (this.#seen.has(key)) continue;
      gone.add(key);
      // directories precede their contents
      if (!gone.has(key.slice(0, Math.max(0, key.lastIndexOf("/"))))) vanished.push([key, entry]);
    }
    return vanished;
  }

  #locate(draft: WorkspaceDraft, key: string): Located | undefined {
    return locate(draft, this.#workspace.keys, this.#owner, [...this.#options.root, ...key.split("/")]);
  }

  *#takeOutVanished(draft: WorkspaceDraft, cleanup: PendingCleanup): Generator<void> {
    for (const [key, entry] of this.#vanished) {
      const found = this.#locate(draft, key);
      if (found?.entry?.node === entry.node)
        merge(cleanup, this.#takeOutAt(found.path)(found.directory, lastOf(found.path), found.entry));
      yield;
    }
  }

  /**
   * Updates the source metadata of the root. Directories of an import that was not indexed are indexed from
   * now on.
   */
  *#updateRoot(
    draft: WorkspaceDraft,
    now: Located,
    meta: Readonly<Record<string, unknown>>,
    cleanup: PendingCleanup,
  ): Generator<void> {
    const { directory: _, name: __, ...record } = present(draft.node(now.node), "record of the directory");
    const name = lastOf(now.path);
    const entry = present(draft.entry(now.directory, name), "entry of the directory");
    const flags = this.#options.index ? { unindexed: false } : {};
    draft.putEntry(now.directory, name, { ...entry, ...flags }, { ...record, meta });
    if (!this.#options.index) return;
    if (now.entry?.unindexed) cleanup.stale.push(now.node);
    for (const [key, entry] of this.#before) {
      if (entry.kind !== "directory" || !entry.unindexed || !this.#seen.has(key)) continue;
      const found = this.#locate(draft, key);
      if (found?.entry?.node !== entry.node) continue;
      draft.updateEntry(found.directory, lastOf(found.path), { ...found.entry, unindexed: false });
      cleanup.stale.push(entry.node);
      yield;
    }
  }
}

const merge = (into: PendingCleanup, more: PendingCleanup): void => {
  append(into.purge, more.purge);
  append(into.stale, more.stale);
};
