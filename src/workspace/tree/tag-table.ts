import { FIRST_FREE_NODE, type NodeId, nodeId, ROOT } from "../../domain/node.ts";
import { sortedTags } from "../../domain/tags.ts";

/** Parents by node, as in the node table. */
interface Parents {
  readonly size: number;
  /** Grows with every change. */
  readonly sequence: number;
  readonly parent: Int32Array;
}

/** The tags that hold for every node: its own and those of the folders above it. */
export interface HeldTags {
  /** By node, a place in `lists`; meaningless for nodes outside of the tree. */
  readonly of: Uint32Array;
  /** Sorted. */
  readonly lists: readonly (readonly string[])[];
}

const NONE: readonly string[] = [];
/** Places in `lists`. */
const UNKNOWN = 0;
const UNTAGGED = 1;
/** Memory of one tagged node, in bytes. */
const NODE_BYTES = 120;

/** The tags of a workspace in memory, by node: a fold of the journal, like the node table. */
export class TagTable {
  /** Joined by spaces, which no tag contains. */
  readonly #own = new Map<NodeId, string>();
  #isTagged = new Uint8Array(0);
  #held: HeldTags | undefined;
  #heldAt = -1;

  /** Number of nodes with tags. */
  get size(): number {
    return this.#own.size;
  }

  get bytes(): number {
    const held = this.#held ? this.#held.of.byteLength : 0;
    return this.#own.size * NODE_BYTES + this.#isTagged.byteLength + held;
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

  /** The node's own tags, sorted. */
  of(node: NodeId): readonly string[] {
    return this.#own.get(node)?.split(" ") ?? NONE;
  }

  /** The tags that hold for one node, sorted. */
  heldBy(node: NodeId, { parent }: Parents): readonly string[] {
    if (this.#own.size === 0) return NONE;
    const found: string[] = [];
    for (let at: number = node; at >= FIRST_FREE_NODE; at = parent[at] ?? 0)
      if (this.#isTagged[at]) found.push(...this.of(nodeId(at)));
    return sortedTags(found);
  }

  /** The tags that hold for all nodes; kept until the tree changes. One pass over columns in memory. */
  held(nodes: Parents): HeldTags {
    if (!this.#held || this.#heldAt !== nodes.sequence) this.#held = this.#hold(nodes);
    this.#heldAt = nodes.sequence;
    return this.#held;
  }

  #hold({ size, parent }: Parents): HeldTags {
    const of = new Uint32Array(size);
    const lists: (readonly string[])[] = [NONE, NONE];
    const known = new Map<string, number>();
    of[ROOT] = UNTAGGED;
    const passed: number[] = [];
    for (let node = ROOT + 1; node < size; node++) {
      let at = node;
      for (; at > 0 && of[at] === UNKNOWN; at = parent[at] ?? 0) passed.push(at);
      // chains that do not reach the root are outside of the tree
      let list = at > 0 ? (of[at] ?? UNTAGGED) : UNTAGGED;
      for (let one = passed.pop(); one !== undefined; one = passed.pop()) {
        if (this.#isTagged[one]) list = this.#with(nodeId(one), list, lists, known);
        of[one] = list;
      }
    }
    return { of, lists };
  }

  #with(node: NodeId, above: number, lists: (readonly string[])[], known: Map<string, number>): number {
    const key = `${above} ${this.#own.get(node)}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const list = lists.push(sortedTags([...(lists[above] ?? NONE), ...this.of(node)])) - 1;
    known.set(key, list);
    return list;
  }
}
