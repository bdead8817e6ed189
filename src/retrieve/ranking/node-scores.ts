import { grow } from "../../base/grow.ts";
import type { Level } from "../../domain/chunk.ts";
import { nodeId } from "../../domain/node.ts";
import { blended, hotness, propagated, shownScore } from "../../domain/score.ts";
import { type NodeColumns, nodeScratch, type Ranked, type SearchScratch, type SearchView } from "../view.ts";
import { parentOf } from "./children.ts";
import { blendWithDocumentAverages, offerBest } from "./document-scores.ts";
import { type Evidence, fusedRow } from "./fuse.ts";
import { END, FROM, NEXT } from "./live-rows.ts";

const LEVELS = [0, 1, 2] as const;
const CONTENT = 2;
/** Score of a node without a chunk at a level. */
const NONE = -1;
/** Entry number above which the scratch buffers are replaced; a search over all nodes stays below 2 ** 31. */
const MAX_NUMBER = 2 ** 30;

export const hotnessOf = ({ activeCount, updatedAt }: NodeColumns, node: number, now: number): number =>
  hotness(activeCount[node]!, updatedAt[node]!, now);

function makeRoom(scratch: SearchScratch["nodes"], places: number): void {
  scratch.own = grow(scratch.own, places);
  scratch.segment = grow(scratch.segment, places);
  scratch.row = grow(scratch.row, places);
}

/**
 * Scores of nodes, each computed on first use. A node's score depends only on the query, the node and the
 * candidates, not on the exploration.
 */
export class NodeScores {
  readonly #view: SearchView;
  readonly #evidence: Evidence;
  readonly #now: number;
  readonly #scratch: SearchScratch["nodes"];
  /** Lowest entry number of this search. */
  readonly #first: number;
  /** By entry, in order of first use. */
  readonly #rankedOf: (Ranked | undefined)[] = [];
  readonly #ranked: Ranked[] = [];

  /** Valid until `scratch` is used again. `candidates`: the best nodes by either score. */
  constructor(
    view: SearchView,
    evidence: Evidence,
    now: number,
    scratch: SearchScratch,
    candidates: readonly number[],
  ) {
    if (scratch.nodes.entry.length < view.nodes.size || scratch.nodes.next > MAX_NUMBER)
      scratch.nodes = nodeScratch(view.nodes.size);
    this.#scratch = scratch.nodes;
    this.#first = this.#scratch.next;
    this.#view = view;
    this.#evidence = evidence;
    this.#now = now;
    this.#compareDocuments(candidates);
  }

  /** All requested nodes that may be hits. */
  ranked(): readonly Ranked[] {
    return this.#ranked;
  }

  has(node: number): boolean {
    const entry = this.#knownEntry(node);
    return entry >= 0 && this.#rankedOf[entry] !== undefined;
  }

  /** Score of a directory as a container: that of its better layer, 0 if it has none in scope. */
  layer(directory: number): number {
    if (directory < 0) return 0;
    const at = this.#entryOf(directory) * LEVELS.length;
    return Math.max(this.#scratch.own[at]!, this.#scratch.own[at + 1]!, 0);
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
      const score = this.#scratch.own[at + level]!;
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

  /** Replaces the scores of the best files with scores that also consider the rest of their documents. */
  #compareDocuments(candidates: readonly number[]): void {
    const files = new Map<number, readonly number[]>();
    for (const node of candidates) {
      const best: number[] = [];
      this.#entryOf(node, best);
      if (best.length > 0 && this.#view.filterMasks[CONTENT][node] === 1) files.set(node, best);
    }
    for (const [node, f] of blendWithDocumentAverages(this.#view, files))
      this.#scratch.own[this.#entryOf(node) * LEVELS.length + CONTENT] = shownScore(f, this.#evidence.scale);
  }

  #rank(node: number, level: Level, own: number, at: number): Ranked {
    const { nodes } = this.#view;
    const segment = this.#scratch.segment[at]!;
    const semantic = propagated(own, this.layer(parentOf(nodes, node)));
    const score = blended(semantic, hotnessOf(nodes, node, this.#now));
    const row = this.#scratch.row[at]!;
    const doc = this.#evidence.segments[segment]!.documents.doc[row]!;
    return { node: nodeId(node), level, score, semantic, own, segment, row, doc };
  }

  /** `best`: receives F of the best content chunks of a node that was not scored before, best first. */
  #entryOf(node: number, best?: number[]): number {
    const known = this.#knownEntry(node);
    if (known >= 0) return known;
    const entry = this.#scratch.next++ - this.#first;
    this.#scratch.entry[node] = this.#first + entry;
    this.#rankedOf.push(undefined);
    const place = entry * LEVELS.length;
    if (this.#scratch.own.length < place + LEVELS.length) makeRoom(this.#scratch, place + LEVELS.length);
    for (const level of LEVELS) this.#scratch.own[place + level] = NONE;
    this.#chooseChunks(node, place, best);
    return entry;
  }

  /** Negative for a node that this search has not scored yet. */
  #knownEntry(node: number): number {
    return this.#scratch.entry[node]! - this.#first;
  }

  #chooseChunks(node: number, place: number, best: number[] | undefined): void {
    const { segments, scale } = this.#evidence;
    const { own, segment: segmentOf, row: rowOf } = this.#scratch;
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
          if (best && levels[row] === CONTENT) offerBest(best, f);
          if (f <= own[at]!) continue;
          own[at] = f;
          segmentOf[at] = segment;
          rowOf[at] = row;
        }
      }
    }
    for (let at = place; at < place + LEVELS.length; at++) {
      const f = own[at]!;
      if (f !== NONE) own[at] = shownScore(f, scale);
    }
  }
}
