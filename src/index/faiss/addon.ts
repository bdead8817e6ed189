import { createRequire } from "node:module";
import { join } from "node:path";
import { messageOf } from "../../base/faults.ts";
import { packageRoot } from "../../base/package-root.ts";
import { NO_ADDON } from "./protocol.ts";

/** Install path of scripts/install-faiss.mjs. */
export const ADDON = join(packageRoot(import.meta.url), "node_modules/.faiss/faiss-node.node");

/** Inner product. */
const METRIC = 0;
/** Number of graph neighbours of a vector; 8 bits per component. */
const FACTORY = "HNSW32_SQ8";

/** An index of faiss-node. It is synchronous, takes plain arrays, and wrong use crashes the process. */
export interface FaissIndex {
  ntotal(): number;
  getDimension(): number;
  train(vectors: number[]): void;
  add(vectors: number[]): void;
  search(query: number[], count: number): { readonly labels: number[] };
  write(path: string): void;
}

interface Addon {
  readonly Index: {
    fromFactory(dimensions: number, description: string, metric: number): FaissIndex;
    read(path: string): FaissIndex;
  };
}

let addon: Addon | undefined;

function loaded(): Addon {
  try {
    const found: Addon = addon ?? createRequire(import.meta.url)(ADDON);
    addon = found;
    return found;
  } catch (error) {
    throw new Error(`${NO_ADDON}: ${messageOf(error)}`);
  }
}

/** Why the native library cannot be used; undefined if it can. */
export function addonFault(): string | undefined {
  try {
    loaded();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

export const emptyIndex = (dimensions: number): FaissIndex =>
  loaded().Index.fromFactory(dimensions, FACTORY, METRIC);

export const readIndex = (path: string): FaissIndex => loaded().Index.read(path);
