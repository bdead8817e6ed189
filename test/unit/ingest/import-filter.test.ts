import fc from "fast-check";
import ignore from "ignore";
import { describe, expect, it } from "vitest";
import { ignoreRules, parseIgnoreFile } from "../../../src/ingest/gitignore.ts";
import { ImportFilter } from "../../../src/ingest/import-filter.ts";
import { faultOfGrowth } from "../../support/growth.ts";

const FILES = [
  "docs/a.md",
  "docs/b.txt",
  "docs/secret.md",
  "output/out.md",
  "docs/output/deep.md",
  "src/app/app.py",
  "top.md",
  "skip.txt",
];
const filterOf = (options: { include?: string; exclude?: string; ignoreDirs?: string }) =>
  new ImportFilter({ include: "", exclude: "", ignoreDirs: "", ...options });

/** Returns the accepted paths of a list; directories are tested before their content. */
function taken(filter: ImportFilter, files: readonly string[]): string[] {
  return files.filter((path) => {
    const steps = path.split("/");
    const isReached = steps
      .slice(0, -1)
      .every((_, i) => filter.takesDirectory(steps.slice(0, i + 1).join("/")));
    return isReached && filter.judgeFile(path) === "take";
  });
}

describe("files of an import", () => {
  it.each([
    [{}, FILES],
    [{ include: "*.md" }, ["docs/a.md", "docs/secret.md", "output/out.md", "docs/output/deep.md", "top.md"]],
    [
      { include: "*.md, *.py", exclude: "secret.md" },
      ["docs/a.md", "output/out.md", "docs/output/deep.md", "src/app/app.py", "top.md"],
    ],
    [{ include: "*.{txt,py}" }, ["docs/b.txt", "src/app/app.py", "skip.txt"]],
    [{ include: "docs/*.md" }, ["docs/a.md", "docs/secret.md"]],
    [{ include: "/top.md,./skip.txt" }, ["top.md", "skip.txt"]],
    [{ exclude: "skip*,*.md" }, ["docs/b.txt", "src/app/app.py"]],
    [{ include: "docs/**", exclude: "docs/output/**" }, ["docs/a.md", "docs/b.txt", "docs/secret.md"]],
    [{ include: "docs/", exclude: "docs/output/" }, ["docs/a.md", "docs/b.txt", "docs/secret.md"]],
    [{ ignoreDirs: "output,src" }, ["docs/a.md", "docs/b.txt", "docs/secret.md", "top.md", "skip.txt"]],
    [{ ignoreDirs: "docs/output/" }, FILES.filter((path) => path !== "docs/output/deep.md")],
    [{ include: "*.rst" }, []],
  ])("an import with the filter %j includes the expected files", (options, expected) => {
    expect(taken(filterOf(options), FILES)).toEqual(expected);
  });

  it("an import leaves out dependencies, caches, dot files and reserved names", () => {
    const files = [".git/config", "node_modules/x/README.md", "src/__pycache__/a.py", ".hidden.md", "a.md"];
    expect(taken(filterOf({}), files)).toEqual(["a.md"]);
    expect(filterOf({}).judgeFile("docs/.abstract.md")).toBe("reserved");
  });

  it("ignore files apply at every level, and the nearest one decides", () => {
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

  it.each(["[a", "{a", "a,{b"])(
    "the malformed import glob %j is refused with the name of its field",
    (glob) => {
      for (const field of ["include", "exclude"]) {
        expect(() => filterOf({ [field]: glob })).toThrow(
          expect.objectContaining({ code: "INVALID_ARGUMENT", details: expect.objectContaining({ field }) }),
        );
      }
    },
  );
});

const rulesOf = (text: string) => ignoreRules(parseIgnoreFile(text), { steps: 0, check: () => undefined });

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

  it("ignore files match the same paths as git", () => {
    // compares every pattern and every pair with an independent implementation
    const files = [
      ...patterns,
      ...patterns.flatMap((first) => patterns.map((second) => `${first}\n${second}`)),
    ];
    for (const file of files) {
      const rules = rulesOf(file);
      const other = ignore().add(file);
      for (const path of paths) {
        // the other implementation checks the parent directories too, as a directory walk does
        const steps = path.split("/");
        const above = steps
          .slice(0, -1)
          .some((_, i) => rules(steps.slice(0, i + 1).join("/"), true) === true);
        expect([file, path, above || rules(path, false) === true]).toEqual([file, path, other.ignores(path)]);
      }
    }
  });

  it("matching ignore rules takes steps linear in the number of rules and the path length", () => {
    const work = { steps: 0, check: () => undefined };
    const rules = ignoreRules(
      parseIgnoreFile(Array.from({ length: 50 }, () => `${"**/a/".repeat(60)}b`).join("\n")),
      work,
    );
    expect(rules(`${"a/".repeat(500)}b/c`, false)).toBeUndefined();
    expect(work.steps).toBeLessThan(50 * 150 * 1010);
  });

  it("ignore lines of blanks are read in linear time, with trailing spaces as in git", () => {
    expect(faultOfGrowth(parseIgnoreFile, (length) => `${" ".repeat(length)}x`)).toBeUndefined();
    expect(faultOfGrowth(parseIgnoreFile, (length) => `a${"\\ ".repeat(length / 2)}`)).toBeUndefined();
    const trimmed = (line: string) => line.replace(/(?<!\\)[ \t]+$/, "");
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", " ", "\t", "\\"), maxLength: 8 }), (line) => {
        const glob = trimmed(`x${line}`);
        expect(parseIgnoreFile(`x${line}`)).toEqual([
          { negated: false, directoriesOnly: false, glob: `**/${glob}` },
        ]);
      }),
    );
  });

  it("an ignore file that needs too many steps for a path is refused with the path", () => {
    const filter = filterOf({});
    filter.addIgnoreFile("", Array.from({ length: 250 }, (_, i) => `*${"a*".repeat(480)}b${i}*`).join("\n"));
    expect(() => filter.judgeFile("a".repeat(250))).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        message: expect.stringContaining("aaa alone needs more than"),
      }),
    );
  });

  it("too many or too long ignore files are refused", () => {
    const [many, long] = [filterOf({}), filterOf({})];
    const fill = (filter: ImportFilter, text: string) => () => {
      for (let i = 0; i < 200; i++) filter.addIgnoreFile(`d${i}`, text);
    };
    const refusal = expect.objectContaining({
      code: "INVALID_ARGUMENT",
      details: expect.objectContaining({ field: ".gitignore" }),
    });
    expect(fill(many, "a\n".repeat(1000))).toThrow(refusal);
    expect(fill(long, `${"a".repeat(1000)}\n`.repeat(250))).toThrow(refusal);
  });

  it("selecting many files without any pattern yields to the event loop", async () => {
    const filter = filterOf({});
    let turns = 0;
    const count = () => {
      turns++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    for (let i = 0; i < 100_000; i++) {
      filter.judgeFile(`docs/${i}.md`);
      await filter.rest();
    }
    clearImmediate(counting);
    expect(turns).toBeGreaterThan(2);
  });

  it("matching ignore files yields to the event loop", async () => {
    const filter = filterOf({ exclude: `*${"a*".repeat(100)}b` });
    let turns = 0;
    const count = () => {
      turns++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    for (let i = 0; i < 3000; i++) {
      filter.judgeFile(`${"a".repeat(200)}${i}b`);
      await filter.rest();
    }
    clearImmediate(counting);
    expect(turns).toBeGreaterThan(2);
  });
});
