import { append } from "../base/append.ts";
import type { Chunk } from "../domain/chunk.ts";
import type { ChunkRange } from "../domain/node.ts";
import type { QuantisedVector } from "../domain/quantise.ts";
import type { Draft } from "../storage/draft.ts";
import type { Kv, KvReader } from "../storage/kv.ts";
import { Numbers } from "../storage/numbers.ts";
import { encodeRecord, NUMBERS } from "../storage/record-codec.ts";
import type { Cached } from "./cache.ts";
import { isOrphan, retirePartition, sweepFiles } from "./files.ts";
import type { IndexKeys } from "./keys.ts";
import { manifestOf } from "./manifest.ts";
import { OwnerIndex } from "./owner-index.ts";
import type { IndexContext } from "./owner-segments.ts";
import type { SearchableSegment } from "./searchable.ts";
import { encodeChunk, encodeVector } from "./segments/record.ts";
import { noteVectors } from "./spaces.ts";

export interface IndexedChunk {
  readonly partition: number;
  readonly doc: number;
  readonly chunk: Chunk;
}

/** A chunk's vector in a space other than the instant one. */
export interface IndexedVector {
  readonly space: string;
  readonly partition: number;
  readonly doc: number;
  readonly vector: QuantisedVector;
}

/**
 * The chunks of a workspace: records in the store, sealed files, and partitions that are loaded when
 * searched.
 */
export class WorkspaceIndex {
  readonly #home: IndexContext;
  readonly #kv: Kv;
  readonly #keys: IndexKeys;
  readonly #open = new Map<number, OwnerIndex>();
  readonly #docs = new Map<number, Numbers>();
  readonly #partitions: Numbers;

  constructor(home: IndexContext) {
    this.#home = home;
    this.#kv = home.kv;
    this.#keys = home.keys;
    this.#partitions = new Numbers(home.kv, home.keys.counter("partition"), 1);
  }

