import type { Random } from "./random.ts";

const WORDS =
  "river stone lamp garden letter window engine paper morning harbour silver market winter bridge signal copper".split(
    " ",
  );

/** A file's content and a word that occurs only in it. */
export interface Text {
  readonly content: string;
  readonly word: string;
}

export const paragraph = (random: Random, words: number) =>
  `${Array.from({ length: words }, () => random.pick(WORDS)).join(" ")}.`;

/**
 * Returns a text that is mostly short; some are long enough for sections, some larger than a value of the
 * key-value store.
 */
export function text(random: Random): Text {
  const word = random.word();
  const size = random.next();
  const paragraphs =
    size < 0.8 ? random.integer(1, 3) : size < 0.93 ? random.integer(14, 24) : random.integer(60, 120);
  const parts = [
    `# About ${word}`,
    ...Array.from(
      { length: paragraphs },
      (_, i) => `${i % 7 === 6 ? `## Part ${i}\n\n` : ""}${paragraph(random, 45)}`,
    ),
  ];
  return { content: `${parts.join("\n\n")}\n`, word };
}

/** Always short, for folders with many files. */
export function shortText(random: Random): Text {
  const word = random.word();
  return { content: `# About ${word}\n\n${paragraph(random, 12)}\n`, word };
}
