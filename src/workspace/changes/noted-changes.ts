import type { ChangePlace, TreeChange, TreeChangeKind } from "../../domain/change.ts";
import { AGENTS, type Entry, type NodeId, RESOURCES, SESSIONS, SKILLS, USERS } from "../../domain/node.ts";
import type { KvReader } from "../../storage/kv.ts";
import type { Keys } from "../keys.ts";
import { ENTRIES, NODE_RECORDS } from "../records.ts";
import { MAX_DEPTH } from "../tree/locate.ts";

/** A directory that is reachable from the root. */
interface DirectoryPlace extends ChangePlace {
  /** Whether the children are directories of owners. */
  readonly holdsOwners?: boolean;
}

const FIXED: ReadonlyMap<NodeId, DirectoryPlace> = new Map<NodeId, DirectoryPlace>([
  [RESOURCES, { path: "resources" }],
  [SKILLS, { path: "agent/skills" }],
  [USERS, { path: "user", holdsOwners: true }],
  [AGENTS, { path: "agent", holdsOwners: true }],
  [SESSIONS, { path: "session", holdsOwners: true }],
]);

/**
 * Records the changes of a draft for readers of the change stream. Each change has the path valid at that
 * moment of the transaction, so that a later rename or removal does not affect it. Nodes outside the tree
 * (under construction or being purged) have no changes.
 */
export class NotedChanges {
  readonly list: TreeChange[] = [];
  readonly #read: Pick<KvReader, "get">;
  readonly #keys: Keys;
  /** Paths of directories; undefined if outside the tree. */
  readonly #directories = new Map<NodeId, DirectoryPlace | undefined>();
  /** Previous location of nodes whose entry is removed in order to add another. */
  readonly #detached = new Map<NodeId, ChangePlace | undefined>();

  /** `read`: the draft, which includes earlier writes. */
  constructor(read: Pick<KvReader, "get">, keys: Keys) {
    this.#read = read;
    this.#keys = keys;
  }

  /** Must be called before an entry is written. */
  put(directory: NodeId, name: string, entry: Entry): void {
    const { node } = entry;
    const before = ENTRIES.read(this.#read, this.#keys.entry(directory, name));
    if (before?.node === node) {
      if (before.generation !== entry.generation)
        this.#add(
          entry.kind === "file" ? "changed" : "described",
          this.#placeOf(directory, name, node),
          entry,
        );
      return;
    }
    const from = this.#detached.get(node);
    if (this.#detached.delete(node) && entry.kind === "directory") this.#directories.clear();
    const at = this.#placeOf(directory, name, node);
    if (!at || !from) this.#add(at ? "added" : "removed", at ?? from, entry);
    else if (at.path !== from.path || at.space !== from.space)
      this.list.push({ kind: "moved", node, type: entry.kind, at, from });
  }

  /** Must be called before an entry is removed. */
  remove(directory: NodeId, name: string, entry: Pick<Entry, "node" | "kind">): void {
    this.#add("removed", this.#placeOf(directory, name, entry.node), entry);
    // paths below a removed directory no longer exist
    if (entry.kind === "directory") this.#directories.clear();
  }

  /** Must be called before an entry is removed whose node gets another one in the same transaction. */
  detach(directory: NodeId, name: string, node: NodeId): void {
    this.#detached.set(node, this.#placeOf(directory, name, node));
  }

  /** Records that a node has new layers without a new generation. */
  describe(directory: NodeId, name: string, entry: Entry): void {
    this.#add("described", this.#placeOf(directory, name, entry.node), entry);
  }

  /** Records that a node has different tags. */
  tag(directory: NodeId, name: string, entry: Entry): void {
    this.#add("tagged", this.#placeOf(directory, name, entry.node), entry);
  }

  #add(
    kind: TreeChangeKind,
    at: ChangePlace | undefined,
    entry: Pick<Entry, "node" | "kind"> & Partial<Entry>,
  ) {
    if (!at) return;
    const { node, kind: type, size, hash, version = 1 } = entry;
    const hasContent = type === "file" && (kind === "added" || kind === "changed");
    const content = hasContent ? { ...(size !== undefined && { size }), ...(hash && { hash }), version } : {};
    this.list.push({ kind, node, type, at, ...content });
  }

  /**
   * Undefined for nodes outside the tree, and for the level of owners below AGENTS, which is not part of
   * URIs.
   */
  #placeOf(directory: NodeId, name: string, node: NodeId): ChangePlace | undefined {
    const above = this.#directory(directory);
    if (!above || directory === AGENTS) return undefined;
    const { path, space } = childPlace(above, directory, name, node);
    return { path, ...(space !== undefined && { space }), folders: above.folders ?? [] };
  }

  #directory(node: NodeId, depth = 0): DirectoryPlace | undefined {
    const fixed = FIXED.get(node);
    if (fixed) return fixed;
    if (this.#directories.has(node)) return this.#directories.get(node);
    const found = depth > MAX_DEPTH ? undefined : this.#findDirectory(node, depth);
    this.#directories.set(node, found);
    return found;
  }

  #findDirectory(node: NodeId, depth: number): DirectoryPlace | undefined {
    const record = NODE_RECORDS.readShared(this.#read, this.#keys.node(node));
    if (!record) return undefined;
    const { directory, name } = record;
    // removed nodes keep their records until they are purged
    if (ENTRIES.readShared(this.#read, this.#keys.entry(directory, name))?.node !== node) return undefined;
    const above = this.#directory(directory, depth + 1);
    return above && childPlace(above, directory, name, node);
  }
}

function childPlace(above: DirectoryPlace, directory: NodeId, name: string, node: NodeId): DirectoryPlace {
  const path = directory === AGENTS ? above.path : `${above.path}/${name}`;
  const space = above.holdsOwners ? node : above.space;
  const folders = [...(above.folders ?? []), node];
  return { path, ...(space !== undefined && { space }), folders };
}
