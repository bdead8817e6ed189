import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { atOnce } from "../../../src/base/event-loop.ts";
import { workspaceId } from "../../../src/domain/ids.ts";
import { fileFor, TopicFiles } from "../../../src/memory/facts/choose-fact-file.ts";
import type { Fact } from "../../../src/memory/facts/fact.ts";
import type { FactFile } from "../../../src/memory/facts/fact-file.ts";
import { mergeSteps } from "../../../src/memory/facts/merge-facts.ts";
import { ruleExtractor } from "../../../src/memory/rule-extractor.ts";
import { conversation } from "./conversation.ts";

/** Statements in four languages, with the extracted facts, which were reviewed by hand. */
interface Everyday {
  readonly statements: readonly { readonly text: string; readonly facts: readonly string[] }[];
  readonly changes: readonly {
    readonly before: string;
    readonly after: string;
    readonly now: readonly string[];
    readonly earlier: readonly string[];
  }[];
}

const fixture = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${name}.json`, import.meta.url), "utf8"));

const { statements, changes }: Everyday = fixture("everyday-statements");
/** Sets written without knowledge of the rules, before the clause readers existed. */
const typed: Everyday & { readonly nothing: readonly string[] } = fixture("typed-statements");

const factsOf = (...texts: string[]): Promise<Fact[]> =>
  ruleExtractor.extract(
    { utterances: conversation(texts.map((text) => ["user", text])) },
    new AbortController().signal,
    { workspace: workspaceId(1) },
  );

/** Returns the facts of a conversation in their files. */
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

async function statementsOf(said: Everyday["statements"]): Promise<Everyday["statements"]> {
  const made = [];
  for (const { text } of said) made.push({ text, facts: (await factsOf(text)).map((fact) => fact.text) });
  return made;
}

async function changesOf(said: Everyday["changes"]): Promise<Everyday["changes"]> {
  const textsOf = (facts: FactFile["facts"]) => facts.map(({ text }) => text);
  const made = [];
  for (const { before, after } of said) {
    const files = await filesOf(before, after);
    const now = files.flatMap(({ facts }) => textsOf(facts)).sort();
    const earlier = files.flatMap((file) => textsOf(file.earlier)).sort();
    made.push({ before, after, now, earlier });
  }
  return made;
}

const shareOf = <T>(all: readonly T[], is: (one: T) => boolean): number => all.filter(is).length / all.length;

describe("everyday statements in four languages", () => {
  it("the rules extract the reviewed facts from two hundred everyday statements", async () => {
    expect(await statementsOf(statements)).toEqual(statements);
    expect(shareOf(statements, ({ facts }) => facts.length > 0)).toBeGreaterThan(0.9);
  });

  it("the rules extract the reviewed facts from statements as people type them", async () => {
    expect(await statementsOf(typed.statements)).toEqual(typed.statements);
    expect(shareOf(typed.statements, ({ facts }) => facts.length > 0)).toBeGreaterThan(0.97);
  });

  it("after eighty everyday facts change, the current facts remain and the earlier ones are superseded", async () => {
    expect(await changesOf(changes)).toEqual(changes);
  });

  it("after facts change in words as people type them, only the latest facts remain current", async () => {
    expect(await changesOf(typed.changes)).toEqual(typed.changes);
    expect(shareOf(typed.changes, ({ earlier }) => earlier.length > 0)).toBeGreaterThan(0.85);
  });

  it("statements about one moment, questions, suppositions, quotations and pasted material produce no facts", async () => {
    const made = [];
    for (const text of typed.nothing) made.push(...(await factsOf(text)).map((fact) => [text, fact.text]));
    expect(made).toEqual([]);
  });

  it("conditions, wishes, questions and quotations about everyday things produce no facts", async () => {
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
