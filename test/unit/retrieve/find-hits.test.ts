import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { nodeId } from "../../../src/domain/node.ts";
import { blended, hotness } from "../../../src/domain/score.ts";
import { staticEmbedder } from "../../../src/providers/builtin/static-embedding.ts";
import { findHits } from "../../../src/retrieve/find-hits.ts";
import type { SearchQuery, SearchView } from "../../../src/retrieve/view.ts";
import { reference } from "./reference.ts";
import { asked, docOf, file, folder, type MadeChunk, type MadeNode, WORDS, world } from "./world.ts";

const DAY = 86_400_000;
const ALL = { limit: 1000, now: 0 };
const embedder = staticEmbedder(fileURLToPath(new URL("../../../models", import.meta.url)));

describe("find over one-chunk documents", () => {
  const nodes: MadeNode[] = [folder(-1), ...reference.documents.map(() => file(0))];
  const chunks = reference.documents.map(
    ({ title, text }, at): MadeChunk => ({
      node: at + 1,
      title,
      text,
      vector: embedder.embedNow(`${title}. ${text}`),
      segment: at % 2,
    }),
  );

  it.each(reference.queries)(
    "find returns the reference's scores, in its order: $text",
    ({ text, known, shown }) => {
      const { hits } = findHits(world(nodes, chunks), asked(text, known, embedder.embedNow(text)), ALL);
      expect(hits).toHaveLength(shown.length);
      for (const { node, own, score, semantic, level, segment, doc } of hits) {
        expect(own).toBeCloseTo(shown[node - 1]!, 2);
        expect({ semantic, level, segment, doc }).toEqual({
          semantic: own,
          level: 2,
          segment: (node - 1) % 2,
          doc: docOf(node - 1),
        });
        expect(score).toBeCloseTo(0.8 * own + 0.1, 9);
      }
      expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
      expect(shown[hits[0]!.node - 1]).toBeCloseTo(Math.max(...shown), 2);
    },
  );
});

describe("the best chunk", () => {
  it("a node with many chunks is one hit, shown by its best chunk", () => {
    const chunks: MadeChunk[] = [];
    for (let i = 0; i < 300; i++) chunks.push({ node: 1, text: `owl number${i} sits in a tree` });
    chunks.push({ node: 1, text: "owl" }, { node: 2, text: "an elk and an owl met in the wood by the lake" });
    const { hits } = findHits(world([folder(-1), file(0), file(0)], chunks), asked("owl"), {
      limit: 10,
      now: 0,
    });
    expect(hits.map(({ node, doc }) => [node, doc])).toEqual([
      [1, docOf(300)],
      [2, docOf(301)],
    ]);
  });

  it("find considers only chunks of a node's current generation", () => {
    const nodes = [folder(-1), file(0, { generation: 2 }), file(0)];
    const chunks: MadeChunk[] = [
      { node: 1, text: "owl owl owl", generation: 1 },
      { node: 1, text: "elk", generation: 2 },
      { node: 2, text: "owl and elk" },
    ];
    const { hits, trace } = findHits(world(nodes, chunks), asked("owl"), ALL);
    expect(hits[0]).toMatchObject({ node: 2, doc: docOf(2) });
    expect(hits[1]).toMatchObject({ node: 1, doc: docOf(1) });
    expect(trace.documents).toBe(2);
  });

  it("a chunk is compared in the best space that has its vector", () => {
    const axis = (at: number) => Float32Array.from({ length: 128 }, (_, i) => Number(i === at));
    const view = world(
      [folder(-1), file(0), file(0), file(0)],
      [
        { node: 1, text: "a", vector: axis(0) },
        { node: 2, text: "b", vector: axis(1) },
        { node: 3, text: "c", vector: axis(1) },
      ],
    );
    view.segments[0]!.setVector("better", docOf(1), { scale: 1 / 127, values: Int8Array.of(127, 0) });
    const vectors = new Map([
      ["better", Float32Array.of(1, 0)],
      ["static-128", axis(0)],
    ]);
    const { hits } = findHits(view, { terms: [], known: 1, reading: WORDS, vectors }, ALL);
    const own = new Map(hits.map((hit) => [hit.node, hit.own]));
    expect(own.get(nodeId(1))).toBeCloseTo(own.get(nodeId(2))!, 3);
    expect(own.get(nodeId(3))).toBeLessThan(own.get(nodeId(2))! / 10);
  });
});

