import { invalidArgument } from "../../domain/errors.ts";

/**
 * Text that one answer of grep or glob may hold, so that it fits a message of every wire; more goes to the
 * next page. UTF-16 units.
 */
const MAX_ANSWER = 512 * 1024;
/** Overhead of a match in bytes, without its text. */
const MATCH_OVERHEAD = 32;

/** `node_limit` as a caller gave it; without one there is no cap but the size of an answer. */
export function checkSearchLimit(nodeLimit: number | undefined): number {
  if (nodeLimit === undefined) return Number.POSITIVE_INFINITY;
  if (nodeLimit < 1) throw invalidArgument("node_limit", "must be 1 or more");
  return nodeLimit;
}

/** Counts what an answer holds. */
export class AnswerSize {
  #size = 0;

  get isFull(): boolean {
    return this.#size >= MAX_ANSWER;
  }

  add(...texts: readonly string[]): void {
    for (const text of texts) this.#size += text.length;
    this.#size += MATCH_OVERHEAD;
  }
}
