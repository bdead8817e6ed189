import { unlink } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { MutableSegment } from "../../../src/index/segments/mutable-segment.ts";
import { Segment } from "../../../src/index/segments/segment.ts";
import { DiskBlobs } from "../../../src/storage/disk/disk-blobs.ts";
import { Draft } from "../../../src/storage/draft.ts";
import type { Kv } from "../../../src/storage/kv.ts";
import { RamBlobs } from "../../../src/storage/ram/ram-blobs.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { filesBelow, flip, Indexed, PARTITION, SPACE } from "./indexed.ts";
import { chunk, contents } from "./segments/chunks.ts";

const inMemory = (more: { sealDocs?: number; cacheBytes?: number } = {}) =>
  new Indexed({ kv: new RamKv(), files: new RamBlobs(() => 0), ...more });

/** Returns what a single tail with the live chunks answers; documents by node. */
function wanted(indexed: Indexed, model: ReadonlyMap<number, readonly number[]>) {
  const tail = new MutableSegment();
  for (const [node, docs] of model)
    for (const doc of docs)
      tail.add(doc, { ...chunk(doc, node), generation: indexed.generations.get(node)! });
  return contents(tail);
}

async function write(
  indexed: Indexed,
  model: Map<number, number[]>,
  node: number,
  count: number,
): Promise<void> {
  const first = await indexed.index.reserve(PARTITION, count);
  const docs = Array.from({ length: count }, (_, i) => first + i);
  await indexed.write(node, docs, model.get(node));
  model.set(node, docs);
}

/** Ten nodes of three chunks each, sealed and merged. */
async function filled(indexed: Indexed): Promise<Map<number, number[]>> {
  const model = new Map<number, number[]>();
  await indexed.index.loadSegments([PARTITION]);
  for (let node = 1; node <= 10; node++) await write(indexed, model, node, 3);
  await indexed.lane.idle();
  return model;
}

interface Step {
  readonly write?: number;
  readonly count?: number;
  readonly remove?: number;
  readonly give?: number;
  readonly settle?: boolean;
  readonly look?: true;
  readonly evict?: true;
  readonly restart?: true;
  readonly wait?: true;
}

/**
 * An index and a simple model of it: the live documents by node, and those with a vector of the additional
 * space.
 */
class Trial {
  indexed = inMemory();
  readonly #model = new Map<number, number[]>();
  readonly #given = new Set<number>();

