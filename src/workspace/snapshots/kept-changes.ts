import { AGENTS, type Entry, FIRST_FREE_NODE, type NodeId, USERS } from "../../domain/node.ts";
import type { KvReader } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { entryParts, type Keys } from "../keys.ts";
import { ENTRIES, NODE_RECORDS } from "../records.ts";
import { MAX_DEPTH } from "../tree/locate.ts";
import {
  type EntryOfSnapshot,
  KEPT_NODES,
  type KeptContent,
  type KeptEntry,
  type KeptNode,
} from "./records.ts";
import type { Snapshots } from "./snapshots.ts";

interface KeepingDraft extends Pick<KvReader, "get"> {
  put(key: string, value: Uint8Array): void;
}

/** The snapshots that cover a folder at its current path, and whether it is in memories. */
interface Covered {
  readonly numbers: readonly number[];
  readonly isMemories: boolean;
}

const UNCOVERED: Covered = { numbers: [], isMemories: false };

/**
 * Preserves for snapshots what a transaction replaces (decision 39): copies an entry before its first change
 * after a snapshot that covers it, and keeps its content when the file drops it.
 */
export class KeptChanges {
  readonly #draft: KeepingDraft;
  readonly #keys: Keys;
  readonly #snapshots: Snapshots;
  readonly #covered = new Map<NodeId, Covered>();

  /** `draft`: the transaction, which includes earlier writes. */
  constructor(draft: KeepingDraft, keys: Keys, snapshots: Snapshots) {
    this.#draft = draft;
    this.#keys = keys;
    this.#snapshots = snapshots;
  }

  /** Must be called before an entry is written or deleted (`after` undefined). */
  change(key: string, after: Uint8Array | undefined): void {
    const before = this.#draft.get(key);
    const was = before && ENTRIES.decodeShared(before, key);
    const is = after && ENTRIES.decode(after, key);
    const isDirectory = was?.kind === "directory" || is?.kind === "directory";
    if (was && is && was.node === is.node && (isDirectory || was.generation === is.generation)) return;
    const [directory, name] = entryParts(this.#keys, key);
    this.#keep(directory, name, was);
    if (is?.kind === "directory" && is.node !== was?.node) this.#noteMove(directory, is.node);
    // which snapshots cover the content below the folder may have changed
    if (isDirectory) this.#covered.clear();
  }

  /**
   * Whether a snapshot needs content of a generation that the file has dropped. Must be called before the
   * content is removed.
   */
  keepsContent(node: NodeId, generation: number): boolean {
    const place = NODE_RECORDS.readShared(this.#draft, this.#keys.node(node));
    const entry = place && ENTRIES.readShared(this.#draft, this.#keys.entry(place.directory, place.name));
    // a later step of the transaction may replace the entry
    if (place && entry?.node === node && entry.generation === generation)
      this.#keep(place.directory, place.name, entry);
    const kept = KEPT_NODES.read(this.#draft, this.#keys.keptNode(node));
    const found = kept?.contents?.find(([of]) => of === generation);
    if (!kept || !found) return false;
    const isForgotten = place !== undefined && this.#coveredAt(place.directory).isMemories;
    const [, entries] = found;
    this.#putContent(node, kept, [generation, entries, isForgotten ? "forgotten" : "alone"]);
    return !isForgotten;
  }

  /** Whether a snapshot needs a node, so that purging it must keep its grants. */
  needs(node: NodeId): boolean {
    const kept = KEPT_NODES.readShared(this.#draft, this.#keys.keptNode(node));
    return kept?.needed.some((number) => this.#snapshots.numbers.has(number)) ?? false;
  }

  #keep(directory: NodeId, name: string, was: Entry | undefined): void {
    const { numbers } = this.#coveredAt(directory);
    if (numbers.length === 0) return;
    // always the latest number, so that entries of one name are kept in order
    const key = this.#keys.keptEntry(directory, name, this.#snapshots.last);
    if (this.#draft.get(key)) return;
    this.#draft.put(key, encodeRecord([numbers, was ? ofSnapshot(was) : null] satisfies KeptEntry));
    if (!was) return;
    const before = KEPT_NODES.read(this.#draft, this.#keys.keptNode(was.node)) ?? { needed: [] };
    const needed = [...new Set([...before.needed, ...numbers])].sort((a, b) => a - b);
    const kept: KeptNode = { ...before, needed };
    if (was.kind === "directory") {
      this.#draft.put(this.#keys.keptNode(was.node), encodeRecord(kept));
      return;
    }
    const [, entries = 0, state = "shared"] =
      before.contents?.find(([generation]) => generation === was.generation) ?? [];
    this.#putContent(was.node, kept, [was.generation, entries + 1, state]);
  }

  #putContent(node: NodeId, kept: KeptNode, content: KeptContent): void {
    const others = kept.contents?.filter(([generation]) => generation !== content[0]) ?? [];
    const record: KeptNode = { ...kept, contents: [...others, content] };
    this.#draft.put(this.#keys.keptNode(node), encodeRecord(record));
  }

  /**
   * Removes a folder that is moved into memories from all snapshots, so that forgetting it there removes it
   * completely.
   */
  #noteMove(directory: NodeId, node: NodeId): void {
    const key = this.#keys.keptNode(node);
    const kept = KEPT_NODES.read(this.#draft, key);
    if (!kept || kept.isLost || !this.#coveredAt(directory).isMemories) return;
    this.#draft.put(key, encodeRecord({ ...kept, isLost: true } satisfies KeptNode));
  }

  #coveredAt(directory: NodeId): Covered {
    const known = this.#covered.get(directory);
    if (known) return known;
    const found = this.#findCovered(directory);
    this.#covered.set(directory, found);
    return found;
  }

  #findCovered(directory: NodeId): Covered {
    const numbers = new Set<number>();
    /** Names from below the top down to the folder. */
    const names: string[] = [];
    let isLost = false;
    let at = directory;
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      for (const number of this.#snapshots.rootedAt(at)) numbers.add(number);
      const kept = KEPT_NODES.readShared(this.#draft, this.#keys.keptNode(at));
      isLost ||= kept?.isLost ?? false;
      for (const number of kept?.needed ?? []) if (this.#snapshots.numbers.has(number)) numbers.add(number);
      const record =
        at < FIRST_FREE_NODE ? undefined : NODE_RECORDS.readShared(this.#draft, this.#keys.node(at));
      if (!record) break;
      names.push(record.name);
      at = record.directory;
    }
    const isMemories = isMemoriesBelow(at, names);
    if (isMemories || isLost) return { ...UNCOVERED, isMemories };
    return { numbers: [...numbers].sort((a, b) => a - b), isMemories };
  }
}

/** Whether a path, given from its last name to its first, is in the memories of a user or agent. */
function isMemoriesBelow(top: NodeId, names: readonly string[]): boolean {
  if (top === USERS) return names.at(-2) === "memories";
  return top === AGENTS && names.at(-3) === "memories";
}

const ofSnapshot = ({
  node,
  kind,
  generation,
  size,
  created,
  modified,
  mime,
  hash,
  source,
  unindexed,
}: Entry): EntryOfSnapshot => ({
  node,
  kind,
  generation,
  size,
  created,
  modified,
  ...(mime !== undefined && { mime }),
  ...(hash !== undefined && { hash }),
  ...(source !== undefined && { source }),
  ...(unindexed && { unindexed }),
});
