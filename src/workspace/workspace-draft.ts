import {
  type ChunkRange,
  type Entry,
  isSourceCode,
  NO_NODE,
  type NodeId,
  type NodeRecord,
} from "../domain/node.ts";
import { isHidden } from "../domain/scope.ts";
import { spacesWithVectors } from "../index/spaces.ts";
import type { IndexedChunk, IndexedVector } from "../index/workspace-index.ts";
import { Draft } from "../storage/draft.ts";
import type { KvReader } from "../storage/kv.ts";
import { encodeRecord } from "../storage/record-codec.ts";
import { NotedChanges } from "./changes/noted-changes.ts";
import type { Keys } from "./keys.ts";
import { type ChangeFact, ENTRIES, NODE_RECORDS, NODE_TAGS } from "./records.ts";
import { KeptChanges } from "./snapshots/kept-changes.ts";
import type { Snapshots } from "./snapshots/snapshots.ts";
import type { TrashChange } from "./trash/trash-limits.ts";
import type { NodeFacts } from "./tree/node-table.ts";
import { type NodeCounts, nodeCounts, storedBytes, versionBytes } from "./tree/stored-bytes.ts";

/** A transaction of one workspace: records, together with the facts that update the tables in memory. */
export class WorkspaceDraft extends Draft {
  readonly keys: Keys;
  readonly facts: ChangeFact[] = [];
  /** The same transaction as seen by readers of the change stream. */
  readonly changes: NotedChanges;
  /** The chunks of the `added` facts, so that they need not be read back to update the index. */
  readonly chunks: IndexedChunk[] = [];
  /** Main vectors of the chunks that have one from the start. */
  readonly vectors: IndexedVector[] = [];

  /** Keeps what the transaction replaces; undefined if there are no snapshots. */
  readonly kept: KeptChanges | undefined;

  /** Difference in the account's stored bytes; may be negative. */
  stored = 0;
  /** The part of the difference due to contents of earlier versions. */
  versions = 0;
  /** Differences in the account's nodes and their chunks; may be negative. */
  readonly grown: Record<keyof NodeCounts, number> = { nodes: 0, chunks: 0 };
  /** Whether the transaction turns a current version into an earlier one. */
  keepsVersions = false;
  /** Whether the transaction moves something to the trash; "full" if a limit is exceeded. */
  trash: TrashChange | undefined;
  /** Functions that remove dispensable earlier versions; called if the transaction exceeds the quota. */
  readonly sheddable: (() => void)[] = [];
  /**
   * Set for changes that the quota must not refuse: removals, and data that the server derives from stored
   * content.
   */
  isBeyondQuota = false;

  constructor(reader: KvReader, keys: Keys, snapshots?: Snapshots) {
    super(reader);
    this.keys = keys;
    this.kept = snapshots?.isUsed ? new KeptChanges(this, keys, snapshots) : undefined;
    this.changes = new NotedChanges(this, keys);
  }

  override put(key: string, value: Uint8Array): void {
    if (key.startsWith(this.keys.allEntries())) this.kept?.change(key, value);
    if (this.keys.isStored(key)) this.#count(key, value);
    super.put(key, value);
  }

  override delete(key: string): void {
    if (key.startsWith(this.keys.allEntries())) this.kept?.change(key, undefined);
    if (this.keys.isStored(key)) this.#count(key, undefined);
    super.delete(key);
  }

  #count(key: string, value: Uint8Array | undefined): void {
    const { keys } = this;
    const before = this.get(key);
    this.stored += storedBytes(keys, key, value) - storedBytes(keys, key, before);
    this.versions += versionBytes(keys, key, value) - versionBytes(keys, key, before);
    if (!key.startsWith(keys.allEntries())) return;
    const [was, is] = [nodeCounts(key, before), nodeCounts(key, value)];
    this.grown.nodes += is.nodes - was.nodes;
    this.grown.chunks += is.chunks - was.chunks;
  }

  entry(directory: NodeId, name: string): Entry | undefined {
    return ENTRIES.read(this, this.keys.entry(directory, name));
  }

  node(node: NodeId): NodeRecord | undefined {
    return NODE_RECORDS.read(this, this.keys.node(node));
  }

  /** Writes an entry and its reverse record, and notes the change for the log and the node table. */
  putEntry(
    directory: NodeId,
    name: string,
    entry: Entry,
    record: Omit<NodeRecord, "directory" | "name">,
  ): void {
    this.changes.put(directory, name, entry);
    this.put(this.keys.entry(directory, name), encodeRecord(entry));
    this.put(this.keys.node(entry.node), encodeRecord({ directory, name, ...record }));
    this.facts.push({ put: nodeFacts(directory, name, entry) });
  }

  /** Rewrites an entry in place; its reverse record is unchanged. */
  updateEntry(directory: NodeId, name: string, entry: Entry): void {
    this.changes.put(directory, name, entry);
    this.put(this.keys.entry(directory, name), encodeRecord(entry));
    this.facts.push({ put: nodeFacts(directory, name, entry) });
  }

  /** Removes an entry from its directory. The node's records remain until they are purged. */
  deleteEntry(directory: NodeId, name: string, entry: Pick<Entry, "node" | "kind">): void {
    const { node } = entry;
    this.changes.remove(directory, name, entry);
    this.delete(this.keys.entry(directory, name));
    this.facts.push({ cut: node });
  }

  /** Removes the entry of a node that gets another one in the same transaction (`putEntry`). */
  detachEntry(directory: NodeId, name: string, node: NodeId): void {
    this.changes.detach(directory, name, node);
    this.delete(this.keys.entry(directory, name));
  }

  putTags(node: NodeId, tags: readonly string[]): void {
    const key = this.keys.tags(node);
    const before = NODE_TAGS.read(this, key) ?? [];
    if (before.join(" ") === tags.join(" ")) return;
    if (tags.length > 0) this.put(key, encodeRecord(tags));
    else this.delete(key);
    this.facts.push({ tagged: [node, tags] });
  }

  dropChunks(range: ChunkRange): void {
    const spaces = spacesWithVectors(this, this.keys);
    for (let doc = range.first; doc < range.first + range.count; doc++) {
      this.delete(this.keys.chunk(range.partition, doc));
      for (const space of spaces) this.delete(this.keys.vector(space, range.partition, doc));
    }
    this.facts.push({ dropped: range });
  }
}

export const nodeFacts = (directory: NodeId, name: string, entry: Entry): NodeFacts => ({
  node: entry.node,
  directory,
  isDirectory: entry.kind === "directory",
  isHidden: isHidden(name),
  isCode: isSourceCode(entry.mime),
  source: entry.source ?? NO_NODE,
  generation: entry.generation,
  updatedAt: entry.modified,
});
