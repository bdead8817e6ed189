import type { Chunk } from "../domain/chunk.ts";
import type { ChunkRange } from "../domain/node.ts";
import type { Path } from "../domain/uri.ts";
import type { Draft } from "../storage/draft.ts";
import { after, type Kv, prefixRange } from "../storage/kv.ts";
import { Numbers } from "../storage/numbers.ts";
import { decode, encode } from "../storage/records.ts";
import { decodeChunk, encodeChunk } from "../storage/segments/record.ts";
import { Tail } from "../storage/segments/tail.ts";
import { type Keys, lastNumber } from "./keys.ts";
import { type Owner, SHARED_AGENTS } from "./locate.ts";

const PAGE = 1000;

/** The owner of what all users of an account share: resources and skills. User ids cannot spell it. */
export const SHARED = "+shared";

/** Whose partition holds the chunks of a path, so that nobody's content moves anybody else's scores (storage.md section 4). */
export function partitionOwner(owner: Owner, path: Path): string {
  if (path[0] === "resources" || (path[0] === "agent" && path[1] === "skills")) return SHARED;
  return path[0] === "agent" && owner.agentsOf === SHARED_AGENTS ? SHARED : owner.user;
}

export interface IndexedChunk {
  readonly partition: number;
  readonly doc: number;
  readonly chunk: Chunk;
}

interface Loading {
  readonly tail: Promise<Tail>;
  /** What was committed while the records were being read, in order. */
  readonly missed: (IndexedChunk | ChunkRange)[];
}

/** The chunks of a workspace: records in the store, and per partition a tail in memory once somebody searches it. */
export class WorkspaceIndex {
  readonly #kv: Kv;
  readonly #keys: Keys;
  readonly #tails = new Map<number, Tail>();
  readonly #loading = new Map<number, Loading>();
  readonly #docs = new Map<number, Numbers>();
  readonly #partitions: Numbers;

  constructor(kv: Kv, keys: Keys) {
    this.#kv = kv;
    this.#keys = keys;
    this.#partitions = new Numbers(kv, keys.counter("partition"), 1);
  }

  /** The partition of an owner, made where there is none yet. */
  async partitionFor(owner: string): Promise<number> {
    const key = this.#keys.partition(owner);
    const known = decode<number>(this.#kv.get(key));
    if (known !== undefined) return known;
    const fresh = await this.#partitions.reserve();
    return this.#kv.transact((read) => {
      const raced = decode<number>(read.get(key));
      return { ops: raced === undefined ? [{ key, value: encode(fresh) }] : [], apply: () => raced ?? fresh };
    });
  }

  /** The partitions that can hold what an owner's callers may see: their own, the shared one, and those from which something was moved into one of these. */
  visibleTo(user: string): number[] {
    const found = new Set<number>();
    const waiting = [SHARED, user].flatMap((owner) => decode<number>(this.#kv.get(this.#keys.partition(owner))) ?? []);
    for (let partition = waiting.pop(); partition !== undefined; partition = waiting.pop()) {
      if (found.has(partition)) continue;
      found.add(partition);
      waiting.push(...this.#guests(this.#kv, partition));
    }
    return [...found].sort((a, b) => a - b);
  }

  /** Notes that chunks of `from` and its guests may now belong to nodes below `to`. */
  welcome(draft: Draft, to: number, from: number): void {
    if (to === from) return;
    const guests = this.#guests(draft, to);
    const wanted = [...new Set([...guests, from, ...this.#guests(draft, from)])].filter((partition) => partition !== to);
    if (wanted.length > guests.length) draft.put(this.#keys.manifest(to), encode({ guests: wanted }));
  }

  /** `count` consecutive chunk numbers of a partition. */
  reserve(partition: number, count: number): Promise<number> {
    let numbers = this.#docs.get(partition);
    if (!numbers) {
      numbers = new Numbers(this.#kv, this.#keys.counter(`doc-${partition}`), 0);
      this.#docs.set(partition, numbers);
    }
    return numbers.reserve(count);
  }

  put(draft: Draft, { partition, doc, chunk }: IndexedChunk): void {
    draft.put(this.#keys.chunk(partition, doc), encodeChunk(chunk));
  }

  add(added: IndexedChunk): void {
    this.#loading.get(added.partition)?.missed.push(added);
    this.#tails.get(added.partition)?.add(added.doc, added.chunk);
  }

  drop(range: ChunkRange): void {
    this.#loading.get(range.partition)?.missed.push(range);
    const tail = this.#tails.get(range.partition);
    if (tail) dropFrom(tail, range);
  }

  /** The tail of a partition, read from its records the first time. */
  tail(partition: number): Tail | Promise<Tail> {
    const ready = this.#tails.get(partition);
    if (ready) return ready;
    const running = this.#loading.get(partition);
    if (running) return running.tail;
    const missed: Loading["missed"] = [];
    const tail = this.#read(partition, missed).finally(() => this.#loading.delete(partition));
    this.#loading.set(partition, { tail, missed });
    return tail;
  }

  /** The tail of a partition that is in memory. */
  opened(partition: number): Tail | undefined {
    return this.#tails.get(partition);
  }

  /** Chunks in memory of the partitions that are open, for observers. */
  counts(): { partition: number; chunks: number }[] {
    return [...this.#tails].map(([partition, tail]) => ({ partition, chunks: tail.count }));
  }

  async #read(partition: number, missed: Loading["missed"]): Promise<Tail> {
    const tail = new Tail();
    const all = prefixRange(this.#keys.chunks(partition), PAGE);
    for (let from = all.gte; ; ) {
      const page = await this.#kv.range({ ...all, gte: from });
      for (const [key, value] of page) tail.add(lastNumber(key), decodeChunk(value));
      if (page.length < PAGE) break;
      from = after(page.at(-1)![0]);
    }
    for (const change of missed) {
      if ("chunk" in change) tail.add(change.doc, change.chunk);
      else dropFrom(tail, change);
    }
    this.#tails.set(partition, tail);
    return tail;
  }

  #guests(reader: { get(key: string): Uint8Array | undefined }, partition: number): number[] {
    return decode<{ guests: number[] }>(reader.get(this.#keys.manifest(partition)))?.guests ?? [];
  }
}

function dropFrom(tail: Tail, range: ChunkRange): void {
  for (let doc = range.first; doc < range.first + range.count; doc++) tail.remove(doc);
}
