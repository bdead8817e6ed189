import { KeyedSemaphore } from "../base/concurrency/keyed-semaphore.ts";
import type { WorkspaceId } from "../domain/ids.ts";

/** Share of the memory from which a file waits: smaller ones of all jobs together are about the whole. */
const LARGE = 1 / 8;
const DEFAULT_TOTAL_BYTES = 256 * 1024 * 1024;

/**
 * Memory for the large files that jobs hold whole. One account may use half of it. A job holds one large file
 * at a time, because jobs would otherwise wait for each other.
 */
export class ContentMemory {
  readonly #bytes: KeyedSemaphore<WorkspaceId>;

  readonly #largeBytes: number;

  /** `total`: in bytes. */
  constructor(total = DEFAULT_TOTAL_BYTES) {
    this.#largeBytes = total * LARGE;
    this.#bytes = new KeyedSemaphore({ perKey: total / 2, total });
  }

  /** Waits until a file of this size may be held, and returns the function that gives its memory back. */
  async reserve(workspace: WorkspaceId, bytes: number, signal: AbortSignal): Promise<() => void> {
    return bytes < this.#largeBytes ? () => undefined : this.#bytes.take(workspace, bytes, signal);
  }
}
