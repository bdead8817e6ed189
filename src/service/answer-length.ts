/**
 * Text limit of one list answer, in UTF-16 units; the rest goes to the next page, or is refused without
 * paging.
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