describe("a model that reads sentences", () => {
  const axis = (at: number) => Float32Array.from({ length: 128 }, (_, i) => Number(i === at));
  const reading = { isOfSentences: true, isOfIdentifiers: false };
  const order = (code: boolean, query: SearchQuery) => {
    const nodes = [folder(-1), file(0, { code }), file(0, { code })];
    const chunks = [
      { node: 1, text: "the owl of the lighthouse sleeps", vector: axis(1) },
      { node: 2, text: "a function", vector: axis(0) },
    ];
    const { hits, trace } = findHits(world(nodes, chunks), query, ALL);
    return { first: hits[0]!.node, meaning: trace.meaning };
  };

  it("sentence-model scores decide the order when few query words are found", () => {
    const hardly = asked(
      "owl mouse fox wolf hare stoat",
      1,
      Float32Array.from(axis(0), (value) => value * 0.6),
    );
    expect(order(false, hardly)).toEqual({ first: 1, meaning: { documents: 0.6, code: 0.6 } });
    const { first, meaning } = order(false, { ...hardly, reading });
    expect(first).toBe(2);
    expect(meaning.documents).toBeGreaterThan(0.7);
  });

  it("sentence-model scores decide the order for source code, unless the query names an identifier", () => {
    const found = asked(
      "owl sleeps",
      1,
      Float32Array.from(axis(0), (value) => value * 0.55),
    );
    expect(order(false, { ...found, reading }).first).toBe(1);
    expect(order(true, { ...found, reading })).toEqual({ first: 2, meaning: { documents: 0.6, code: 0.8 } });
    expect(order(true, { ...found, reading: { ...reading, isOfIdentifiers: true } }).first).toBe(1);
  });
});

