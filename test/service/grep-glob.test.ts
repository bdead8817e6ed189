import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type GlobInput, glob } from "../../src/service/search/glob.ts";
import { type GrepInput, grep } from "../../src/service/search/grep.ts";
import { type Actor, codeOf, House } from "../support/tenant.ts";

let house: House;
let ann: Actor;

beforeEach(async () => {
  house = await House.open();
  ann = house.as("ann");
});
afterEach(async () => {
  await house.drain();
  await house.expectSound();
  await house.close();
});

const BASE = "ctx://resources/g";
const short = (uri: string) => uri.replace(`${BASE}/`, "");
const grepOf = (actor: Actor, pattern: string, more: Partial<GrepInput> = {}) =>
  grep(house.deps, actor.call, { uri: BASE, caseInsensitive: false, pattern, ...more });
const globOf = (actor: Actor, pattern: string, more: Partial<GlobInput> = {}) =>
  glob(house.deps, actor.call, { uri: BASE, pattern, ...more });
const hits = async (pattern: string, more: Partial<GrepInput> = {}) =>
  (await grepOf(ann, pattern, more)).matches.map(
    ({ uri, line, content }) => `${short(uri)}:${line}:${content}`,
  );

async function fill(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await ann.create(`${BASE}/${name}`, text);
}

