import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Level } from "../../../src/domain/chunk.ts";
import { quantise } from "../../../src/domain/quantise.ts";
import { weightedLength, weightedTerms } from "../../../src/domain/text/analyse.ts";
import { findHits } from "../../../src/retrieve/find-hits.ts";
import { type SearchQuery, SearchScratch, type SearchView } from "../../../src/retrieve/view.ts";
import { asked, type MadeChunk, type MadeNode, type Narrowed, world } from "./world.ts";

const WORDS = ["owl", "elk", "emu", "yak", "cat", "dog"];
const DAY = 86_400_000;
const NOW = 100 * DAY;
const LEVELS = [0, 1, 2] as const;
/** Shared by all cases, as by all searches of a server. */
const scratch = new SearchScratch();

interface World {
  readonly nodes: readonly MadeNode[];
  readonly chunks: readonly MadeChunk[];
  readonly outside: ReadonlySet<number>;
  readonly refused: ReadonlySet<string>;
}

const sentence = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 })
  .map((words) => words.join(" "));
const vector = fc
  .array(fc.integer({ min: -127, max: 127 }), { minLength: 3, maxLength: 3 })
  .map(([a, b, c]) => {
    const norm = Math.hypot(a!, b!, c!) || 1;
    const values = new Float32Array(128);
    values.set([a! / norm, b! / norm, c! / norm]);
    return values;
  });

const worlds: fc.Arbitrary<World> = fc.integer({ min: 1, max: 25 }).chain((size) => {
  const made = fc.record({
    up: fc.nat(24),
    directory: fc.boolean(),
    age: fc.nat(40),
    activeCount: fc.nat(20),
  });
  const chunk = fc.record({
    node: fc.nat(size - 1),
    low: fc.boolean(),
    text: sentence,
    vector,
    segment: fc.nat(1),
    stale: fc.nat(7),
  });
  return fc
    .record({
      made: fc.array(made, { minLength: size, maxLength: size }),
      parts: fc.array(chunk, { maxLength: 60 }),
      outside: fc.uniqueArray(fc.nat(size - 1), { maxLength: 4 }),
      refused: fc.uniqueArray(fc.tuple(fc.nat(size - 1), fc.nat(2)), { maxLength: 8 }),
    })
    .map(({ made, parts, outside, refused }) => {
      const directories = made.map(({ directory }, at) => at === 0 || directory);
      const parentOf = (at: number, up: number) =>
        [...directories.slice(0, at).keys()].filter((other) => directories[other])[up % at] ?? 0;
      const nodes = made.map(({ up, age, activeCount }, at): MadeNode => {
        const parent = at === 0 ? -1 : parentOf(at, up);
        return { parent, directory: directories[at], updatedAt: NOW - age * DAY, activeCount };
      });
      const chunks = parts.map(({ node, low, stale, ...rest }): MadeChunk => {
        const level: Level = directories[node] ? (low ? 0 : 1) : 2;
        return { ...rest, node, level, generation: stale === 0 ? 2 : 1 };
      });
      return {
        nodes,
        chunks,
        outside: new Set(outside),
        refused: new Set(refused.map(([node, level]) => `${node} ${level}`)),
      };
    });
});

const narrowed = ({ outside, refused }: World): Narrowed => ({
  scope: (node) => !outside.has(node),
  admitted: (node, level) => !refused.has(`${node} ${level}`),
});

