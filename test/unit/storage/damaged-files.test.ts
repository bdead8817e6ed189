import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StartError } from "../../../src/base/start-error.ts";
import { DiskBlobs } from "../../../src/storage/disk/disk-blobs.ts";
import { currentFormat, MIGRATIONS } from "../../../src/storage/migrations.ts";
import { openStorage } from "../../../src/storage/open.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const KEYS = 60;
const FLIPS = 40;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let serial = 0;
const whole = () => join(folder.path, "whole");

/** Compressible and incompressible, so that both kinds of blocks occur. */
const contentOf = (i: number) =>
  i % 3 === 0
    ? Buffer.alloc(2000, `value ${i} `)
    : Buffer.from(Array.from({ length: 1500 }, (_, at) => (i * 7919 + at * at * 31) % 251));
const keyOf = (i: number) => `key/${String(i).padStart(4, "0")}`;

async function openAndRead(dataDir: string): Promise<{ pairs: Map<string, string>; warnings: string[] }> {
  const warnings: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => void warnings.push(line) });
  const storage = await openStorage({ dataDir, log, clock: Date.now });
  try {
    const pairs = await storage.kv.range({ gte: "", lt: "~", limit: 10_000 });
    return {
      pairs: new Map(pairs.map(([key, value]) => [key, Buffer.from(value).toString("latin1")])),
      warnings,
    };
  } finally {
    await storage.close();
  }
}

async function write(dataDir: string, from: number, to: number): Promise<void> {
  const storage = await openStorage({ dataDir, log: pino({ level: "silent" }), clock: Date.now });
  for (let i = from; i < to; i++)
    await storage.kv.transact(() => ({
      ops: [{ key: keyOf(i), value: contentOf(i) }],
      apply: () => undefined,
    }));
  await storage.close();
}

/** A copy with access to its files of a kind and their names. */
async function copy(kind: RegExp): Promise<{ dataDir: string; paths: string[] }> {
  const dataDir = join(folder.path, `${serial++}`);
  await cp(whole(), dataDir, { recursive: true });
  const names = (await readdir(join(dataDir, "kv"))).filter((name) => kind.test(name)).sort();
  return { dataDir, paths: names.map((name) => join(dataDir, "kv", name)) };
}

beforeAll(async () => {
  folder = await temporaryFolder();
  // each start converts the previous log into a table
  await write(whole(), 0, KEYS / 2);
  await write(whole(), KEYS / 2, KEYS);
});
afterAll(() => folder.remove());

describe("a flipped bit", () => {
  for (const [name, kind] of [
    ["a table", /\.ldb$/],
    ["a log", /\.log$/],
    ["the manifest", /^MANIFEST/],
    ["CURRENT", /^CURRENT$/],
  ] as const) {
    it(`a flipped bit in ${name} is reported in words, or changes nothing`, async () => {
      const before = (await openAndRead((await copy(kind)).dataDir)).pairs;
      expect(before.size).toBe(KEYS);
      let refused = 0;
      for (let round = 0; round < FLIPS; round++) {
        const { dataDir, paths } = await copy(kind);
        const path = paths[round % paths.length]!;
        const bytes = await readFile(path);
        const at = Math.floor((bytes.byteLength * (round + 0.5)) / FLIPS);
        bytes[at]! ^= 1 << (round % 8);
        await writeFile(path, bytes);
        const outcome = await openAndRead(dataDir).catch((error: unknown) => error);
        if (outcome instanceof StartError) {
          expect(outcome.message).toMatch(/damaged|cannot be/);
          refused++;
          continue;
        }
        const { pairs, warnings } = outcome as Awaited<ReturnType<typeof openAndRead>>;
        // the very last write may look like an unfinished one, which is reported
        if (warnings.some((line) => line.includes("not finished"))) before.delete(keyOf(KEYS - 1));
        expect(pairs, `byte ${at} of ${path}`).toEqual(before);
        before.set(keyOf(KEYS - 1), contentOf(KEYS - 1).toString("latin1"));
      }
      expect(refused).toBeGreaterThan(FLIPS / 2);
    });
  }
});

