import { unavailable } from "../../domain/errors.ts";
import { NO_WORKSPACE, type WorkspaceId } from "../../domain/ids.ts";
import type { ReadablePlace } from "../group-kv.ts";
import { workspaceOfKey } from "../key-owner.ts";
import type { KeyRange, KvOp, KvSnapshot } from "../kv.ts";
import { type Committer, LostWorkspaces, type NextVersion } from "./committer.ts";
import type { LocalCopy, Mark } from "./local-copy.ts";

/** Where a workspace stands that this server has. */
interface Fence {
  readonly turn: number;
  version: number;
}

interface Options {
  readonly copy: LocalCopy;
  readonly committer: Pick<Committer, "commit">;
  /** Of which past of the store the copy is. */
  readonly store: () => string;
  /** Called at once when it turns out that this server no longer has a workspace. */
  readonly onLost: (workspace: WorkspaceId) => void;
}

/**
 * A store that many servers write, with a copy to read from: a group of changes is written to the store, then
 * to the copy, then shown. So the copy is never ahead of the store.
 */
export class SharedPlace implements ReadablePlace {
  readonly #options: Options;
  readonly #copy: ReadablePlace;
  readonly #fences = new Map<WorkspaceId, Fence>();
  /** Workspaces whose records come from the store now: they are written to the copy alone. */
  readonly #loading = new Map<WorkspaceId, Mark | undefined>();
  #lost: unknown;

  constructor(options: Options) {
    this.#options = options;
    this.#copy = options.copy.place;
  }

  /** Changes of a workspace are written from now on, on top of a version. */
  hold(workspace: WorkspaceId, turn: number, version: number): void {
    this.#loading.delete(workspace);
    this.#fences.set(workspace, { turn, version });
  }

  /** Changes of a workspace are refused from now on; the turn in which it was held. */
  release(workspace: WorkspaceId): number | undefined {
    const turn = this.#fences.get(workspace)?.turn;
    this.#fences.delete(workspace);
    return turn;
  }

  /** Changes of a workspace are written to the copy alone, until it is held; the last one with its mark. */
  load(workspace: WorkspaceId, mark?: Mark): void {
    this.#loading.set(workspace, mark);
  }

  /** Ends a load that failed. */
  unload(workspace: WorkspaceId): void {
    this.#loading.delete(workspace);
  }

  /** The workspaces that are held. */
  get held(): readonly WorkspaceId[] {
    return [...this.#fences.keys()];
  }

  /** See Place. A change with names goes alone, so that a name that is taken refuses that change only. */
  admit(ops: readonly KvOp[]): { readonly isAlone: boolean } {
    const real = this.#real(ops);
    const workspace = homeOf(ops);
    if (real.length > 0 && !this.#fences.has(workspace) && !this.#loading.has(workspace))
      throw unavailable("the account has moved to another server; try again");
    return { isAlone: real.some(isNamed) };
  }

  async write(ops: readonly KvOp[]): Promise<void> {
    const real = this.#real(ops);
    const changes = this.#changesOf(real, homeOf(ops));
    try {
      if (changes.length > 0) await this.#options.committer.commit(changes);
    } catch (error) {
      this.#refused(changes, error);
      throw error instanceof LostWorkspaces
        ? unavailable("the account has moved to another server; try again")
        : error;
    }
    try {
      const noted = changes.flatMap((change) => this.#noted(change));
      await this.#copy.write([...real, ...noted, ...this.#loaded(ops)], false);
    } catch (error) {
      // it is written, though this server cannot show it
      this.#lost = error;
      throw error;
    }
  }

  reveal(): void {
    this.#copy.reveal();
  }

  get lost(): unknown {
    return this.#lost ?? this.#copy.lost;
  }

  /** Names are shown only while their workspace is held: another server may have removed or given them. */
  get(key: string): Uint8Array | undefined {
    const value = this.#copy.get(key);
    if (value === undefined || workspaceOfKey(key) !== undefined) return value;
    const owner = this.#options.copy.ownerOf(key);
    return owner !== undefined && this.#fences.has(owner) ? value : undefined;
  }

  range(range: KeyRange): Promise<[string, Uint8Array][]> {
    return this.#copy.range(range);
  }

  texts(range: KeyRange): Promise<[string, string][]> {
    return this.#copy.texts(range);
  }

  keys(range: KeyRange): Promise<string[]> {
    return this.#copy.keys(range);
  }

  snapshot(): KvSnapshot {
    return this.#copy.snapshot();
  }

  olderSnapshots(): Promise<void> {
    return this.#copy.olderSnapshots();
  }

  compact(gte: string, lt: string): Promise<void> {
    return this.#copy.compact(gte, lt);
  }

  close(): Promise<void> {
    return this.#copy.close();
  }

  /** Without the deletions of what is not there. */
  #real(ops: readonly KvOp[]): readonly KvOp[] {
    return ops.filter(({ key, value }) => value !== undefined || this.#copy.get(key) !== undefined);
  }

  #changesOf(ops: readonly KvOp[], home: WorkspaceId): NextVersion[] {
    const byWorkspace = new Map<WorkspaceId, KvOp[]>();
    for (const op of ops) {
      const workspace = workspaceOfKey(op.key) ?? home;
      const own = byWorkspace.get(workspace);
      if (own) own.push(op);
      else byWorkspace.set(workspace, [op]);
    }
    return [...byWorkspace].flatMap(([workspace, own]) => {
      if (this.#loading.has(workspace)) return [];
      const fence = this.#fences.get(workspace);
      if (!fence) throw unavailable("the account has moved to another server; try again");
      const named = own.filter(isNamed);
      return [{ workspace, turn: fence.turn, version: fence.version + 1, ops: own, named }];
    });
  }

  #noted({ workspace, version, named }: NextVersion): KvOp[] {
    const fence = this.#fences.get(workspace);
    if (fence) fence.version = version;
    return this.#options.copy.noteOf(workspace, { store: this.#options.store(), version }, named);
  }

  /** Names and marks of what is written to the copy alone. */
  #loaded(ops: readonly KvOp[]): KvOp[] {
    const loading = new Set(ops.map(({ key }) => workspaceOfKey(key) ?? homeOf(ops)));
    return [...loading].flatMap((workspace) =>
      this.#loading.has(workspace)
        ? this.#options.copy.noteOf(workspace, this.#loading.get(workspace), ops.filter(isNamed))
        : [],
    );
  }

  /** After an unknown outcome nobody knows the version, so that the workspaces have to be taken again. */
  #refused(changes: readonly NextVersion[], error: unknown): void {
    const isKnown = error instanceof LostWorkspaces || codeOf(error) === "ALREADY_EXISTS";
    const lost = error instanceof LostWorkspaces ? error.workspaces : [];
    for (const workspace of isKnown ? lost : changes.map((change) => change.workspace)) {
      this.release(workspace);
      this.#options.onLost(workspace);
    }
  }
}

const isNamed = ({ key }: KvOp): boolean => workspaceOfKey(key) === undefined;

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

/** The workspace of a change. Keys of the directory belong to that of the others, or to the server. */
function homeOf(ops: readonly KvOp[]): WorkspaceId {
  for (const { key } of ops) {
    const workspace = workspaceOfKey(key);
    if (workspace !== undefined) return workspace;
  }
  return NO_WORKSPACE;
}
