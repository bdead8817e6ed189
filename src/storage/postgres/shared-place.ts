import { randomUUID } from "node:crypto";
import { unavailable } from "../../domain/errors.ts";
import { NO_WORKSPACE, type WorkspaceId } from "../../domain/ids.ts";
import type { Admitted } from "../commit-group.ts";
import type { ReadablePlace } from "../group-kv.ts";
import { idKey } from "../key-numbers.ts";
import { workspaceOfKey } from "../key-owner.ts";
import type { KeyRange, KvOp, KvSnapshot } from "../kv.ts";
import { type Committer, LostWorkspaces, type NextVersion } from "./committer.ts";
import { isRefusal } from "./connection.ts";
import { isTooLong, keyTooLong } from "./key-length.ts";
import type { LocalCopy, Mark, Written } from "./local-copy.ts";

/** Turn and state of a workspace that this server owns. */
interface Fence {
  readonly turn: number;
  /** `written` of the versions that this server writes in this turn. */
  readonly id: string;
  state: Written;
}

interface Options {
  readonly copy: LocalCopy;
  readonly committer: Pick<Committer, "commit">;
  /** Returns the id and timeline of the store that the copy belongs to. */
  readonly store: () => string;
  /** Called immediately when this server discovers that it lost a workspace. */
  readonly onLost: (workspace: WorkspaceId) => void;
}

/**
 * Storage shared by several servers, with a local copy for reads. A group of transactions is written to the
 * store, then to the copy, then made visible; so the copy is never ahead of the store.
 */
export class SharedPlace implements ReadablePlace {
  readonly #options: Options;
  readonly #copy: ReadablePlace;
  readonly #fences = new Map<WorkspaceId, Fence>();
  /** Workspaces whose records are being loaded from the store; their writes go only to the copy. */
  readonly #loading = new Map<WorkspaceId, Mark | undefined>();
  #lost: unknown;

  constructor(options: Options) {
    this.#options = options;
    this.#copy = options.copy.place;
  }

  /** Allows transactions on a workspace, starting from a version. */
  hold(workspace: WorkspaceId, turn: number, state: Written): void {
    this.#loading.delete(workspace);
    this.#fences.set(workspace, { turn, id: randomUUID(), state });
  }

  /** Refuses further transactions on a workspace; returns its turn. */
  release(workspace: WorkspaceId): number | undefined {
    const turn = this.#fences.get(workspace)?.turn;
    this.#fences.delete(workspace);
    return turn;
  }

  /**
   * Until `hold`, writes of a workspace with `markOfLoad` go only to the copy, which gets `mark` (undefined:
   * incomplete). Others are refused.
   */
  load(workspace: WorkspaceId, mark?: Mark): void {
    this.#loading.set(workspace, mark);
  }

  /** Cancels a failed load. */
  unload(workspace: WorkspaceId): void {
    this.#loading.delete(workspace);
  }

  isHeld(workspace: WorkspaceId): boolean {
    return this.#fences.has(workspace);
  }

