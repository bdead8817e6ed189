/** Overhead of a cached record in bytes. */
const OVERHEAD = 200;
/** Larger ones, mostly contents, would displace many small ones. */
const MAX_RECORD_BYTES = 2048;

/**
 * Records by key within a memory limit, including missing ones. Two generations: what was not read while half
 * of the space filled is dropped.
 */
export class RecordCache {
  readonly #maxBytes: number;
  #young = new Map<string, Uint8Array | undefined>();
  #old = new Map<string, Uint8Array | undefined>();
  /** Bytes of the young generation. */
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The record as first returned by `load`. Read-only. */
  read(key: string, load: (key: string) => Uint8Array | undefined): Uint8Array | undefined {
    const known = this.#young.get(key);
    if (known !== undefined || this.#young.has(key)) return known;
    const value = this.#old.has(key) ? this.#old.get(key) : load(key);
    if (value === undefined || value.length <= MAX_RECORD_BYTES) this.#keep(key, value);
    return value;
  }

  forget(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  #keep(key: string, value: Uint8Array | undefined): void {
    const bytes = OVERHEAD + key.length + (value?.length ?? 0);
    if (this.#bytes + bytes > this.#maxBytes / 2) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#bytes = 0;
    }
    this.#young.set(key, value);
    this.#bytes += bytes;
  }
}
