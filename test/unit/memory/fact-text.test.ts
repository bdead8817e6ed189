import { describe, expect, it } from "vitest";
import type { FactFile } from "../../../src/memory/facts/fact-file.ts";
import { readFacts, rewritten } from "../../../src/memory/facts/fact-text.ts";

describe("the text of a file of facts", () => {
  it("removing a fact removes one of several equal lines, and no other text", () => {
    const text = "# Topic\n\nA note.\n\n- one\n- two\n- one\n- two\n\n\nThe end.\n";
    const before = readFacts(text, undefined, "entities");
    expect(before.file.facts.map((fact) => fact.text)).toEqual(["one", "two", "one", "two"]);
    const [one, , , two] = before.file.facts;
    const after: FactFile = { ...before.file, facts: [one, two].flatMap((fact) => fact ?? []) };
    const made = rewritten(before, after).text;
    expect(made.match(/^- one$/gm)).toHaveLength(1);
    expect(made.match(/^- two$/gm)).toHaveLength(1);
    expect(made).toContain("A note.");
    expect(made).toContain("The end.");
  });

  it("each of several equal lines keeps the sources of its own fact", () => {
    const fact = (session: string) => ({
      text: "one",
      date: "",
      sources: [{ session, archive: 1, messages: ["m"] }],
    });
    const known: FactFile = {
      category: "entities",
      topic: "Topic",
      facts: [fact("a"), fact("b")],
      earlier: [],
    };
    const { file } = readFacts("# Topic\n\n- one\n- other\n- one\n- one\n", known, "entities");
    expect(file.facts.map(({ sources }) => sources.map(({ session }) => session).join())).toEqual([
      "a",
      "",
      "b",
      "",
    ]);
  });
});
