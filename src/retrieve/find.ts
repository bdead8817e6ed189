import { itemAt } from "../base/expect.ts";
import { halves } from "../domain/score.ts";
import { chunksToShow, furtherParts, shownChunk } from "./passages.ts";
import { isPhraseMatch } from "./phrase-matches.ts";
import { explore } from "./ranking/explore.ts";
import { type Evidence, gather } from "./ranking/fuse.ts";
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
} from "./view.ts";

/**
 * Pure ranking core: no authorization, no I/O. Computes statistics and both scores over the scope, chooses
 * candidates, explores from the seed directories and ranks. Synchronous: the view must not change during it.
 */
export function find(view: SearchView, query: SearchQuery, options: SearchOptions): Found {
  const { limit, now, scratch = new SearchScratch() } = options;
  const evidence = gather(view, query, scratch);
  const scores = new NodeScores(view, evidence, now, scratch);
  const chosen = candidates(view, query, evidence, limit);
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
