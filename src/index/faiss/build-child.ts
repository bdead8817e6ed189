/** Main module of the child process that builds indexes, one at a time. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readFile, unlink, writeFile } from "node:fs/promises";
import { itemAt } from "../../base/expect.ts";
import { answerCalls } from "../../base/processes/answer-calls.ts";
import { sha256 } from "../../base/sha256.ts";
import { type Columns, unpackColumns } from "../columns.ts";
import { VECTOR_COLUMNS, vectorsKind } from "../vectors/vectors.ts";
import { emptyIndex, type FaissIndex, readIndex } from "./addon.ts";
import { setEffort } from "./graph-effort.ts";
import type { BuildCall, BuiltIndex } from "./protocol.ts";

const CONSTRUCTION_EFFORT = 100;
const SEARCH_EFFORT = 256;
/** Number of sampled vectors from which the range of each component is learned. */
const TRAINING_VECTORS = 8192;
const SLICE_VECTORS = 256;

interface Work {
  readonly index: FaissIndex;
  readonly vectors: Columns<typeof VECTOR_COLUMNS>;
  readonly dimensions: number;
  added: number;
}

let work: Work | undefined;

answerCalls<BuildCall>((call) => {
  if (call.do === "begin") return begin(call);
  if (!work) throw new Error("no build was started");
  return call.do === "add" ? add(work) : finish(work, call.path);
});

async function begin({ path, hash, space, aside }: Extract<BuildCall, { do: "begin" }>): Promise<number> {
  work = undefined;
  const content = await readFile(path);
  if (sha256(content) !== hash) throw new Error("the file of vectors is damaged");
  const vectors = unpackColumns(vectorsKind(space), VECTOR_COLUMNS, content);
  const count = vectors.rows.length;
  // the library silently accepts NaN
  if (count === 0 || !vectors.scales.every(Number.isFinite)) throw new Error("there are no vectors to index");
  const dimensions = vectors.values.length / count;
  const index = await withEffort(emptyIndex(dimensions), aside);
  const step = Math.max(1, Math.floor(count / TRAINING_VECTORS));
  const sample: number[] = [];
  for (let i = 0; i < count; i += step) append(sample, vectors, i, dimensions);
  index.train(sample);
  work = { index, vectors, dimensions, added: 0 };
  return count;
}

/** Sets the construction and search effort, which are stored in the index. */
async function withEffort(index: FaissIndex, aside: string): Promise<FaissIndex> {
  try {
    await writeFile(aside, "");
    index.write(aside);
    const content = await readFile(aside);
    setEffort(content, CONSTRUCTION_EFFORT, SEARCH_EFFORT);
    await writeFile(aside, content);
    return readIndex(aside);
  } finally {
    await unlink(aside).catch(() => undefined);
  }
}

function append(list: number[], { scales, values }: Work["vectors"], at: number, dimensions: number): void {
  const scale = itemAt(scales, at);
  for (const value of values.subarray(at * dimensions, (at + 1) * dimensions)) list.push(value * scale);
}

function add(under: Work): number {
  const end = Math.min(under.added + SLICE_VECTORS, under.vectors.rows.length);
  const count = end - under.added;
  const slice: number[] = [];
  for (; under.added < end; under.added++) append(slice, under.vectors, under.added, under.dimensions);
  if (count > 0) under.index.add(slice);
  return count;
}

async function finish({ index }: Work, path: string): Promise<BuiltIndex> {
  // check that the path is writable: otherwise the library would crash the process
  await writeFile(path, "", { flag: "wx", mode: 0o600 });
  index.write(path);
  work = undefined;
  const hash = createHash("sha256");
  const parts: AsyncIterable<Uint8Array> = createReadStream(path);
  for await (const part of parts) hash.update(part);
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
  return { hash: hash.digest("hex") };
}
