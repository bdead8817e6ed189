import type { Entry, NodeId } from "../../domain/node.ts";
import { compareNames } from "../../domain/uri.ts";
import { idKey } from "../../storage/key-numbers.ts";
import { type KvPages, pairPages, prefixRange } from "../../storage/kv.ts";
import { entryParts, type Keys, keptEntryParts } from "../keys.ts";
import { ENTRIES } from "../records.ts";
import { type EntryOfSnapshot, KEPT_ENTRIES, KEPT_NODES } from "./records.ts";

const PAGE = 500;

/** Number that represents the current tree. */
export const NOW = Number.POSITIVE_INFINITY;

export type NamedEntry = readonly [name: string, entry: EntryOfSnapshot | Entry];

/** An entry then and now; the same object if it is unchanged. */
export interface ChangedEntry {
  readonly name: string;
  readonly was: EntryOfSnapshot | Entry | undefined;
  readonly is: Entry | undefined;
}

/**
 * Entries of folders as of a snapshot number: for each name, the first entry kept since then, otherwise the
 * current one. For consistent reads, pass a snapshot of the store.
 */
export class SnapshotTree {
  readonly #kv: KvPages;
  readonly #keys: Keys;
  readonly #number: number;

  constructor(kv: KvPages, keys: Keys, number: number) {
    this.#kv = kv;
    this.#keys = keys;
    this.#number = number;
  }

  async entry(directory: NodeId, name: string): Promise<EntryOfSnapshot | Entry | undefined> {
    const prefix = this.#keys.keptEntriesOf(directory, name);
    if (this.#number !== NOW) {
      const { lt } = prefixRange(prefix);
      const [kept] = await this.#kv.range({ gte: prefix + idKey(this.#number), lt, limit: 1 });
      if (kept) return KEPT_ENTRIES.decode(kept[1], kept[0])[1] ?? undefined;
    }
    return ENTRIES.readShared(this.#kv, this.#keys.entry(directory, name));
  }

  /** Whether the folder was removed from all snapshots. */
  isLost(directory: NodeId): boolean {
    if (this.#number === NOW) return false;
    return KEPT_NODES.readShared(this.#kv, this.#keys.keptNode(directory))?.isLost ?? false;
  }

  /** Entries of a folder, sorted by name. `from`: first name, inclusive. */
  async *children(directory: NodeId, from = ""): AsyncGenerator<NamedEntry> {
    if (this.isLost(directory)) return;
    for await (const page of this.#pages(directory, from))
      for (const { name, was } of page) if (was) yield [name, was];
  }

  /** Like `children`, but omits unchanged files. */
  async *changedChildren(directory: NodeId, from = ""): AsyncGenerator<ChangedEntry> {
    if (this.isLost(directory)) return;
    for await (const page of this.#pages(directory, from))
      for (const one of page) if (one.was !== one.is || one.is?.kind === "directory") yield one;
  }

  async *#pages(directory: NodeId, from: string): AsyncGenerator<ChangedEntry[]> {
    const kept = this.#kept(directory, from);
    let next = await kept.next();
    const all = prefixRange(this.#keys.entries(directory), PAGE);
    for await (const page of pairPages(this.#kv, { ...all, gte: all.gte + from })) {
      const found: ChangedEntry[] = [];
      for (const [key, value] of page) {
        const [, name] = entryParts(this.#keys, key);
        for (; !next.done && compareNames(next.value[0], name) < 0; next = await kept.next())
          found.push({ name: next.value[0], was: next.value[1] ?? undefined, is: undefined });
        const is = ENTRIES.decode(value, key);
        const isKept = !next.done && next.value[0] === name;
        found.push({ name, was: isKept ? (next.value[1] ?? undefined) : is, is });
        if (isKept) next = await kept.next();
      }
      yield found;
    }
    for (; !next.done; next = await kept.next())
      yield [{ name: next.value[0], was: next.value[1] ?? undefined, is: undefined }];
  }

  /** By name: the first entry kept since the snapshot; null if the name did not exist. */
  async *#kept(
    directory: NodeId,
    from: string,
  ): AsyncGenerator<readonly [name: string, entry: EntryOfSnapshot | null]> {
    if (this.#number === NOW) return;
    const all = prefixRange(this.#keys.keptEntriesIn(directory), PAGE);
    let last: string | undefined;
    for await (const page of pairPages(this.#kv, { ...all, gte: all.gte + from }))
      for (const [key, value] of page) {
        const { name, number } = keptEntryParts(this.#keys, key);
        if (name === last || number < this.#number) continue;
        last = name;
        yield [name, KEPT_ENTRIES.decode(value, key)[1]];
      }
  }
}
