import { describe, expect, it } from "vitest";
import { planQuery, type SessionHistory } from "../../../src/retrieve/plan/plan.ts";

const NOW = Date.UTC(2026, 10, 21);
const ALL = ["memory", "resource", "skill"] as const;

const talk = (...texts: string[]): SessionHistory => ({
  summary: "",
  turns: texts.map((text, at) => ({ role: at % 2 === 0 ? "user" : "assistant", text })),
});

const SATURN = talk(
  "I want to talk about the planet Saturn and its moon Titan.",
  "Sure, what about Saturn and Titan?",
);

const plan = (query: string, conversation?: SessionHistory) =>
  planQuery({ query, types: ALL, conversation, now: NOW });

describe("planQuery", () => {
  it("a search plan queries every kind of context once with a self-contained question", () => {
    const { queries, sessionContext } = plan("How is the retry budget computed?");
    expect(queries.map(({ query }) => new Set([query]).size === 1 && query)).toEqual(
      Array(3).fill("How is the retry budget computed?"),
    );
    expect(queries.map(({ priority }) => priority)).toEqual([1, 2, 3]);
    expect(new Set(queries.map(({ contextType }) => contextType))).toEqual(new Set(ALL));
    expect(sessionContext).toBe("");
    expect(
      planQuery({ query: "my tools", types: ["resource"], now: NOW }).queries.map(
        ({ contextType }) => contextType,
      ),
    ).toEqual(["resource"]);
  });

  it.each([
    ["what are its lakes made of?", "what are its lakes made of? Saturn Titan"],
    ["and the rings?", "and the rings? Saturn Titan"],
    ["How far is Neptune and what are its moons?", "How far is Neptune and what are its moons?"],
    ["How do volcanoes erupt under the sea?", "How do volcanoes erupt under the sea?"],
  ])("a question that refers to the conversation is completed with its subjects: %s", (query, expected) => {
    expect(plan(query, SATURN).queries[0]?.query).toBe(expected);
  });

  it("a search plan prefers recent and frequent subjects, identifiers and quoted text", () => {
    const past = talk(
      "Tell me about Berlin.",
      "Berlin it is.",
      "Now fix parseHeader in src/wire.ts, the one called `strict mode`.",
      "Done, parseHeader is fixed.",
    );
    const [first] = plan("why did it fail before?", past).queries;
    for (const subject of ["parseHeader", "src/wire.ts", "strict mode"])
      expect(first?.query).toContain(subject);
    expect(first?.query).not.toContain("Berlin");
  });

  it("only the first hundred capitalised names of a message count as subjects", () => {
    const names = (count: number, name: string) => `we saw ${name}, `.repeat(count);
    const first = talk(names(60, "Oslo") + names(30, "Rome"));
    expect(plan("and it?", first).queries[0]?.query).toBe("and it? Oslo Rome");
    const late = talk(names(60, "Oslo") + names(40, "Rome") + names(1, "Bonn"));
    expect(plan("and it?", late).queries[0]?.query).toBe("and it? Oslo Rome");
  });

  it("a bare question is completed with the words of the user's last message", () => {
    expect(plan("why?", talk("the nightly backup job fails on tuesdays")).queries[0]?.query).toBe(
      "why? nightly backup job fails tuesdays",
    );
    expect(plan("它为什么失败?", talk("夜间备份任务")).queries[0]?.query).toContain("夜间备份任务");
  });

  it.each([
    ["What did I tell you about my sister?", "memory"],
    ["Which tool can convert a table?", "skill"],
    ["documentation of the wire format", "resource"],
    ["我上次说过什么", "memory"],
    ["如何部署工具", "skill"],
    ["ramen broth", "resource"],
  ])("a search plan first queries the kind of context that the question names: %s", (query, type) => {
    expect(plan(query).queries[0]?.contextType).toBe(type);
  });

  it("a search plan adds dates for named days to queries for memories", () => {
    const { queries, reasoning } = plan("What did we decide yesterday?");
    expect(queries.find(({ contextType }) => contextType === "memory")?.query).toBe(
      "What did we decide yesterday? 2026-11-20",
    );
    expect(queries.find(({ contextType }) => contextType === "resource")?.query).toBe(
      "What did we decide yesterday?",
    );
    expect(reasoning).toContain('"yesterday" is 2026-11-20');
  });

  it("a search plan splits several questions into separate queries, up to a limit", () => {
    const { queries } = plan(
      "Who owns the billing service? Where are its logs kept? Why? How is it deployed? When was it last rewritten?",
    );
    const first = queries
      .filter(({ contextType }) => contextType === queries[0]?.contextType)
      .map(({ query }) => query);
    expect(first.slice(1)).toEqual([
      "Who owns the billing service?",
      "Where are its logs kept? owns billing service",
      "When was it last rewritten? owns billing service",
    ]);
    expect(queries.length).toBe(6);
  });

  it("the session context of a search contains the summary and the last turns, each truncated", () => {
    const { sessionContext } = plan("and then?", {
      ...talk("first", "second", "third", "x".repeat(500)),
      summary: "They talk about numbers.",
    });
    expect(sessionContext.split("\n").map((line) => line.slice(0, 20))).toEqual([
      "They talk about numb",
      "assistant: second",
      "user: third",
      "assistant: xxxxxxxxx",
    ]);
    expect(sessionContext.length).toBeLessThan(300);
  });
});
