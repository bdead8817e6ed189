import { describe, expect, it } from "vitest";
import { holds } from "../../../src/retrieve/recall-block.ts";

/** All texts of the given length over two words, and all texts to look for in them. */
const texts = (length: number): number[][] =>
  length === 0
    ? [[]]
    : texts(length - 1).flatMap((text) => [
        [...text, 1],
        [...text, 2],
      ]);
const all = [0, 1, 2, 3, 4, 5, 6].flatMap(texts);

const plainly = (text: readonly number[], words: readonly number[]): boolean =>
  `,${text.join(",")},`.includes(`,${words.join(",")},`) || words.length === 0;

describe("a text of a recalled block", () => {
  it("the phrase check finds exactly the word sequences of a recalled text", () => {
    for (const text of all)
      for (const words of all)
        expect([text, words, holds(text, words)]).toEqual([text, words, plainly(text, words)]);
  });
});
