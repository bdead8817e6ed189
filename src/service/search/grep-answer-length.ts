import { invalidArgument } from "../../domain/errors.ts";

/**
 * Maximum text in a response of grep or glob, in UTF-16 units, so that it fits the message limit of every
 * protocol. The rest goes to the next page.
 */
const MAX_ANSWER = 512 * 1024;
/** Overhead of a match in addition to its text, in UTF-16 units. */
const MATCH_OVERHEAD = 32;

/** Validates `node_limit`; by default, only the response size is limited. */
export function checkSearchLimit(nodeLimit: number | undefined): number {
  if (nodeLimit === undefined) return Number.POSITIVE_INFINITY;
  if (nodeLimit < 1) throw invalidArgument("node_limit", "must be 1 or more");
  return nodeLimit;
}

/** Counts the size of a response. */
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
