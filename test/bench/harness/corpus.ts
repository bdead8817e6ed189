import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "./server.ts";

const SENTENCE_WORDS = [8, 18] as const;
const PARAGRAPH_SENTENCES = 6;
/** The most frequent words of an artificial text act as stop words, which queries omit. */
const COMMON = 60;

/**
 * Generates artificial texts: words of the shipped vocabulary, distributed by Zipf's law, in sentences and
 * paragraphs. The same seed yields the same texts.
 */
export class Corpus {
  readonly #words: readonly string[];
  #state: number;

  constructor(seed = 1) {
    this.#state = seed;
    this.#words = shuffled(vocabulary(), () => this.#random());
  }

  text(words: number): string {
    let text = "";
    for (let count = 0, sentence = 0; count < words; sentence++) {
      const length = Math.min(words - count, this.#between(...SENTENCE_WORDS));
      const said = Array.from({ length }, () => this.#word(0)).join(" ");
      text += `${said[0]!.toUpperCase()}${said.slice(1)}.${sentence % PARAGRAPH_SENTENCES === PARAGRAPH_SENTENCES - 1 ? "\n\n" : " "}`;
      count += length;
    }
    return text.trimEnd();
  }

  /** Returns distinct queries of three to eight words. */
  queries(count: number): string[] {
    const made = new Set<string>();
    while (made.size < count)
      made.add(Array.from({ length: this.#between(3, 8) }, () => this.#word(COMMON)).join(" "));
    return [...made];
  }

  #word(from: number): string {
    return this.#words[Math.floor(from + (this.#words.length - from) ** this.#random())] ?? "";
  }

  #between(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1));
  }

  #random(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32;
  }
}

function vocabulary(): string[] {
  const { model } = JSON.parse(readFileSync(join(REPOSITORY, "models/tokenizer.json"), "utf8")) as {
    model: { vocab: Record<string, number> };
  };
  return Object.keys(model.vocab).filter((piece) => /^[a-z]{3,}$/.test(piece));
}

function shuffled(words: readonly string[], random: () => number): string[] {
  const mixed = [...words];
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [mixed[at], mixed[other]] = [mixed[other]!, mixed[at]!];
  }
  return mixed;
}
