import { grow } from "../../base/grow.ts";
import type { Level } from "../../domain/chunk.ts";
import { nodeId } from "../../domain/node.ts";
import { blended, hotness, propagated, shownScore } from "../../domain/score.ts";
import type { NodeColumns, Ranked, SearchView } from "../view.ts";
import { parentOf } from "./children.ts";
import { type Evidence, fusedRow } from "./fuse.ts";
import { END, FROM, NEXT } from "./live.ts";

const LEVELS = [0, 1, 2] as const;
/** Replaces the score of a node without a chunk at a level. */
const NONE = -1;
/** Entry numbers stay below this, with room for a search over all nodes. */
const MAX_NUMBER = 2 ** 30;

/** One scratch buffer for all searches, since each ends before the next begins. */
const kept = {
  /** By node, the number of its latest entry: entries of earlier searches have lower numbers. */
  entry: new Int32Array(0),
  next: 1,
  /** Three positions per entry of this search, for the node's best chunk at each level. */
  own: new Float64Array(0),
  segment: new Int32Array(0),
  row: new Int32Array(0),
};

export const hotnessOf = ({ activeCount, updatedAt }: NodeColumns, node: number, now: number): number =>
  hotness(activeCount[node]!, updatedAt[node]!, now);

function makeRoom(places: number): void {
  kept.own = grow(kept.own, places);
  kept.segment = grow(kept.segment, places);
  kept.row = grow(kept.row, places);
}

/**
 * The scores of nodes, each computed on first use. A node's score depends only on the query and the node, not
 * on the search path.
 */
export class NodeScores {
  readonly #view: SearchView;
  readonly #evidence: Evidence;
  readonly #now: number;
  /** The lowest number of this search's entries. */
  readonly #first: number;
  /** By entry, in the order of first use. */
  readonly #rankedOf: (Ranked | undefined)[] = [];
  readonly #ranked: Ranked[] = [];

  /** Valid until the next one is created. */
  constructor(view: SearchView, evidence: Evidence, now: number) {
    if (kept.entry.length < view.nodes.size || kept.next > MAX_NUMBER)
      Object.assign(kept, { entry: new Int32Array(view.nodes.size), next: 1 });
    this.#first = kept.next;
    this.#view = view;
    this.#evidence = evidence;
    this.#now = now;
  }

  /** All requested nodes that may be hits. */
  ranked(): readonly Ranked[] {
    return this.#ranked;
  }

  has(node: number): boolean {
    const entry = this.#knownEntry(node);
    return entry >= 0 && this.#rankedOf[entry] !== undefined;
  }

  /** The score of a directory as a container: its better layer, 0 if it has none in scope. */
  layer(directory: number): number {
    if (directory < 0) return 0;
    const at = this.#entryOf(directory) * LEVELS.length;
    return Math.max(kept.own[at]!, kept.own[at + 1]!, 0);
  }

  /** The node as a hit at its best allowed level; undefined if there is none. */
  hit(node: number): Ranked | undefined {
    const entry = this.#entryOf(node);
    const known = this.#rankedOf[entry];
    if (known !== undefined) return known;
    const at = entry * LEVELS.length;
    let own = NONE;
    let best: Level = 0;
    for (const level of LEVELS) {
      const score = kept.own[at + level]!;
      if (score <= own || this.#view.filterMasks[level][node] !== 1) continue;
      own = score;
      best = level;
    }
    if (own === NONE) return undefined;
    const ranked = this.#rank(node, best, own, at + best);
    this.#rankedOf[entry] = ranked;
    this.#ranked.push(ranked);
    return ranked;
  }

  #rank(node: number, level: Level, own: number, at: number): Ranked {
    const { nodes } = this.#view;
    const segment = kept.segment[at]!;
    const semantic = propagated(own, this.layer(parentOf(nodes, node)));
    const score = blended(semantic, hotnessOf(nodes, node, this.#now));
    const row = kept.row[at]!;
    const doc = this.#evidence.segments[segment]!.documents.doc[row]!;
    return { node: nodeId(node), level, score, semantic, own, segment, row, doc };
  }

  #entryOf(node: number): number {
    const known = this.#knownEntry(node);
    if (known >= 0) return known;
    const entry = kept.next++ - this.#first;
    kept.entry[node] = this.#first + entry;
    this.#rankedOf.push(undefined);
    const place = entry * LEVELS.length;
    if (kept.own.length < place + LEVELS.length) makeRoom(place + LEVELS.length);
    for (const level of LEVELS) kept.own[place + level] = NONE;
    this.#chooseChunks(node, place);
    return entry;
  }

  /** Negative for a node that this search has not scored yet. */
  #knownEntry(node: number): number {
    return kept.entry[node]! - this.#first;
  }

  #chooseChunks(node: number, place: number): void {
    const { segments, scale } = this.#evidence;
    const { own } = kept;
    for (let segment = 0; segment < segments.length; segment++) {
      const evidence = segments[segment]!;
      const { level: levels } = evidence.documents;
      const { runs } = evidence.live;
      const { numbers } = runs;
      for (let run = runs.of(node); run >= 0; run = numbers[run + NEXT]!) {
        const end = numbers[run + END]!;
        for (let row = numbers[run + FROM]!; row < end; row++) {
          const at = place + levels[row]!;
          const f = fusedRow(this.#evidence, evidence, node, row);
          if (f <= own[at]!) continue;
          own[at] = f;
          kept.segment[at] = segment;
          kept.row[at] = row;
        }
      }
    }
    for (let at = place; at < place + LEVELS.length; at++) {
      const f = own[at]!;
      if (f !== NONE) own[at] = shownScore(f, scale);
    }
  }
}
