import { sha256 } from "../../base/sha256.ts";
import { sentenceEnd } from "../../domain/text/sentences.ts";
import { pieceEnd, type Words, wordsOf } from "./key-words.ts";

/** Replacement for forgotten text. */
export const FORGOTTEN = "[forgotten]";

/**
 * A sentence of a text, or a line without final punctuation: `start` to `end` (exclusive), in UTF-16 units.
 */
export interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly words: Words;
}

/** Hex digits of a digest: enough to distinguish the sentences of a message. */
const DIGEST_LENGTH = 16;

/** Identifies a sentence in stored plans, which need not contain it. */
export const digestOf = (text: string, { start, end }: Pick<Sentence, "start" | "end">): string =>
  sha256(text.slice(start, end)).slice(0, DIGEST_LENGTH);

/**
 * The sentences with content in a text, trimmed; very long ones are split. Runs in steps of a few
 * milliseconds.
 */
export function* sentenceSteps(text: string): Generator<undefined, Sentence[]> {
  const spans: Sentence[] = [];
  for (const { index, 0: line } of text.matchAll(/[^\r\n]+/g)) {
    for (let at = 0; at < line.length; ) {
      yield;
      const end = sentenceEnd(line, at, pieceEnd(line, at));
      const part = line.slice(at, end);
      const start = index + at + (part.length - part.trimStart().length);
      if (part.trim() !== "") spans.push({ start, end: start + part.trim().length, words: wordsOf(part) });
      at = end;
    }
  }
  return spans;
}

/** A text without some of its sentences; adjacent ones are replaced by a single marker. */
export function withoutSentences(text: string, gone: readonly Sentence[]): string {
  let made = "";
  let at = 0;
  let isMarked = false;
  for (const { start, end } of gone) {
    const between = text.slice(at, start);
    const isNext = isMarked && between.trim() === "";
    made += isNext ? "" : `${between}${FORGOTTEN}`;
    isMarked = true;
    at = end;
  }
  return made + text.slice(at);
}

/** Whether a text contains nothing but markers. */
export const isAllForgotten = (text: string): boolean => text.replaceAll(FORGOTTEN, "").trim() === "";
