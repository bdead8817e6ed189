/** Overhead of a cached record in bytes. */
const OVERHEAD = 200;
/** Maximum size of a cached record: larger ones, mostly contents, would displace many small ones. */
const MAX_RECORD_BYTES = 2048;

/**
 * Caches records by key, including missing ones, within a memory limit. Uses two generations: a record that
 * was not read while half of the space filled up is dropped.
 */
export class RecordCache {
  readonly #maxBytes: number;
  #young = new Map<string, Uint8Array | undefined>();
  #old = new Map<string, Uint8Array | undefined>();
  /** Bytes in the young generation. */
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The record, as returned by the first `load`. Read-only. */
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
