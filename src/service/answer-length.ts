/**
 * Text of one answer with a list, in UTF-16 units; what is left goes to the next page, or is refused where
 * there are no pages.
 */
const MAX_ANSWER_LENGTH = 16 * 1024 * 1024;

/** Counts the texts of an answer. */
export class AnswerLength {
  #length = 0;

  get isFull(): boolean {
    return this.#length >= MAX_ANSWER_LENGTH;
  }

  add(...texts: readonly string[]): void {
    for (const text of texts) this.#length += text.length;
  }
}
