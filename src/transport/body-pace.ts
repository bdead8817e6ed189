import { ServiceError } from "../domain/errors.ts";

/** How fast a body must arrive. Only the time counts in which the server waits for bytes. */
export interface PaceLimits {
  /** Maximum time in ms without a byte. */
  readonly silenceMs: number;
  /** Time in ms after which the average rate counts. */
  readonly graceMs: number;
  /** Minimum average rate. */
  readonly bytesPerSecond: number;
  /** Maximum time in ms for the whole body. */
  readonly totalMs: number;
}

/** The same limits on all wires, so that no caller holds memory or an upload slot for hours. */
export const BODY_PACE: PaceLimits = {
  silenceMs: 60_000,
  graceMs: 60_000,
  bytesPerSecond: 1024,
  totalMs: 30 * 60_000,
};

/** Reports once that a body arrives too slowly. */
export class BodyPace {
  readonly #limits: PaceLimits;
  readonly #fail: (error: ServiceError) => void;
  #size = 0;
  /** Time in ms of completed waits: all of them, and those since the last byte. */
  #waited = 0;
  #silent = 0;
  /** When the current wait began; undefined while the server does not read. */
  #since: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(limits: PaceLimits, fail: (error: ServiceError) => void) {
    this.#limits = limits;
    this.#fail = fail;
  }

  /** To be called when the server begins to wait for bytes. */
  wait(): void {
    if (this.#isEnded) return;
    this.#since ??= performance.now();
    this.#timer ??= setTimeout(() => this.#look(), Math.max(0, this.#left())).unref();
  }

  /** To be called when bytes arrive. */
  arrived(bytes: number): void {
    this.#count();
    this.#silent = 0;
    this.#size += bytes;
  }

  /** To be called when the server stops reading. */
  pause(): void {
    this.#count();
    this.#since = undefined;
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  /** One timer, not one per piece: when it is due, checks how much has arrived. */
  #look(): void {
    this.#timer = undefined;
    if (this.#since === undefined) return;
    this.#count();
    if (this.#left() > 0) this.wait();
    else this.#fail(this.#fault());
  }

  #count(): void {
    if (this.#since === undefined) return;
    const now = performance.now();
    this.#waited += now - this.#since;
    this.#silent += now - this.#since;
    this.#since = now;
  }

  /** Time in ms until a limit is reached if nothing arrives. */
  #left(): number {
    const { silenceMs, totalMs } = this.#limits;
    return Math.min(silenceMs - this.#silent, totalMs - this.#waited, this.#paceMs() - this.#waited);
  }

  /** Time in ms allowed for the bytes received so far. */
  #paceMs(): number {
    const { graceMs, bytesPerSecond } = this.#limits;
    return Math.max(graceMs, (this.#size / bytesPerSecond) * 1000);
  }

  #fault(): ServiceError {
    const { silenceMs, bytesPerSecond, totalMs } = this.#limits;
    if (this.#silent >= silenceMs)
      return tooSlow(`no byte of the body arrived for ${silenceMs / 1000} s: send it again`, silenceMs);
    if (this.#waited >= totalMs)
      return tooSlow(`the body did not arrive within ${totalMs / 1000} s: send a smaller one`, totalMs);
    return tooSlow(
      `the body arrived with less than ${bytesPerSecond} bytes a second: send it again over a faster connection`,
      this.#waited,
    );
  }
}

/**
 * Reads the pieces of a body as they arrive. Rejects with status 408 if they arrive too slowly; `pieces` may
 * then still wait.
 */
export function paced(
  pieces: AsyncIterator<Uint8Array>,
  limits: PaceLimits,
): () => Promise<IteratorResult<Uint8Array>> {
  let late: (error: ServiceError) => void = () => undefined;
  const pace = new BodyPace(limits, (error) => late(error));
  return async () => {
    const slow = new Promise<never>((_, reject) => {
      late = reject;
    });
    pace.wait();
    try {
      const piece = await Promise.race([pieces.next(), slow]);
      if (!piece.done) pace.arrived(piece.value.byteLength);
      return piece;
    } finally {
      pace.pause();
    }
  };
}

const tooSlow = (message: string, ms: number): ServiceError =>
  new ServiceError(
    "DEADLINE_EXCEEDED",
    message,
    { operation: "body", timeout: Math.round(ms / 1000) },
    { http: 408 },
  );
