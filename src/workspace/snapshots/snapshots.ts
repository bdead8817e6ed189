import type { NodeId } from "../../domain/node.ts";
import type { Draft } from "../../storage/draft.ts";
import { type Kv, type KvReader, pairPages, prefixRange } from "../../storage/kv.ts";
import { encodeRecord, NUMBERS } from "../../storage/record-codec.ts";
import { type Keys, snapshotOfKey } from "../keys.ts";
import { SNAPSHOTS, type SnapshotPart, type SnapshotRecord, type SnapshotRoot } from "./records.ts";

const PAGE = 500;
const NO_NUMBERS: ReadonlySet<number> = new Set();

/** Default maximum number of snapshots per owner. */
export const DEFAULT_SNAPSHOTS = 100;

/** A snapshot with its owner: a user, or the account for shared content. */
export interface Snapshot extends SnapshotRecord {
  readonly owner: string;
  readonly name: string;
}

/**
 * The snapshots of a workspace in memory, derived from their records. Updated when a transaction is decided,
 * not when it is durable, because the next transaction must already preserve what it replaces; taken back if
 * the transaction is not written.
 */
export class Snapshots {
  readonly #keys: Keys;
  readonly #all = new Map<string, Snapshot>();
  /** By folder: numbers of the snapshots that cover it as a root. */
  readonly #roots = new Map<NodeId, Set<number>>();
  readonly #numbers = new Set<number>();
  #last = 0;

  constructor(keys: Keys) {
    this.#keys = keys;
  }

  /** Loads the records; called once. */
  async open(kv: Kv): Promise<void> {
    this.#last = this.#lastOf(kv);
    for await (const page of pairPages(kv, prefixRange(this.#keys.allSnapshots(), PAGE)))
      for (const [key, value] of page)
        this.#put(key, { ...SNAPSHOTS.decode(value, key), ...snapshotOfKey(this.#keys, key) });
  }

  /** Whether any snapshot exists; otherwise changes preserve nothing. */
  get isUsed(): boolean {
    return this.#all.size > 0;
  }

  get all(): Iterable<Snapshot> {
    return this.#all.values();
  }

  /** The latest assigned number, even if its snapshot was removed. */
  get last(): number {
    return this.#last;
  }

  /** Numbers of all parts of existing snapshots. */
  get numbers(): ReadonlySet<number> {
    return this.#numbers;
  }

  of(owner: string): Snapshot[] {
    return [...this.#all.values()].filter((snapshot) => snapshot.owner === owner);
  }

  find(owner: string, name: string): Snapshot | undefined {
    return this.#all.get(this.#keys.snapshot(owner, name));
  }

  /** Numbers of the snapshots that cover a folder as a root. */
  rootedAt(node: NodeId): ReadonlySet<number> {
    return this.#roots.get(node) ?? NO_NUMBERS;
  }

  /** Creates a snapshot of these parts. The caller must check that the name is free. */
  create(
    draft: Draft,
    {
      owner,
      name,
      parts,
      ...about
    }: Omit<Snapshot, "parts"> & { readonly parts: readonly Omit<SnapshotPart, "number">[] },
  ): Snapshot {
    const numbered = parts.map((part, i) => ({ ...part, number: this.#last + 1 + i }));
    const record: SnapshotRecord = { ...about, parts: numbered };
    const last = this.#last + parts.length;
    const key = this.#keys.snapshot(owner, name);
    draft.put(key, encodeRecord(record));
    draft.put(this.#keys.counter("snapshot"), encodeRecord(last));
    const snapshot = { ...record, owner, name };
    draft.atCommit((decided) => {
      const before = this.#last;
      decided.onRefused(() => {
        this.#last = before;
      });
      this.#last = last;
      this.#set(decided, key, snapshot);
    });
    return snapshot;
  }

  drop(draft: Draft, { owner, name }: Pick<Snapshot, "owner" | "name">): void {
    const key = this.#keys.snapshot(owner, name);
    draft.delete(key);
    draft.atCommit((decided) => this.#set(decided, key, undefined));
  }

  /** Removes a user's snapshots, and the user's parts of others. Returns whether there were any. */
  dropUser(draft: Draft, user: string): boolean {
    let isFound = false;
    for (const [key, snapshot] of this.#all) {
      const { owner } = snapshot;
      const parts = snapshot.parts.filter((part) => part.owner !== user);
      if (owner !== user && parts.length === snapshot.parts.length) continue;
      isFound = true;
      if (owner === user) {
        this.drop(draft, snapshot);
        continue;
      }
      this.#replace(draft, key, { ...snapshot, parts });
    }
    return isFound;
  }

  /** Marks roots that only administrators may still see (see SnapshotRoot). */
  guardRoots(draft: Draft, isDue: (root: SnapshotRoot) => boolean): void {
    for (const [key, snapshot] of this.#all) {
      if (!snapshot.parts.some(({ roots }) => roots.some(isDue))) continue;
      const parts = snapshot.parts.map((part) => ({
        ...part,
        roots: part.roots.map((root) => (isDue(root) ? { ...root, isGuarded: true as const } : root)),
      }));
      this.#replace(draft, key, { ...snapshot, parts });
    }
  }

  #replace(draft: Draft, key: string, snapshot: Snapshot): void {
    const { owner: _, name: __, ...record } = snapshot;
    draft.put(key, encodeRecord(record satisfies SnapshotRecord));
    draft.atCommit((decided) => this.#set(decided, key, snapshot));
  }

  /** Sets or removes a snapshot as of the decision of a transaction. */
  #set(decided: Draft, key: string, snapshot: Snapshot | undefined): void {
    const before = this.#all.get(key);
    decided.onRefused(() => this.#put(key, before));
    this.#put(key, snapshot);
  }

  #lastOf(reader: Pick<KvReader, "get">): number {
    return NUMBERS.read(reader, this.#keys.counter("snapshot")) ?? 0;
  }

  /** Takes the same time however many snapshots there are: thousands may expire at once. */
  #put(key: string, snapshot: Snapshot | undefined): void {
    this.#unlink(key);
    this.#all.delete(key);
    if (!snapshot) return;
    this.#all.set(key, snapshot);
    for (const { number, roots } of snapshot.parts) {
      this.#numbers.add(number);
      for (const { node } of roots) {
        const numbers = this.#roots.get(node);
        if (numbers) numbers.add(number);
        else this.#roots.set(node, new Set([number]));
      }
    }
  }

  /** Removes the numbers of a snapshot. */
  #unlink(key: string): void {
    for (const { number, roots } of this.#all.get(key)?.parts ?? []) {
      this.#numbers.delete(number);
      for (const { node } of roots) {
        const numbers = this.#roots.get(node);
        numbers?.delete(number);
        if (numbers?.size === 0) this.#roots.delete(node);
      }
    }
  }
}
