import ignore from "ignore";
import { describe, expect, it } from "vitest";
import { ImportFilter } from "../../../src/ingest/filter.ts";
import { parseIgnoreFile } from "../../../src/ingest/ignore-file.ts";

const FILES = ["docs/a.md", "docs/b.txt", "docs/secret.md", "output/out.md", "docs/output/deep.md", "src/app.py", "top.md", "skip.txt"];
const filterOf = (options: { include?: string; exclude?: string; ignoreDirs?: string }) =>
  new ImportFilter({ include: "", exclude: "", ignoreDirs: "", ...options });

/** What is taken of a list, directories asked before what they hold. */
function taken(filter: ImportFilter, files: readonly string[]): string[] {
  return files.filter((path) => {
    const steps = path.split("/");
    const isReached = steps.slice(0, -1).every((_, i) => filter.takesDirectory(steps.slice(0, i + 1).join("/")));
    return isReached && filter.judgeFile(path) === "take";
  });
}

describe("what an import takes", () => {
  it.each([
    [{}, FILES],
    [{ include: "*.md" }, ["docs/a.md", "docs/secret.md", "output/out.md", "docs/output/deep.md", "top.md"]],
    [{ include: "*.md, *.py", exclude: "secret.md" }, ["docs/a.md", "output/out.md", "docs/output/deep.md", "src/app.py", "top.md"]],
    [{ include: "*.{txt,py}" }, ["docs/b.txt", "src/app.py", "skip.txt"]],
    [{ include: "docs/*.md" }, ["docs/a.md", "docs/secret.md"]],
    [{ include: "/top.md,./skip.txt" }, ["top.md", "skip.txt"]],
    [{ exclude: "skip*,*.md" }, ["docs/b.txt", "src/app.py"]],
    [{ include: "docs/**", exclude: "docs/output/**" }, ["docs/a.md", "docs/b.txt", "docs/secret.md"]],
    [{ include: "docs/", exclude: "docs/output/" }, ["docs/a.md", "docs/b.txt", "docs/secret.md"]],
    [{ ignoreDirs: "output,src" }, ["docs/a.md", "docs/b.txt", "docs/secret.md", "top.md", "skip.txt"]],
    [{ ignoreDirs: "docs/output/" }, FILES.filter((path) => path !== "docs/output/deep.md")],
    [{ include: "*.rst" }, []],
  ])("%j", (options, expected) => {
    expect(taken(filterOf(options), FILES)).toEqual(expected);
  });

  it("leaves out dependencies, caches, dot files, reserved names", () => {
    const files = [".git/config", "node_modules/x/README.md", "src/__pycache__/a.py", ".hidden.md", "a.md"];
    expect(taken(filterOf({}), files)).toEqual(["a.md"]);
    expect(filterOf({}).judgeFile("docs/.abstract.md")).toBe("reserved");
  });

  it("obeys ignore files at every level, the nearest first", () => {
    const filter = filterOf({});
    filter.addIgnoreFile("", "drafts/\n*.log\n/top.md\n");
    filter.addIgnoreFile("docs", "!keep.log\nb.*\n");
    const files = [
      "drafts/d.md",
      "docs/drafts/d.md",
      "run.log",
      "docs/keep.log",
      "docs/x.log",
      "docs/b.txt",
      "b.txt",
      "top.md",
      "docs/top.md",
    ];
    expect(taken(filter, files)).toEqual(["docs/keep.log", "b.txt", "docs/top.md"]);
  });

  it.each(["[a", "{a", "a,{b"])("refuses the glob %j, naming its field", (glob) => {
    for (const field of ["include", "exclude"]) {
      expect(() => filterOf({ [field]: glob })).toThrow(
        expect.objectContaining({ code: "INVALID_ARGUMENT", details: expect.objectContaining({ field }) }),
      );
    }
  });
});

describe("ignore files", () => {
  const patterns = [
    "*.log",
    "!keep.log",
    "/a",
    "a/",
    "b/c",
    "**/d",
    "d/**",
    "e/**/f",
    "x?z",
    "[ab].md",
    "[!a].txt",
    "\\#h",
    "# c",
    " ",
    "g ",
    "h\\ ",
    "!",
    "*.{md}",
    "[",
    "a/*/c",
    "*",
  ];
  const paths = [
    "a",
    "a/b",
    "keep.log",
    "x.log",
    "d/x.log",
    "b/c",
    "z/b/c",
    "d",
    "q/d",
    "d/y",
    "e/f",
    "e/q/f",
    "e/q/r/f",
    "xyz",
    "a.md",
    "c.md",
    "c.txt",
    "a.txt",
    "#h",
    "g",
    "h ",
    "x.{md}",
    "a/q/c",
  ];

  it("mean what they mean to git", () => {
    // every pattern alone and every pair, against an independent reader
    const files = [...patterns, ...patterns.flatMap((first) => patterns.map((second) => `${first}\n${second}`))];
    for (const file of files) {
      const rules = parseIgnoreFile(file);
      const other = ignore().add(file);
      for (const path of paths) {
        // the other reader looks at the directories above too, as a walk does
        const steps = path.split("/");
        const above = steps.slice(0, -1).some((_, i) => rules(steps.slice(0, i + 1).join("/"), true) === true);
        expect([file, path, above || rules(path, false) === true]).toEqual([file, path, other.ignores(path)]);
      }
    }
  });

  it("cannot be made slow", () => {
    const rules = parseIgnoreFile(Array.from({ length: 50 }, () => `${"**/a/".repeat(60)}b`).join("\n"));
    expect(rules(`${"a/".repeat(500)}c`, false)).toBeUndefined();
  });
});
