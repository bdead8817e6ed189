import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "../../../src/base/sha256.ts";
import { INSTANT_SPACE } from "../../../src/domain/chunk.ts";
import { quantise } from "../../../src/domain/quantise.ts";
import { packColumns } from "../../../src/index/columns.ts";
import { FaissNeighbours } from "../../../src/index/faiss/faiss-neighbours.ts";
import { describeFaiss } from "../../../src/index/open.ts";
import { Matrix } from "../../../src/index/vectors/matrix.ts";
import type { OpenNeighbours } from "../../../src/index/vectors/neighbours.ts";
import { VECTOR_COLUMNS, vectorsKind } from "../../../src/index/vectors/vectors.ts";
import { openEmbedders } from "../../../src/providers/open.ts";
import { DiskBlobs } from "../../../src/storage/disk/disk-blobs.ts";
import { faissProcesses, MISSING_FAISS } from "../../support/faiss.ts";
import { silentLog } from "../../support/silent-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const BUCKET = "1";
const DIMENSIONS = 128;
const NEIGHBOURS = 320;
const LIMIT_MS = 60_000;
const SLOW = { timeout: LIMIT_MS, interval: 20 };

/** Returns distinct lines of prose and code from this repository. */
function lines(): string[] {
  const files = ["docs", "src"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(md|ts)$/.test(name))
      .sort()
      .map((name) => join(ROOT, folder, name)),
  );
  const found = files.flatMap((path) => readFileSync(path, "utf8").split("\n"));
  return [...new Set(found.map((line) => line.trim()).filter((line) => line.length > 40))];
}

describe("the shipped FAISS", () => {
  const native = join(ROOT, "native/faiss");
  const { platforms } = JSON.parse(readFileSync(join(native, "MANIFEST.json"), "utf8")) as {
    platforms: Record<string, { sha256: Record<string, string> }>;
  };

  it.each(Object.keys(platforms))(
    "the shipped FAISS for %s has exactly the bytes in its manifest",
    (platform) => {
      const folder = join(native, platform);
      const found = readdirSync(folder).map((name) => [name, sha256(readFileSync(join(folder, name)))]);
      expect(Object.fromEntries(found)).toEqual(platforms[platform]?.sha256);
    },
  );

  it.skipIf(!Object.hasOwn(platforms, `${process.platform}-${process.arch}`))(
    "the shipped FAISS is loaded if it is built for this machine",
    () => expect(describeFaiss()).toEqual({ kind: "shipped" }),
  );
});

