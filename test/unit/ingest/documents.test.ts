import { unzipSync, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { parse } from "../../../src/ingest/parse/parse.ts";
import {
  docx,
  epub,
  openDocument,
  paragraph,
  pptx,
  shape,
  wordTable,
  xlsx,
} from "../../support/documents.ts";

describe("office documents", () => {
  it("a Word document keeps headings, lists, tables, quotations and its title", async () => {
    const body = [
      paragraph("Birds", "Heading1"),
      paragraph("The quetzal nests in cloud forests &amp; eats wild avocados."),
      paragraph("Food", "Heading2"),
      wordTable([
        ["Species", "Height"],
        ["Quetzal | Trogon", "36"],
      ]),
    ].join("");
    const parsed = await parse("birds.docx", await docx(body));
    expect(parsed).toMatchObject({ kind: "document", title: "The bird book", warnings: [] });
    expect(parsed.text).toBe(
      "# Birds\n\nThe quetzal nests in cloud forests & eats wild avocados.\n\n## Food\n\n| Species | Height |\n| - | - |\n| Quetzal \\| Trogon | 36 |\n",
    );
    expect(parsed.converted).toBe(parsed.text);
    expect(parsed.outline).toBe("Author: Ann\n\n- Birds\n  - Food");
  });

  it("a long Word document is split into sections", async () => {
    const words = paragraph("Some words of ordinary text stand here. ".repeat(40));
    const parsed = await parse(
      "birds.docx",
      await docx(["One", "Two", "Three", "Four"].map((name) => paragraph(name, "Heading1") + words).join("")),
    );
    expect(parsed.sections!.map(({ title }) => title)).toEqual(["One", "Two", "Three", "Four"]);
    expect(parsed.sections!.map(({ text }) => text).join("")).toBe(parsed.text);
  });

  it("a PowerPoint file keeps the order of slides, list levels and tables", async () => {
    const table =
      "<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>Bird</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>";
    const parsed = await parse(
      "birds.pptx",
      await pptx([
        shape("title", ["Birds", 0]) + shape("body", ["Quetzal", 0], ["green", 1], ["Trogon", 0]),
        table,
      ]),
    );
    expect(parsed.title).toBe("Birds on slides");
    expect(parsed.text).toBe("## Birds\n\n- Quetzal\n  - green\n- Trogon\n\n## Slide 2\n\n| Bird |\n| - |\n");
    expect(parsed.outline).toContain("Slides: 2");
  });

  it("an Excel sheet becomes a table without empty rows and columns", async () => {
    const parsed = await parse(
      "birds.xlsx",
      await xlsx("Nests", [
        ["Note", "", "Height"],
        ["", "", ""],
        ["a | b", "", "36"],
      ]),
    );
    expect(parsed.text).toBe("## Nests\n\n| Note | Height |\n| - | - |\n| a \\| b | 36 |\n");
  });

  it("Excel cells show dates, timestamps and times of day", async () => {
    const cell = (name: string, value: string) => `<c r="${name}" t="d"><v>${value}</v></c>`;
    const row = `<row r="2">${cell("A2", "2024-05-01T00:00:00Z")}${cell("B2", "2024-05-01T12:33:05Z")}${cell("C2", "1899-12-30T12:33:05Z")}</row>`;
    const parsed = await parse("birds.xlsx", await xlsx("Nests", [["Day", "Moment", "Time"]], row));
    expect(parsed.text).toContain("| 2024-05-01 | 2024-05-01T12:33:05 | 12:33:05 |");
  });

  it("an Excel sheet is read up to a row limit, with a warning", async () => {
    const parsed = await parse(
      "birds.xlsx",
      await xlsx(
        "Nests",
        Array.from({ length: 20_010 }, (_, i) => [`row ${i}`]),
      ),
    );
    expect(parsed.warnings).toEqual(["sheet Nests: only the first 20000 of 20010 rows are read"]);
    expect(parsed.text).toContain("row 19999");
    expect(parsed.text).not.toContain("row 20001");
  });

  it("an Excel sheet may be wide and have distant cells", async () => {
    const row = Array.from(
      { length: 300 },
      (_, i) =>
        `<c r="${i < 26 ? "" : String.fromCharCode(64 + Math.floor(i / 26))}${String.fromCharCode(65 + (i % 26))}1" t="inlineStr"><is><t>c${i}</t></is></c>`,
    );
    const wide = await parse("wide.xlsx", await xlsx("Nests", [], `<row r="1">${row.join("")}</row>`));
    expect(wide.warnings).toEqual([]);
    expect(wide.text).toContain("| c299 |");
    const far = Array.from(
      { length: 300 },
      (_, i) => `<row r="${i + 1}"><c r="XFD${i + 1}" t="inlineStr"><is><t>far ${i}</t></is></c></row>`,
    );
    const apart = await parse("far.xlsx", await xlsx("Nests", [], far.join("")));
    expect(apart.warnings).toEqual([]);
    expect(apart.text).toContain("| far 299 |");
  });

  it("a long Excel cell is kept completely, and one above the limit is cut with a warning", async () => {
    const text = `${"word ".repeat(6000)}end`;
    const parsed = await parse("birds.xlsx", await xlsx("Nests", [[text, "b"]]));
    expect(parsed.text).toContain("word end | b |");
    expect(parsed.warnings).toEqual([]);
    const cut = await parse("birds.xlsx", await xlsx("Nests", [["word ".repeat(8000), "b"]]));
    expect(cut.warnings).toEqual([
      "sheet Nests: 1 cells are longer than 32767 characters and were cut there",
    ]);
  });

  it("an office document without text or with a missing part gets a warning", async () => {
    expect((await parse("birds.docx", await docx(""))).warnings).toEqual(["no text was found in it"]);
    expect((await parse("birds.epub", await epub([]))).warnings).toEqual(["no text was found in it"]);
    const slides = unzipSync(await pptx([shape("title", ["One", 0]), shape("title", ["Two", 0])]));
    delete slides["ppt/slides/slide2.xml"];
    expect((await parse("birds.pptx", Buffer.from(zipSync(slides)))).warnings).toEqual([
      "slide 2 is missing",
    ]);
  });

  it("an OpenDocument text keeps headings, lists, tables, notes and code", async () => {
    const body = [
      '<text:h text:outline-level="1">Birds</text:h><text:p>The quetzal<text:s text:c="2"/>nests<text:note><text:note-body><text:p>High up.</text:p></text:note-body></text:note>.</text:p>',
      "<text:list><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>inner</text:p></text:list-item></text:list></text:list-item></text:list>",
      '<text:p text:style-name="Preformatted_20_Text">a = 1</text:p><text:p text:style-name="Preformatted_20_Text">b = 2</text:p>',
      "<table:table><table:table-row><table:table-cell><text:p>Species</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Trogon</text:p></table:table-cell></table:table-row></table:table>",
    ].join("");
    const parsed = await parse("birds.odt", await openDocument("text", body));
    expect(parsed.text).toBe(
      "# Birds\n\nThe quetzal nests.\n\n- one\n  - inner\n\n```\na = 1\nb = 2\n```\n\n| Species |\n| - |\n| Trogon |\n\n1. High up.\n",
    );
  });

  it("nested frames of an OpenDocument text are read once", async () => {
    const framed = (depth: number): string =>
      `<text:p>Nest ${depth}.${depth === 0 ? "" : `<draw:frame><draw:text-box>${framed(depth - 1)}</draw:text-box></draw:frame>`}</text:p>`;
    const parsed = await parse("birds.odt", await openDocument("text", framed(40)));
    expect(parsed.text.trim().split("\n\n")).toEqual(Array.from({ length: 41 }, (_, i) => `Nest ${40 - i}.`));
  });

  it("OpenDocument sheets and slides are read", async () => {
    const cell = (text: string, more = "") =>
      `<table:table-cell${more}><text:p>${text}</text:p></table:table-cell>`;
    const table = `<table:table table:name="Nests"><table:table-row>${cell("a")}${cell("b")}</table:table-row><table:table-row table:number-rows-repeated="1000000">${cell("", ' table:number-columns-repeated="16384"')}</table:table-row></table:table>`;
    expect((await parse("a.ods", await openDocument("spreadsheet", table))).text).toBe(
      "## Nests\n\n| a | b |\n| - | - |\n",
    );
    const slide =
      '<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Birds</text:p></draw:text-box></draw:frame><draw:frame><draw:text-box><text:p>Quetzal</text:p></draw:text-box></draw:frame></draw:page>';
    expect((await parse("a.odp", await openDocument("presentation", slide))).text).toBe(
      "## Birds\n\nQuetzal\n",
    );
  });

  it("an OpenDocument sheet keeps columns behind gaps, and warns of excessive repetition", async () => {
    const cell = (text: string, times: number) =>
      `<table:table-cell table:number-columns-repeated="${times}">${text && `<text:p>${text}</text:p>`}</table:table-cell>`;
    const sheet = (...rows: string[]) => `<table:table table:name="Far">${rows.join("")}</table:table>`;
    const row = (cells: string, times = 1) =>
      `<table:table-row table:number-rows-repeated="${times}">${cells}</table:table-row>`;
    const read = async (...rows: string[]) =>
      parse("a.ods", await openDocument("spreadsheet", sheet(...rows)));
    const far = await read(
      row(cell("", 900) + cell("a", 1) + cell("", 9000)),
      row(cell("", 500) + cell("", 500) + cell("b", 1)),
      row("", 1e6),
    );
    expect([far.text, far.warnings]).toEqual(["## Far\n\n| a |  |\n| - | - |\n|  | b |\n", []]);
    const told = ["sheet Far: cells and rows that are repeated more than 256 times are read 256 times"];
    const wide = await read(row(cell("a", 1e9)));
    expect([wide.text.split("| a").length, wide.warnings]).toEqual([257, told]);
    const long = await read(row(cell("a", 1), 1e9));
    expect([long.text.split("| a").length, long.warnings]).toEqual([257, told]);
  });

  it("an EPUB book keeps the order of chapters, without its internal links", async () => {
    const parsed = await parse(
      "birds.epub",
      await epub([
        "<div><section><h1>Birds</h1><p>The <a href='c1.xhtml'>quetzal</a> nests.</p></section></div>",
        "<h2>Food</h2><ul><li>figs</li></ul>",
      ]),
    );
    expect(parsed).toMatchObject({
      title: "Birds in chapters",
      outline: "Author: Eve · Language: en\n\n- Birds\n  - Food",
    });
    expect(parsed.text).toBe("# Birds\n\nThe quetzal nests.\n\n## Food\n\n- figs\n");
  });
});
