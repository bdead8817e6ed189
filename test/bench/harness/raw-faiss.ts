import { loadAddon } from "../../../src/index/faiss/addon.ts";
import { describeFaiss } from "../../../src/index/open.ts";
import { type Spread, spreadOf } from "./figure.ts";

const INNER_PRODUCT = 0;
const NEIGHBOURS = 10;
const VECTORS_AT_ONCE = 1000;

/**
 * Returns the times in ms of exact in-process searches with FAISS alone for the ten nearest artificial
 * vectors, or undefined if FAISS cannot be loaded.
 */
export function rawFaiss(vectors: number, dimensions: number, queries: number): Spread | undefined {
  if ("fault" in describeFaiss()) return undefined;
  const index = loadAddon().Index.fromFactory(dimensions, "Flat", INNER_PRODUCT);
  const made = (first: number, count: number) =>
    Array.from({ length: count * dimensions }, (_, i) => Math.sin(first * dimensions + i));
  for (let first = 0; first < vectors; first += VECTORS_AT_ONCE)
    index.add(made(first, Math.min(VECTORS_AT_ONCE, vectors - first)));
  const times = Array.from({ length: queries }, (_, i) => {
    const query = made(i, 1);
    const began = performance.now();
    index.search(query, NEIGHBOURS);
    return performance.now() - began;
  });
  return spreadOf(times);
}
