import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listEntries } from "../../src/service/filesystem/list-entries.ts";
import { listTree } from "../../src/service/filesystem/list-tree.ts";
import { glob } from "../../src/service/search/glob.ts";
import { type Actor, House } from "../support/tenant.ts";

const BASE = "ctx://resources/docs";
const LONG = Array.from(
  { length: 12 },
  (_, i) => `# Part ${i}\n\n${"Ordinary words of a long report. ".repeat(30)}\n`,
).join("\n");

let house: House;
let ann: Actor;

beforeEach(async () => {
  house = await House.open();
  ann = house.as("ann");
  const page = "<h1>Page</h1><p>A page that is converted to Markdown.</p>";
  await ann.add("docs", { "report.md": LONG, "page.html": page, "real/note.md": "A note." }, { to: BASE });
  await house.drain();
});
afterEach(async () => {
  await house.expectSound();
  await house.close();
});

const list = async (uri: string, hideSections: boolean, output = "original") => {
  const input = { uri, output, hideSections, simple: false, recursive: false, showAllHidden: false };
  return (await listEntries(house.deps, ann.call, input)).entries.map((entry) => {
    if (typeof entry === "string") throw new Error("an object was asked for");
    return [entry.uri.slice(BASE.length), entry.source];
  });
};

describe("sections of long documents in lists", () => {
  it.each(["original", "agent"])("ls shows which file a derived entry comes from, as %s", async (output) => {
    expect(await list(BASE, false, output)).toEqual([
      ["/page.html", undefined],
      ["/page.md", `${BASE}/page.html`],
      ["/real", undefined],
      ["/report", `${BASE}/report.md`],
      ["/report.md", undefined],
    ]);
    const sections = await list(`${BASE}/report`, false, output);
    expect(sections.length).toBeGreaterThan(2);
    expect(new Set(sections.map(([, source]) => source))).toEqual(new Set([`${BASE}/report.md`]));
  });

  it("ls leaves out section folders on request, but not the text of a converted file", async () => {
    const names = (await list(BASE, true)).map(([uri]) => uri);
    expect(names).toEqual(["/page.html", "/page.md", "/real", "/report.md"]);
  });

  it("ls of a section folder lists the sections in it even if sections are to be left out", async () => {
    expect(await list(`${BASE}/report`, true)).toEqual(await list(`${BASE}/report`, false));
  });

  it("tree does not enter section folders that it leaves out, even with pages of one entry", async () => {
    const names: (string | undefined)[] = [];
    let cursor: string | undefined;
    do {
      const input = { uri: "ctx://resources", showAllHidden: false, hideSections: true, nodeLimit: 1 };
      const page = await listTree(house.deps, ann.call, { ...input, ...(cursor && { cursor }) });
      for (const entry of page.entries) names.push(typeof entry === "string" ? entry : entry.rel_path);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(names).toEqual([
      "docs",
      "docs/page.html",
      "docs/page.md",
      "docs/real",
      "docs/real/note.md",
      "docs/report.md",
    ]);
  });

  it("a cursor of a list without sections is refused by a list with sections", async () => {
    const input = { uri: BASE, showAllHidden: false, nodeLimit: 1 };
    const { nextCursor } = await listTree(house.deps, ann.call, { ...input, hideSections: true });
    await expect(
      listTree(house.deps, ann.call, { ...input, ...(nextCursor && { cursor: nextCursor }) }),
    ).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("glob leaves out sections on request, unless it starts in a section folder", async () => {
    const found = async (uri: string, hideSections: boolean) =>
      (await glob(house.deps, ann.call, { uri, pattern: "**/*.md", hideSections })).matches;
    expect(await found(BASE, true)).toEqual([`${BASE}/page.md`, `${BASE}/real/note.md`, `${BASE}/report.md`]);
    const sections = await found(`${BASE}/report`, true);
    expect(sections.length).toBeGreaterThan(2);
    expect(await found(BASE, false)).toEqual([
      `${BASE}/page.md`,
      `${BASE}/real/note.md`,
      ...sections,
      `${BASE}/report.md`,
    ]);
  });
});
