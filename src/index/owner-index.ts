import { EventLoopYielder } from "../base/event-loop.ts";
import { type Chunk, INSTANT_SPACE } from "../domain/chunk.ts";
import type { ChunkRange } from "../domain/node.ts";
import { lastNumber } from "../storage/key-numbers.ts";
import { pairPages, prefixRange } from "../storage/kv.ts";
import type { Cached } from "./cache.ts";
import { compact, scrub } from "./compaction.ts";
import { closeNeighbours, maintainNeighbours } from "./maintain-neighbours.ts";
import { manifestOf, type SegmentRecord } from "./manifest.ts";
import {
  addChunk,
  type Compactable,
  freezeMutable,
  hasChunk,
  type IndexContext,
  type LateVector,
  type OwnerSegments,
  removeChunks,
  searchableOf,
  setLateVector,
} from "./owner-segments.ts";
import { ReservedRanges } from "./reserved-ranges.ts";
import type { SearchableSegment } from "./searchable.ts";
import { MutableSegment } from "./segments/mutable-segment.ts";
import { decodeChunk, decodeVector } from "./segments/record.ts";
import { sealTurns } from "./segments/seal.ts";
import { Segment } from "./segments/segment.ts";
import { readSegment } from "./segments/segment-files.ts";
import { spacesWithVectors } from "./spaces.ts";

/** Number of records read between two yields. */
const PAGE = 250;

type Change = { readonly doc: number; readonly chunk: Chunk } | ChunkRange | LateVector;

/**
 * The index of one owner: records in the store, sealed files, and segments that are loaded while the owner
 * searches.
 */
export class OwnerIndex implements Cached, Compactable {
  readonly number: number;
  readonly home: IndexContext;
  /** Reserved chunk numbers whose records have not been seen. */
  readonly reserved = new ReservedRanges();
  loaded: OwnerSegments | undefined;
  lateVectors: LateVector[] | undefined;
  #loading: { readonly loaded: Promise<OwnerSegments>; readonly missed: Change[] } | undefined;
  /** Number of chunks added since the last load while the index was not in memory. */
  #unseen = 0;
  /** Number of pending compaction requests. */
  #upkeep = 0;
  #dropped = 0;

  constructor(home: IndexContext, number: number) {
    this.home = home;
    this.number = number;
  }

  get bytes(): number {
    return (this.searchable ?? []).reduce((sum, part) => sum + part.bytes, 0);
  }

  /** Number of chunks in memory. */
  get count(): number {
    return (this.searchable ?? []).reduce((sum, part) => sum + part.count, 0);
  }

  /** Loaded segments; undefined if the index is not in memory. */
  get searchable(): readonly SearchableSegment[] | undefined {
    return this.loaded && searchableOf(this.loaded);
  }

  /** Loads the index into memory. */
  async load(): Promise<readonly SearchableSegment[]> {
    if (!this.loaded) return searchableOf(await this.#load());
    this.home.stores.cache.touch(this);
    return searchableOf(this.loaded);
  }

  add(doc: number, chunk: Chunk): void {
    this.reserved.fill(doc);
    this.#loading?.missed.push({ doc, chunk });
    if (this.loaded) {
      if (addChunk(this.loaded, doc, chunk, this.home.stores.sealDocs)) this.#schedule();
    } else if (!this.#loading && ++this.#unseen >= this.home.stores.sealDocs) {
      // load, and so seal, an index nobody searches: its first search need not read all records
      void this.#load().catch((error) => this.home.stores.report(`partition ${this.number}`, error));
    }
  }

  setVector(late: LateVector): void {
    this.#loading?.missed.push(late);
    this.lateVectors?.push(late);
    if (this.loaded) setLateVector(this.loaded, late);
  }

  settleVectors(): void {
    if (!this.loaded) return;
    this.home.stores.cache.touch(this);
    this.#schedule();
  }

  drop(range: ChunkRange): void {
    this.reserved.close(range.first, range.count);
    this.#loading?.missed.push(range);
    if (!this.loaded) return;
    removeChunks(this.loaded, range);
    this.#dropped += range.count;
    if (this.#dropped < this.home.stores.sealDocs) return;
    this.#dropped = 0;
    this.#schedule();
  }

  /** Rewrites files that contain chunks without a record. */
  async scrub(): Promise<void> {
    // prevents eviction meanwhile
    this.#upkeep++;
    let isDone = false;
    try {
      await this.load();
      await this.home.stores.executor.run(async (signal) => {
        await scrub(this, signal);
        isDone = true;
      });
    } finally {
      this.#upkeep--;
    }
    // the executor only logs failures, and may stop with the server
    if (!isDone) throw new Error(`partition ${this.number} could not be rewritten`);
  }

  forget(): void {
    this.#letGo();
    this.home.stores.cache.forget(this);
  }

  evict(used?: Cached): boolean {
    if (used === this || this.#upkeep > 0 || this.#loading) return false;
    this.#letGo();
    return true;
  }

  #letGo(): void {
    if (this.loaded) closeNeighbours(this.loaded);
    this.loaded = undefined;
  }

  /** Enqueues due seals and merges in the executor. */
  #schedule(): void {
    if (this.#upkeep > 1) return;
    this.#upkeep++;
    void this.home.stores.executor
      .run((signal) => compact(this, signal))
      .then(() => {
        this.#upkeep--;
        if (this.loaded) this.home.stores.cache.touch(this);
      });
  }

  #load(): Promise<OwnerSegments> {
    if (this.#loading) return this.#loading.loaded;
    const missed: Change[] = [];
    const loaded = this.#read(missed).finally(() => {
      this.#loading = undefined;
    });
    this.#loading = { loaded, missed };
    return loaded;
  }

