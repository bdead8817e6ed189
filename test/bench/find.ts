/**
 * `npx tsx test/bench/find.ts [chunks …]`: find() over made-up chunks, p50 and p95 in ms, beside the exact scan alone in the kernel and in plain JavaScript.
 * Words are drawn by Zipf's law from 20,000, 60 a chunk; five chunks a file, twenty files a directory, every directory with both layers.
 */
import { type Chunk, INSTANT_DIMENSIONS, INSTANT_SPACE, type Level, quantise } from "../../src/domain/chunk.ts";
import { find } from "../../src/retrieve/find.ts";
import type { SearchQuery, SearchView } from "../../src/retrieve/view.ts";
import { Matrix } from "../../src/storage/segments/matrix.ts";
import { Tail } from "../../src/storage/segments/tail.ts";

const WORDS = 20_000;
const WORDS_PER_CHUNK = 60;
const CHUNKS_PER_FILE = 5;
const FILES_PER_DIRECTORY = 20;
const QUERIES = 400;

let state = 1;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const word = () => `w${Math.floor(WORDS ** random())}`;
const vector = () => {
  const values = Float32Array.from({ length: INSTANT_DIMENSIONS }, () => random() + random() + random() - 1.5);
  const norm = Math.hypot(...values);
  return values.map((value) => value / norm);
};

function chunk(node: number, level: Level): Chunk {
  const terms = new Map<string, number>();
  for (let i = 0; i < WORDS_PER_CHUNK; i++) {
    const term = word();
    terms.set(term, (terms.get(term) ?? 0) + 1);
  }
  return { node, generation: 1, level, start: 0, end: 1, length: WORDS_PER_CHUNK, terms, instant: quantise(vector()) };
}

function made(chunks: number): { view: SearchView; tail: Tail } {
  const tail = new Tail();
  const parents = [-1];
  for (let doc = 0, directory = 0; doc < chunks; ) {
    if ((parents.length - 1) % (FILES_PER_DIRECTORY + 1) === 0) {
      directory = parents.push(0) - 1;
      for (const level of [0, 1] as const) tail.add(doc++, chunk(directory, level));
      continue;
    }
    const file = parents.push(directory) - 1;
    for (let i = 0; i < CHUNKS_PER_FILE; i++) tail.add(doc++, chunk(file, 2));
  }
  const size = parents.length;
  const directories = new Set(parents);
  const all = new Uint8Array(size).fill(1);
  const nodes = {
    size,
    parent: Int32Array.from(parents),
    generation: new Uint32Array(size).fill(1),
    isDirectory: Uint8Array.from({ length: size }, (_, node) => Number(directories.has(node))),
    updatedAt: new Float64Array(size),
    activeCount: new Uint32Array(size),
    sequence: 1,
  };
  return { view: { nodes, scope: all, admitted: [all, all, all], targets: [], partitions: [tail] }, tail };
}

function measured(run: () => void): string {
  const times: number[] = [];
  for (let i = 0; i < QUERIES; i++) {
    const start = performance.now();
    run();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)]!.toFixed(3);
  return `p50 ${at(0.5)} p95 ${at(0.95)}`;
}

for (const chunks of process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1000, 10_000, 100_000]) {
  const start = performance.now();
  const { view, tail } = made(chunks);
  const built = performance.now() - start;
  const rounds: number[] = [];
  const run = () => {
    const query: SearchQuery = { terms: Array.from({ length: 6 }, word), known: 1, vectors: new Map([[INSTANT_SPACE, vector()]]) };
    rounds.push(find(view, query, { limit: 10, now: 0 }).trace.rounds);
  };
  measured(run);
  console.log(
    `${chunks} chunks: find ${measured(run)}; rounds ${Math.max(...rounds)} at most; ${(tail.bytes / 1e6).toFixed(1)} MB, built in ${built.toFixed(0)} ms`,
  );
  const scores = new Float32Array(tail.documents.rows);
  const matrices = {
    kernel: new Matrix({ dimensions: INSTANT_DIMENSIONS }),
    "plain JavaScript": new Matrix({ dimensions: INSTANT_DIMENSIONS, minKernelVectors: chunks }),
  };
  for (const [name, matrix] of Object.entries(matrices)) {
    for (let row = 0; row < chunks; row++) matrix.set(row, quantise(vector()));
    const query = vector();
    console.log(`  scan alone, ${name}: ${measured(() => matrix.scan(query, scores))}`);
  }
}
