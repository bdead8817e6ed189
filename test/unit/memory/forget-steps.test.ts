import { describe, expect, it } from "vitest";
import { atOnce } from "../../../src/base/event-loop.ts";
import type { Message } from "../../../src/domain/message.ts";
import { KeyWords, wordSteps, wordsOf } from "../../../src/memory/forget/key-words.ts";
import { redactSteps, type Select } from "../../../src/memory/forget/redact-message.ts";
import { sentenceSteps } from "../../../src/memory/forget/redact-text.ts";
import { type ForgetTarget, Targets } from "../../../src/memory/forget/targets.ts";

const message = (text: string): Message => ({
  id: "m1",
  role: "user",
  created_at: "2026-11-25T09:00:00Z",
  parts: [{ type: "text", text }],
});
const target = (text: string): ForgetTarget => ({
  phrase: new KeyWords(text),
  minShare: 1,
  isFact: true,
  sources: new Set(),
});
const unlike = (count: number): string =>
  Array.from({ length: count }, (_, i) => `w${i.toString(36)}`).join(" ");
const selecting =
  (targets: Targets): Select =>
  (texts) =>
    targets.selectedSteps(texts, ["key"]);
const redacted = (text: string, targets: Targets): string => {
  const [part] = atOnce(redactSteps(message(text), targets, selecting(targets))).message.parts;
  return part?.type === "text" ? part.text : "";
};
/** Counts the steps of a computation, which yields between them. */
function stepsOf(steps: Generator<undefined, unknown>): number {
  let count = 0;
  while (!steps.next().done) count++;
  return count;
}

describe("a message that something is to be forgotten in", () => {
  const facts = Array.from({ length: 50 }, (_, i) => target(`Harbour number${i} lantern${i}`));

  it("forgetting compares one target and one sentence in each step", () => {
    const text = "Harbour is what I said. ".repeat(500);
    const asked = new Targets(facts.map((fact) => ({ ...fact, minShare: 0.5 })));
    expect(stepsOf(redactSteps(message(text), asked, selecting(asked)))).toBeGreaterThan(500 * facts.length);
    // a sentence without any of the significant words is not compared
    const told = new Targets(facts);
    expect(stepsOf(redactSteps(message(text), told, selecting(told)))).toBeLessThan(500 * 10);
  });

  it("forgetting splits a message without sentence breaks and still finds every word", () => {
    const long = unlike(30_000);
    const spans = atOnce(sentenceSteps(long));
    expect(spans.every(({ start, end }) => end - start <= 16 * 1024)).toBe(true);
    expect(new Set(spans.flatMap(({ words }) => [...words]))).toEqual(wordsOf(long));
    expect(atOnce(wordSteps(long))).toEqual(wordsOf(long));
    const secret = "the harbour number7 lantern7";
    const kept = redacted(`${long} ${secret} ${long}`, new Targets(facts));
    expect(kept).not.toContain("number7");
    expect(kept.startsWith("w0 w1 ")).toBe(true);
    expect(kept).toContain("[forgotten]");
  });
});

describe("the share of a phrase in a text", () => {
  it.each([
    ["lanterns harbour", 1],
    ["lantern harbours", 1],
    ["harbouring lantern", 1],
    ["harbouring", 0],
    ["harbour", 0.5],
    ["har lan", 0],
  ])("the share of a phrase does not depend on the length of the text: %s", (said, share) => {
    const phrase = new KeyWords("harbour lantern");
    expect(phrase.shareIn(wordsOf(said))).toBe(share);
    expect(phrase.shareIn(wordsOf(`${said} ${unlike(1000)}`))).toBe(share);
  });
});
