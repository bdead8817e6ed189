import { expect, it } from "vitest";
import { getOverview } from "../../src/service/content/get-layer.ts";
import { writeContent } from "../../src/service/content/write-content.ts";
import { House } from "../support/tenant.ts";

const FILES = 230;

it("the overview of a folder lists as many files as its token budget allows, and groups the others", async () => {
  const house = await House.open();
  const ann = house.as("ann");
  const write = (uri: string, content: string, wait = false) =>
    writeContent(house.deps, ann.call, { uri, content, mode: "create", wait });
  for (let file = 1; file <= FILES; file++)
    await write(`ctx://resources/log/day-${String(file).padStart(3, "0")}.md`, `Ferry ${file} was late.`);
  await write("ctx://resources/log/zebra.md", "A zebra crossed the pier.", true);
  const overview = (tokenBudget?: number) =>
    getOverview(house.deps, ann.call, { uri: "ctx://resources/log", tokenBudget });
  expect(await overview()).toContain(`# log\n\n${FILES + 1} documents.`);
  expect(await overview(100)).toMatch(/`day-\*`: \d+ more, day-\d+\.md to day-230\.md/);
  const whole = await overview(16_000);
  expect(whole.match(/^- day-\d+\.md: .*Ferry \d+ was late\.$/gm)).toHaveLength(FILES);
  expect(whole).toContain("A zebra crossed the pier.");
  await expect(overview(49)).rejects.toMatchObject({ code: "INVALID_ARGUMENT", message: /token_budget/ });
  await expect(overview(16_001)).rejects.toThrow("token_budget");
  await house.end();
});
