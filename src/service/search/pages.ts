import { invalidArgument } from "../../domain/errors.ts";

/**
 * Text limit of one answer of grep or glob, so that it fits a message of every wire; more goes to the next
 * page. UTF-16 units.
 */
const MAX_ANSWER = 512 * 1024;
/** Overhead of a match in bytes, without its text. */
const MATCH_OVERHEAD = 32;

/** `node_limit` as given; by default only the size of an answer is limited. */
export function checkSearchLimit(nodeLimit: number | undefined): number {
  if (nodeLimit === undefined) return Number.POSITIVE_INFINITY;
  if (nodeLimit < 1) throw invalidArgument("node_limit", "must be 1 or more");
  return nodeLimit;
}

/** Counts the size of an answer. */
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