  /** The partition of an owner, created if missing. `allowed` can reject the creation in its transaction. */
  async partitionFor(owner: string, allowed: (read: KvReader) => void = () => undefined): Promise<number> {
    const key = this.#keys.partition(owner);
    const known = NUMBERS.read(this.#kv, key);
    if (known !== undefined) return known;
    const fresh = await this.#partitions.reserve();
    return this.#kv.transact((read) => {
      allowed(read);
      const raced = NUMBERS.read(read, key);
      return {
        ops: raced === undefined ? [{ key, value: encodeRecord(fresh) }] : [],
        apply: () => raced ?? fresh,
      };
    });
  }

  /**
   * Partitions that may contain chunks of these owners: their own, and those from which content was moved to
   * them.
   */
  partitionsOf(owners: readonly string[]): number[] {
    const found = new Set<number>();
    const waiting = owners.flatMap(
      (owner) => NUMBERS.readShared(this.#kv, this.#keys.partition(owner)) ?? [],
    );
    for (let partition = waiting.pop(); partition !== undefined; partition = waiting.pop()) {
      if (found.has(partition)) continue;
      found.add(partition);
      append(waiting, this.#guests(this.#kv, partition));
    }
    return [...found].sort((a, b) => a - b);
  }

  /** Records that chunks of `from` and its foreign partitions may now belong to nodes of `to`. */
  addForeignPartition(draft: Draft, to: number, from: number): void {
    if (to === from) return;
    const manifest = manifestOf(draft.get(this.#keys.manifest(to)));
    const wanted = [...new Set([...manifest.guests, from, ...this.#guests(draft, from)])].filter(
      (partition) => partition !== to,
    );
    if (wanted.length > manifest.guests.length)
      draft.put(this.#keys.manifest(to), encodeRecord({ ...manifest, guests: wanted }));
  }

  /** Reserves `count` consecutive chunk numbers in a partition; returns the first. */
  async reserve(partition: number, count: number): Promise<number> {
    let numbers = this.#docs.get(partition);
    if (!numbers) {
      numbers = new Numbers(this.#kv, this.#keys.counter(`doc-${partition}`), 0);
      this.#docs.set(partition, numbers);
    }
    const first = await numbers.reserve(count);
    this.#partition(partition).reserved.open(first, count);
    return first;
  }

  putRecord(draft: Draft, { partition, doc, chunk }: IndexedChunk): void {
    draft.put(this.#keys.chunk(partition, doc), encodeChunk(chunk));
  }

  addToMemory({ partition, doc, chunk }: IndexedChunk): void {
    this.#partition(partition).add(doc, chunk);
  }

  /** The space in which jobs make a vector for every chunk; undefined if there is only the instant space. */
  get mainSpace(): string | undefined {
    return this.#home.stores.spaces[0];
  }

  /** Whether vectors of a space are loaded. */
  searches(space: string): boolean {
    return this.#home.stores.spaces.includes(space);
  }

  hasVector(space: string, partition: number, doc: number): boolean {
    return this.#kv.get(this.#keys.vector(space, partition, doc)) !== undefined;
  }

  /** Writes a vector of a chunk that the same transaction adds; call `setVector` after the chunk is added. */
  putVectorOf(draft: Draft, { space, partition, doc, vector }: IndexedVector): void {
    noteVectors(draft, this.#keys, space);
    draft.put(this.#keys.vector(space, partition, doc), encodeVector(vector));
  }

  setVector({ space, partition, doc, vector }: IndexedVector): void {
    this.#partition(partition).setVector({ space, doc, vector });
  }

  /** Writes vectors of chunks that still exist; they are searchable once the transaction is durable. */
  putVectors(draft: Draft, vectors: readonly IndexedVector[]): void {
    for (const vector of vectors) {
      if (draft.get(this.#keys.chunk(vector.partition, vector.doc)) === undefined) continue;
      this.putVectorOf(draft, vector);
      draft.onDurable(() => this.setVector(vector));
    }
  }

  /** Moves late vectors into files, because no more are expected soon. */
  settleVectors(): void {
    for (const partition of this.#open.values()) partition.settleVectors();
  }

  /** Drops the vectors of a space from memory after its records are removed. */
  dropSpace(space: string): void {
    for (const { searchable } of this.#open.values())
      for (const segment of searchable ?? []) segment.dropSpace(space);
  }

  drop(range: ChunkRange): void {
    this.#partition(range.partition).drop(range);
  }

  /** The segments of the partitions; loads them if necessary. */
  async loadSegments(partitions: readonly number[]): Promise<readonly SearchableSegment[]> {
    return (await Promise.all(partitions.map((partition) => this.#partition(partition).load()))).flat();
  }

  /**
   * The current segments of the partitions, valid for one search, because additions may create more.
   * Undefined if a partition is not in memory.
   */
  loadedSegments(partitions: readonly number[]): readonly SearchableSegment[] | undefined {
    const found = partitions.map((partition) => this.#partition(partition).searchable);
    return found.every((searchable) => searchable !== undefined) ? found.flat() : undefined;
  }

  /** Chunk counts of the loaded partitions, for observers. */
  counts(): { partition: number; chunks: number }[] {
    return [...this.#open.values()]
      .filter(({ searchable }) => searchable)
      .map((open) => ({ partition: open.number, chunks: open.count }));
  }

  /** Drops all partitions except `used` from memory; false while that is impossible. */
  evict(used?: Cached): boolean {
    for (const partition of this.#open.values()) {
      if (!partition.evict(used)) return false;
      this.#home.stores.cache.forget(partition);
    }
    return true;
  }

  /** See Numbers.settle. */
  settle(draft: Draft): void {
    for (const numbers of [this.#partitions, ...this.#docs.values()]) numbers.settle(draft);
  }

  /** Whether any file exists; a restored backup has none until the server rebuilds them from the records. */
  async hasFiles(): Promise<boolean> {
    const { files, bucket } = this.#home.folder;
    for await (const _ of files.list(bucket)) return true;
    return false;
  }

  /** Whether a file exists and has the right hash. */
  isWhole(name: string): Promise<boolean> {
    const { files, bucket } = this.#home.folder;
    return files.get(bucket, name).then(
      () => true,
      () => false,
    );
  }

  /**
   * Deletes files that no manifest refers to, except `kept`: leftovers of a killed process. Call only before
   * the first search.
   */
  sweep(kept: Iterable<string>): Promise<void> {
    return sweepFiles(this.#home, kept);
  }

  /** Rewrites the files of an owner's partitions that contain removed chunks. Idempotent. */
  async scrub(owner: string): Promise<void> {
    for (const partition of this.partitionsOf([owner])) await this.#partition(partition).scrub();
  }

  /**
   * Removes the files of a partition whose owner is gone and whose chunks are purged, after any running
   * compaction. Idempotent.
   */
  async retire(partition: number): Promise<void> {
    let isDone = false;
    await this.#home.stores.executor.run(async () => {
      await retirePartition(this.#home, partition, (isEmpty) => {
        this.#partition(partition).forget();
        if (isEmpty) this.#docs.delete(partition);
      });
      isDone = true;
    });
    // the executor only logs failures, and may stop with the server
    if (!isDone) throw new Error(`partition ${partition} has not been given up`);
  }

  /** Removes those of the partitions that are empty and have no owner. */
  async retireEmpty(partitions: Iterable<number>): Promise<void> {
    for (const partition of partitions)
      if (await isOrphan(this.#home, partition)) await this.retire(partition);
  }

  #partition(number: number): OwnerIndex {
    let partition = this.#open.get(number);
    if (!partition) {
      partition = new OwnerIndex(this.#home, number);
      this.#open.set(number, partition);
    }
    return partition;
  }

  #guests(reader: { get(key: string): Uint8Array | undefined }, partition: number): readonly number[] {
    return manifestOf(reader.get(this.#keys.manifest(partition))).guests;
  }
}
