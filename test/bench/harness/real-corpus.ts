import { itemAt } from "../../../src/base/expect.ts";
import { type RealDocument, realSentences } from "./real-sentences.ts";

const PARAGRAPH_SENTENCES = 6;
const QUERY_WORDS = [3, 7] as const;
/** Shorter words of a sentence are left out of a query: most of them say little, and it is no quote. */
const MIN_LETTERS = 4;
/** Tries for each query: not all sentences have enough words. */
const MAX_TRIES = 100;

/**
 * Texts of real sentences (real-sentences.ts): each paragraph is of one document, its sentences in any order,
 * so that no two texts are the same; the same for the same seed on the same machine.
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

  /** Different queries of three to seven words, each from one sentence. */
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
