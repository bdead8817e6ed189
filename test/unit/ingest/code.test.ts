import { describe, expect, it } from "vitest";
import { isSourceCode } from "../../../src/domain/node.ts";
import { codeMime } from "../../../src/ingest/parse/code/code-languages.ts";
import { parse } from "../../../src/ingest/parse/parse.ts";

const outline = async (name: string, text: string) =>
  (await parse(name, Buffer.from(text))).outline.split("\n");

describe("media types of code", () => {
  it.each(["py", "ts", "tsx", "js", "go", "cpp", "sh", "sql", "css", "kt", "proto"])(
    "the media type of .%s marks source code",
    (extension) => {
      expect(isSourceCode(codeMime(extension))).toBe(true);
    },
  );

  it.each(["a.md", "a.txt", "a.rst", "a.tex", "a.csv", "a.json", "a.html"])(
    "the media type of %s does not mark source code",
    async (name) => {
      expect(isSourceCode((await parse(name, Buffer.from("text"))).mime)).toBe(false);
    },
  );
});

describe("skeletons", () => {
  it.each([
    [
      "a.py",
      '"""Module doc. More."""\nimport os\n@dec\nclass Quokka(Base):\n    """Lives on Rottnest Island."""\n    def hop(self, a: int = 1) -> int:\n        return 1\n\n# does y\nasync def y(*a):\n    pass\n',
      [
        "Module doc. More.",
        "class Quokka(Base) — Lives on Rottnest Island.",
        "  def hop(self, a: int = 1) -> int",
        "async def y(*a) — does y",
      ],
    ],
    [
      "a.js",
      "// Copyright x\n\n/** The quokka. */\nexport function hop(a, b) { return 1 }\nexport default class A extends B { /** m doc */ m(x) {} }\nconst f = (a) => { return 1 };\nconst z = 1;\nexport const K = 5;\n",
      [
        "export function hop(a, b) — The quokka.",
        "export default class A extends B",
        "  m(x) — m doc",
        "const f = (a)",
        "export const K = 5",
      ],
    ],
    [
      "a.ts",
      "/** The quokka */\nexport const hop = (): number => 1\nexport interface A<T> { /** b doc */ b(c: T): void; d: string }\nexport type U = { a: string } | B;\nabstract class C { abstract m(): void; private x = 1; n<T>(t: T): Promise<T> { return t } }\nenum E { A }\nnamespace N { export function g() {} }\n",
      [
        "export const hop = (): number — The quokka",
        "export interface A<T>",
        "  b(c: T): void — b doc",
        "  d: string",
        "export type U = { a: string } | B",
        "abstract class C",
        "  abstract m(): void",
        "  n<T>(t: T): Promise<T>",
        "enum E",
        "namespace N",
        "  export function g()",
      ],
    ],
    [
      "a.tsx",
      "export function App({ a }: { a: string }) { return <div/> }\n",
      ["export function App({ a }: { a: string })"],
    ],
    [
      "a.go",
      'package zoo\n\n// Quokka hops\nfunc Hop() int { return 1 }\n\n// T is a thing.\ntype T struct {\n  A int\n}\nfunc (t *T) M(a, b int) (string, error) { return "", nil }\n',
      [
        "func Hop() int — Quokka hops",
        "type T struct { A int } — T is a thing.",
        "func (t *T) M(a, b int) (string, error)",
      ],
    ],
    [
      "A.java",
      "package a;\n/** The quokka */\npublic class App<T> extends B {\n  /** hops. @return x */\n  int hop(int a) { return 1; }\n  App() {}\n  enum E { A; void f() {} }\n}\n",
      [
        "public class App<T> extends B — The quokka",
        "  int hop(int a) — hops.",
        "  App()",
        "  enum E",
        "    void f()",
      ],
    ],
    [
      "a.rs",
      "//! Crate doc\nuse a;\n/// The quokka\n#[derive(Debug)]\npub struct A<T> { a: T }\nimpl<T> A<T> {\n  /// new doc\n  pub fn new() -> Self { A {} }\n}\ntrait Tr { fn f(&self); }\n",
      [
        "Crate doc",
        "pub struct A<T> — The quokka",
        "impl<T> A<T>",
        "  pub fn new() -> Self — new doc",
        "trait Tr",
        "  fn f(&self)",
      ],
    ],
    [
      "a.c",
      "/* The quokka */\nint hop(void) { return 1; }\n#ifdef X\n// proto\nint f(int a, char *b);\n#endif\nint g;\nstruct S { int a; };\n",
      ["int hop(void) — The quokka", "int f(int a, char *b) — proto", "struct S"],
    ],
    [
      "a.cpp",
      "namespace n {\n// a doc\nclass A : public B {\n public:\n  // m doc\n  int m(int a) const;\n  A() {}\n  int x;\n};\ntemplate <typename T> T f(T a) { return a; }\n}\n",
      [
        "namespace n",
        "  class A : public B — a doc",
        "    int m(int a) const — m doc",
        "    A()",
        "  T f(T a)",
      ],
    ],
    [
      "a.cs",
      "namespace N;\n/// <summary>Does it.</summary>\npublic class A : B { public int X { get; set; } public void M(int a) { } }\n",
      ["public class A : B — Does it.", "  public int X { get; set; }", "  public void M(int a)"],
    ],
    [
      "a.rb",
      "# A class\nclass A < B\n  # hops high\n  def hop(a)\n    1\n  end\nend\n",
      ["class A < B — A class", "  def hop(a)"],
    ],
    [
      "a.php",
      "<?php\n/** A doc */\nclass A { /** m doc */ public function m(int $a): int { return 1; } }\n",
      ["class A — A doc", "  public function m(int $a): int — m doc"],
    ],
    ["a.sh", "#!/bin/bash\n# does f\nf() { echo; }\n", ["f() — does f"]],
    [
      "a.swift",
      "/// A doc\nstruct A {\n  /// m doc\n  func m(a: Int) -> Int { 1 }\n}\n",
      ["struct A — A doc", "  func m(a: Int) -> Int — m doc"],
    ],
  ])("the code outline lists the declarations of %s", async (name, text, expected) => {
    expect(await outline(name, text)).toEqual(expected);
  });

  it("the outline of broken code shows the parts that can be parsed", async () => {
    expect(await outline("a.py", "def good(a):\n  pass\n\n)))(((\n\nclass Also:\n  pass\n")).toContain(
      "def good(a)",
    );
  });

  it.each([
    [
      "tar.go",
      "// Copyright 2026 Ann.\n// All rights reserved.\n\n//go:build linux\n\n// Package tar reads archives.\n//\n// More.\npackage tar\n",
    ],
    ["lib.rs", "// Copyright 2026 Ann.\n\n//! Package tar reads archives.\n\nuse std::io;\n"],
  ])("the description of %s is the comment after its licence", async (name, text) => {
    expect((await parse(name, Buffer.from(text))).description).toBe("Package tar reads archives.");
  });

  it.each([
    ["nested classes", Array.from({ length: 300 }, (_, i) => `${" ".repeat(i)}class B${i}:\n`).join("")],
    ["open brackets", "(".repeat(200_000)],
    ["brackets in disorder", "}{)(".repeat(100_000)],
    ["many functions", "def f():\n pass\n".repeat(30_000)],
  ])("the outline of %s has a limited length and never fails", async (_, text) => {
    const parsed = await parse("a.py", Buffer.from(text));
    expect(parsed).toMatchObject({ kind: "code", text });
    expect(parsed.outline.split("\n").length).toBeLessThanOrEqual(401);
  });

  it("code files above a megabyte have no outline, but a warning", async () => {
    expect(await parse("a.py", Buffer.from("x = 1\n".repeat(200_000)))).toMatchObject({
      kind: "code",
      outline: "",
      warnings: [expect.stringContaining("outline")],
    });
  });
});