describe.skipIf(MISSING_FAISS)("FAISS in its processes", { timeout: LIMIT_MS }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let files: DiskBlobs;
  let faiss: FaissNeighbours;

  beforeAll(async () => {
    folder = await temporaryFolder();
    files = await DiskBlobs.open(join(folder.path, "index"), () => 0);
    faiss = new FaissNeighbours(files, silentLog);
  });
  afterAll(async () => {
    await faiss.close();
    await folder.remove();
  });

  const signal = new AbortController().signal;

  /** Writes a file of vectors; row i contains the vector `rows.length - 1 - i`. */
  async function store(vectors: readonly Float32Array[]): Promise<{ file: string; rows: Uint32Array }> {
    const rows = Uint32Array.from(vectors, (_, i) => vectors.length - 1 - i);
    const scales = new Float32Array(vectors.length);
    const values = new Int8Array(vectors.length * DIMENSIONS);
    for (const [i, vector] of vectors.entries()) {
      const { scale, values: components } = quantise(vector);
      scales[i] = scale;
      values.set(components, i * DIMENSIONS);
    }
    const content = Buffer.concat([
      ...packColumns(vectorsKind(INSTANT_SPACE), VECTOR_COLUMNS, { rows, scales, values }),
    ]);
    return { file: (await files.put(BUCKET, content)).hash, rows };
  }

  const build = (file: string) => faiss.build({ bucket: BUCKET, file, space: INSTANT_SPACE }, signal);

  async function opened(
    file: string,
    rows: Uint32Array,
    onLost: (isDamaged: boolean) => void = () => undefined,
  ): Promise<OpenNeighbours> {
    const open = faiss.open({ bucket: BUCKET, file, rows, space: INSTANT_SPACE, isSmall: false, onLost });
    await expect.poll(() => open.isReady, SLOW).toBe(true);
    return open;
  }

  /** Repeats until there is an answer: a slow or killed process gives none. */
  async function asked(index: OpenNeighbours, query: Float32Array, count: number): Promise<Uint32Array> {
    let rows: Uint32Array | undefined;
    await expect
      .poll(async () => {
        rows = await index.nearest(query, count);
        return rows !== undefined;
      }, SLOW)
      .toBe(true);
    return rows!;
  }

  const axis = (i: number): Float32Array => {
    const vector = new Float32Array(DIMENSIONS);
    vector[i % DIMENSIONS] = 1;
    vector[(i * 7 + 1) % DIMENSIONS]! += 0.1 + i / 1000;
    return vector;
  };
  const few = () => Array.from({ length: 40 }, (_, i) => axis(i));

  it("a neighbour index finds at least .98 of the nearest ten vectors of real text", async () => {
    const embedder = openEmbedders("light", join(ROOT, "models"), silentLog).instant;
    const vectors = lines()
      .slice(0, 3000)
      .map((line) => embedder.embedNow(line));
    const queries = vectors.splice(0, 100);
    const { file, rows } = await store(vectors);
    const index = await opened(await build(file), rows);
    const exact = new Matrix({ dimensions: DIMENSIONS });
    for (const [i, vector] of vectors.entries()) exact.set(rows[i]!, quantise(vector));
    let found = 0;
    for (const query of queries) {
      const scores = new Float32Array(vectors.length);
      exact.scan(query, scores);
      const best = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!).slice(0, 10);
      const answer = [...(await asked(index, query, NEIGHBOURS))].sort((a, b) => scores[b]! - scores[a]!);
      found += best.filter((row) =>
        answer.slice(0, 10).some((one) => one === row || scores[one] === scores[row]),
      ).length;
    }
    expect(found / (queries.length * 10)).toBeGreaterThanOrEqual(0.98);
    expect(faiss.counts).toMatchObject({ builds: 1, rows: vectors.length });
    expect(faiss.counts.answers).toBeGreaterThanOrEqual(queries.length);
  });

  it("a small neighbour index is not read into memory before its first search", async () => {
    const { file, rows } = await store(few());
    const made = await build(file);
    const small = faiss.open({
      bucket: BUCKET,
      file: made,
      rows,
      space: INSTANT_SPACE,
      isSmall: true,
      onLost: () => undefined,
    });
    // by then the process has read everything that it was told about earlier
    await opened(made, rows);
    expect(small.isReady).toBe(false);
    expect(small.bytes).toBe(rows.byteLength);
  });

  it("a neighbour index is built even if its process dies during the build, and no other files remain", async () => {
    const { file } = await store(Array.from({ length: 3000 }, (_, i) => axis(i)));
    const { restarts } = faiss.counts;
    const building = build(file);
    await expect.poll(() => faissProcesses("build").length, SLOW).toBe(1);
    process.kill(faissProcesses("build")[0]!, "SIGKILL");
    const made = await building;
    expect(sha256(await files.get(BUCKET, made))).toBe(made);
    expect(readdirSync(join(folder.path, "index/.aside"))).toEqual([]);
    expect(faiss.counts.restarts).toBeGreaterThan(restarts);
  });

  it("a neighbour index answers nothing while its process is stopped, and answers again afterwards", async () => {
    const { file, rows } = await store(few());
    const lost: boolean[] = [];
    const index = await opened(await build(file), rows, (isDamaged) => lost.push(isDamaged));
    expect((await asked(index, axis(3), 1))[0]).toBe(rows[3]);
    const [pid] = faissProcesses("search");
    process.kill(pid!, "SIGSTOP");
    const { slow, busy } = faiss.counts.exact;
    const unanswered = Array.from({ length: 12 }, () => index.nearest(axis(3), 1));
    expect(await Promise.all(unanswered)).toEqual(unanswered.map(() => undefined));
    expect(faiss.counts.exact).toMatchObject({ slow: slow + 8, busy: busy + 4 });
    process.kill(pid!, "SIGKILL");
    await expect.poll(() => index.isReady, SLOW).toBe(false);
    expect(await index.nearest(axis(3), 1)).toBeUndefined();
    expect([...(await asked(index, axis(4), 2))][0]).toBe(rows[4]);
    expect(faissProcesses("search")).not.toContain(pid);
    expect(lost).toEqual([]);
  });

  it("a damaged neighbour index is rejected before it is read", async () => {
    const { file, rows } = await store(few());
    const made = await build(file);
    const path = files.pathOf(BUCKET, made);
    const content = readFileSync(path);
    content[content.length >> 1]! ^= 1;
    await files.remove(BUCKET, made);
    const { hash } = await files.put(BUCKET, content);
    await files.adopt(BUCKET, files.pathOf(BUCKET, hash), made);
    const isDamaged = await new Promise((onLost) =>
      faiss.open({ bucket: BUCKET, file: made, rows, space: INSTANT_SPACE, isSmall: false, onLost }),
    );
    expect(isDamaged).toBe(true);
    expect(faissProcesses("search")).toHaveLength(1);
  });

  it("a neighbour index that repeatedly kills its process is not used any more, but other indexes are", async () => {
    const { file, rows } = await store(few());
    const made = await build(file);
    // an otherwise unchanged file whose graph has an invalid entry point; that number is stored before the
    // highest level and the two efforts
    const poison = readFileSync(files.pathOf(BUCKET, made));
    const efforts = poison.indexOf(Buffer.from(Int32Array.of(100, 256).buffer));
    expect(efforts).toBeGreaterThan(0);
    poison.writeInt32LE(2 ** 31 - 2, efforts - 8);
    const { hash } = await files.put(BUCKET, poison);
    const { restarts } = faiss.counts;
    let isDamaged: boolean | undefined;
    const poisoned = faiss.open({
      bucket: BUCKET,
      file: hash,
      rows,
      space: INSTANT_SPACE,
      isSmall: false,
      onLost: (value) => (isDamaged = value),
    });
    await expect.poll(() => poisoned.nearest(axis(1), 1).then(() => isDamaged), SLOW).toBe(false);
    expect(faiss.counts.restarts).toBe(restarts + 2);
    const sound = faiss.open({
      bucket: BUCKET,
      file: made,
      rows,
      space: INSTANT_SPACE,
      isSmall: false,
      onLost: () => undefined,
    });
    expect((await asked(sound, axis(5), 1))[0]).toBe(rows[5]);
    expect(await poisoned.nearest(axis(1), 1)).toBeUndefined();
  });

  it("FAISS calls with wrong files, spaces or sizes are refused", async () => {
    const { file, rows } = await store(few());
    await expect(faiss.build({ bucket: BUCKET, file, space: "another" }, signal)).rejects.toThrow(
      "in place of",
    );
    await expect(
      faiss.build({ bucket: BUCKET, file: "0".repeat(64), space: INSTANT_SPACE }, signal),
    ).rejects.toThrow("no such file");
    const made = await build(file);
    const index = await opened(made, rows);
    expect((await asked(index, axis(1), 5000)).length).toBeLessThanOrEqual(rows.length);
    expect(faissProcesses("search")).toHaveLength(1);
  });
});