  /** Turns and versions of the workspaces that this server owns. */
  get fences(): readonly {
    readonly workspace: WorkspaceId;
    readonly turn: number;
    readonly version: number;
  }[] {
    return [...this.#fences].map(([workspace, { turn, state }]) => ({
      workspace,
      turn,
      version: state.version,
    }));
  }

  /** Workspaces that this server owns. */
  get held(): readonly WorkspaceId[] {
    return [...this.#fences.keys()];
  }

  /**
   * See Place. A transaction with directory keys is not grouped with others, so that a name conflict rejects
   * only this one.
   */
  admit(ops: readonly KvOp[]): Admitted {
    const real = this.#real(ops);
    if (real.length === 0) return { isAlone: false };
    const workspace = homeOf(ops);
    const fence = this.#fences.get(workspace);
    const { key: mark } = markOfLoad(workspace);
    // a change queued before the workspace was lost must not reach only the local copy, bypassing the store
    if (this.#loading.has(workspace) ? !ops.some(({ key }) => key === mark) : !fence) throw moved();
    const recheck = () => {
      if (this.#fences.get(workspace) !== fence) throw moved();
    };
    return { isAlone: real.some(isNamed), recheck };
  }

  async write(ops: readonly KvOp[]): Promise<void> {
    const real = this.#real(ops);
    const changes = this.#changesOf(real, homeOf(ops));
    try {
      if (changes.length > 0) await this.#options.committer.commit(changes);
    } catch (error) {
      this.#refused(changes, error);
      throw error instanceof LostWorkspaces ? moved() : error;
    }
    try {
      const noted = changes.flatMap((change) => this.#noted(change));
      await this.#copy.write([...real, ...noted, ...this.#loaded(ops)], false);
    } catch (error) {
      // the store has the transaction, but this server cannot read it
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

  /**
   * Directory keys are visible only while their workspace is owned, because another server may have removed
   * or reassigned them.
   */
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

  /**
   * Drops deletions of nonexistent keys. Throws INVALID_ARGUMENT for a key that the store may be unable to
   * index, so that it fails only its own transaction, not the group.
   */
  #real(ops: readonly KvOp[]): readonly KvOp[] {
    return ops.filter(({ key, value }) => {
      if (value === undefined) return this.#copy.get(key) !== undefined;
      // what is loaded is in the store already
      if (isTooLong(key) && !this.#loading.has(workspaceOfKey(key) ?? NO_WORKSPACE)) throw keyTooLong();
      return true;
    });
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
      if (!fence) throw moved();
      const named = own.filter(isNamed);
      const { turn, id, state } = fence;
      const next = { version: state.version + 1, written: id, after: state.written };
      return [{ workspace, turn, ...next, ops: own, named }];
    });
  }

  #noted({ workspace, version, written, named }: NextVersion): KvOp[] {
    const fence = this.#fences.get(workspace);
    const state = { version, written };
    if (fence) fence.state = state;
    return this.#options.copy.noteOf(workspace, { store: this.#options.store(), ...state }, named);
  }

  /** Owners of directory keys and marks of workspaces that are being loaded. */
  #loaded(ops: readonly KvOp[]): KvOp[] {
    const loading = new Set(ops.map(({ key }) => workspaceOfKey(key) ?? homeOf(ops)));
    return [...loading].flatMap((workspace) =>
      this.#loading.has(workspace)
        ? this.#options.copy.noteOf(workspace, this.#loading.get(workspace), ops.filter(isNamed))
        : [],
    );
  }

  /** After an unknown outcome the version is unknown, so ownership must be acquired again. */
  #refused(changes: readonly NextVersion[], error: unknown): void {
    const isRefused = isRefusal(error) || codeOf(error) === "ALREADY_EXISTS";
    const isKnown = error instanceof LostWorkspaces || isRefused;
    const lost = error instanceof LostWorkspaces ? error.workspaces : [];
    for (const workspace of isKnown ? lost : changes.map((change) => change.workspace)) {
      this.release(workspace);
      this.#options.onLost(workspace);
    }
  }
}

/**
 * Marks the transactions that load a workspace: deletes a key that no record has, so that the transaction is
 * written even without other operations.
 */
export const markOfLoad = (workspace: WorkspaceId): KvOp => ({
  key: workspace === NO_WORKSPACE ? "s/" : `w/${idKey(workspace)}/`,
  value: undefined,
});

const moved = () => unavailable("the account has moved to another server; try again");

const isNamed = ({ key }: KvOp): boolean => workspaceOfKey(key) === undefined;

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

/**
 * The workspace of a transaction. Directory keys belong to the workspace of its other keys, otherwise to the
 * server.
 */
function homeOf(ops: readonly KvOp[]): WorkspaceId {
  for (const { key } of ops) {
    const workspace = workspaceOfKey(key);
    if (workspace !== undefined) return workspace;
  }
  return NO_WORKSPACE;
}
