import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/domain/errors.ts";
import { workspaceId } from "../../../src/domain/ids.ts";
import type { ParseOptions } from "../../../src/ingest/parse/parsed.ts";
import { parseHere } from "../../support/parse-here.ts";

const read = (name: string, content: string | Uint8Array, options?: Partial<ParseOptions>) =>
  parseHere(name, typeof content === "string" ? Buffer.from(content) : content, {
    workspace: workspaceId(1),
    ...options,
  });
const PAGE =
  "<html><head><title>Zoo</title><style>p{color:red}</style><script>var evil=1</script></head><body><nav>menu</nav><h1>Zoo</h1><p>The <b>quokka</b> lives on <a href='/x'>Rottnest</a> Island.</p>" +
  "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table><a href='javascript:x()'>click</a></body></html>";

describe("kinds of files", () => {
  it.each([
    ["a.md", "# Top\n\ntext", { kind: "markdown", mime: "text/markdown", title: "Top", outline: "- Top" }],
    ["a.md", "---\ntitle: From Matter\n---\ntext\n\n## Sub\n", { title: "From Matter" }],
    ["a.md", "## Sub\n\ntext", { title: "Sub" }],
    ["field notes.md", "text", { title: "field notes" }],
    ["a.txt", "# no heading", { kind: "text", mime: "text/plain", title: "a" }],
    ["README", "plain", { kind: "text", title: "README" }],
    [
      "run",
      "#!/usr/bin/env python3\ndef f(a): pass\n",
      { kind: "code", mime: "text/x-python", outline: "def f(a)" },
    ],
    [
      "data.json",
      '{"animals":[{"name":"quokka"}],"year":3}',
      { kind: "data", mime: "application/json", outline: "- animals: [1]\n    - name: quokka\n- year: 3" },
    ],
    [
      "a.yaml",
      "animals:\n  - name: quokka\nmore: {deep: 1}\n",
      { kind: "data", outline: "- animals: [1]\n    - name: quokka\n- more\n  - deep: 1" },
    ],
    ["a.toml", "title = 'x'\n[a.b]\nc = 1\n", { kind: "data", outline: "- title: 'x'\n- [a.b]\n- c: 1" }],
    [
      "a.csv",
      "name,island\nquokka,Rottnest\n",
      { kind: "data", mime: "text/csv", outline: "1 row, 2 columns\n- name: quokka\n- island: Rottnest" },
    ],
    ["a.json", "{broken", { kind: "data", text: "{broken", warnings: ["malformed JSON: stored as text"] }],
    ["a.yaml", "a: [1", { kind: "data", warnings: [expect.stringContaining("YAML")] }],
    ["empty.md", "", { kind: "markdown", text: "", title: "empty", outline: "" }],
    ["empty.json", "", { kind: "data", text: "", warnings: [] }],
    [".bashrc", "alias x=y", { kind: "text", title: ".bashrc" }],
  ])("the file %s is parsed by its kind", async (name, content, expected) => {
    expect(await read(name, content, { strict: true })).toMatchObject({
      text: content,
      warnings: [],
      ...expected,
    });
  });

  it("an unknown binary file is stored with its type, even by a strict import", async () => {
    const bytes = Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex");
    expect(await read("x.dat", bytes, { strict: true })).toMatchObject({
      kind: "binary",
      mime: "image/png",
      title: "x",
      text: "",
      outline: "image/png, 33 bytes",
      warnings: [expect.any(String)],
    });
  });

  it("a text file full of NULs is refused by a strict import and stored otherwise", async () => {
    const bytes = Buffer.alloc(500);
    expect(await read("x.md", bytes)).toMatchObject({ kind: "binary", error: expect.stringContaining("md") });
    await expect(read("x.md", bytes, { strict: true })).rejects.toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        details: expect.objectContaining({ errors: [expect.stringContaining("x.md")] }),
      }),
    );
    expect(await read("film.ts", bytes, { strict: true })).toMatchObject({ kind: "binary" });
  });

  it("bytes in no known encoding get a warning", async () => {
    const bytes = Buffer.concat([Buffer.from("漢字の文章です。".repeat(20)), Buffer.from([0xe6])]);
    expect((await read("x.txt", bytes)).warnings).toEqual(["some bytes are not utf-8"]);
  });

  it("long Markdown, text and pages are split into sections, but data and code are not", async () => {
    const long = "Some words of ordinary text stand here. ".repeat(200);
    for (const name of ["a.md", "a.txt", "a.html"])
      expect((await read(name, long)).sections!.length).toBeGreaterThan(1);
    for (const name of ["a.json", "a.lua", "a.csv"])
      expect((await read(name, long)).sections).toBeUndefined();
  });
});