/** Computes everything that find may answer without optimizations. */
function oracle({ nodes, chunks }: World, { scope, admitted }: Narrowed, query: SearchQuery) {
  const live = chunks
    .filter(({ node, generation }) => generation === 1 && scope!(node))
    .map((chunk) => ({ ...chunk, terms: weightedTerms(chunk.text) }));
  const average = live.reduce((sum, { terms }) => sum + weightedLength(terms), 0) / live.length;
  const idf = (term: string) => {
    const frequency = live.filter(({ terms }) => terms.has(term)).length;
    return Math.log(1 + (live.length - frequency + 0.5) / (frequency + 0.5));
  };
  const brings = (term: string, terms: Map<string, number>, averageLength: number) => {
    const weight = terms.get(term) ?? 0;
    return (
      (idf(term) * weight * 2.2) / (weight + 1.2 * (0.25 + (0.75 * weightedLength(terms)) / averageLength))
    );
  };
  const files = new Map(
    live.map(({ node }) => [
      node,
      weightedTerms(live.flatMap((chunk) => (chunk.node === node ? chunk.text : [])).join(" ")),
    ]),
  );
  const averageFile = (average * live.length) / files.size;
  const bm25 = ({ node, terms }: { node: number; terms: Map<string, number> }) =>
    query.terms.reduce(
      (sum, term) => sum + brings(term, terms, average) + 0.25 * brings(term, files.get(node)!, averageFile),
      0,
    );
  const best = Math.max(0, ...live.map(bm25));
  const cover = Math.min(1, best / query.terms.reduce((sum, term) => sum + 1.25 * idf(term) * 2.2, 0) || 0);
  const g = query.known;
  const words = [...new Set(query.terms)];
  const held = live
    .filter((chunk) => best > 0 && bm25(chunk) >= best * (1 - 1e-6))
    .map(({ terms }) => words.filter((word) => terms.has(word)).length);
  const wanted = Math.min(2, words.length);
  const isLong = words.length >= 5;
  const share = Math.max(0, Math.min(1, (Math.max(0, ...held) - 1) / (isLong ? 2 : 1)));
  const agreed = wanted < 2 ? 1 : isLong ? share ** 2 : share;
  const middle = 0.36 + 0.22 * g + 0.28 * g * (1 - g) + (1 - agreed) * (0.2 - 0.14 * g);
  const fused = (chunk: (typeof live)[number]) => {
    const lex = best === 0 ? 0 : (bm25(chunk) / best) * (g + (1 - g) * Math.sqrt(cover));
    const asked = query.vectors.get("static-128");
    const { values, scale } = quantise(chunk.vector!);
    const cosine = asked?.reduce((sum, value, i) => sum + value * values[i]! * scale, 0);
    return cosine === undefined ? lex : (1 - 0.6 * g) * lex + 0.6 * g * Math.max(0, cosine);
  };
  const byScore = (node: number, level: Level) =>
    live
      .filter((chunk) => chunk.node === node && chunk.level === level)
      .map(fused)
      .sort((a, b) => b - a);
  // files that share neither a word nor a direction with the query are not compared
  const isCandidate = (node: number) =>
    admitted!(node, 2) &&
    (query.vectors.size > 0 || live.some((chunk) => chunk.node === node && bm25(chunk) > 0));
  const worst = Math.min(
    ...nodes.flatMap((_, node) => (isCandidate(node) ? byScore(node, 2).slice(0, 1) : [])),
  );
  const at = (node: number, level: Level) => {
    const [f, ...others] = byScore(node, level);
    if (f === undefined) return -1;
    const top = [f, ...others.slice(0, 2)].map((one) => Math.max(one, worst));
    const average = top.reduce((sum, one) => sum + one, 0) / top.length;
    const shown = level === 2 && isCandidate(node) ? f + 0.25 * (top.length - 1) * (average - f) : f;
    return 1 / (1 + Math.exp(-(16 - 4 * g) * (shown - middle)));
  };
  const hits = nodes.flatMap(({ parent, updatedAt, activeCount }, node) => {
    const levels = LEVELS.filter((level) => scope!(node) && admitted!(node, level));
    const mine = Math.max(-1, ...levels.map((level) => at(node, level)));
    if (mine < 0) return [];
    const layer = parent < 0 ? 0 : Math.max(0, at(parent, 0), at(parent, 1));
    const semantic = Math.max(mine, 0.5 * mine + 0.5 * layer);
    const heat = (1 / (1 + Math.exp(-Math.log(1 + activeCount!)))) * 2 ** (-(NOW - updatedAt!) / DAY / 7);
    return [{ node, score: 0.8 * semantic + 0.2 * heat }];
  });
  const under = (node: number, directory: number): boolean =>
    node >= 0 && (nodes[node]!.parent === directory || under(nodes[node]!.parent, directory));
  const leaves = hits.filter(({ node }) => nodes[node]!.directory !== true);
  const margin = (directory: { node: number; score: number }) =>
    directory.score -
    Math.max(-1, ...leaves.filter(({ node }) => under(node, directory.node)).map(({ score }) => score));
  const directories = hits
    .filter(({ node }) => nodes[node]!.directory === true)
    .map((hit) => ({ ...hit, margin: margin(hit) }));
  return {
    scores: new Map(
      [...leaves, ...directories.filter((hit) => hit.margin > 0)].map(({ node, score }) => [node, score]),
    ),
    /** Whether rounding could decide if a directory is a hit. */
    close: directories.some((hit) => Math.abs(hit.margin) < 1e-4),
  };
}

function compare(view: SearchView, query: SearchQuery, wanted: ReadonlyMap<number, number>, limit: number) {
  const { hits } = findHits(view, query, { limit, now: NOW, scratch });
  const best = [...wanted.values()].sort((a, b) => b - a).slice(0, limit);
  expect(hits).toHaveLength(best.length);
  for (const [place, { node, score }] of hits.entries()) {
    expect(score).toBeCloseTo(wanted.get(node) ?? Number.NaN, 3);
    expect(score).toBeCloseTo(best[place]!, 3);
    expect(score).toBeLessThanOrEqual(hits[place - 1]?.score ?? 1);
  }
}

describe("find", () => {
  it("find equals a plain computation for any tree, segments, scope and filter", () => {
    let compared = 0;
    fc.assert(
      fc.property(
        worlds,
        sentence,
        fc.constantFrom(0, 0.5, 1),
        vector,
        fc.boolean(),
        fc.integer({ min: 1, max: 12 }),
        (made, words, known, asks, dense, limit) => {
          const masks = narrowed(made);
          const query = asked(`${words} zebra`, known, dense ? asks : undefined);
          const { scores, close } = oracle(made, masks, query);
          fc.pre(!close);
          const view = world(made.nodes, made.chunks, masks);
          compare(view, query, scores, 1000);
          if (dense) compare(view, query, scores, limit);
          compared++;
        },
      ),
      { numRuns: 300 },
    );
    expect(compared).toBe(300);
  });
});
