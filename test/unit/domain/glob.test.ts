import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { compileGlob, globPattern } from "../../../src/domain/glob.ts";

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
  ])("%s", (glob, yes, no) => {
    const matches = compileGlob(glob, "pattern");
    expect(yes.filter((path) => !matches(path))).toEqual([]);
    expect(no.filter(matches)).toEqual([]);
  });

  it.each(["", "[a", "{a,b", "[!", "a\\", "[z-a]", "[/]", "x".repeat(2000), "{".repeat(20)])("refuses %j, naming the field", (glob) => {
    expect(() => compileGlob(glob, "pattern")).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", details: expect.objectContaining({ field: "pattern" }) }),
    );
  });

  it("matches what its regular expression matches, whatever it looks at first", () => {
    const part = fc.constantFrom("a", "b", "*", "**", "?", "/", "/**/", "[ab]", "[!a]", "{a,b}", "{**/a,b}", "\\*", "\\a", "]", ".");
    const path = fc.string({ unit: fc.constantFrom("a", "b", "/", "*", "]", "."), maxLength: 6 });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), path, (parts, text) => {
        const glob = parts.join("");
        expect(compileGlob(glob, "pattern")(text)).toBe(RE2JS.compile(globPattern(glob, "pattern"), RE2JS.DOTALL).matches(text));
      }),
      { numRuns: 2000 },
    );
  });

  it("needs no expansion of alternatives and no backtracking", () => {
    const alternatives = compileGlob(`${"{a,b,c,d,e,f,g,h,i,j}".repeat(40)}`, "pattern");
    expect(alternatives("j".repeat(40))).toBe(true);
    const stars = compileGlob(`${"*a".repeat(200)}b`, "pattern");
    expect(stars("a".repeat(4000))).toBe(false);
    const spans = compileGlob(`${"**/a/".repeat(100)}b`, "pattern");
    expect(spans("a/".repeat(1500))).toBe(false);
  });
});