describe("grep", () => {
  it("grep returns matching lines in tree order without line breaks", async () => {
    await fill({
      "b.md": "no\nalpha\r\nalpha beta\n",
      "a/z.txt": "alpha in a",
      ".dot.md": "alpha",
      "c.md": "ALPHA\n\n",
    });
    expect(await hits("alpha")).toEqual(["a/z.txt:1:alpha in a", "b.md:2:alpha", "b.md:3:alpha beta"]);
    expect(await hits("^alpha$")).toEqual(["b.md:2:alpha"]);
    expect(await hits("alpha$", { caseInsensitive: true })).toEqual(["b.md:2:alpha", "c.md:1:ALPHA"]);
    expect(await hits("^$")).toEqual(["c.md:2:"]);
    expect(await hits("alpha", { uri: `${BASE}/b.md`, nodeLimit: 1 })).toHaveLength(2);
    expect(await hits("alpha", { uri: `${BASE}/.dot.md` })).toEqual([".dot.md:1:alpha"]);
  });

  it("grep searches a document only in its file, unless the target is a section", async () => {
    const long = Array.from(
      { length: 20 },
      (_, i) => `# Part ${i}\n\n${"Ordinary words of a long report. ".repeat(30)}needle${i}\n`,
    ).join("\n");
    await ann.add("docs", { "report.md": long }, { to: BASE });
    await house.drain();
    const found = await grepOf(ann, "needle\\d+");
    expect(new Set(found.matches.map(({ uri }) => uri))).toEqual(new Set([`${BASE}/report.md`]));
    expect(found.count).toBe(20);
    expect((await grepOf(ann, "needle3", { uri: `${BASE}/report` })).count).toBe(1);
    expect((await grepOf(ann, ".", { uri: `${BASE}/.abstract.md` })).count).toBeGreaterThan(0);
  });

  it("grep continues by cursor, file by file and within a file", async () => {
    await fill({ "a.md": "x 1\nx 2", "b.md": "nothing", "c/d.md": "x 3", "e.md": "x 4" });
    const pages: string[][] = [];
    for (let cursor: string | undefined, turn = 0; turn < 10; turn++) {
      const page = await grepOf(ann, "^x", { nodeLimit: 1, ...(cursor !== undefined && { cursor }) });
      pages.push(page.matches.map(({ content }) => content));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    expect(pages).toEqual([["x 1", "x 2"], [], ["x 3"], ["x 4"]]);
    const line = "y".repeat(4000);
    await fill({ "y1.md": `${line}\n`.repeat(400), "y2.md": `${line}\n`.repeat(400) });
    let count = 0;
    let cursor: string | undefined;
    const seen = new Set<string>();
    do {
      const page = await grepOf(ann, "^y", cursor === undefined ? {} : { cursor });
      for (const match of page.matches) seen.add(`${match.uri}:${match.line}`);
      count += page.count;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect([count, seen.size]).toEqual([800, 800]);
    expect(
      await codeOf(grepOf(ann, "^z", { cursor: (await grepOf(ann, "^x", { nodeLimit: 1 })).nextCursor })),
    ).toBe("INVALID_ARGUMENT");
  });

  it("grep finds plain text in files of all encodings and sizes, in order", async () => {
    const files: Record<string, string | Buffer> = {};
    for (let i = 0; i < 1100; i++)
      files[`f${String(i).padStart(4, "0")}.txt`] = i % 100 === 7 ? `a needle in ${i}` : `hay ${i}`;
    files["f0500.txt"] = Buffer.from("\ufeffa needle in wide text", "utf16le");
    files["f0501.txt"] = `${"hay\n".repeat(9000)}needle`;
    files["f0502.txt"] = Buffer.from([0xc4, 0xe3, 0x20, ...Buffer.from("needle")]);
    await ann.add("many", files, { to: BASE });
    await house.drain();
    const wanted = Object.keys(files).filter((_, i) => i % 100 === 7 || (i >= 500 && i <= 502));
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await grepOf(ann, "needle", { nodeLimit: 550, ...(cursor !== undefined && { cursor }) });
      found.push(...page.matches.map(({ uri }) => short(uri)));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(found).toEqual(wanted);
    expect((await globOf(ann, "f*7.txt")).matches.map(short)).toEqual(
      Object.keys(files).filter((name) => name.endsWith("7.txt")),
    );
  });

  it("grep cuts long lines and skips binary files", async () => {
    await ann.add(
      "mixed",
      { "long.txt": `needle${"é".repeat(9000)}`, "bin.dat": Buffer.from("\u0000\u0001needle\u0000") },
      { to: BASE },
    );
    const { matches } = await grepOf(ann, "^needle");
    expect(matches.map(({ uri, content }) => [short(uri), [...content].length])).toEqual([
      ["long.txt", 4096],
    ]);
  });

  it.each([
    "",
    "(",
    "[",
    "*a",
    "(?=a)",
    "(?<=a)b",
    "(a)\\1",
    "a{1000}{1000}",
    "(a{0,1000}){3}",
    "a".repeat(1025),
  ])("grep refuses the pattern %j", async (pattern) => {
    await fill({ "a.md": "x" });
    await expect(grepOf(ann, pattern)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      details: { field: "pattern" },
    });
  });

  it("grep and glob find nothing in another user's space", async () => {
    await ann.create("ctx://user/ann/notes.md", "secret");
    const bob = house.as("bob");
    expect(await codeOf(grepOf(bob, "secret", { uri: "ctx://user/ann" }))).toBe("NOT_FOUND");
    expect(await codeOf(globOf(bob, "*", { uri: "ctx://user/ann" }))).toBe("NOT_FOUND");
    expect(await codeOf(grepOf(bob, "x", { uri: "ctx://resources/none" }))).toBe("NOT_FOUND");
    expect((await grepOf(bob, "secret", { uri: "ctx://" })).count).toBe(0);
    expect((await grepOf(ann, "secret", { uri: "ctx://" })).count).toBe(1);
    expect((await globOf(bob, "user/ann/*", { uri: undefined })).count).toBe(0);
    expect(await codeOf(grepOf(ann, "x", { uri: "ctx://user/ann", nodeLimit: 0 }))).toBe("INVALID_ARGUMENT");
  });
});

describe("glob", () => {
  it.each([
    ["*.md", ["a.md"]],
    ["**/*.md", ["a.md", "s/b.md", "s/t/c.md"]],
    ["s/*", ["s/b.md", "s/t"]],
    ["s/**", ["s/b.md", "s/t", "s/t/c.md"]],
    ["{s,x}/[!a].md", ["s/b.md"]],
    ["s/t/c.md", ["s/t/c.md"]],
    ["{s/t/c.md,a.md}", ["a.md", "s/t/c.md"]],
    ["c.md", []],
  ])("glob finds the expected paths for %s", async (pattern, wanted) => {
    await fill({ "a.md": "x", "s/b.md": "x", "s/t/c.md": "x", ".h.md": "x", "s/.hidden/d.md": "x" });
    const found = await globOf(ann, pattern);
    expect(found).toEqual({ matches: wanted.map((name) => `${BASE}/${name}`), count: wanted.length });
    const fromRoot = await globOf(ann, `resources/g/${pattern}`, { uri: undefined });
    expect(fromRoot.matches).toEqual(found.matches);
  });

  it("glob continues with its cursor", async () => {
    await fill({ "a.md": "x", "s/b.md": "x", "s/t/c.md": "x", "u.txt": "x" });
    const first = await globOf(ann, "**/*.md", { nodeLimit: 2 });
    const second = await globOf(ann, "**/*.md", { nodeLimit: 2, cursor: first.nextCursor });
    expect([first.matches.map(short), second.matches.map(short), second.nextCursor]).toEqual([
      ["a.md", "s/b.md"],
      ["s/t/c.md"],
      undefined,
    ]);
    await expect(globOf(ann, "[a")).rejects.toMatchObject({ details: { field: "pattern" } });
  });
});
