/**
 * Fields of a run, as offsets in `Runs.numbers`: node, first row, row after the last, and start of the node's
 * next run (-1: none).
 */
export const NODE = 0;
export const FROM = 1;
export const END = 2;
export const NEXT = 3;
/** Numbers of a run. */
export const RUN = 4;

/** Rows in order as runs of one node each: few, since a node's rows are adjacent when added together. */
export class Runs {
  readonly numbers: Int32Array;
  /** By node from `#least` on, the start of its first run + 1. */
  readonly #first: Int32Array;
  readonly #least: number;

  /** `rows` is the number of rows whose `mask` is 1; other rows belong to no run. */
  constructor(nodes: Int32Array, mask: Uint8Array, rows: number) {
    const numbers = new Int32Array(RUN * rows);
    let end = 0;
    let [least, most] = [Number.POSITIVE_INFINITY, -1];
    for (let row = 0; row < mask.length; row++) {
      if (mask[row] !== 1) continue;
      const node = nodes[row]!;
      if (end === 0 || numbers[end - RUN + END] !== row || numbers[end - RUN + NODE] !== node) {
        numbers[end + NODE] = node;
        numbers[end + FROM] = row;
        end += RUN;
        if (node < least) least = node;
        if (node > most) most = node;
      }
      numbers[end - RUN + END] = row + 1;
    }
    this.numbers = numbers.slice(0, end);
    this.#least = least;
    this.#first = new Int32Array(Math.max(0, most - least + 1));
    for (let run = end - RUN; run >= 0; run -= RUN) {
      const place = this.numbers[run + NODE]! - least;
      this.numbers[run + NEXT] = this.#first[place]! - 1;
      this.#first[place] = run + 1;
    }
  }

  /** The start of a node's first run in `numbers`, -1 if it has none. */
  of(node: number): number {
    return (this.#first[node - this.#least] ?? 0) - 1;
  }
}
