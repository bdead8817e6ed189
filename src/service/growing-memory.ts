import type { Lease } from "../base/budget.ts";
import type { ServiceCall } from "./service-call.ts";

/**
 * Memory of a call that learns in steps how much it needs. It counts as one amount, so that a call that needs
 * more than the account's budget still runs alone (see ServiceCall.reserve).
 */
export class GrowingMemory {
  readonly #call: Pick<ServiceCall, "reserve">;
  #bytes = 0;
  #lease: Lease | undefined;

  constructor(call: Pick<ServiceCall, "reserve">) {
    this.#call = call;
  }

  /** Counts further bytes. Throws RESOURCE_EXHAUSTED if there is no room; nothing is counted then. */
  add(bytes: number): void {
    this.#bytes += bytes;
    this.release();
    this.#lease = this.#call.reserve?.(this.#bytes);
  }

  release(): void {
    this.#lease?.release();
    this.#lease = undefined;
  }
}