  async take(step: Step): Promise<void> {
    if (step.write !== undefined) await write(this.indexed, this.#model, step.write, step.count!);
    if (step.remove !== undefined) await this.#remove(step.remove);
    if (step.give !== undefined) await this.#give(step.give, step.settle!);
    if (step.look) await this.check();
    if (step.evict) this.indexed.index.evict();
    if (step.restart) this.indexed = await this.indexed.restarted();
    if (step.wait) await this.indexed.lane.idle();
  }

  async check(): Promise<void> {
    const docs = [...this.#model.values()].flat().filter((doc) => this.#given.has(doc));
    expect(await this.indexed.contents()).toEqual(wanted(this.indexed, this.#model));
    expect(await this.indexed.given()).toEqual(docs.sort((a, b) => a - b));
  }

  async #remove(node: number): Promise<void> {
    await this.indexed.remove(node, this.#model.get(node) ?? []);
    this.#model.delete(node);
  }

  async #give(node: number, settle: boolean): Promise<void> {
    await this.indexed.give(this.#model.get(node) ?? []);
    for (const doc of this.#model.get(node) ?? []) this.#given.add(doc);
    if (settle) this.indexed.index.settleVectors();
  }
}

describe("the index of a workspace", () => {
  const step = fc.oneof(
    { weight: 8, arbitrary: fc.record({ write: fc.nat(12), count: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 3, arbitrary: fc.record({ remove: fc.nat(12) }) },
    { weight: 4, arbitrary: fc.record({ give: fc.nat(12), settle: fc.boolean() }) },
    { weight: 2, arbitrary: fc.constant<Step>({ look: true }) },
    { weight: 1, arbitrary: fc.constant<Step>({ evict: true }) },
    { weight: 1, arbitrary: fc.constant<Step>({ restart: true }) },
    { weight: 1, arbitrary: fc.constant<Step>({ wait: true }) },
  );

  it("an index returns the same as one mutable segment, however it was sealed, merged or reloaded", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const trial = new Trial();
        for (const one of steps) await trial.take(one);
        await trial.check();
        await trial.take({ wait: true });
        await trial.check();
        await trial.take({ restart: true });
        await trial.check();
        expect(trial.indexed.reports).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it("chunks whose numbers were reserved before a seal and that are written after it are found", async () => {
    const indexed = inMemory();
    await indexed.index.loadSegments([PARTITION]);
    const early = await indexed.index.reserve(PARTITION, 2);
    const model = await filled(indexed);
    expect(await indexed.segments()).toBeGreaterThan(0);
    await indexed.write(11, [early]);
    model.set(11, [early]);
    const again = await indexed.restarted();
    expect(await again.contents()).toEqual(wanted(again, model));
  });

  it("vectors added after a seal are written into the sealed segments once no more are expected", async () => {
    const indexed = inMemory();
    const docs = [...(await filled(indexed)).values()].flat();
    const late = async () => {
      const segments = (await indexed.index.loadSegments([PARTITION])).filter(
        (part) => part instanceof Segment,
      );
      return segments.reduce((sum, segment) => sum + segment.lateVectors(SPACE), 0);
    };
    await indexed.give(docs.slice(1));
    indexed.index.settleVectors();
    await indexed.lane.idle();
    const before = await late();
    await indexed.give(docs.slice(0, 1));
    indexed.index.settleVectors();
    await indexed.lane.idle();
    expect([before > 0, await late()]).toEqual([true, 0]);
    expect(await (await indexed.restarted()).given()).toEqual(docs);
  });

  it("an index that is never searched is sealed, too", async () => {
    const indexed = inMemory();
    const model = new Map<number, number[]>();
    for (let node = 1; node <= 30; node++) await write(indexed, model, node, 1);
    await indexed.lane.idle();
    expect(await indexed.segments()).toBeGreaterThan(0);
  });

  it("four segments of similar size are merged without their removed chunks", async () => {
    const indexed = inMemory({ sealDocs: 4 });
    const model = new Map<number, number[]>();
    await indexed.index.loadSegments([PARTITION]);
    for (let node = 1; node <= 64; node++) await write(indexed, model, node, 1);
    await indexed.lane.idle();
    expect(await indexed.segments()).toBe(1);
    for (let node = 1; node <= 20; node++) {
      await indexed.remove(node, model.get(node)!);
      model.delete(node);
    }
    await indexed.lane.idle();
    const [segment] = await indexed.index.loadSegments([PARTITION]);
    expect(segment!.count).toBe(44);
    expect(await indexed.contents()).toEqual(wanted(indexed, model));
  });

  it("sealing keeps the chunks of foreign partitions, and adding a foreign partition keeps existing segments", async () => {
    const kv = new RamKv();
    const files = new RamBlobs(() => 0);
    const indexed = new Indexed({ kv, files });
    const model = await filled(indexed);
    await kv.transact((read) => {
      const draft = new Draft(read);
      indexed.index.addForeignPartition(draft, PARTITION, 7);
      return draft.toChange(() => undefined);
    });
    for (let node = 11; node < 20; node++) await write(indexed, model, node, 1);
    await indexed.lane.idle();
    expect(Buffer.from(kv.get(indexed.keys.manifest(PARTITION))!).toString()).toContain('"guests":[7]');
    const again = await indexed.restarted();
    expect(await again.contents()).toEqual(wanted(again, model));
  });

  it("an index above its cache limit drops the least recently used partition", async () => {
    const indexed = inMemory({ cacheBytes: 1 });
    const model = await filled(indexed);
    await indexed.index.loadSegments([PARTITION + 1]);
    expect(indexed.index.loadedSegments([PARTITION])).toBeUndefined();
    expect(indexed.cache.size).toBe(1);
    expect(await indexed.contents()).toEqual(wanted(indexed, model));
  });
});

describe("files of the index", () => {
  it("a damaged or missing index file is detected, and the rebuilt index gives the same results", async () => {
    const folder = await temporaryFolder();
    onTestFinished(folder.remove);
    const kv = new RamKv();
    const files = await DiskBlobs.open(folder.path, () => 0);
    let indexed = new Indexed({ kv, files });
    const model = await filled(indexed);
    const paths = await filesBelow(folder.path);
    expect(paths.length).toBeGreaterThanOrEqual(3);
    for (let i = 0; i < paths.length; i++) {
      for (const harm of [flip, unlink]) {
        await harm((await filesBelow(folder.path))[i]!);
        indexed = await indexed.restarted();
        expect(await indexed.contents()).toEqual(wanted(indexed, model));
        expect(indexed.reports).toEqual([`a segment of partition ${PARTITION}`]);
        await indexed.lane.idle();
        indexed = await indexed.restarted();
        expect(await indexed.contents()).toEqual(wanted(indexed, model));
        expect(indexed.reports).toEqual([]);
      }
    }
  });

  it("index files of an unfinished step are removed at the next start", async () => {
    const folder = await temporaryFolder();
    onTestFinished(folder.remove);
    const kv = new RamKv();
    const files = await DiskBlobs.open(folder.path, () => 0);
    const isManifest = (key: string) => key.includes("/x/");
    const killed: Kv = new Proxy(kv, {
      get: (target, name) =>
        name === "transact"
          ? (decide: Parameters<Kv["transact"]>[0]) =>
              target.transact((read) => {
                const change = decide(read);
                if (change.ops.some(({ key }) => isManifest(key))) throw new Error("killed");
                return change;
              })
          : Reflect.get(target, name).bind?.(target),
    });
    const indexed = new Indexed({ kv: killed, files });
    const model = await filled(indexed);
    expect(indexed.reports).toContain("Error: killed");
    expect(await filesBelow(folder.path)).not.toEqual([]);
    const again = await indexed.restarted({ kv });
    expect(await filesBelow(folder.path)).toEqual([]);
    expect(await again.contents()).toEqual(wanted(again, model));
    await again.lane.idle();
    expect(await again.segments()).toBeGreaterThan(0);
    const third = await again.restarted();
    expect(await third.contents()).toEqual(wanted(third, model));
  });
});
