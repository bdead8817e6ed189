import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { compileGlob } from "../../../src/domain/patterns/glob.ts";
import { globPattern } from "../../support/glob-reference.ts";

describe("globs", () => {
  it.each([
    ["*.md", ["a.md", ".md"], ["a.txt", "d/a.md"]],
    ["docs/*.md", ["docs/a.md"], ["docs/x/a.md", "a.md"]],
    ["docs/**", ["docs/a", "docs/x/y"], ["docs", "xdocs/a"]],
    ["**/a.md", ["a.md", "x/a.md", "x/y/a.md"], ["xa.md"]],
    ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb"]],
    ["a**b", ["ab", "axb"], ["a/b"]],
    ["?.md", ["a.md", "漢.md", "😀.md"], ["ab.md", "/.md"]],
    ["[a-c]x", ["ax", "cx"], ["dx"]],
    ["[!a]x", ["bx"], ["ax", "/x"]],
    ["[]-]x", ["]x", "-x"], ["ax"]],
    ["[+-9]x", ["5x", ".x"], ["/x"]],
    ["*.{md,t{x,y}t}", ["q.md", "q.txt", "q.tyt"], ["q.tzt", "q.{md"]],
    ["{**/a,b}", ["x/a", "b"], ["x/b"]],
    ["a\\*b.(x)", ["a*b.(x)"], ["axb.(x)"]],
    ["a+b$", ["a+b$"], ["aab"]],
  ])("the glob %s matches its paths and no others", (glob, yes, no) => {
    const matches = compileGlob(glob, "pattern");
    expect(yes.filter((path) => !matches(path))).toEqual([]);
    expect(no.filter(matches)).toEqual([]);
  });

  it.each(["", "[a", "{a,b", "[!", "a\\", "[z-a]", "[/]", "x".repeat(2000), "{".repeat(20)])(
    "the malformed glob %j is refused with the name of its field",
    (glob) => {
      expect(() => compileGlob(glob, "pattern")).toThrow(
        expect.objectContaining({
          code: "INVALID_ARGUMENT",
          details: expect.objectContaining({ field: "pattern" }),
        }),
      );
    },
  );

  it("a glob matches what its regular expression matches, and an invalid one is refused", () => {
    const parts = [
      "a",
      "b",
      "*",
      "**",
      "?",
      "/",
      "/**/",
      "[ab]",
      "[!a]",
      "[a-c/x]",
      "[^]a]",
      "[+-9]",
      "[😀-😂]",
      "\\*",
      "\\a",
      "]",
      ".",
    ];
    const braces = ["{", "}", ",", "{a,b}", "{**/a,b}", "{a,{b,*}}", "{,a}", "{**}", "{"];
    const part = fc.constantFrom(...parts, ...braces);
    const path = fc.string({
      unit: fc.constantFrom("a", "b", "/", "*", "]", ".", "c", "😁", "{", ",", "}"),
      maxLength: 7,
    });
    const closed = (glob: string) =>
      glob + "}".repeat(Math.max(0, glob.split("{").length - glob.split("}").length));
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 7 }),
        fc.array(path, { minLength: 4, maxLength: 12 }),
        fc.boolean(),
        (all, texts, close) => {
          const glob = close ? closed(all.join("")) : all.join("");
          const [ours, theirs] = [
            outcome(() => compileGlob(glob, "pattern")),
            outcome(() => reference(glob)),
          ];
          if (typeof ours === "string" || typeof theirs === "string")
            expect([glob, ours]).toEqual([glob, theirs]);
          else for (const text of texts) expect([glob, text, ours(text)]).toEqual([glob, text, theirs(text)]);
        },
      ),
      { numRuns: 5000 },
    );
  });

  it("matching a glob takes at most (states × characters) steps", () => {
    const stepsOf = (glob: string, path: string, matches: boolean) => {
      const work = { steps: 0 };
      expect(compileGlob(glob, "pattern", work)(path)).toBe(matches);
      return work.steps;
    };
    expect(stepsOf(`${"{a,b,c,d,e,f,g,h,i,j}".repeat(40)}`, "j".repeat(40), true)).toBeLessThan(40 * 30 * 40);
    expect(stepsOf(`${"*a".repeat(200)}*b?`, "a".repeat(4000), false)).toBeLessThan(410 * 4001);
    expect(stepsOf(`${"**/a/".repeat(100)}b?`, "a/".repeat(1500), false)).toBeLessThan(410 * 3001);
    expect(stepsOf(`[${"a-zA-Z".repeat(150)}]*[!x]`, "b".repeat(1000), true)).toBeLessThan(5 * 1001);
  });

  it("a path whose ending differs from the glob's is rejected in one step", () => {
    const work = { steps: 0 };
    expect(compileGlob(`${"*a".repeat(500)}b`, "pattern", work)("a".repeat(4000))).toBe(false);
    expect(work.steps).toBe(1);
  });
});

function reference(glob: string): (path: string) => boolean {
  const compiled = RE2JS.compile(globPattern(glob, "pattern"), RE2JS.DOTALL);
  return (path) => compiled.matches(path);
}

function outcome<T>(of: () => T): T | string {
  try {
    return of();
  } catch (error) {
    return String(error);
  }
}
