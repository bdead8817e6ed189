import { wordsOf } from "./measures.ts";

/**
 * A passage and a question about it: rare words from the passage, in another order and without the words
 * between them.
 */
export interface Question {
  readonly text: string;
  readonly passage: string;
}

const MIN_PASSAGE_WORDS = 12;
const MAX_PASSAGE_LENGTH = 600;
/** Lines without sentences, as in slides and sheets, are combined into groups of this size. */
const LINES = 3;
const MIN_WORD_LENGTH = 4;
const ASKED_WORDS = 6;
const MIN_ASKED_WORDS = 4;
/** Minimum share of the passage's three-word sequences that a text must contain to count as the passage. */
const MIN_HELD = 0.7;

/**
 * Returns at most `wanted` questions about texts, spread over them and starting in the middle of each. No
 * question repeats the wording of a line: it lists rare words of two neighbouring sentences in alphabetical
 * order. Words that occur in only one passage would find it with any index, so they are used only if there
 * are too few others.
 */
export function questionsOf(texts: readonly string[], wanted: number): Question[] {
  const passages = texts.map(passagesOf);
  const counts = new Map<string, number>();
  for (const passage of passages.flat())
    for (const word of new Set(wordsOf(passage))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const asked = passages.map((some) =>
    some.flatMap((passage) => {
      const text = questionOf(passage, counts);
      return text === undefined ? [] : [{ text, passage }];
    }),
  );
  const found: Question[] = [];
  for (let round = 0; found.length < wanted && asked.some((some) => round < some.length); round++)
    for (const some of asked) if (round < some.length) found.push(some[middleOut(round, some.length)]!);
  return found.slice(0, wanted);
}

/** Whether a text contains the passage. */
export function holds(text: string, passage: string): boolean {
  const runs = runsOf(wordsOf(passage));
  const there = new Set(runsOf(wordsOf(text)));
  return runs.filter((run) => there.has(run)).length >= runs.length * MIN_HELD;
}

const runsOf = (words: readonly string[]): string[] =>
  words.slice(2).map((word, i) => `${words[i]} ${words[i + 1]} ${word}`);

function passagesOf(text: string): string[] {
  const blocks = text.split(/\n\s*\n/).flatMap((block) => {
    const sentences = block.replace(/\s+/g, " ").match(/[^.!?]+[.!?]*/g) ?? [];
    return grouped(sentences, 2).filter((pair) => /[.!?]/.test(pair));
  });
  const found = blocks.filter(isPassage);
  return found.length > 0 ? found : grouped(text.split("\n"), LINES).filter(isPassage);
}

const grouped = (parts: readonly string[], size: number): string[] =>
  parts.flatMap((_, i) =>
    i % size === 0
      ? [
          parts
            .slice(i, i + size)
            .join(" ")
            .replace(/\s+/g, " ")
            .trim(),
        ]
      : [],
  );

const isPassage = (text: string): boolean =>
  text.length <= MAX_PASSAGE_LENGTH &&
  wordsOf(text).filter((word) => word.length >= MIN_WORD_LENGTH).length >= MIN_PASSAGE_WORDS;

function questionOf(passage: string, counts: ReadonlyMap<string, number>): string | undefined {
  const words = [...new Set(wordsOf(passage))].filter(
    (word) => word.length >= MIN_WORD_LENGTH && /^\p{L}+$/u.test(word),
  );
  const rarity = (word: string) => (counts.get(word) === 1 ? Number.POSITIVE_INFINITY : counts.get(word)!);
  const rare = words.sort((a, b) => rarity(a) - rarity(b) || (a < b ? -1 : 1)).slice(0, ASKED_WORDS);
  return rare.length < MIN_ASKED_WORDS ? undefined : `Where is it said about ${rare.sort().join(", ")}?`;
}

/** Returns the positions of a list from the middle to the ends. */
const middleOut = (round: number, length: number): number => {
  const middle = Math.floor(length / 2);
  const at = round % 2 === 0 ? middle + round / 2 : middle - (round + 1) / 2;
  return ((at % length) + length) % length;
};
