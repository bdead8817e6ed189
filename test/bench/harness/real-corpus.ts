import { itemAt } from "../../../src/base/expect.ts";
import { type RealDocument, realSentences } from "./real-sentences.ts";

const PARAGRAPH_SENTENCES = 6;
const QUERY_WORDS = [3, 7] as const;
/**
 * Shorter words of a sentence are omitted from a query: most of them carry little meaning, and a query should
 * not be a quotation.
 */
const MIN_LETTERS = 4;
/** Attempts per query, since not every sentence has enough words. */
const MAX_TRIES = 100;

/**
 * Texts of real sentences (see real-sentences.ts). Each paragraph takes sentences of one document in random
 * order, so that all texts differ. The same seed on the same machine yields the same texts.
 */
export class RealCorpus {
  readonly documents: RealDocument[];
  #state: number;

  constructor(seed = 1, documents = realSentences()) {
    this.documents = documents;
    this.#state = seed;
  }

  text(words: number): string {
    const paragraphs: string[] = [];
    for (let count = 0; count < words; ) {
      const document = this.#of(this.documents);
      const paragraph = Array.from({ length: PARAGRAPH_SENTENCES }, () => this.#of(document)).join(" ");
      paragraphs.push(paragraph);
      count += paragraph.split(" ").length;
    }
    return paragraphs.join("\n\n");
  }

  /** Returns distinct queries of three to seven words, each taken from one sentence. */
  queries(count: number): string[] {
    const made = new Set<string>();
    const [least, most] = QUERY_WORDS;
    for (let tries = 0; made.size < count && tries < count * MAX_TRIES; tries++) {
      const words = this.#of(this.#of(this.documents)).match(/[A-Za-z]+/g) ?? [];
      const query = words.filter(({ length }) => length >= MIN_LETTERS);
      const length = least + this.#below(most - least + 1);
      if (query.length >= length) made.add(query.slice(0, length).join(" "));
    }
    return [...made];
  }

  #of<T>(items: readonly T[]): T {
    return itemAt(items, this.#below(items.length));
  }

  #below(end: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * end);
  }
}
