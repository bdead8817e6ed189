import { nodeId } from "../../domain/node.ts";
import { propagated } from "../../domain/score.ts";
import type { ExploredDirectory, SearchView } from "../view.ts";
import { childLists } from "./children.ts";
import type { NodeScores } from "./node-scores.ts";
import type { Seed } from "./seed.ts";
import { TopK } from "./top-k.ts";

const MAX_DIRECTORIES = 64;
const MAX_CHILDREN = 2000;
/** Number of rounds without a change of the best hits after which the search ends. */
const STABLE_ROUNDS = 3;

export interface Exploration {
  /** In the order of the rounds. */
  readonly steps: readonly ExploredDirectory[];
  readonly converged: boolean;
}

/**
 * Explores from the seeds downwards, one directory per round, the most promising first. Children that may be
 * hits are scored and child directories are queued.
 */
export function explore(
  view: SearchView,
  scores: NodeScores,
  start: readonly Seed[],
  limit: number,
): Exploration {
  const { first, next } = childLists(view.nodes);
  const best = new TopK(limit);
  for (const { node, score } of scores.ranked()) best.offer(node, score);
  const waiting = new Map<number, number>(start.map(({ directory, priority }) => [directory, priority]));
  const seen = new Set<number>(waiting.keys());
  const steps: ExploredDirectory[] = [];
  let stable = 0;
  while (waiting.size > 0 && steps.length < MAX_DIRECTORIES && stable < STABLE_ROUNDS) {
    const directory = mostPromising(waiting);
    const priority = waiting.get(directory) ?? 0;
    waiting.delete(directory);
    const changed = visit(directory);
    steps.push({ directory: nodeId(directory), priority, waiting: waiting.size, changed });
    stable = changed ? 0 : stable + 1;
  }
  return { steps, converged: stable === STABLE_ROUNDS };

  /** Returns whether the set of the best hits changed. */
  function visit(directory: number): boolean {
    const layer = scores.layer(directory);
    let changed = false;
    let visited = 0;
    for (let child = first[directory] ?? -1; child >= 0; child = next[child] ?? -1) {
      if (view.scope[child] !== 1) continue;
      if (++visited > MAX_CHILDREN) break;
      const hit = scores.hit(child);
      if (hit !== undefined && best.offer(child, hit.score)) changed = true;
      if (view.nodes.isDirectory[child] !== 1 || seen.has(child)) continue;
      seen.add(child);
      waiting.set(child, propagated(scores.layer(child), layer));
    }
    return changed;
  }
}

function mostPromising(waiting: ReadonlyMap<number, number>): number {
  let found = -1;
  let most = Number.NEGATIVE_INFINITY;
  for (const [directory, priority] of waiting) {
    if (priority > most || (priority === most && directory < found)) {
      found = directory;
      most = priority;
    }
  }
  return found;
}
