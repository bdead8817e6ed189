import { describe, expect, it } from "vitest";
import { atOnce } from "../../../src/base/event-loop.ts";
import { estimateTokens } from "../../../src/domain/text/tokens.ts";
import { childLineSteps } from "../../../src/enrich/directory/child-lines.ts";
import { groupSteps } from "../../../src/enrich/directory/name-groups.ts";
import { cutOverview, relistedSteps } from "../../../src/enrich/directory/overview-within.ts";

const numbered = (start: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${start}${String(at + 1).padStart(4, "0")}.md`);

describe("groups of names", () => {
  it.each<[names: readonly string[], groups: readonly string[]]>([
    [numbered("ticket-", 50), ["ticket-* 50"]],
    [["api-agent.md", "api-client.md", "api-pool.md", "guide-a.md", "index.md"], ["api-* 3"]],
    [["2026-01-01.log", "2026-01-02.log", "2026-01-03.log", "2026-02-01.log"], ["2026-* 4"]],
    [
      ["2025-01.log", "2025-02.log", "2025-03.log", "2026-01.log", "2026-02.log", "2026-03.log"],
      ["2025-* 3", "2026-* 3"],
    ],
    [["IMG_1.jpg", "IMG_2.jpg", "IMG_3.jpg", "scan1.pdf"], ["IMG_* 3"]],
    [["会议-1.md", "会议-2.md", "会议-3.md"], ["会议-* 3"]],
    [["Agent.md", "Client.md", "Pool.md"], []],
    [["a[1].md", "a[2].md", "a[3].md"], []],
    [[], []],
  ])("the names %j are grouped as %j", (names, groups) => {
    expect(atOnce(groupSteps(names)).map(({ pattern, members }) => `${pattern} ${members.length}`)).toEqual(
      groups,
    );
  });
});

const shown = numbered("note-", 200).map((name, at) => ({
  name,
  isDirectory: false,
  abstract: `${"海の話 ".repeat(at % 2)}Note ${at + 1} says when the ferry leaves and who pays for it.`,
}));
const children = { shown, more: [...numbered("ticket-", 300), "zebra.md"], count: 501 };
const overview = ["# big", "", "501 documents.", "", ...atOnce(childLineSteps(children, 4000))].join("\n");

describe("the overview of a directory within a budget", () => {
  it.each([50, 100, 300, 1000, 4000, 16_000])(
    "a directory overview of %i tokens keeps its budget and accounts for every child",
    (tokens) => {
      const made = atOnce(relistedSteps(overview, children, tokens));
      expect(estimateTokens(made)).toBeLessThanOrEqual(tokens);
      expect(made).toMatch(/^# big\n\n501 documents\.\n/);
      const lines = made.split("\n").filter((line) => line.startsWith("- "));
      const amounts = lines.map((line) =>
        Number(/(?:^- and |: )([\d,]+) more/.exec(line)?.[1]?.replace(",", "") ?? 1),
      );
      expect(amounts.reduce((sum, one) => sum + one, 0)).toBe(children.count);
    },
  );

  it("a directory overview is listed in many steps", () => {
    expect([...relistedSteps(overview, children, 16_000)].length).toBeGreaterThan(100);
  });

  it("a directory overview lists more children with a larger budget", () => {
    const linesOf = (tokens: number) => atOnce(relistedSteps(overview, children, tokens)).split("\n").length;
    expect([200, 1000, 4000].map(linesOf)).toEqual([200, 1000, 4000].map(linesOf).sort((a, b) => a - b));
    expect(linesOf(4000)).toBeGreaterThan(linesOf(200) * 3);
  });
});

describe("the overview of a file within a budget", () => {
  const text = `# Tea\n\n${"Green tea is brewed at 80 degrees. ".repeat(10)}\n\n## Cups\n\n- large\n- small\n`;

  it("a cut file overview ends after a complete line and not with a heading", () => {
    for (let tokens = 50; tokens < estimateTokens(text); tokens++) {
      const cut = cutOverview(text, tokens);
      expect(estimateTokens(cut)).toBeLessThanOrEqual(tokens);
      expect(text.startsWith(cut.replace(/…$/, ""))).toBe(true);
      expect(cut).not.toMatch(/(?:^|\n)#+ [^\n]*$/);
    }
    expect(cutOverview(text, 16_000)).toBe(text);
  });

  it("a file overview of one long line is cut after a word", () => {
    const cut = cutOverview("word ".repeat(1000), 50);
    expect(cut).toMatch(/^word word .*…$/);
    expect(estimateTokens(cut)).toBeLessThanOrEqual(50);
  });
});
