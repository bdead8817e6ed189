import { Readable } from "node:stream";
import type { Clock } from "../../base/clock.ts";
import { sha256 } from "../../base/sha256.ts";
import type { Blobs } from "../blobs.ts";
import { LostBlob } from "../blobs.ts";
import { RemovalGate } from "../removal-gate.ts";

interface Blob {
  readonly content: Uint8Array;
  readonly writtenAt: number;
}

/** Minimal in-memory implementation of Blobs. */
export class RamBlobs implements Blobs {
  readonly retentionMs: number;
  readonly #buckets = new Map<string, Map<string, Blob>>();
  readonly #clock: Clock;
  readonly #removals = new RemovalGate();

  constructor(clock: Clock, retentionMs = 0) {
    this.retentionMs = retentionMs;
    this.#clock = clock;
  }

  async put(
    bucket: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
  ): Promise<{ hash: string; bytes: number }> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content instanceof Uint8Array ? [content] : content) chunks.push(chunk);
    const whole = new Uint8Array(Buffer.concat(chunks));
    const hash = sha256(whole);
    const blobs = this.#buckets.get(bucket) ?? new Map<string, Blob>();
    this.#buckets.set(bucket, blobs.set(hash, { content: whole, writtenAt: this.#clock() }));
    return { hash, bytes: whole.byteLength };
  }

  async get(bucket: string, hash: string): Promise<Uint8Array> {
    const blob = this.#buckets.get(bucket)?.get(hash);
    if (!blob) throw new LostBlob(`blob ${hash} is missing`);
    return blob.content;
  }

  stream(bucket: string, hash: string, start = 0, end?: number): Readable {
    const blob = this.#buckets.get(bucket)?.get(hash);
    const missing = new Readable({ read: () => missing.destroy(new LostBlob(`blob ${hash} is missing`)) });
    return blob ? Readable.from([Buffer.from(blob.content.subarray(start, end))]) : missing;
  }

  async has(bucket: string, hash: string): Promise<boolean> {
    return this.#buckets.get(bucket)?.has(hash) ?? false;
  }

  async *list(bucket: string): AsyncIterable<{ hash: string; bytes: number; writtenAt: number }> {
    for (const [hash, { content, writtenAt }] of this.#buckets.get(bucket) ?? [])
      yield { hash, bytes: content.byteLength, writtenAt };
  }

  async remove(bucket: string, hash: string, writtenAt?: number): Promise<void> {
    await this.#removals.pass(async () => {
      const blobs = this.#buckets.get(bucket);
      const blob = blobs?.get(hash);
      if (blob && (writtenAt === undefined || blob.writtenAt <= writtenAt)) blobs?.delete(hash);
    });
  }

  async drop(bucket: string): Promise<void> {
    await this.#removals.pass(async () => void this.#buckets.delete(bucket));
  }

  async buckets(): Promise<string[]> {
    return [...this.#buckets.keys()];
  }

  hold(): Promise<() => void> {
    return this.#removals.hold();
  }
}