describe("directories", () => {
  /** 0 root · 1 zoo/ {2 owl file, 3 plain file} · 4 attic/ {5 plain file}. */
  const nodes = [folder(-1), folder(0), file(1), file(1), folder(0), file(4)];
  const plain = "nothing of that kind is told in here at all";
  const layers: MadeChunk[] = [
    { node: 1, level: 0, text: "owl pictures and owl songs" },
    {
      node: 1,
      level: 1,
      text: "pictures of many animals in the zoo, an owl among them, and of their keepers at work",
    },
    { node: 2, text: "the owl sleeps" },
    { node: 3, text: plain },
    { node: 5, text: plain },
  ];

  it("a directory raises its files by half of its lead, on any path of the search", () => {
    const { hits } = findHits(world(nodes, layers), asked("owl"), ALL);
    const of = (node: number) => hits.find((hit) => hit.node === node)!;
    const layer = findHits(
      world(nodes, layers, { admitted: (_, level) => level === 0 }),
      asked("owl"),
      ALL,
    ).hits.find(({ node }) => node === 1)!.own;
    expect(of(3).own).toBe(of(5).own);
    expect(of(3).semantic).toBeCloseTo((of(3).own + layer) / 2, 12);
    expect(of(5).semantic).toBe(of(5).own);
    expect(of(2).semantic).toBeGreaterThanOrEqual(of(2).own);
    expect(findHits(world(nodes, layers), asked("owl"), { limit: 1, now: 0 }).hits[0]).toEqual(hits[0]);
  });

  it("a directory raises its files even if the filter excludes it as a hit", () => {
    const { hits } = findHits(
      world(nodes, layers, { admitted: (_, level) => level === 2 }),
      asked("owl"),
      ALL,
    );
    expect(hits.map(({ level }) => level)).toEqual([2, 2, 2]);
    expect(hits[1]).toMatchObject({ node: 3 });
    expect(hits[1]!.semantic).toBeGreaterThan(hits[1]!.own);
  });

  it("a directory is listed as a hit once, with its better layer, and only above its best file", () => {
    const directories = (chunks: MadeChunk[], levels: number[]) =>
      findHits(
        world(nodes, chunks, { admitted: (_, level) => levels.includes(level) }),
        asked("owl"),
        ALL,
      ).hits.filter(({ level }) => level < 2);
    expect(directories(layers, [0, 1])).toMatchObject([{ node: 1, level: 0 }]);
    expect(directories(layers, [1])).toMatchObject([{ node: 1, level: 1 }]);
    const weak = layers.map((chunk) =>
      chunk.node === 2
        ? { ...chunk, text: "the owl slept through the whole of the day in the old barn beside the river" }
        : chunk,
    );
    expect(directories(weak, [0, 1, 2])).toMatchObject([{ node: 1, level: 0 }]);
    const strong = layers.map((chunk) => (chunk.node === 2 ? { ...chunk, text: "owl owl owl" } : chunk));
    expect(directories(strong, [0, 1, 2])).toEqual([]);
  });

  it("directories are explored from hits, their parents and targets until the hits are stable", () => {
    const many = [...nodes, ...Array.from({ length: 40 }, () => folder(0))];
    const chunks = [
      ...layers,
      ...Array.from(
        { length: 40 },
        (_, i): MadeChunk => ({
          node: nodes.length + i,
          level: 0,
          text: `owl house ${"with more rooms ".repeat(i)}`,
        }),
      ),
    ];
    const { trace } = findHits(world(many, chunks, { targets: [4] }), asked("owl"), { limit: 3, now: 0 });
    expect(trace.seeds).toContain(4);
    expect(trace.seeds).toContain(1);
    expect(trace.converged).toBe(true);
    expect(trace.steps.length).toBeLessThan(10);
  });

  it("exploring a directory leads to its subdirectories inside the scope", () => {
    const chain = [folder(-1), folder(0), folder(1), folder(2), folder(1)];
    const { trace } = findHits(
      world(chain, [], { targets: [1], scope: (node) => node !== 0 && node !== 4 }),
      asked("owl"),
      ALL,
    );
    expect(trace).toMatchObject({
      seeds: [1],
      steps: [{ directory: 1 }, { directory: 2 }, { directory: 3 }],
    });
  });

  it("exploring ends when no directory is left to explore", () => {
    const { trace } = findHits(world([folder(-1), file(0)], [{ node: 1, text: "owl" }]), asked("owl"), ALL);
    expect(trace).toMatchObject({ seeds: [0], steps: [{ directory: 0, waiting: 0 }], converged: false });
  });
});

