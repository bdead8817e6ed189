import type { Level } from "../domain/chunk.ts";
import { blended, hotness, propagated, shown } from "../domain/score.ts";
import { type Evidence, fusedRow } from "./fuse.ts";
import type { Ranked, SearchView } from "./view.ts";

const LEVELS = [0, 1, 2] as const;
/** In place of a score, where a node has no chunk at a level. */
const NONE = -1;

/**
 * The scores of nodes, each worked out once when it is first asked for. A node's score depends on the query and the node alone, not on the way by which the
 * search came to it.
 */
export class NodeScores {
  readonly #view: SearchView;
  readonly #evidence: Evidence;
  readonly #now: number;
  /** By node, where its levels begin in the following: three places each, for the chunk that stands for the node at that level. */
  readonly #places = new Map<number, number>();
  readonly #own: number[] = [];
  readonly #partition: number[] = [];
  readonly #row: number[] = [];
  readonly #ranked = new Map<number, Ranked>();

  constructor(view: SearchView, evidence: Evidence, now: number) {
    this.#view = view;
    this.#evidence = evidence;
    this.#now = now;
  }

  /** All nodes that were asked for and may be hits. */
  ranked(): Iterable<Ranked> {
    return this.#ranked.values();
  }

  has(node: number): boolean {
    return this.#ranked.has(node);
  }

  /** The score of a directory as a container: its better layer, 0 if it has none or none in the scope. */
  layer(directory: number): number {
    if (directory < 0) return 0;
    const at = this.#placeOf(directory);
    return Math.max(this.#own[at]!, this.#own[at + 1]!, 0);
  }

  /** The node as a hit at the best of the levels at which it may be one; undefined if there is none. */
  hit(node: number): Ranked | undefined {
    const known = this.#ranked.get(node);
    if (known !== undefined) return known;
    const at = this.#placeOf(node);
    let own = NONE;
    let best: Level = 0;
    for (const level of LEVELS) {
      if (this.#own[at + level]! <= own || this.#view.admitted[level][node] !== 1) continue;
      own = this.#own[at + level]!;
      best = level;
    }
    if (own === NONE) return undefined;
    const ranked = this.#rank(node, best, at + best);
    this.#ranked.set(node, ranked);
    return ranked;
  }

  #rank(node: number, level: Level, at: number): Ranked {
    const { nodes } = this.#view;
    const own = this.#own[at]!;
    const partition = this.#partition[at]!;
    const semantic = propagated(own, this.layer(nodes.parent[node]!));
    const score = blended(semantic, hotness(nodes.activeCount[node]!, nodes.updatedAt[node]!, this.#now));
    const doc = this.#evidence.partitions[partition]!.documents.doc[this.#row[at]!]!;
    return { node, level, score, semantic, own, partition, doc };
  }

  #placeOf(node: number): number {
    const known = this.#places.get(node);
    if (known !== undefined) return known;
    const place = this.#own.push(NONE, NONE, NONE) - LEVELS.length;
    this.#partition.push(0, 0, 0);
    this.#row.push(0, 0, 0);
    this.#places.set(node, place);
    this.#chooseChunks(node, place);
    return place;
  }

  #chooseChunks(node: number, place: number): void {
    const { partitions, scale } = this.#evidence;
    for (let partition = 0; partition < partitions.length; partition++) {
      const evidence = partitions[partition]!;
      const { level: levels, next } = evidence.documents;
      for (let row = evidence.partition.firstRow(node); row >= 0; row = next[row]!) {
        if (evidence.live.mask[row] !== 1) continue;
        const at = place + levels[row]!;
        const f = fusedRow(this.#evidence, evidence, row);
        if (f <= this.#own[at]!) continue;
        this.#own[at] = f;
        this.#partition[at] = partition;
        this.#row[at] = row;
      }
    }
    for (let at = place; at < place + LEVELS.length; at++) {
      if (this.#own[at] !== NONE) this.#own[at] = shown(this.#own[at]!, scale.known);
    }
  }
}
