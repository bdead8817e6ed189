import { expect, it } from "vitest";
import { getOverview } from "../../src/service/content/get-layer.ts";
import { writeContent } from "../../src/service/content/write-content.ts";
import { House } from "../support/tenant.ts";

const SUBJECTS = [
  "Sailing boats carry passengers across the harbour when the wind blows from the west and the tide is high",
  "Bread dough rests overnight in a cool kitchen before the baker shapes loaves of rye and wheat for breakfast",
  "Invoices of customers are paid by bank transfer within thirty days, or a reminder with a fee follows by mail",
] as const;
const FILES = 120;

it("the overview of a wide folder names groups, and each group lists its own entries with their abstracts", async () => {
  const house = await House.open();
  const ann = house.as("ann");
  const uri = "ctx://resources/wide";
  for (let file = 0; file < FILES; file++)
    await writeContent(house.deps, ann.call, {
      uri: `${uri}/n${String(file).padStart(3, "0")}.md`,
      content: `${SUBJECTS[file % SUBJECTS.length]}, says note ${file} of the collection.`,
      mode: "create",
      wait: file === FILES - 1,
    });
  const overview = (group?: string, tokenBudget?: number) =>
    getOverview(house.deps, ann.call, { uri, group, tokenBudget });
  const whole = await overview();
  const groups = [...whole.matchAll(/^- about (.+) \((\d+)\):$/gm)];
  expect(groups.length).toBeGreaterThan(2);
  expect(new Set(groups.map(([, words]) => words)).size).toBe(groups.length);
  expect(groups.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(FILES);
  expect(whole.match(/^ {2}- n\d{3}\.md/gm)).toHaveLength(FILES);
  const listed: string[] = [];
  for (const [, words = "", count] of groups) {
    const list = await overview(words);
    expect(list).toContain(`# wide: ${words}\n`);
    const names = list.match(/^- n\d{3}\.md: .{40,}/gm) ?? [];
    expect(names).toHaveLength(Number(count));
    listed.push(...names.map((line) => line.slice(2, 9)));
  }
  expect(new Set(listed).size).toBe(FILES);
  const [, first = ""] = groups[0] ?? [];
  expect((await overview(first, 60)).length).toBeLessThan((await overview(first)).length);
  expect((await overview("n00*")).match(/^- n00\d\.md/gm)).toHaveLength(10);
  for (const group of ["", "x".repeat(201), "no such words", "zebra*"])
    await expect(overview(group)).rejects.toMatchObject({ code: "INVALID_ARGUMENT", message: /group/ });
  await expect(
    getOverview(house.deps, ann.call, { uri: `${uri}/n000.md`, group: "n0*" }),
  ).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  await house.end();
});
