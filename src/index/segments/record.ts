import { valueFor } from "../../base/expect.ts";
import type { Chunk, Level } from "../../domain/chunk.ts";
import { nodeId } from "../../domain/node.ts";
import type { QuantisedVector } from "../../domain/quantise.ts";

/**
 * Record of a chunk in `d/`, the source of truth for the index. Format 1: level; varints for node,
 * generation, start, end - start, 2 × length, dimensions; the vector's scale (float32, little-endian) and
 * bytes; the number of terms; the terms in UTF-16 order, each as the number of units shared with the previous
 * term, the byte length of the rest, the rest in UTF-8, and 2 × weight; the title, if any.
 */
const FORMAT = 1;
const MAX_NUMBER_BYTES = 8;

export function encodeChunk(chunk: Chunk): Uint8Array {
  const writer = new Writer(256 + chunk.instant.values.length + chunk.terms.size * 16);
  for (const value of [
    FORMAT,
    chunk.level,
    chunk.node,
    chunk.generation,
    chunk.start,
    chunk.end - chunk.start,
    Math.round(chunk.length * 2),
  ]) {
    writer.number(value);
  }
  writer.number(chunk.instant.values.length);
  writer.float(chunk.instant.scale);
  writer.bytes(chunk.instant.values);
  writer.number(chunk.terms.size);
  let previous = "";
  for (const term of [...chunk.terms.keys()].sort()) {
    const shared = sharedUnits(previous, term);
    writer.number(shared);
    writer.text(term.slice(shared));
    writer.number(Math.round(valueFor(chunk.terms, term) * 2));
    previous = term;
  }
  if (chunk.title !== undefined) writer.text(chunk.title);
  return writer.finish();
}

/** Throws Error if the record is damaged or has a later format. */
export function decodeChunk(bytes: Uint8Array): Chunk {
  const reader = new Reader(bytes);
  if (reader.number() !== FORMAT) throw new Error("unknown format of an index record");
  const level = reader.number();
  if (level > 2) throw new Error("damaged index record");
  const node = nodeId(reader.number());
  const generation = reader.number();
  const start = reader.number();
  const end = start + reader.number();
  const length = reader.number() / 2;
  const dimensions = reader.number();
  const scale = reader.float();
  const values = new Int8Array(reader.bytes(dimensions));
  const terms = new Map<string, number>();
  let previous = "";
  for (let left = reader.number(); left > 0; left--) {
    const shared = reader.number();
    previous = previous.slice(0, shared) + reader.text();
    terms.set(previous, reader.number() / 2);
  }
  const title = reader.isAtEnd ? undefined : reader.text();
  return {
    node,
    generation,
    level: level as Level,
    start,
    end,
    length,
    terms,
    instant: { scale, values },
    ...(title !== undefined && { title }),
  };
}

/** Record of a vector in `v/`: scale (float32, little-endian), then one byte per component. */
export function encodeVector({ scale, values }: QuantisedVector): Uint8Array {
  const writer = new Writer(4 + values.length);
  writer.float(scale);
  writer.bytes(values);
  return writer.finish();
}

export function decodeVector(bytes: Uint8Array): QuantisedVector {
  const reader = new Reader(bytes);
  const scale = reader.float();
  return { scale, values: new Int8Array(reader.bytes(bytes.length - 4)) };
}

/**
 * Length of the common prefix in UTF-16 units. Never splits a surrogate pair, because half of one cannot be
 * encoded as UTF-8.
 */
function sharedUnits(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++;
  const last = shared > 0 ? b.charCodeAt(shared - 1) : 0;
  return last >= 0xd800 && last <= 0xdbff ? shared - 1 : shared;
}

class Writer {
  #buffer: Buffer;
  #at = 0;

  constructor(size: number) {
    this.#buffer = Buffer.allocUnsafe(size);
  }

  /** Unsigned LEB128 for integers below 2^53. */
  number(value: number): void {
    this.#reserve(MAX_NUMBER_BYTES);
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#buffer[this.#at++] = (rest % 0x80) | 0x80;
    this.#buffer[this.#at++] = rest;
  }

  float(value: number): void {
    this.#reserve(4);
    this.#at = this.#buffer.writeFloatLE(value, this.#at);
  }

  bytes(values: Int8Array): void {
    this.#reserve(values.length);
    this.#buffer.set(new Uint8Array(values.buffer, values.byteOffset, values.length), this.#at);
    this.#at += values.length;
  }

  text(value: string): void {
    const size = Buffer.byteLength(value);
    this.number(size);
    this.#reserve(size);
    this.#at += this.#buffer.write(value, this.#at, "utf8");
  }

  finish(): Uint8Array {
    return new Uint8Array(this.#buffer.subarray(0, this.#at));
  }

  #reserve(more: number): void {
    if (this.#at + more <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#at + more, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}

class Reader {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#buffer.length;
  }

  number(): number {
    let value = 0;
    let factor = 1;
    for (let i = 0; i < MAX_NUMBER_BYTES; i++, factor *= 0x80) {
      const byte = this.#buffer[this.#take(1)]!;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw new Error("damaged index record");
  }

  float(): number {
    return this.#buffer.readFloatLE(this.#take(4));
  }

  bytes(size: number): Uint8Array {
    const at = this.#take(size);
    return this.#buffer.subarray(at, at + size);
  }

  text(): string {
    const size = this.number();
    const at = this.#take(size);
    return this.#buffer.toString("utf8", at, at + size);
  }

  #take(size: number): number {
    const at = this.#at;
    if (at + size > this.#buffer.length) throw new Error("damaged index record");
    this.#at = at + size;
    return at;
  }
}
