import { append } from "../../base/append.ts";
import { FIRST_FREE_NODE, type NodeId, nodeId, ROOT } from "../../domain/node.ts";
import { sortedTags } from "../../domain/tags.ts";

/** Parents by node, as in the node table. */
interface Parents {
  readonly size: number;
  readonly parent: Int32Array;
}

const NONE: readonly string[] = [];
/** Estimated memory of a tagged node in bytes. */
const NODE_BYTES = 120;

/** Tags of a workspace in memory, by node. */
export class TagTable {
  /** A node's tags, joined with spaces, which no tag contains. */
  readonly #own = new Map<NodeId, string>();
  #isTagged = new Uint8Array(0);

  get bytes(): number {
    return this.#own.size * NODE_BYTES + this.#isTagged.byteLength;
  }

  set(node: NodeId, tags: readonly string[]): void {
    if (tags.length > 0) this.#own.set(node, tags.join(" "));
    else this.#own.delete(node);
    if (node >= this.#isTagged.length) {
      if (tags.length === 0) return;
      const grown = new Uint8Array(Math.max(node + 1, this.#isTagged.length * 2, 64));
      grown.set(this.#isTagged);
      this.#isTagged = grown;
    }
    this.#isTagged[node] = tags.length > 0 ? 1 : 0;
  }

  isTagged(at: number): boolean {
    return this.#isTagged[at] === 1;
  }

  /** The node's own tags, sorted. */
  of(node: NodeId): readonly string[] {
    return this.#own.get(node)?.split(" ") ?? NONE;
  }

  /** Tags that apply to a node, sorted, without those of `hidden` folders. */
  heldBy(node: NodeId, { parent }: Parents, hidden?: ReadonlySet<NodeId>): readonly string[] {
    if (this.#own.size === 0) return NONE;
    const found: string[] = [];
    for (let at: number = node; at >= FIRST_FREE_NODE; at = parent[at] ?? 0)
      if (this.isTagged(at) && !hidden?.has(nodeId(at))) append(found, this.of(nodeId(at)));
    return sortedTags(found);
  }
}

const UNKNOWN = 0;
const UNTAGGED = 1;

/**
 * Tags that apply to nodes (their own and those of the folders above), as numbers of lists. Each folder is
 * processed only once.
 */
export class HeldTags {
  readonly #tags: TagTable;
  readonly #parent: Int32Array;
  /** Folders whose tags are excluded. */
  readonly #hidden: ReadonlySet<NodeId> | undefined;
  readonly #of: Uint32Array;
  readonly #lists: (readonly string[])[] = [NONE, NONE];
  readonly #known = new Map<string, number>();
  readonly #passed: number[] = [];

  constructor(tags: TagTable, { size, parent }: Parents, hidden?: ReadonlySet<NodeId>) {
    this.#tags = tags;
    this.#hidden = hidden;
    this.#parent = parent;
    this.#of = new Uint32Array(size);
    this.#of[ROOT] = UNTAGGED;
  }

  /** Number of the node's list; nodes with equal numbers have equal tags. */
  of(node: NodeId): number {
    let at: number = node;
    for (; at > 0 && this.#of[at] === UNKNOWN; at = this.#parent[at] ?? 0) this.#passed.push(at);
    let list = at > 0 ? (this.#of[at] ?? UNTAGGED) : UNTAGGED;
    for (let one = this.#passed.pop(); one !== undefined; one = this.#passed.pop()) {
      const at = nodeId(one);
      if (this.#tags.isTagged(at) && !this.#hidden?.has(at)) list = this.#below(list, at);
      this.#of[one] = list;
    }
    return list;
  }

  /** The sorted tags of a list. */
  list(number: number): readonly string[] {
    return this.#lists[number] ?? NONE;
  }

  #below(above: number, node: NodeId): number {
    const own = this.#tags.of(node);
    const key = `${above} ${own.join(" ")}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const list = this.#lists.push(sortedTags([...this.list(above), ...own])) - 1;
    this.#known.set(key, list);
    return list;
  }
}
