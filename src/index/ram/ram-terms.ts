import { valueFor } from "../../base/expect.ts";
import { halvesOf, MAX_HOLDERS, type PostingList, type Terms } from "../terms.ts";

/** Minimal implementation of `Terms`, used as the reference in tests. */
export class RamTerms implements Terms {
  readonly #documents = new Map<number, ReadonlyMap<string, number>>();

  add(row: number, terms: ReadonlyMap<string, number>): void {
    this.#documents.set(row, new Map(terms));
  }

  list(term: string): PostingList | undefined {
    const held = [...this.#documents].filter(([, terms]) => terms.has(term)).sort(([a], [b]) => a - b);
    if (held.length === 0) return undefined;
    return {
      rows: Uint32Array.from(held, ([row]) => row),
      weights: Uint16Array.from(held, ([, terms]) => halvesOf(valueFor(terms, term))),
    };
  }

  holders(terms: readonly string[], live: Uint8Array, most: number): number[] {
    const rowsOf = (term: string) =>
      [...this.#documents].flatMap(([row, held]) => (held.has(term) ? row : [])).sort((a, b) => a - b);
    const [rarest = [], ...others] = terms.map(rowsOf).sort((a, b) => a.length - b.length);
    const held = rarest
      .slice(0, MAX_HOLDERS)
      .filter((row) => live[row] === 1 && others.every((rows) => rows.includes(row)));
    return held.slice(0, most);
  }

  sum(
    term: string,
    live: Uint8Array,
    groups: Int32Array,
    sums: Float32Array,
    touched: Int32Array,
    count: number,
  ): number {
    let end = count;
    for (const [row, terms] of this.#documents) {
      const weight = terms.get(term);
      const group = groups[row] ?? -1;
      if (group < 0 || live[row] !== 1 || weight === undefined) continue;
      if (sums[group] === 0) touched[end++] = group;
      sums[group] = (sums[group] ?? 0) + weight;
    }
    return end;
  }
}
