/** Items by holder in order of arrival, to decide which one must make room. */
export class Shares<T> {
  readonly #groups = new Map<string, Set<T>>();
  #size = 0;

  /** Total number of items. */
  get size(): number {
    return this.#size;
  }

  /** Number of items of the largest holder. */
  get largest(): number {
    return this.#largest()?.size ?? 0;
  }

  add(holder: string, thing: T): void {
    const group = this.#groups.get(holder);
    if (group === undefined) this.#groups.set(holder, new Set([thing]));
    else group.add(thing);
    this.#size++;
  }

  delete(holder: string, thing: T): void {
    const group = this.#groups.get(holder);
    if (!group?.delete(thing)) return;
    this.#size--;
    if (group.size === 0) this.#groups.delete(holder);
  }

  /**
   * The item that should make room, of the largest holder: the oldest that satisfies `isFree`, otherwise the
   * oldest. A holder that opens many connections thus loses its own.
   */
  giveWay(isFree: (thing: T) => boolean): T | undefined {
    const group = this.#largest();
    if (group === undefined) return undefined;
    for (const thing of group) if (isFree(thing)) return thing;
    const [oldest] = group;
    return oldest;
  }

  #largest(): Set<T> | undefined {
    let largest: Set<T> | undefined;
    for (const group of this.#groups.values())
      if (largest === undefined || group.size > largest.size) largest = group;
    return largest;
  }
}
