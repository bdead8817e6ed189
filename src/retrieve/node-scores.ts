import type { Level } from "../domain/chunk.ts";
import { blended, hotness, propagated, shown } from "../domain/score.ts";
import { type Evidence, fusedRow } from "./fuse.ts";
import type { Ranked, SearchView } from "./view.ts";

/** The chunk that stands for a node at one level. */
interface BestChunk {
  own: number;
  readonly partition: number;
  readonly row: number;
}

type Best = BestChunk | undefined;
type ByLevel = readonly [Best, Best, Best];

/**
 * The scores of nodes, each worked out once when it is first asked for. A node's score depends on the query and the node alone, not on the way by which the
 * search came to it.
 */
export class NodeScores {
  readonly #view: SearchView;
  readonly #evidence: Evidence;
  readonly #now: number;
  readonly #most = new Float64Array(3);
  readonly #levels = new Map<number, ByLevel>();
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
    const [abstract, overview] = this.#of(directory);
    return Math.max(abstract?.own ?? 0, overview?.own ?? 0);
  }

  /** The node as a hit at the best of the levels at which it may be one; undefined if there is none. */
  hit(node: number): Ranked | undefined {
    const known = this.#ranked.get(node);
    if (known !== undefined) return known;
    const levels = this.#of(node);
    let best: BestChunk | undefined;
    let at: Level = 0;
    for (const level of [0, 1, 2] as const) {
      const chunk = levels[level];
      if (chunk === undefined || this.#view.admitted[level][node] !== 1 || (best !== undefined && chunk.own <= best.own)) continue;
      best = chunk;
      at = level;
    }
    if (best === undefined) return undefined;
    const ranked = this.#rank(node, at, best);
    this.#ranked.set(node, ranked);
    return ranked;
  }

  #rank(node: number, level: Level, { own, partition, row }: BestChunk): Ranked {
    const { nodes } = this.#view;
    const semantic = propagated(own, this.layer(nodes.parent[node]!));
    const score = blended(semantic, hotness(nodes.activeCount[node]!, nodes.updatedAt[node]!, this.#now));
    return { node, level, score, semantic, own, partition, doc: this.#evidence.partitions[partition]!.documents.doc[row]! };
  }

  #of(node: number): ByLevel {
    const known = this.#levels.get(node);
    if (known !== undefined) return known;
    const levels = this.#bestChunks(node);
    this.#levels.set(node, levels);
    return levels;
  }

  #bestChunks(node: number): ByLevel {
    const { partitions, scale } = this.#evidence;
    const best: [Best, Best, Best] = [undefined, undefined, undefined];
    const most = this.#most.fill(-1);
    for (let partition = 0; partition < partitions.length; partition++) {
      const evidence = partitions[partition]!;
      const { documents, live } = evidence;
      for (let row = evidence.partition.firstRow(node); row >= 0; row = documents.next[row]!) {
        if (live[row] !== 1) continue;
        const level = documents.level[row]!;
        const f = fusedRow(this.#evidence, evidence, row);
        if (f <= most[level]!) continue;
        most[level] = f;
        best[level as Level] = { partition, row, own: 0 };
      }
    }
    for (const [level, chunk] of best.entries()) if (chunk !== undefined) chunk.own = shown(most[level]!, scale.known);
    return best;
  }
}