describe("kv/CURRENT", () => {
  const cases: readonly (readonly [
    what: string,
    content: (current: string) => string | undefined,
    fault: RegExp,
  ])[] = [
    ["is empty", () => "", /it is empty/],
    ["consists of zeros", (current) => "\0".repeat(current.length), /names no manifest/],
    ["has lost its line end", (current) => current.trim(), /names no manifest/],
    ["names a file outside of the folder", () => "../FORMAT\n", /names no manifest/],
    [
      "names a manifest that is missing",
      () => "MANIFEST-999999\n",
      /names MANIFEST-999999, which is missing/,
    ],
    ["is missing", () => undefined, /it is missing/],
  ];
  for (const [what, content, fault] of cases) {
    it(`a kv/CURRENT that ${what} is reported as damage, and no other file is changed`, async () => {
      const { dataDir, paths } = await copy(/^CURRENT$/);
      const changed = content(await readFile(paths[0]!, "latin1"));
      if (changed === undefined) await rm(paths[0]!);
      else await writeFile(paths[0]!, changed);
      const before = (await readdir(join(dataDir, "kv"))).sort();
      for (let attempt = 0; attempt < 2; attempt++) {
        const refusal = await openAndRead(dataDir).catch((error: unknown) => error);
        expect(refusal).toBeInstanceOf(StartError);
        expect((refusal as Error).message).toMatch(
          /the data directory is damaged: kv\/CURRENT: .*restore a backup with `ctxdb restore`/,
        );
        expect((refusal as Error).message).toMatch(fault);
      }
      expect((await readdir(join(dataDir, "kv"))).sort()).toEqual(before);
    });
  }
});

for (const [name, kind] of [
  ["log", /\.log$/],
  ["table", /\.ldb$/],
] as const)
  it(`a missing ${name} of the key-value store is reported as damage, because it had acknowledged writes`, async () => {
    const { dataDir, paths } = await copy(kind);
    await rm(paths[0]!);
    await expect(openAndRead(dataDir)).rejects.toThrow(
      /the data directory is damaged: kv\/MANIFEST-\d+: .*missing: \d+.*backup/,
    );
  });

it("a store whose creation stopped before its first data file opens as a new store", async () => {
  const { dataDir, paths } = await copy(/^(?:CURRENT|\d+\.(?:log|ldb))$/);
  for (const path of paths) await rm(path);
  expect((await openAndRead(dataDir)).pairs.size).toBe(0);
});

describe("FORMAT", () => {
  it("an empty or missing FORMAT beside data is reported as damage and not written again", async () => {
    for (const change of [(path: string) => writeFile(path, ""), (path: string) => rm(path)]) {
      const { dataDir } = await copy(/^CURRENT$/);
      await change(join(dataDir, "FORMAT"));
      await expect(openAndRead(dataDir)).rejects.toThrow(
        /the data directory is damaged: FORMAT is (?:empty|missing).*backup/,
      );
      expect(await readFile(join(dataDir, "FORMAT"), "utf8").catch(() => "")).toBe("");
    }
  });

  it("an empty FORMAT in a directory without data is replaced", async () => {
    const dataDir = join(folder.path, `${serial++}`);
    await mkdir(dataDir);
    await writeFile(join(dataDir, "FORMAT"), "");
    expect((await openAndRead(dataDir)).pairs.size).toBe(0);
    expect(await readFile(join(dataDir, "FORMAT"), "utf8")).toBe(`ctxdb ${currentFormat(MIGRATIONS)}\n`);
  });
});

it("a log that is cut off in its last write keeps every earlier write, and the start reports it", async () => {
  for (let cut = 1; cut < 4000; cut += 97) {
    const { dataDir, paths } = await copy(/\.log$/);
    const { byteLength } = await readFile(paths.at(-1)!);
    await truncate(paths.at(-1)!, byteLength - cut);
    const { pairs, warnings } = await openAndRead(dataDir);
    const kept = [...pairs.keys()];
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, i) => keyOf(i)));
    expect(kept.length).toBeGreaterThanOrEqual(KEYS - 3);
    expect(kept.length).toBeLessThan(KEYS);
    expect(warnings.filter((line) => line.includes("not finished")).length).toBe(1);
  }
});

it("a damaged blob is never returned, completely or in part, and is repaired when it is stored again", async () => {
  const blobs = await DiskBlobs.open(join(folder.path, "buckets"), Date.now);
  const content = Buffer.alloc(300_000, "content");
  const { hash } = await blobs.put("1", content);
  const path = join(folder.path, "buckets", "1", hash.slice(0, 2), hash);
  const bytes = await readFile(path);
  bytes[200_000]! ^= 1;
  await writeFile(path, bytes);
  await expect(blobs.get("1", hash)).rejects.toThrow("damaged");
  await expect(blobs.stream("1", hash).toArray()).rejects.toThrow("damaged");
  await expect(blobs.stream("1", hash, 0, 10).toArray()).rejects.toThrow("damaged");
  await blobs.put("1", content);
  expect((await blobs.stream("1", hash).toArray()).length).toBeGreaterThan(0);
  await writeFile(path, bytes);
  // it was read before and is a different file now
  await expect(blobs.stream("1", hash, 0, 10).toArray()).rejects.toThrow("damaged");
  await blobs.put("1", content);
  expect(Buffer.concat(await blobs.stream("1", hash, 5, 105).toArray())).toEqual(content.subarray(5, 105));
});