describe("HTML", () => {
  it("an HTML page becomes Markdown without scripts and styles", async () => {
    const page = await read("page.html", PAGE, { base: "http://h.org/a/" });
    expect(page).toMatchObject({
      kind: "html",
      mime: "text/html",
      title: "Zoo",
      warnings: [],
      outline: "- Zoo",
    });
    expect(page.text).toBe(
      "# Zoo\n\nThe **quokka** lives on [Rottnest](http://h.org/x) Island.\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\nclick\n",
    );
    expect(page.converted).toBe(page.text);
  });

  it("HTML fragments are read, and pages are read in their declared charset", async () => {
    expect((await read("page.htm", "<p>The quokka.</p>")).text).toBe("The quokka.\n");
    const page = await read(
      "page.html",
      Buffer.from('<meta charset="iso-8859-1"><title>Café</title><p>été</p>', "latin1"),
    );
    expect([page.title, page.text]).toEqual(["Café", "# Café\n\nété\n"]);
  });

  it("words of an HTML page outside its body tags are kept", async () => {
    expect(
      (await read("a.html", "<!DOCTYPE html>\n<html>\nSome words. <h2>Index</h2><p>More words.</p>")).text,
    ).toBe("Some words.\n\n## Index\n\nMore words.\n");
    expect(
      (await read("b.html", "<html><head><title>T</title></head><p>The quokka.</p></html><p>At the end.</p>"))
        .text,
    ).toBe("# T\n\nThe quokka.\n\nAt the end.\n");
    expect((await read("c.html", "<html><body><p>The quokka.</p></body><p>Behind it.</p></html>")).text).toBe(
      "The quokka.\n\nBehind it.\n",
    );
  });

  it("all content of an HTML page is kept if only a part looks like an article", async () => {
    const prose =
      "The quokka is a small macropod that lives on islands off the coast, where it eats grass, leaves and bark. ";
    const first = `<dl><dt>frame</dt><dd>${"Frames are canvases for drawing. ".repeat(20)}</dd></dl>`;
    const page = `<html><body><h1>Zoo</h1>${first}<div>${`<p>${prose.repeat(3)}</p>`.repeat(5)}</div></body></html>`;
    const { text } = await read("x.html", page);
    expect(text).toContain("Frames are canvases");
    expect(text).toContain("small macropod");
  });

  it("a large HTML page keeps the words after unclosed head, form and menu tags", async () => {
    for (const open of ["<head>", "<form>", "<nav>", "<select>"]) {
      const { text } = await read("x.html", `<title>T</title>${open}${"<p>the words</p>".repeat(30_000)}`);
      expect(text).toMatch(/^# T\n\nthe words\n/);
    }
    const menus = `<body>${"<nav>menu</nav>".repeat(10)}${"<p>the words</p>".repeat(30_000)}`;
    expect((await read("x.html", menus)).text).not.toContain("menu");
  });

  it("an HTML page without text gets a warning", async () => {
    expect((await read("x.html", "<html><body><script>app()</script></body></html>")).warnings).toEqual([
      "no text was found in it",
    ]);
  });

  it("HTML words with markup inside them are not split", async () => {
    const page = "<p>The <b>quick </b>f<i>o</i>x j<i>um</i><b><i>ped</i></b> <b>over </b><b>dogs</b>.</p>";
    expect((await read("x.html", page)).text).toBe("The **quick** fox jumped **over** **dogs**.\n");
    const anchors = '<h2><a name="one"></a>Birds<a href="#one"></a></h2><p><a name="x">The</a> fox.</p>';
    expect((await read("x.html", anchors)).text).toBe("## Birds\n\nThe fox.\n");
    const rows = (cells: string) =>
      `<table><tr><th>Task</th><th>Command</th></tr><tr>${cells}</tr></table><p>After.</p>`;
    expect((await read("x.html", rows("<td>Alias<pre># one\nnpm i</pre></td><td>x | y</td>"))).text).toBe(
      "Task: Alias\n\n```\n# one\nnpm i\n```\n\nCommand: x | y\n\nAfter.\n",
    );
    expect(
      (
        await read(
          "x.html",
          rows("<td><ul><li>a</li><li>b</li></ul></td><td><pre>npm i</pre><p>or so</p></td>"),
        )
      ).text,
    ).toBe("| Task | Command |\n| - | - |\n| a; b | `npm i` or so |\n\nAfter.\n");
    expect((await read("x.html", "<table><tr><td><pre>a\nb</pre></td></tr></table>")).text).toBe(
      "```\na\nb\n```\n",
    );
    expect(
      (await read("x.html", "<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table>"))
        .text,
    ).toBe("| a | b |\n| - | - |\n| 1 | 2 |\n");
    const cell =
      "<table><tr><th>a</th></tr><tr><td>one<table><tr><td>two</td></tr></table>\n\t</td></tr></table>";
    expect((await read("x.html", cell)).text).not.toContain("&#");
  });

  it.each([
    ["deep", `<body><title>T</title>${"<div>".repeat(5000)}the words<script>var evil</script>`],
    ["wide", `<body>${"<p>the words</p>".repeat(30_000)}`],
    ["nested links", `${"<a href=x>".repeat(5000)}the words`],
    ["nested tables", `${"<table><tr><td>".repeat(500)}the words`],
    ["nested lists", `${"<ul><li>".repeat(60).concat("the words", "</ul>".repeat(60)).repeat(100)}`],
    ["half tags", `the words ${"<".repeat(300_000)}`],
    ["entities", `the words ${"&".repeat(300_000)}`],
    ["open comments", `the words ${"<!--".repeat(100_000)}`],
    ["open scripts", `the words ${"<script>".repeat(50_000)}`],
  ])("hostile HTML loses its tags and keeps its words: %s", async (_, html) => {
    const page = await read("x.html", html);
    expect(page.text).toContain("the words");
    expect(page.text).not.toMatch(/<(?:div|p|a|table|ul|li|script)[ >]|evil/);
    expect(page.warnings).toHaveLength(1);
  });
});

describe("hostile data", () => {
  it.each([
    [
      "laughs.yaml",
      `a: &a [x,x]\n${Array.from({ length: 30 }, (_, i) => `b${i}: &b${i} [${`*${i ? `b${i - 1}` : "a"},`.repeat(9)}]`).join("\n")}`,
    ],
    ["tags.yaml", "a: !!js/function 'function(){ throw 1 }'"],
    ["flow.yaml", "[".repeat(30_000)],
    ["dashes.yaml", "- ".repeat(15_000)],
    ["keys.yaml", `${"? ".repeat(90)}x`],
    ["quotes.yaml", '"'.repeat(30_000)],
    ["twins.yaml", "a: 1\na: 2"],
    ["proto.json", '{"__proto__":{"x":1},"constructor":2}'],
    ["deep.json", "[".repeat(1_000_000)],
    ["matter.md", `---\n${'"'.repeat(60_000)}\n---\ntext`],
    ["quotes.md", ">".repeat(100_000)],
    ["lists.md", "- ".repeat(50_000)],
    ["links.md", "[a](".repeat(50_000)],
    ["fences.md", "```\n".repeat(50_001)],
  ])("the hostile data file %s is stored as text", async (name, content) => {
    const parsed = await read(name, content, { strict: true });
    expect(parsed.text).toBe(content);
    expect(parsed.outline.length).toBeLessThan(20_000);
  });

  it("parsing any bytes under any name fails with INVALID_ARGUMENT only", async () => {
    const names = ["a.md", "a.html", "a.json", "a.yaml", "a.py", "a.c", "a", "a.toml", "a.xyz"];
    let seed = 7;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647);
    for (let i = 0; i < 90; i++) {
      const bytes = Buffer.from(
        Array.from({ length: random() % 400 }, () => (i % 3 === 0 ? random() & 255 : 32 + (random() % 95))),
      );
      const outcome = await read(names[i % names.length]!, bytes, { strict: i % 2 === 0 }).catch(
        (error: unknown) => error,
      );
      if (outcome instanceof Error)
        expect(outcome).toMatchObject({ constructor: ServiceError, code: "INVALID_ARGUMENT" });
    }
  });
});

it("a page that is arranged by tables keeps its headings and lists, and tables with columns stay tables", async () => {
  const data = "<table><tr><th>Ship</th><th>Berth</th></tr><tr><td>Sloop</td><td>1</td></tr></table>";
  const page = `<table><tr><td><table><tr><td><h1>Harbour</h1></td></tr></table></td></tr><tr><td><ul><li>Tide</li></ul>${data}</td></tr></table>`;
  const { text } = await read("a.html", page);
  expect(text).toBe("# Harbour\n\n- Tide\n\n| Ship | Berth |\n| - | - |\n| Sloop | 1 |\n");
});
