import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { messageOf } from "../../base/faults.ts";
import { packageRoot } from "../../base/package-root.ts";
import { NO_ADDON } from "./protocol.ts";

const ADDON = "faiss-node.node";
const PLATFORM = `${process.platform}-${process.arch}`;
/**
 * Addon paths in order: shipped for the platform, then compiled on this machine by scripts/faiss/install.mjs.
 */
const PLACES = [
  { kind: "shipped", path: join(packageRoot(import.meta.url), "native/faiss", PLATFORM, ADDON) },
  { kind: "compiled here", path: join(packageRoot(import.meta.url), "node_modules/.faiss", ADDON) },
] as const;

/** Metric: inner product. */
const METRIC = 0;
/** Index type: 32 graph neighbours per vector, 8 bits per component. */
const FACTORY = "HNSW32_SQ8";

/** Index API of faiss-node. It is synchronous and takes plain arrays; wrong use crashes the process. */
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

interface LoadedAddon extends Addon {
  readonly kind: (typeof PLACES)[number]["kind"];
}

let addon: LoadedAddon | undefined;

/** Loads the first addon that works on this machine. */
export function loadAddon(): LoadedAddon {
  if (addon !== undefined) return addon;
  const require = createRequire(import.meta.url);
  const faults: string[] = [];
  for (const { kind, path } of PLACES) {
    if (!existsSync(path)) continue;
    try {
      const { Index }: Addon = require(path);
      addon = { Index, kind };
      return addon;
    } catch (error) {
      faults.push(messageOf(error));
    }
  }
  throw new Error(
    `${NO_ADDON}: ${faults.join("; ") || `none is shipped for ${PLATFORM}, none was compiled`}`,
  );
}

export const emptyIndex = (dimensions: number): FaissIndex =>
  loadAddon().Index.fromFactory(dimensions, FACTORY, METRIC);

export const readIndex = (path: string): FaissIndex => loadAddon().Index.read(path);
