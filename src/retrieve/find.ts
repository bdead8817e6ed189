import { explore } from "./explore.ts";
import { gather } from "./fuse.ts";
import { NodeScores } from "./node-scores.ts";
import { fill, rank } from "./rank.ts";
import { candidates, seeds } from "./seed.ts";
import type { Found, SearchOptions, SearchQuery, SearchView } from "./view.ts";

/**
 * The search without its surroundings: no permission is asked and no text is read. Statistics and both halves of the formula over the scope, candidates, exploration
 * from the starting directories, order. Synchronous; the view must not change meanwhile.
 */
export function find(view: SearchView, query: SearchQuery, options: SearchOptions): Found {
  const { limit, now } = options;
  const evidence = gather(view, query);
  const scores = new NodeScores(view, evidence, now);
  const chosen = candidates(view, evidence, limit);
  for (const node of chosen.nodes) scores.hit(node);
  const start = seeds(view, scores, chosen);
  const exploration = explore(view, scores, start, limit);
  const filled = fill(view, query, scores, evidence, limit);
  return {
    hits: rank(view, scores, options),
    trace: {
      documents: evidence.documents,
      candidates: { lexical: chosen.lexical, dense: chosen.dense, nodes: chosen.nodes.length },
      seeds: start.map(({ directory }) => directory),
      ...exploration,
      spaces: [...query.vectors.keys()],
      missed: query.missed ?? [],
      filled,
    },
  };
}
