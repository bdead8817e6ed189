import type { DocumentPart, Ranked, SearchOptions, SearchQuery, SearchView } from "../view.ts";
import { parentOf } from "./children.ts";
import { type Evidence, fusedRow, scoreAll } from "./fuse.ts";
import type { NodeScores } from "./node-scores.ts";
import { TopK } from "./top-k.ts";

/** Maximum depth of the tree (a URI has at most 64 segments). */
const MAX_ANCESTORS = 64;
/** Maximum share of the hits for facts that repeat an episode (docs/memory.md). */
const REPEATING_SHARE = 0.5;

/**
 * Minimum number of files to score, best first, if there are fewer documents than requested; many files may
 * belong to one.
 */
const MIN_FILL = 1000;

/**
 * Ranks the scored nodes: those above the threshold, in order, at most `limit`. Further parts of documents
 * are included only if no other document remains. `spare`: the next documents, in order.
 */
export function rank(
  view: SearchView,
  scores: NodeScores,
  choice: Choice,
  options: SearchOptions,
): { best: Ranked[]; spare: Ranked[] } {
  const { limit, spare: spares = 0 } = options;
  const { chosen, further, spare } = aboveThreshold(view, scores, choice, options);
  return {
    best: [...chosen, ...further.slice(0, limit - chosen.length)].sort(inOrder),
    spare: [...spare, ...further.slice(limit - chosen.length)].slice(0, spares),
  };
}

/** Applies the threshold; another hit may then represent a document. */
function aboveThreshold(
  view: SearchView,
  scores: NodeScores,
  choice: Choice,
  options: SearchOptions,
): Choice {
  const { threshold } = options;
  if (threshold === undefined) return choice;
  const hits = hitsOf(view, scores);
  const above = hits.filter(({ score }) => score > threshold);
  return above.length < hits.length ? choose(view, above, options) : choice;
}

function inOrder(a: Ranked, b: Ranked): number {
  if (a.score === b.score) return a.node - b.node;
  return a.score > b.score ? -1 : 1;
}

type Places = Pick<SearchOptions, "limit" | "spare">;

export interface Choice {
  readonly chosen: readonly Ranked[];
  /** Candidates for remaining positions: further parts of the same documents, and repeating facts. */
  readonly further: readonly Ranked[];
  /** The next documents after `chosen`, in order. */
  readonly spare: readonly Ranked[];
}

/** A document with a hit, and the rank of that hit. */
interface Told {
  readonly part: DocumentPart;
  readonly place: number;
}

/**
 * Chooses the best hit of each document; at most half of them repeat others, as long as there are others. A
 * directory with only one file's content is replaced by that file if it was found, too, because the caller
 * stored the file.
 */
function choose(view: SearchView, hits: Ranked[], { limit, spare: spares = 0 }: Places): Choice {
  const most = Math.ceil(limit * REPEATING_SHARE);
  const chosen: Ranked[] = [];
  const further: Ranked[] = [];
  const spare: Ranked[] = [];
  const told = new Map<number, Told>();
  let repeating = 0;
  for (const hit of hits.sort(inOrder)) {
    const isFull = chosen.length === limit;
    if (isFull && spare.length === spares) break;
    const part = view.documentOf?.(hit.node);
    const before = part && told.get(part.document);
    if (before) again(hit, part, before);
    else if (view.isRepeating?.(hit.node) && ++repeating > most) further.push(hit);
    else {
      if (part) told.set(part.document, { part, place: chosen.length });
      (isFull ? spare : chosen).push(hit);
    }
  }
  return { chosen, further, spare };

  /** Handles a further hit of a document that is already chosen. */
  function again(hit: Ranked, part: DocumentPart, before: Told): void {
    const { place } = before;
    const shown = chosen[place];
    // a spare document is represented only by its best hit
    if (hit.level < 2 || shown === undefined) return;
    if (shown.level < 2 && view.nodes.isDirectory[part.document] !== 1) {
      chosen[place] = hit;
      told.set(part.document, { part, place });
    } else if (!(part.isWhole && before.part.isWhole)) further.push(hit);
  }
}

export interface Filled {
  /** The best scored nodes, regardless of the threshold. */
  readonly choice: Choice;
  /** Number of nodes scored only because there were fewer documents than requested. */
  readonly filled: number;
}

/**
 * Chooses among scored nodes. If there are fewer documents than requested, scores more nodes: first the best
 * remaining files, then directories. Independent of the threshold, because everything above it was already
 * found.
 */
export function fill(
  view: SearchView,
  query: SearchQuery,
  scores: NodeScores,
  evidence: Evidence,
  places: Places,
): Filled {
  const { limit } = places;
  const chosen = () => choose(view, hitsOf(view, scores), places);
  const found = chosen();
  if (found.chosen.length === limit) return { choice: found, filled: 0 };
  scoreAll(view, evidence, query);
  const files = unscored(view, scores, evidence, 2, Math.max(limit, MIN_FILL));
  for (const node of files) scores.hit(node);
  const withFiles = chosen();
  const stillMissing = limit - withFiles.chosen.length;
  if (stillMissing === 0) return { choice: withFiles, filled: files.length };
  const below = bestBelow(view, scores);
  const directories = new TopK(stillMissing);
  for (const level of [0, 1] as const) {
    for (const node of unscored(view, scores, evidence, level, Number.MAX_SAFE_INTEGER)) {
      const hit = scores.hit(node);
      if (hit !== undefined && hit.score > (below.get(node) ?? -1)) directories.offer(node, hit.score);
    }
  }
  return { choice: chosen(), filled: files.length + directories.size };
}

/** A directory is a hit only if its score is higher than that of its best file. */
function hitsOf(view: SearchView, scores: NodeScores): Ranked[] {
  const below = bestBelow(view, scores);
  return scores.ranked().filter(({ node, level, score }) => level === 2 || score > (below.get(node) ?? -1));
}

/** Score of the best file in each directory's subtree. */
function bestBelow(view: SearchView, scores: NodeScores): Map<number, number> {
  const best = new Map<number, number>();
  for (const { node, level, score } of scores.ranked()) {
    if (level !== 2) continue;
    let directory = parentOf(view.nodes, node);
    for (let depth = 0; directory >= 0 && depth < MAX_ANCESTORS; depth++) {
      if ((best.get(directory) ?? -1) >= score) break;
      best.set(directory, score);
      directory = parentOf(view.nodes, directory);
    }
  }
  return best;
}

/** The best nodes at a level that are not scored yet. */
function unscored(
  view: SearchView,
  scores: NodeScores,
  evidence: Evidence,
  level: 0 | 1 | 2,
  most: number,
): readonly number[] {
  const best = new TopK(most);
  for (const segment of evidence.segments) {
    const { documents, live } = segment;
    for (let row = 0; row < documents.rows; row++) {
      const node = documents.node[row]!;
      if (
        live.mask[row] !== 1 ||
        documents.level[row] !== level ||
        view.filterMasks[level][node] !== 1 ||
        scores.has(node)
      )
        continue;
      best.offer(node, fusedRow(evidence, segment, node, row));
    }
  }
  return best.keys();
}
