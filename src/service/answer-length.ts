/**
 * Maximum text in a list response, in UTF-16 units. The rest goes to the next page; without paging, the
 * request is refused.
 */
const MAX_ANSWER_LENGTH = 16 * 1024 * 1024;

/** Counts the text in a response. */
export class AnswerLength {
  #length = 0;

  get isFull(): boolean {
    return this.#length >= MAX_ANSWER_LENGTH;
  }

  add(...texts: readonly string[]): void {
    for (const text of texts) this.#length += text.length;
  }
}
