import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { atOnce } from "../../../src/base/event-loop.ts";
import { workspaceId } from "../../../src/domain/ids.ts";
import type { Fact } from "../../../src/memory/fact.ts";
import { type FactFile, mergeSteps } from "../../../src/memory/fact-file.ts";
import { fileFor, TopicFiles } from "../../../src/memory/fact-places.ts";
import { ruleExtractor } from "../../../src/memory/rule-extractor.ts";
import { conversation } from "./conversation.ts";

/** Statements in four languages, with the facts that were read beside them and found right. */
interface Everyday {
  readonly statements: readonly { readonly text: string; readonly facts: readonly string[] }[];
  readonly changes: readonly {
    readonly before: string;
    readonly after: string;
    readonly now: readonly string[];
    readonly earlier: readonly string[];
  }[];
}

const { statements, changes }: Everyday = JSON.parse(
  readFileSync(new URL("../../fixtures/everyday-statements.json", import.meta.url), "utf8"),
);

const factsOf = (...texts: string[]): Promise<Fact[]> =>
  ruleExtractor.extract(
    { utterances: conversation(texts.map((text) => ["user", text])) },
    new AbortController().signal,
    { workspace: workspaceId(1) },
  );

/** The facts of a conversation, in their files. */
async function filesOf(...texts: string[]): Promise<FactFile[]> {
  const files = new Map<string, FactFile>();
  const names = new Map<string, TopicFiles>();
  for (const fact of await factsOf(...texts)) {
    const { category, topic } = fact;
    const known = names.get(category) ?? new TopicFiles();
    names.set(category, known);
    const path = `${category}/${fileFor(fact, known)}`;
    const file = files.get(path) ?? { category, topic, facts: [], earlier: [] };
    files.set(path, atOnce(mergeSteps(file, [{ ...fact, sources: [] }])).file);
  }
  return [...files.values()];
}

describe("everyday statements in four languages", () => {
  it("the rules make of two hundred everyday statements the facts that were found right", async () => {
    const made = [];
    for (const { text } of statements)
      made.push({ text, facts: (await factsOf(text)).map((fact) => fact.text) });
    expect(made).toEqual(statements);
    expect(statements.filter(({ facts }) => facts.length > 0).length).toBeGreaterThan(
      0.9 * statements.length,
    );
  });

  it("a change of eighty everyday facts leaves what holds now, and moves aside what held before", async () => {
    const made = [];
    for (const { before, after } of changes) {
      const files = await filesOf(before, after);
      const textsOf = (facts: FactFile["facts"]) => facts.map(({ text }) => text);
      const now = files.flatMap(({ facts }) => textsOf(facts)).sort();
      const earlier = files.flatMap((file) => textsOf(file.earlier)).sort();
      made.push({ before, after, now, earlier });
    }
    expect(made).toEqual(changes);
  });

  it("conditions, wishes, questions and quotations of everyday things make no facts", async () => {
    const nothing = [
      "If I lived in Bristol, I would cycle.",
      "Do we use Jenkins?",
      "Should I play the cello?",
      "Is the main branch called trunk?",
      "Wenn wir Jenkins benutzen, wird es langsam.",
      "Heißt die Testdatenbank Reiher?",
      "Vielleicht trage ich eine Brille.",
      "Si nous utilisions GitLab, ce serait mieux.",
      "Peut-être que la base de test s'appelle héron.",
      "如果我们用 GitLab 做持续集成就好了。",
      "测试数据库叫白鹭吗？",
      "他说我们的服务器在上海。",
    ];
    for (const text of nothing) expect([text, await factsOf(text)]).toEqual([text, []]);
  });
});
