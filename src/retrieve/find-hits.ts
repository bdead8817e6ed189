import { itemAt } from "../base/expect.ts";
import { halves } from "../domain/score.ts";
import { isPhraseMatch } from "./phrase-matches.ts";
import { explore } from "./ranking/explore.ts";
import { type Evidence, fusedRow, scoreChunks } from "./ranking/fuse.ts";
import { hotnessOf, NodeScores } from "./ranking/node-scores.ts";
import { fill, rank } from "./ranking/rank.ts";
import { candidates, seeds } from "./ranking/seed.ts";
import {
  type Found,
  type Hit,
  type Ranked,
  type SearchOptions,
  type SearchQuery,
  SearchScratch,
  type SearchView,
  type ShownChunk,
} from "./view.ts";

/** Maximum number of a document's chunks read to find the best answer. */
const MAX_CHUNKS = 6;
/** Maximum score difference of chunks that may replace the best one. */
const NEAR = 0.12;
/** Number of top hits for which the best chunk is searched; further hits show the chunk that was found. */
const MAX_WEIGHED_HITS = 5;
/** Maximum number of chunks considered per hit. */
const MAX_LOOKED_AT = 512;
/** Maximum number of other parts of a hit's document whose chunks are considered. */
const MAX_PARTS = 8;

/**
 * Pure ranking core: no authorization, no I/O. Computes statistics and both scores over the scope, chooses
 * candidates, explores from the seed directories and ranks. Synchronous: the view must not change during it.
 */
export function findHits(view: SearchView, query: SearchQuery, options: SearchOptions): Found {
  const { limit, now, scratch = new SearchScratch() } = options;
  const evidence = scoreChunks(view, query, scratch);
  const chosen = candidates(view, query, evidence, limit);
  const scores = new NodeScores(view, evidence, now, scratch, chosen.nodes);
  for (const node of chosen.nodes) scores.hit(node);
  const start = seeds(view, scores, chosen);
  const exploration = explore(view, scores, start, limit);
  const { choice, filled } = fill(view, query, scores, evidence, options);
  const partsOf = furtherParts(view, choice.further);
  const { best, spare } = rank(view, scores, choice, options);
  const asHit = (ranked: Ranked, place: number): Hit => {
    const quoted = isPhraseMatch(
      view.phraseMatches,
      itemAt(evidence.segments, ranked.segment).documents,
      ranked.row,
    );
    const chunks = quoted
      ? [shownChunk(evidence, ranked)]
      : chunksToShow(evidence, ranked, partsOf(ranked), place);
    return withReasons(view, evidence, ranked, { quoted, chunks }, now);
  };
  return {
    hits: best.map(asHit),
    spare: spare.map((ranked, i) => asHit(ranked, best.length + i)),
    weights: evidence.weights,
    trace: {
      documents: evidence.documents,
      candidates: { lexical: chosen.lexical, dense: chosen.dense, nodes: chosen.nodes.length },
      seeds: start.map(({ directory }) => directory),
      ...exploration,
      meaning: { documents: evidence.scale.dense, code: evidence.scale.denseOfCode },
      spaces: [...query.vectors.keys()],
      missed: query.missed ?? [],
      quotes: view.phraseMatches?.size ?? 0,
      filled,
    },
  };
}

function withReasons(
  view: SearchView,
  evidence: Evidence,
  ranked: Ranked,
  shown: Pick<Hit, "quoted" | "chunks">,
  now: number,
): Hit {
  const { nodes } = view;
  const { segments, scale, isCode } = evidence;
  const { node, level, score, semantic, own, segment, row, doc } = ranked;
  const { bm25, cosine } = itemAt(segments, segment);
  const { lexical, dense } = halves(scale, itemAt(bm25, row), itemAt(cosine, row), isCode[node] === 1);
  return {
    node,
    level,
    score,
    semantic,
    own,
    segment,
    doc,
    lexical,
    dense,
    quoted: shown.quoted,
    chunks: shown.chunks,
    hotness: hotnessOf(nodes, node, now),
  };
}

/**
 * Returns the other found parts of a hit's document, best first; none for a further hit of the same document.
 */
function furtherParts(
  { documentOf: partOf }: SearchView,
  further: readonly Ranked[],
): (hit: Ranked) => readonly Ranked[] {
  const parts = new Map<number, Ranked[]>();
  for (const hit of further) {
    const document = partOf?.(hit.node).document;
    if (document === undefined || hit.level < 2) continue;
    const known = parts.get(document);
    if (!known) parts.set(document, [hit]);
    else if (known.length < MAX_PARTS) known.push(hit);
  }
  return ({ node }) => {
    const document = partOf?.(node).document ?? node;
    const found = parts.get(document) ?? [];
    parts.delete(document);
    return found;
  };
}

/** The chunk by which a node was found. */
function shownChunk(evidence: Evidence, { node, segment, row, doc }: Ranked): ShownChunk {
  const found = evidence.segments[segment];
  return { node, segment, doc, fused: found ? fusedRow(evidence, found, node, row) : 0 };
}

/**
 * The best chunks of a hit and of the other parts of its document, the hit's own first. `place`: rank of the
 * hit, from 0.
 */
function chunksToShow(
  evidence: Evidence,
  hit: Ranked,
  parts: readonly Ranked[],
  place: number,
): ShownChunk[] {
  const own = shownChunk(evidence, hit);
  if (hit.level < 2 || place >= MAX_WEIGHED_HITS) return [own];
  const others: ShownChunk[] = [];
  let left = MAX_LOOKED_AT;
  for (const { node } of [hit, ...parts.filter(({ node }) => node !== hit.node)]) {
    for (const [segment, found] of evidence.segments.entries()) {
      const { documents, live } = found;
      for (let row = found.segment.firstRow(node); row >= 0 && left > 0; row = documents.next[row] ?? -1) {
        left--;
        if (live.mask[row] !== 1 || documents.level[row] !== 2) continue;
        const doc = documents.doc[row] ?? 0;
        const fused = fusedRow(evidence, found, node, row);
        const isOwn = segment === own.segment && doc === own.doc;
        if (!isOwn && fused >= own.fused - NEAR) others.push({ node, segment, doc, fused });
      }
    }
  }
  others.sort((a, b) => b.fused - a.fused || a.node - b.node || a.doc - b.doc);
  return [own, ...others.slice(0, MAX_CHUNKS - 1)];
}
