/**
 * `npm run eval:nearest -- --sets FOLDER [--light] [--vectors N]`: measures how many of a query's nearest
 * vectors of a built-in model the coarse scan finds, over the texts of all test sets in a folder, first whole
 * texts, then single sentences until there are N vectors (100,000).
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { quantise } from "../../src/domain/quantise.ts";
import { Matrix } from "../../src/index/vectors/matrix.ts";
import { MAX_EMBED_TEXTS } from "../../src/providers/embedding.ts";
import { namedShare } from "../../src/retrieve/ranking/fuse.ts";
import { openModel } from "./plain-cosine.ts";
import { readTestSet } from "./test-set.ts";

const SIZES = [16_384, 32_768, 100_000];
const DEPTHS = [10, 100];
const QUERIES_PER_SET = 250;
const MIN_SENTENCE = 25;

const { values } = parseArgs({
  options: { sets: { type: "string" }, light: { type: "boolean" }, vectors: { type: "string" } },
});
if (values.sets === undefined) throw new Error("--sets names the folder of the test sets");
const most = Number(values.vectors ?? SIZES.at(-1));

const whole: string[] = [];
const queries: string[] = [];
for (const { name } of (await readdir(values.sets, { withFileTypes: true })).filter((entry) =>
  entry.isDirectory(),
)) {
  const set = await readTestSet(join(values.sets, name), QUERIES_PER_SET);
  whole.push(...[...set.documents.values()].flat().map(({ text }) => text));
  queries.push(...set.queries.map(({ text }) => text));
}
const sentences = whole
  .flatMap((text) => text.split(/(?<=[.!?])\s+|\n+/))
  .filter(({ length }) => length > MIN_SENTENCE);
const texts = [...new Set([...whole, ...sentences])].slice(0, most);

const { embedder, close } = openModel(values.light ? "light" : "builtin");
// a model's processes do not keep the program running
const alive = setInterval(() => undefined, 60_000);
const vectors: Float32Array[] = [];
for (let from = 0; from < texts.length; from += MAX_EMBED_TEXTS)
  vectors.push(...(await embedder.embed(texts.slice(from, from + MAX_EMBED_TEXTS))));
const asked: Float32Array[] = [];
for (const query of queries) asked.push(...(await embedder.embed([query])));
await close();
clearInterval(alive);

process.stdout.write(
  `| vectors | queries | named | ${DEPTHS.map((depth) => `of the nearest ${depth}`).join(" | ")} |\n|---|---|---|${"---|".repeat(DEPTHS.length)}\n`,
);
for (const size of SIZES.filter((size) => size <= vectors.length)) {
  const matrix = matrixOf(vectors.slice(0, size));
  const found = DEPTHS.map(() => 0);
  let named = 0;
  for (const query of asked) {
    const [all, some] = [new Float32Array(size), new Float32Array(size).fill(Number.NaN)];
    matrix.scan(query, all);
    if (!matrix.scanNearest(query, some, namedShare(size))) some.set(all);
    named += some.filter((score) => !Number.isNaN(score)).length;
    const best = [...all.keys()].sort((a, b) => all[b]! - all[a]!);
    for (const [i, depth] of DEPTHS.entries())
      found[i]! += best.slice(0, depth).filter((row) => some[row] === all[row]).length;
  }
  const shares = DEPTHS.map((depth, i) => (found[i]! / (depth * asked.length)).toFixed(3));
  process.stdout.write(
    `| ${[size, asked.length, Math.round(named / asked.length), ...shares].join(" | ")} |\n`,
  );
}

function matrixOf(vectors: readonly Float32Array[]): Matrix {
  const dimensions = vectors[0]!.length;
  const quantised = vectors.map(quantise);
  const matrix = new Matrix({ dimensions, capacity: vectors.length });
  for (const [i, vector] of quantised.entries()) matrix.set(i, vector);
  // each search processes a part of the vectors
  for (let at = 0; at < vectors.length; at += 256)
    matrix.scanNearest(vectors[0]!, new Float32Array(vectors.length), 1);
  return matrix;
}
