import type { Chunk } from "../domain/chunk.ts";
import type { ChunkRange } from "../domain/node.ts";
import { after, prefixRange } from "../storage/kv.ts";
import type { IndexPart } from "../storage/partition.ts";
import { decodeChunk } from "../storage/segments/record.ts";
import { sealTurns } from "../storage/segments/seal.ts";
import { Segment } from "../storage/segments/segment.ts";
import { readSegment } from "../storage/segments/segment-files.ts";
import { Tail } from "../storage/segments/tail.ts";
import type { Cached } from "./index-cache.ts";
import { lastNumber } from "./keys.ts";
import { manifestOf, type SegmentRecord } from "./manifest.ts";
import { closeNeighbours, tendNeighbours } from "./neighbours.ts";
import { dropFrom, freeze, has, type IndexHome, type Parts, piecesOf, put, type Tended } from "./parts.ts";
import { ReservedRanges } from "./reserved-ranges.ts";
import { tend } from "./upkeep.ts";

/** Records read in one stretch: about 10 ms. */
const PAGE = 250;

type Change = { readonly doc: number; readonly chunk: Chunk } | ChunkRange;

/** The index of one owner: records in the store, sealed files, and what of it is in memory while somebody searches it. */
export class Partition implements Cached, Tended {
  readonly number: number;
  readonly home: IndexHome;
  /** Numbers given out whose chunks have not been seen. */
  readonly reserved = new ReservedRanges();
  parts: Parts | undefined;
  #loading: { readonly parts: Promise<Parts>; readonly missed: Change[] } | undefined;
  /** Chunks added since the last load while nothing was in memory. */
  #unseen = 0;
  /** Upkeep asked for and not ended. */
  #upkeep = 0;
  #dropped = 0;

  constructor(home: IndexHome, number: number) {
    this.home = home;
    this.number = number;
  }

  get bytes(): number {
    return (this.pieces ?? []).reduce((sum, part) => sum + part.bytes, 0);
  }

  /** Documents in memory. */
  get count(): number {
    return (this.pieces ?? []).reduce((sum, part) => sum + part.count, 0);
  }

  /** What is in memory, if it is. */
  get pieces(): readonly IndexPart[] | undefined {
    return this.parts && piecesOf(this.parts);
  }

  /** Brings it into memory. */
  async load(): Promise<readonly IndexPart[]> {
    if (!this.parts) return piecesOf(await this.#load());
    this.home.stores.cache.touch(this);
    return piecesOf(this.parts);
  }

  add(doc: number, chunk: Chunk): void {
    this.reserved.fill(doc);
    this.#loading?.missed.push({ doc, chunk });
    if (this.parts) {
      if (put(this.parts, doc, chunk, this.home.stores.sealDocs)) this.#schedule();
    } else if (!this.#loading && ++this.#unseen >= this.home.stores.sealDocs) {
      // so that what nobody searches is sealed too, and the first who does need not read it all
      void this.#load().catch((error) => this.home.stores.report(`partition ${this.number}`, error));
    }
  }

  drop(range: ChunkRange): void {
    this.reserved.close(range.first, range.count);
    this.#loading?.missed.push(range);
    if (!this.parts) return;
    dropFrom(this.parts, range);
    this.#dropped += range.count;
    if (this.#dropped < this.home.stores.sealDocs) return;
    this.#dropped = 0;
    this.#schedule();
  }

  forget(): void {
    this.#letGo();
    this.home.stores.cache.forget(this);
  }

  evict(): boolean {
    if (this.#upkeep > 0 || this.#loading) return false;
    this.#letGo();
    return true;
  }

  #letGo(): void {
    if (this.parts) closeNeighbours(this.parts);
    this.parts = undefined;
  }

  /** Seals and merges what is due, after what others wait for there. */
  #schedule(): void {
    if (this.#upkeep > 1) return;
    this.#upkeep++;
    void this.home.stores.lane
      .run((signal) => tend(this, signal))
      .then(() => {
        this.#upkeep--;
        if (this.parts) this.home.stores.cache.touch(this);
      });
  }

  #load(): Promise<Parts> {
    if (this.#loading) return this.#loading.parts;
    const missed: Change[] = [];
    const parts = this.#read(missed).finally(() => {
      this.#loading = undefined;
    });
    this.#loading = { parts, missed };
    return parts;
  }

  async #read(missed: readonly Change[]): Promise<Parts> {
    const { kv, keys, stores } = this.home;
    const manifest = manifestOf(kv.get(keys.manifest(this.number)));
    const parts: Parts = { segments: [], frozen: [], tail: new Tail() };
    const lost: SegmentRecord[] = [];
    for (const record of manifest.segments) {
      const segment = await this.#open(record);
      if (segment) parts.segments = [...parts.segments, { record, segment, checked: 0, isIndexed: false, builds: 0 }];
      else lost.push(record);
    }
    for (const [first, count] of manifest.late) await this.#readRecords(parts, first, first + count);
    await this.#readRecords(parts, manifest.end);
    for (const { first, last } of lost) await this.#readRecords(parts, first, last + 1);
    for (const change of missed) {
      if (!("chunk" in change)) dropFrom(parts, change);
      else if (!has(parts, change.doc)) put(parts, change.doc, change.chunk, stores.sealDocs);
    }
    // what was lost leaves the manifest with the next seal, however little it was
    if (lost.length > 0) freeze(parts);
    this.#unseen = 0;
    this.parts = parts;
    stores.cache.touch(this);
    tendNeighbours(this);
    this.#schedule();
    return parts;
  }

  async #open(record: SegmentRecord): Promise<Segment | undefined> {
    const { folder, stores } = this.home;
    try {
      return await Segment.open(await readSegment(folder, record.files), sealTurns());
    } catch (error) {
      stores.report(`a segment of partition ${this.number}`, error);
      return undefined;
    }
  }

  async #readRecords(parts: Parts, first: number, end?: number): Promise<void> {
    const { kv, keys, stores } = this.home;
    const lt = end === undefined ? prefixRange(keys.chunks(this.number)).lt : keys.chunk(this.number, end);
    for (let gte = keys.chunk(this.number, first); ; ) {
      const page = await kv.range({ gte, lt, limit: PAGE });
      for (const [key, value] of page) {
        const doc = lastNumber(key);
        if (!has(parts, doc)) put(parts, doc, decodeChunk(value), stores.sealDocs);
      }
      if (page.length < PAGE) return;
      gte = after(page.at(-1)![0]);
    }
  }
}
