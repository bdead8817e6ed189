import { describe, expect, it } from "vitest";
import { nodeId } from "../../../src/domain/node.ts";
import { askedOfPassage } from "../../../src/retrieve/choose-passage.ts";
import { MAX_MATCH } from "../../../src/retrieve/chunk-texts.ts";
import { joinPassages } from "../../../src/retrieve/join-passages.ts";

const asked = askedOfPassage(
  "does vacuum full lock the table",
  new Map([
    ["vacuum", 3],
    ["full", 4],
    ["lock", 3],
    ["tabl", 1],
  ]),
);
const plain =
  "Plain VACUUM reclaims space while other sessions read and write the table, since no exclusive lock is taken.";
const full =
  "FULL: Selects full vacuum, which takes longer and exclusively locks the table while it writes a new copy of it.";
const filler = (count: number, word: string) =>
  `${word} is not returned to the operating system in most cases. `.repeat(count);

const at = (text: string, start = 0, node = 1) => ({
  text,
  chunk: { node: nodeId(node), start, end: start + text.length },
});
const join = (first: ReturnType<typeof at>, second: ReturnType<typeof at>) =>
  joinPassages(first, second, asked);

describe("two passages of a document", () => {
  it("two short passages of a document are shown whole, with a mark between them", () => {
    expect(join(at(plain), at(full, 1000))).toBe(`${plain}\n\n[…]\n\n${full}`);
  });

  it("a second passage that follows the best one directly is shown without a mark", () => {
    expect(join(at(plain), at(full, plain.length + 2))).toBe(`${plain}\n\n${full}`);
  });

  it("the best passage is shown first, wherever the second one stands", () => {
    expect(join(at(full, 1000), at(plain))).toBe(`${full}\n\n[…]\n\n${plain}`);
    expect(join(at(full, 1000), at(plain, 0, 2))).toBe(`${full}\n\n[…]\n\n${plain}`);
  });

  it("a second passage that the first one already contains is not repeated", () => {
    expect(join(at(`${plain}\n\n${full}`), at(full, plain.length + 2))).toBe(`${plain}\n\n${full}`);
  });

  it("a second passage that begins before the best one is shown only up to the start of the best one", () => {
    expect(join(at(full, 1000), at(`${plain}\n\n${full}`))).toBe(`${full}\n\n[…]\n\n${plain}`);
  });

  it("two long passages are cut around the sentences with most query words, and fit into one match", () => {
    const joined = join(
      at(filler(5, "Space") + plain + filler(10, "Space")),
      at(filler(5, "Memory") + full + filler(10, "Memory"), 5000),
    );
    expect(joined.length).toBeLessThanOrEqual(MAX_MATCH);
    expect(joined).toContain(plain);
    expect(joined).toContain("exclusively locks the table");
  });

  it("a second passage without room for a sentence leaves the first one whole", () => {
    expect(join(at(plain), at("Short.", 1000))).toBe(plain);
  });

  it("a sentence without spaces that is longer than a match is cut", () => {
    const joined = join(at("x".repeat(1000)), at("y".repeat(2000), 5000));
    expect(joined.length).toBeLessThanOrEqual(MAX_MATCH);
    expect(joined).toMatch(/^x+\n\n\[…\]\n\ny+$/);
  });

  it("a joined passage is never cut within a surrogate pair", () => {
    expect(join(at("😀".repeat(500)), at("😃".repeat(500), 5000)).isWellFormed()).toBe(true);
  });
});
