import { expect, it } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import { ruleExtractor } from "../../../src/memory/rule-extractor.ts";
import { longestShare } from "../../support/longest-stretch.ts";
import { conversation } from "./conversation.ts";

it("a message too long for rules does not hold the event loop while the others are read", async () => {
  const spoken = Array.from({ length: 400 }, (_, at): ["user", string] => [
    "user",
    `My colleague number ${at} told me that I should drink tea ${at} of Assam.`,
  ]);
  const lines: ["user", string][] = [...spoken, ["user", "Ich trinke Tee. ".repeat(300_000)]];
  const { signal } = new AbortController();
  const extract = () =>
    ruleExtractor.extract({ utterances: conversation(lines) }, signal, { workspace: workspaceId(1) });
  await ruleExtractor.extract({ utterances: conversation(spoken) }, signal, { workspace: workspaceId(1) });
  expect(await longestShare(extract)).toBeLessThan(0.6);
});
