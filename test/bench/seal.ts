import { open } from "node:fs/promises";
import { join } from "node:path";
import { type Chunk, INSTANT_DIMENSIONS } from "../../src/domain/chunk.ts";
import { nodeId } from "../../src/domain/node.ts";
import { quantise } from "../../src/domain/quantise.ts";
import { MutableSegment } from "../../src/index/segments/mutable-segment.ts";
import { seal as sealColumns, sealTurns } from "../../src/index/segments/seal.ts";
import { Segment } from "../../src/index/segments/segment.ts";
import { namesOf, writeSegment } from "../../src/index/segments/segment-files.ts";
import { openStorage } from "../../src/storage/open.ts";
import { silentLog } from "../support/silent-log.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type Bench, type Figure, perSecond } from "./harness/figure.ts";

const CHUNKS = 8192;
const TIER = 4;
const WORDS = 20_000;
const WORDS_PER_CHUNK = 60;
const MAIN_DIMENSIONS = 384;
const BUCKET = "1";

export const seal: Bench = {
  name: "seal",
  title: `tails of ${CHUNKS.toLocaleString("en-US")} made-up chunks sealed, ${TIER} segments merged; files written and synced`,
  async run({ quick }) {
    const figures: Figure[] = [];
    for (const dimensions of [undefined, MAIN_DIMENSIONS])
      figures.push(...(await measure(quick ? CHUNKS / 8 : CHUNKS, dimensions)));
    return figures;
  },
};

/** `main`: dimensions of the main space's vectors, in addition to the static ones. */
async function measure(chunks: number, main: number | undefined): Promise<Figure[]> {
  const folder = await temporaryFolder();
  const storage = await openStorage({ dataDir: join(folder.path, "data"), log: silentLog, clock: Date.now });
  const place = { files: storage.index, bucket: BUCKET };
  const all = () => true;
  try {
    const tails = Array.from({ length: TIER }, (_, part) => tailOf(chunks, part, main));
    const segments: Segment[] = [];
    const names: string[] = [];
    const began = performance.now();
    for (const tail of tails) {
      const columns = await sealColumns([tail.source], all, sealTurns());
      names.push(...namesOf(await writeSegment(place, columns)));
      segments.push(await Segment.open(columns, sealTurns()));
    }
    const sealed = performance.now();
    const sources = segments.map(({ source }) => source);
    const merged = namesOf(await writeSegment(place, await sealColumns(sources, all, sealTurns())));
    const ended = performance.now();
    const space =
      main === undefined
        ? `${INSTANT_DIMENSIONS} dimensions`
        : `${INSTANT_DIMENSIONS} and ${main} dimensions`;
    const line = async (what: string, files: readonly string[], seconds: number): Promise<Figure> => {
      const contents = await Promise.all(files.map((name) => storage.index.get(BUCKET, name)));
      const megabytes = contents.reduce((sum, content) => sum + content.byteLength, 0) / 1e6;
      const plain = megabytes / (await plainWrite(folder.path, contents));
      return {
        what: `${what}, ${space}`,
        measured: `${perSecond((TIER * chunks) / seconds)} chunks, ${(megabytes / seconds).toFixed(0)} MB/s`,
        beside: `the same bytes written to files and synced: ${plain.toFixed(0)} MB/s`,
        ratio: megabytes / seconds / plain,
      };
    };
    return [
      await line("seal", names, (sealed - began) / 1000),
      await line("merge", merged, (ended - sealed) / 1000),
    ];
  } finally {
    await storage.close();
    await folder.remove();
  }
}

/** Time in seconds. */
async function plainWrite(folder: string, contents: readonly Uint8Array[]): Promise<number> {
  const began = performance.now();
  for (const [i, content] of contents.entries()) {
    const handle = await open(join(folder, `plain-${i}`), "w");
    await handle.write(content);
    await handle.sync();
    await handle.close();
  }
  return (performance.now() - began) / 1000;
}

function tailOf(chunks: number, part: number, main: number | undefined): MutableSegment {
  const random = randomFrom(part + 1);
  const tail = new MutableSegment();
  for (let i = 0; i < chunks; i++) {
    const doc = part * chunks + i;
    tail.add(doc, chunkOf(doc, random));
    if (main !== undefined) tail.setVector("main", doc, quantise(vectorOf(main, random)));
  }
  return tail;
}

/** Generates words distributed by Zipf's law. */
function chunkOf(node: number, random: () => number): Chunk {
  const terms = new Map<string, number>();
  for (let i = 0; i < WORDS_PER_CHUNK; i++) {
    const term = `w${Math.floor(WORDS ** random())}`;
    terms.set(term, (terms.get(term) ?? 0) + 1);
  }
  const instant = quantise(vectorOf(INSTANT_DIMENSIONS, random));
  return {
    node: nodeId(node),
    generation: 1,
    level: 2,
    start: 0,
    end: 1,
    length: WORDS_PER_CHUNK,
    terms,
    instant,
  };
}

function vectorOf(dimensions: number, random: () => number): Float32Array {
  const values = Float32Array.from({ length: dimensions }, () => random() - 0.5);
  const norm = Math.hypot(...values);
  return values.map((value) => value / norm);
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
