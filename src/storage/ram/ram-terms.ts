import { type LengthNorm, termScore } from "../../domain/score.ts";
import { MAX_HOLDERS, type Terms } from "../terms.ts";

/** The smallest correct `Terms`: the oracle of the suite. */
export class RamTerms implements Terms {
  readonly #documents = new Map<number, ReadonlyMap<string, number>>();

  add(row: number, terms: ReadonlyMap<string, number>): void {
    this.#documents.set(row, new Map(terms));
  }

  frequency(term: string, live: Uint8Array): number {
    return [...this.#documents].filter(([row, terms]) => live[row] === 1 && terms.has(term)).length;
  }

  holders(terms: readonly string[], live: Uint8Array, most: number): number[] {
    const rowsOf = (term: string) => [...this.#documents].flatMap(([row, held]) => (held.has(term) ? row : [])).sort((a, b) => a - b);
    const [rarest, ...others] = terms.map(rowsOf).sort((a, b) => a.length - b.length);
    const held = rarest!.slice(0, MAX_HOLDERS).filter((row) => live[row] === 1 && others.every((rows) => rows.includes(row)));
    return held.slice(0, most);
  }

  accumulate(term: string, live: Uint8Array, saturation: number, norm: LengthNorm, lengths: Float32Array, scores: Float32Array): number {
    let best = 0;
    for (const [row, terms] of this.#documents) {
      const weight = terms.get(term);
      if (live[row] !== 1 || weight === undefined) continue;
      scores[row]! += termScore(saturation, weight, norm.base + norm.slope * lengths[row]!);
      best = Math.max(best, scores[row]!);
    }
    return best;
  }

  sum(term: string, live: Uint8Array, groups: Int32Array, sums: Float32Array, touched: Int32Array, count: number): number {
    let end = count;
    for (const [row, terms] of this.#documents) {
      const weight = terms.get(term);
      const group = groups[row]!;
      if (group < 0 || live[row] !== 1 || weight === undefined) continue;
      if (sums[group] === 0) touched[end++] = group;
      sums[group]! += weight;
    }
    return end;
  }
}
