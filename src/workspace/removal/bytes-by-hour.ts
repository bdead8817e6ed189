const HOUR_MS = 3600_000;

export const hourOf = (at: number): number => Math.floor(at / HOUR_MS);

/** Bytes by hour, for removing the oldest content first; a workspace has few different hours. */
export class BytesByHour {
  readonly #bytes = new Map<number, number>();

  get isEmpty(): boolean {
    return this.#bytes.size === 0;
  }

  add(at: number, bytes: number): void {
    const hour = hourOf(at);
    this.#bytes.set(hour, (this.#bytes.get(hour) ?? 0) + bytes);
  }

  /** The first hour at which the bytes up to it reach `bytes`. */
  hourThatFrees(bytes: number): number {
    let freed = 0;
    for (const [hour, more] of [...this.#bytes].sort(([a], [b]) => a - b)) {
      freed += more;
      if (freed >= bytes) return hour;
    }
    return Number.POSITIVE_INFINITY;
  }
}
