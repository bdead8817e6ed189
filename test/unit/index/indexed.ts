import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { SerialExecutor } from "../../../src/base/concurrency/serial-executor.ts";
import type { Chunk } from "../../../src/domain/chunk.ts";
import { workspaceId } from "../../../src/domain/ids.ts";
import { isSameVector, quantise } from "../../../src/domain/quantise.ts";
import { IndexCache } from "../../../src/index/cache.ts";
import { WorkspaceIndex } from "../../../src/index/workspace-index.ts";
import type { Blobs } from "../../../src/storage/blobs.ts";
import { Draft } from "../../../src/storage/draft.ts";
import type { Kv } from "../../../src/storage/kv.ts";
import { Keys } from "../../../src/workspace/keys.ts";
import { chunk, contents } from "./segments/chunks.ts";

/** A space in addition to the static one. */
export const SPACE = "better";
export const PARTITION = 1;
export const BUCKET = "1";

interface Stores {
  readonly kv: Kv;
  readonly files: Blobs;
  readonly sealDocs?: number;
  readonly cacheBytes?: number;
}

/** The index of a workspace whose nodes are a map from node to generation. */
export class Indexed {
  readonly generations: Map<number, number>;
  readonly reports: string[] = [];
  readonly keys = new Keys(workspaceId(1));
  readonly lane: SerialExecutor;
  readonly cache: IndexCache;
  readonly index: WorkspaceIndex;
  readonly #stores: Stores;
  readonly #clock: { generation: number };

  constructor(stores: Stores, generations = new Map<number, number>(), clock = { generation: 1 }) {
    this.#stores = stores;
    this.#clock = clock;
    this.generations = generations;
    const report = (what: string) => this.reports.push(what);
    this.lane = new SerialExecutor((error) => this.reports.push(String(error)));
    this.cache = new IndexCache(stores.cacheBytes ?? 2 ** 30);
    this.index = new WorkspaceIndex({
      kv: stores.kv,
      keys: this.keys,
      folder: { files: stores.files, bucket: BUCKET },
      stores: {
        files: stores.files,
        spaces: [SPACE],
        sealDocs: stores.sealDocs ?? 5,
        cache: this.cache,
        executor: this.lane,
        report,
      },
      isCurrent: (node, generation) => this.generations.get(node) === generation,
      isClosed: () => false,
      isDeleted: () => false,
    });
  }

  /** Reopens it as after a restart of the server. */
  async restarted(changes: Partial<Stores> = {}): Promise<Indexed> {
    await this.lane.stop();
    const next = new Indexed({ ...this.#stores, ...changes }, this.generations, this.#clock);
    await next.index.sweep([]);
    return next;
  }

  /** Replaces a node's chunks with those of a new generation, under numbers that were reserved before. */
  async write(node: number, docs: readonly number[], old: readonly number[] = []): Promise<void> {
    const generation = this.#clock.generation++;
    const added = docs.map((doc) => ({
      partition: PARTITION,
      doc,
      chunk: { ...chunk(doc, node), generation } satisfies Chunk,
    }));
    await this.#commit((draft) => {
      for (const one of added) this.index.putRecord(draft, one);
      for (const doc of old) this.#delete(draft, doc);
      draft.onDurable(() => {
        for (const doc of old) this.index.drop({ partition: PARTITION, first: doc, count: 1 });
        this.generations.set(node, generation);
        for (const one of added) this.index.addToMemory(one);
      });
    });
  }

  async remove(node: number, docs: readonly number[]): Promise<void> {
    await this.#commit((draft) => {
      for (const doc of docs) this.#delete(draft, doc);
      draft.onDurable(() => {
        this.generations.delete(node);
        for (const doc of docs) this.index.drop({ partition: PARTITION, first: doc, count: 1 });
      });
    });
  }

  /** Adds vectors of the additional space to documents. */
  async give(docs: readonly number[]): Promise<void> {
    const vectors = docs.map((doc) => ({
      space: SPACE,
      partition: PARTITION,
      doc,
      vector: furtherVector(doc),
    }));
    await this.#commit((draft) => this.index.putVectors(draft, vectors));
  }

  /** Returns the live documents whose vector of the additional space is in memory, with that vector. */
  async given(): Promise<number[]> {
    const parts = await this.index.loadSegments([PARTITION]);
    const counting = [...(await this.contents()).keys()];
    const part = (doc: number) => parts.find((one) => one.has(doc))!;
    return counting.filter((doc) => isSameVector(part(doc).vectorOf(SPACE, doc), furtherVector(doc)));
  }

  /** Returns what a search sees of the live documents, by number. */
  async contents(): Promise<ReturnType<typeof contents>> {
    const found = (await this.index.loadSegments([PARTITION])).flatMap((part) => [...contents(part)]);
    const counting = found.filter(([, { columns }]) => this.generations.get(columns[0]!) === columns[1]);
    return new Map(counting.sort(([a], [b]) => a - b));
  }

  async segments(): Promise<number> {
    return (await this.index.loadSegments([PARTITION])).length - 1;
  }

  #delete(draft: Draft, doc: number): void {
    draft.delete(this.keys.chunk(PARTITION, doc));
    draft.delete(this.keys.vector(SPACE, PARTITION, doc));
  }

  #commit(decide: (draft: Draft) => void): Promise<void> {
    return this.#stores.kv.transact((read) => {
      const draft = new Draft(read);
      decide(draft);
      return draft.toChange(() => undefined);
    });
  }
}

const furtherVector = (doc: number) =>
  quantise(Float32Array.from({ length: 16 }, (_, i) => Math.cos(doc * (i + 1))));

/** Returns the files below a folder. */
export async function filesBelow(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Flips one bit in the middle of a file. */
export async function flip(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    const at = Math.floor((await file.stat()).size / 2);
    const byte = Buffer.alloc(1);
    await file.read(byte, 0, 1, at);
    byte[0]! ^= 1;
    await file.write(byte, 0, 1, at);
  } finally {
    await file.close();
  }
}