describe("limit, threshold and scope", () => {
  const files = (count: number): [MadeNode[], MadeChunk[]] => [
    [folder(-1), ...Array.from({ length: count }, () => file(0))],
    Array.from(
      { length: count },
      (_, i): MadeChunk => ({ node: i + 1, text: i < 3 ? `owl ${"x ".repeat(i)}` : `other ${i}` }),
    ),
  ];

  it("find returns as many nodes as requested, even without a matching word or vector", () => {
    const [nodes, chunks] = files(30);
    const unreachable = nodes.map((node, at) => (at === 0 ? node : { ...node, parent: -1 }));
    for (const limit of [1, 10, 30, 1000]) {
      const { hits, trace } = findHits(world(unreachable, chunks), asked("owl"), { limit, now: 0 });
      expect(new Set(hits.map(({ node }) => node)).size).toBe(Math.min(limit, 30));
      expect(hits.slice(0, 3).map(({ node }) => node)).toEqual([1, 2, 3].slice(0, limit));
      expect(trace.filled > 0).toBe(limit > 3);
    }
  });

  it("directories fill a short list of hits only if no file is left, unless they score higher", () => {
    const nodes = [folder(-1), file(-1), folder(-1), folder(-1), file(3)];
    const chunks: MadeChunk[] = [
      { node: 1, text: "owl" },
      { node: 2, level: 0, text: "other things" },
      { node: 3, level: 0, text: "still other things" },
      { node: 4, text: "still other things" },
    ];
    expect(findHits(world(nodes, chunks), asked("owl"), ALL).hits.map(({ node }) => node)).toEqual([1, 2, 4]);
  });

  it("the score threshold is exclusive and applies to shown scores", () => {
    const [nodes, chunks] = files(12);
    const { hits } = findHits(world(nodes, chunks), asked("owl"), ALL);
    const threshold = hits[1]!.score;
    expect(findHits(world(nodes, chunks), asked("owl"), { ...ALL, threshold }).hits).toEqual(
      hits.filter(({ score }) => score > threshold),
    );
    expect(findHits(world(nodes, chunks), asked("owl"), { ...ALL, threshold: 0 }).hits).toEqual(hits);
    expect(findHits(world(nodes, chunks), asked("owl"), { ...ALL, threshold: 1 }).hits).toEqual([]);
  });

  it("hotness is included in the scores of find", () => {
    const nodes = [folder(-1), file(0, { updatedAt: 30 * DAY, activeCount: 5 }), file(0)];
    const chunks: MadeChunk[] = [
      { node: 1, text: "owl" },
      { node: 2, text: "owl" },
    ];
    const [used, old] = findHits(world(nodes, chunks), asked("owl"), { limit: 10, now: 30 * DAY }).hits;
    expect(used!.score).toBeCloseTo(blended(used!.own, hotness(5, 0, 0)), 12);
    expect(old).toMatchObject({ node: 2, score: blended(old!.own, hotness(0, 0, 30 * DAY)) });
  });

  it("content outside the scope does not change a score, and neither does a filter", () => {
    const [nodes, chunks] = files(20);
    const inside = (node: number) => node <= 10;
    const twice = chunks.map((chunk) => ({ ...chunk, segment: chunk.node % 2 }));
    const alone = findHits(world(nodes.slice(0, 11), twice.slice(0, 10)), asked("owl other"), ALL).hits;
    expect(findHits(world(nodes, twice, { scope: inside }), asked("owl other"), ALL).hits).toEqual(alone);
    const filtered = findHits(
      world(nodes, twice, { scope: inside, admitted: (node) => node === 7 }),
      asked("owl other"),
      ALL,
    ).hits;
    expect(filtered).toEqual(alone.filter(({ node }) => node === 7));
  });

  it("find in an empty index returns nothing", () => {
    expect(findHits(world([folder(-1)], []), asked("owl"), ALL)).toMatchObject({
      hits: [],
      trace: { documents: 0, steps: [] },
    });
    expect(findHits({ ...world([folder(-1)], []), segments: [] }, asked("owl"), ALL).hits).toEqual([]);
  });
});

describe("a passage that holds the query word for word", () => {
  const long = `${"the keeper of the light wrote letters to his sister in the town ".repeat(8)}a lantern in every window`;
  const nodes = [folder(-1), ...Array.from({ length: 31 }, () => file(0))];
  const chunks = [
    ...Array.from({ length: 30 }, (_, i) => ({ node: i + 1, text: `window, lantern, every ${i}` })),
    { node: 31, text: long },
  ];
  const query = asked("a lantern in every window");
  const found = (quotes: SearchView["phraseMatches"]) =>
    findHits({ ...world(nodes, chunks), ...(quotes && { phraseMatches: quotes }) }, query, {
      limit: 10,
      now: 0,
    });

  it("a phrase match ranks above short passages with the same words, and changes no other score", () => {
    expect(found(undefined).hits.map(({ node }) => node)).not.toContain(31);
    const plain = findHits(world(nodes, chunks), query, ALL).hits.filter(({ node }) => node !== 31);
    const { hits, trace } = found(new Map([[31, { generation: 1, starts: new Set([0]) }]]));
    expect(hits[0]).toMatchObject({ node: 31, quoted: true });
    expect(hits.slice(1)).toEqual(plain.slice(0, 9));
    expect(trace.quotes).toBe(1);
  });

  it("a phrase match counts only for the generation in which it was found", () => {
    const { hits } = found(new Map([[31, { generation: 2, starts: new Set([0]) }]]));
    expect(hits.some(({ node, quoted }) => node === 31 || quoted)).toBe(false);
  });
});
