import { expect, test } from "vitest";
import { analyseQuery, wordStart } from "../../../src/domain/text/analyse.ts";
import { bestPart } from "../../../src/retrieve/choose-passage.ts";
import { MAX_MATCH as MAX, ShownText } from "../../../src/retrieve/chunk-texts.ts";

const message = (i: number) =>
  `user: Day ${i}, the water rose again and the harbour master told stories of cranes and tides to everybody who came.`;
const MESSAGES = Array.from({ length: 12 }, (_, i) =>
  i === 9 ? "user: The caulking iron lies in the blue shed." : message(i),
);
const PASSAGE = MESSAGES.join("\n\n");
const part = (query: string, passage = PASSAGE) =>
  bestPart(new ShownText(passage), analyseQuery(query).map(wordStart)).text;

test("a long passage is cut to the message that answers, with adjacent messages", () => {
  const shown = part("where is the caulking iron");
  expect(shown).toContain(MESSAGES[9]);
  expect(shown).toContain(MESSAGES[8]);
  expect(shown).toContain(MESSAGES[10]);
  expect(PASSAGE).toContain(shown);
  expect([shown.length <= MAX, shown.length > MAX - 250]).toEqual([true, true]);
});

test("a passage without a best message is shown from its beginning, and a short passage completely", () => {
  expect(part("xylophone").startsWith(MESSAGES[0]!)).toBe(true);
  expect(part("iron", MESSAGES[9])).toBe(MESSAGES[9]);
  expect(part("iron", `${"iron ".repeat(400)}\n\nuser: end`)).toHaveLength(MAX);
});
