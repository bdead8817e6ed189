import { describe, expect, it } from "vitest";
import { parse } from "../../../src/ingest/parse/parse.ts";
import { type PdfText, pdf, pdfOf } from "../../support/pdf.ts";

const LONG = "The quetzal nests in old trees of the cloud forests in the mountains, ";
const lines = (...texts: readonly string[]): PdfText[] =>
  texts.map((text, i) => ({ x: 72, y: 700 - i * 13, text }));
const read = async (...[pages, options]: Parameters<typeof pdf>) => parse("birds.pdf", pdf(pages, options));

describe("PDF", () => {
  it("PDF lines are joined to paragraphs and hyphenated words to one", async () => {
    const page = lines(
      `${LONG}and the well-`,
      "known trogon nests near by in the same for-",
      "ests. It is well-known.",
    );
    const parsed = await read([page]);
    expect(parsed.text).toBe(
      `${LONG}and the well-known trogon nests near by in the same forests. It is well-known.\n`,
    );
    expect(parsed.outline).toBe("Author: Ann · Pages: 1");
  });

  it("a PDF sentence continues over the end of a page", async () => {
    expect((await read([lines(`${LONG}and so does`), lines("the trogon. It is green.")])).text).toBe(
      `${LONG}and so does the trogon. It is green.\n`,
    );
  });

  it("PDF headings are found by font size, and the title is that of the file", async () => {
    const page = [
      { x: 72, y: 780, text: "Birds of the forest", size: 20 },
      { x: 72, y: 740, text: "Nests", size: 15 },
      ...lines(LONG.repeat(1), LONG),
    ];
    const parsed = await read([page], { title: "All birds" });
    expect(parsed.title).toBe("All birds");
    expect(parsed.text).toMatch(/^# Birds of the forest\n\n## Nests\n\nThe quetzal/);
  });

  it("PDF headings are found by the outline, on the pages it points to", async () => {
    const pages = [
      lines("Nests . . . . . . . . . 2", "Food . . . . . . . . . 3"),
      lines("1 Nests", LONG),
      lines("2 Food", LONG),
    ];
    const { text } = await read(pages, {
      outline: [
        ["Nests", 1],
        ["Food", 2],
      ],
    });
    expect(text).toMatch(/^- Nests 2\n- Food 3\n\n# 1 Nests\n\nThe quetzal .*\n\n# 2 Food\n\nThe/);
  });

  it("PDF running headers and page numbers are left out, but numbered headings are not", async () => {
    const page = (i: number): PdfText[] => [
      { x: 72, y: 810, text: `Birds and nests, page ${i}` },
      { x: 72, y: 790, text: `Chapter ${i}`, size: 18 },
      ...lines(`${LONG}${i}.`),
      { x: 300, y: 30, text: String(i) },
    ];
    const { text } = await read([page(1), page(2), page(3), page(4)]);
    expect(text.match(/^# Chapter \d$/gm)).toHaveLength(4);
    expect(text).not.toMatch(/Birds and nests|^\d$/m);
  });

  it("PDF tables are read by their columns, with cells of several lines", async () => {
    const row = (y: number, ...cells: readonly string[]): PdfText[] =>
      cells.map((text, i) => ({ x: 72 + i * 150, y, text }));
    const page = [
      ...lines(LONG),
      ...row(600, "Species", "Height", "Food"),
      ...row(585, "Quetzal", "36 cm", "wild"),
      ...row(572, "", "", "avocados").slice(2),
      ...row(555, "Trogon", "25 cm", "figs"),
    ];
    expect((await read([page])).text).toContain(
      "| Species | Height | Food |\n| - | - | - |\n| Quetzal | 36 cm | wild avocados |\n| Trogon | 25 cm | figs |",
    );
  });

  it("PDF lists and code in a monospaced font are read", async () => {
    const page = [
      ...lines("\x95 first of all", "\x95 second"),
      { x: 72, y: 600, text: "def nest(bird):", isCode: true },
      { x: 98.4, y: 587, text: "return bird.moss", isCode: true },
    ];
    expect((await read([page])).text).toBe(
      "- first of all\n- second\n\n```\ndef nest(bird):\n    return bird.moss\n```\n",
    );
  });

  it("PDF columns are read one after the other", async () => {
    const column = (x: number, name: string): PdfText[] =>
      Array.from({ length: 12 }, (_, i) => ({
        x,
        y: 700 - i * 13,
        text: `${name} number ${i} of the words of this`,
      }));
    const { text } = await read([[...column(60, "left"), ...column(320, "right")]]);
    expect(text.indexOf("left number 11")).toBeLessThan(text.indexOf("right number 0"));
    expect(text).not.toContain("|");
  });

  it("a PDF is recognized under any name", async () => {
    expect((await parse("download", pdf([lines("The quetzal nests.")]))).text).toBe("The quetzal nests.\n");
  });

  it("PDF pages without text get a warning", async () => {
    expect(await read([[], []])).toMatchObject({
      text: "",
      warnings: ["2 of 2 pages hold no text: pictures of pages are not read"],
    });
  });

  it("the values of PDF form fields are read", async () => {
    const content = "BT /F1 11 Tf 72 700 Td (Application) Tj ET";
    const field = (name: string, value: string) =>
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (${name}) /V (${value}) /Rect [72 600 300 620] /P 3 0 R >>`;
    const bytes = pdfOf(
      [
        "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R 7 0 R] >> >>",
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Annots [6 0 R 7 0 R] /Resources << /Font << /F1 5 0 R >> >> >>",
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        field("Teacher", "Ann Quokka"),
        field("School", ""),
      ],
      "/Root 1 0 R",
    );
    expect((await parse("form.pdf", bytes)).text).toBe("Application\n\n- Teacher: Ann Quokka\n");
  });
});
