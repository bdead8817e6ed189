import { describe, expect, test } from "vitest";
import { sentencesOf } from "../../src/domain/text/sentences.ts";
import { hasContent } from "../../src/memory/content-words.ts";
import { cutEpisodes } from "../../src/memory/episodes.ts";
import { casesIn } from "../../src/memory/rules/cases.ts";
import type { ToolCall, Utterance } from "../../src/memory/utterance.ts";
import { faultOfGrowth } from "../support/growth.ts";

/** Texts of which length `length` that are hard for somebody, by name. */
const filled = (unit: string) => (length: number) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
const VECTORS: Readonly<Record<string, (length: number) => string>> = {
  "a run of !": filled("!"),
  "a run of ! before a letter": (length) => `${filled("!")(length - 1)}x`,
  "short sentences in one line": filled("a. "),
  "a run of laughter in Chinese": (length) => `${filled("哈")(length - 2)}今天`,
};

const utterance = (text: string, tools: readonly ToolCall[] = []): Utterance => ({
  id: "m1",
  role: "user",
  speaker: "user",
  isNamed: false,
  when: "2026-11-21 16:05",
  date: "2026-11-21",
  text,
  tools,
});
const failed: ToolCall = { name: "t", input: "", output: "e", status: "error" };

const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  sentencesOf,
  hasContent,
  cutEpisodes: (text) => cutEpisodes([utterance(text)]),
  "cutEpisodes of a tool call a character": (text) =>
    cutEpisodes([
      utterance(
        "",
        Array.from({ length: text.length / 10 }, () => failed),
      ),
    ]),
  "casesIn of a tool call a character": (text) =>
    casesIn({
      utterances: [
        utterance(
          "",
          Array.from({ length: text.length / 10 }, () => failed),
        ),
      ],
    }),
};

describe("text functions", () => {
  for (const [name, run] of Object.entries(FUNCTIONS))
    test(`${name} takes time in proportion to its text, whatever the text holds`, () => {
      for (const [vector, textOf] of Object.entries(VECTORS))
        expect([vector, faultOfGrowth(run, textOf)]).toEqual([vector, undefined]);
    });
});