  async #read(missed: readonly Change[]): Promise<OwnerSegments> {
    const { kv, keys, stores } = this.home;
    const manifest = manifestOf(kv.get(keys.manifest(this.number)));
    const loaded: OwnerSegments = { segments: [], frozen: [], mutable: new MutableSegment() };
    const lost: SegmentRecord[] = [];
    const held = spacesWithVectors(kv, keys);
    const spaces = stores.spaces.filter((space) => held.includes(space));
    for (const record of manifest.segments) {
      const segment = await this.#open(record, [INSTANT_SPACE, ...spaces]);
      if (segment)
        loaded.segments = [...loaded.segments, { record, segment, checked: 0, isIndexed: false, builds: 0 }];
      else lost.push(record);
    }
    for (const [first, count] of manifest.late) await this.#readRecords(loaded, first, first + count);
    await this.#readRecords(loaded, manifest.end);
    for (const { first, last } of lost) await this.#readRecords(loaded, first, last + 1);
    for (const space of spaces) await this.#readVectors(loaded, space);
    for (const change of missed) {
      if ("vector" in change) setLateVector(loaded, change);
      else if (!("chunk" in change)) removeChunks(loaded, change);
      else if (!hasChunk(loaded, change.doc)) addChunk(loaded, change.doc, change.chunk, stores.sealDocs);
    }
    // the next seal, however small, removes lost segments from the manifest
    if (lost.length > 0) freezeMutable(loaded);
    this.#unseen = 0;
    this.loaded = loaded;
    stores.cache.touch(this);
    maintainNeighbours(this);
    this.#schedule();
    return loaded;
  }

  async #open(record: SegmentRecord, spaces: readonly string[]): Promise<Segment | undefined> {
    const { folder, stores } = this.home;
    try {
      return await Segment.open(await readSegment(folder, record.files, spaces), sealTurns());
    } catch (error) {
      stores.report(`a segment of partition ${this.number}`, error);
      return undefined;
    }
  }

  /** Reads vectors that are in no file: late vectors of sealed chunks, and those of the mutable segment. */
  async #readVectors(loaded: OwnerSegments, space: string): Promise<void> {
    const { kv, keys } = this.home;
    const any = await kv.keys(prefixRange(keys.vectors(space, this.number), 1));
    if (any.length === 0) return;
    const yielder = new EventLoopYielder();
    for (const segment of searchableOf(loaded)) {
      for (const doc of segment.docsWithout(space)) {
        const value = kv.get(keys.vector(space, this.number, doc));
        if (value !== undefined) segment.setVector(space, doc, decodeVector(value));
        await yielder.yieldIfDue();
      }
    }
  }

  async #readRecords(loaded: OwnerSegments, first: number, end?: number): Promise<void> {
    const { kv, keys, stores } = this.home;
    const lt = end === undefined ? prefixRange(keys.chunks(this.number)).lt : keys.chunk(this.number, end);
    for await (const page of pairPages(kv, { gte: keys.chunk(this.number, first), lt, limit: PAGE }))
      for (const [key, value] of page) {
        const doc = lastNumber(key);
        if (!hasChunk(loaded, doc)) addChunk(loaded, doc, decodeChunk(value), stores.sealDocs);
      }
  }
}
