import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { csvOf, questionsOf } from "../../clients/studio/src/screens/evaluation/csv.ts";
import { outcomeOf, summaryOf } from "../../clients/studio/src/screens/evaluation/measures.ts";
import { launch, openTab } from "./browser.ts";
import { type BuiltServer, startServer } from "./server.ts";

const A = "ctx://resources/a.md";
const B = "ctx://resources/b.md";
const C = "ctx://resources/c";
const hits = (...uris: string[]) => uris.map((uri) => ({ uri }));

describe("the measures of an evaluation", () => {
  it("evaluation measures are 1 if every expected URI ranks first", () => {
    const outcome = outcomeOf({ query: "q", expected: [A, B] }, hits(B, A, C), 10);
    expect(outcome).toMatchObject({ places: [1, 2], missed: [], recall: 1, ndcg: 1, reciprocalRank: 1 });
  });

  it("evaluation measures count missing expected URIs, even with fewer than k hits", () => {
    const outcome = outcomeOf({ query: "q", expected: [A, B] }, hits(A), 10);
    expect(outcome).toMatchObject({ places: [1], missed: [B], recall: 0.5 });
    expect(outcome.ndcg).toBeCloseTo(1 / (1 + 1 / Math.log2(3)));
  });

  it("evaluation measures consider at most k answers and k hits", () => {
    expect(outcomeOf({ query: "q", expected: [A, B] }, hits(A, B), 1)).toMatchObject({
      places: [1],
      recall: 0.5,
      ndcg: 1,
    });
  });

  it("a section counts as a hit for its file or folder, and for one expected URI only", () => {
    const section = { uri: `${C}/part/01.md`, source: A };
    expect(outcomeOf({ query: "q", expected: [A] }, [section], 10).recall).toBe(1);
    expect(outcomeOf({ query: "q", expected: [C] }, [section], 10).recall).toBe(1);
    expect(outcomeOf({ query: "q", expected: [A, C] }, [section], 10).recall).toBe(0.5);
    expect(
      outcomeOf({ query: "q", expected: ["ctx://resources/c"] }, hits("ctx://resources/cd"), 10).recall,
    ).toBe(0);
  });

  it("evaluation summaries are means over all questions", () => {
    const found = outcomeOf({ query: "q", expected: [A] }, hits(B, A), 10);
    const lost = outcomeOf({ query: "r", expected: [A] }, [], 10);
    expect(summaryOf([found, lost])).toMatchObject({ recall: 0.5, mrr: 0.25 });
    expect(summaryOf([])).toEqual({ recall: 0, ndcg: 0, mrr: 0 });
  });
});

describe("a CSV file of questions", () => {
  it("a CSV file of questions may have a BOM, a header, quoted commas and line breaks, and several URIs", () => {
    const csv = `\ufeffquestion,uris\r\n"say ""when"", and\nwhere",${A} ${B}\r\nwhat,${C}/,${A}\r\nwhat,${B}\r\nnothing\r\n`;
    expect(questionsOf(csv)).toEqual({
      questions: [
        { query: 'say "when", and\nwhere', expected: [A, B] },
        { query: "what", expected: [C, A, B] },
      ],
      skipped: 2,
    });
  });

  it("a CSV file of questions may separate fields with semicolons", () => {
    expect(questionsOf(`how;${A}\nwhy;${B}\n`).questions).toEqual([
      { query: "how", expected: [A] },
      { query: "why", expected: [B] },
    ]);
  });

  it("a CSV file saved by Studio is loaded without changes", () => {
    const questions = [{ query: 'a "quote", and\na line', expected: [A, B] }];
    expect(questionsOf(csvOf(questions)).questions).toEqual(questions);
  });
});

describe("the evaluation screen", () => {
  let server: BuiltServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await startServer();
    browser = await launch();
    for (const [name, content] of [
      ["tea.md", "# Tea\n\nGreen tea is brewed at 80 degrees.\n"],
      ["boats.md", "# Boats\n\nThe ferry leaves from pier three.\n"],
    ] as const)
      await write(`ctx://resources/notes/${name}`, content);
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  const write = (uri: string, content: string) =>
    server.rest("POST content/write", { uri, content, mode: "create", wait: true });
  const lastRun = (page: Page) =>
    page.getByRole("table", { name: "Runs, latest first" }).getByRole("row").nth(1);

  it("the evaluation screen accepts questions from three sources, lists misses, and measures again", async () => {
    const { page, faults, go, close } = await openTab(browser, server.url);
    await go("/search?q=green+tea");
    await page.getByRole("button", { name: "Save as an expected answer" }).first().click();
    await page.getByRole("button", { name: "An expected answer: remove it" }).waitFor();
    await page.getByRole("link", { name: "Evaluation" }).click();
    await page.getByRole("heading", { name: "Questions (1)" }).waitFor();
    await page.getByLabel("Question", { exact: true }).fill("how is coffee brewed");
    await page.getByLabel("URI that should answer it").fill("ctx://resources/notes/coffee.md");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByLabel("CSV file").setInputFiles({
      name: "questions.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(
        'question,uris\n"where does the ferry leave, and when?",ctx://resources/notes/boats.md\n',
      ),
    });
    await page.getByRole("heading", { name: "Questions (3)" }).waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("heading", { name: "Misses (1)" }).waitFor();
    await page.getByRole("link", { name: "how is coffee brewed" }).waitFor();
    expect(await lastRun(page).textContent()).toContain("0.667");

    await page.getByRole("link", { name: "Explorer" }).click();
    await page.getByRole("treeitem", { name: "resources" }).waitFor();
    await write("ctx://resources/notes/coffee.md", "# Coffee\n\nCoffee is brewed at 95 degrees.\n");
    await page.getByRole("link", { name: "Evaluation" }).click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("Every expected answer was found.").waitFor();
    expect(await lastRun(page).textContent()).toContain("1.000");
    await page.getByText("better by 0.333").first().waitFor({ state: "attached" });
    expect(faults).toEqual([]);
    await close();
  });

  it("the evaluation screen compares runs, keeps questions after a reload, and saves them as CSV", async () => {
    const { page, faults, go, close } = await openTab(browser, server.url);
    await go("/evaluation");
    await page.getByLabel("CSV file").setInputFiles({
      name: "questions.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("pier three,ctx://resources/notes/boats.md\n"),
    });
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("Every expected answer was found.").waitFor();
    await page.getByRole("button", { name: "Options" }).click();
    await page.getByLabel("Search in").fill("ctx://resources/notes/tea.md");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("heading", { name: "Misses (1)" }).waitFor();
    expect(await lastRun(page).textContent()).toContain("in ctx://resources/notes/tea.md");
    await page.getByText("worse by 1.000").first().waitFor({ state: "attached" });
    await page.getByRole("radio", { name: /^Compare the last run with/ }).check();
    await page.reload();
    await page.getByRole("heading", { name: "Questions (1)" }).waitFor();
    await page.getByRole("heading", { name: "Misses (1)" }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save CSV" }).click(),
    ]);
    expect(questionsOf(await readFile(await download.path(), "utf8")).questions).toEqual([
      { query: "pier three", expected: ["ctx://resources/notes/boats.md"] },
    ]);
    await page.getByLabel("CSV file").setInputFiles({
      name: "nothing.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("a,b\n"),
    });
    await page.getByText("nothing.csv has no line with a question and a URI").waitFor();
    await page.getByRole("button", { name: "Dismiss" }).last().click();
    await page.getByRole("button", { name: "Remove “pier three”" }).click();
    await page.getByText("No questions yet").waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
