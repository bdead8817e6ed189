import { archiveOf } from "./archive.ts";

/** Minimal office documents with only the parts that parsers need. */

const REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const TYPES = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`;
const relations = (...links: readonly (readonly [id: string, type: string, target: string])[]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${links
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${REL}/${type}" Target="${target}"/>`)
    .join("")}</Relationships>`;
const core = (title: string, creator: string) =>
  `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title><dc:creator>${creator}</dc:creator></cp:coreProperties>`;

export type Parts = readonly (readonly [name: string, text: string])[];

/** `body` is WordprocessingML; `more` adds parts or replaces parts of the same name. */
export function docx(body: string, more: Parts = []): Promise<Buffer> {
  const parts: Parts = [
    ["[Content_Types].xml", TYPES],
    ["_rels/.rels", relations(["r1", "officeDocument", "word/document.xml"])],
    ["docProps/core.xml", core("The bird book", "Ann")],
    ["word/document.xml", `<w:document xmlns:w="${W}"><w:body>${body}</w:body></w:document>`],
  ];
  return archiveOf(new Map([...parts, ...more]));
}

export const paragraph = (text: string, style = "") =>
  `<w:p>${style === "" ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;

export const wordTable = (rows: readonly (readonly string[])[]) =>
  `<w:tbl>${rows.map((row) => `<w:tr>${row.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join("")}</w:tr>`).join("")}</w:tbl>`;

export function pptx(slides: readonly string[]): Promise<Buffer> {
  const names = slides.map((_, i) => `slide${i + 1}.xml`);
  const space = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${REL}"`;
  return archiveOf([
    ["[Content_Types].xml", TYPES],
    ["docProps/core.xml", core("Birds on slides", "Bob")],
    [
      "ppt/presentation.xml",
      `<p:presentation ${space}><p:sldIdLst>${names.map((_, i) => `<p:sldId id="${i}" r:id="r${i}"/>`).join("")}</p:sldIdLst></p:presentation>`,
    ],
    [
      "ppt/_rels/presentation.xml.rels",
      relations(...names.map((name, i) => [`r${i}`, "slide", `slides/${name}`] as const)),
    ],
    ...slides.map(
      (slide, i) =>
        [
          `ppt/slides/${names[i]}`,
          `<p:sld ${space}><p:cSld><p:spTree>${slide}</p:spTree></p:cSld></p:sld>`,
        ] as const,
    ),
  ]);
}

export const shape = (type: string, ...texts: readonly (readonly [text: string, level: number])[]) =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${texts
    .map(([text, level]) => `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${text}</a:t></a:r></a:p>`)
    .join("")}</p:txBody></p:sp>`;

/** `rows` of one sheet are stored as inline strings; `more` are rows in raw XML. */
export function xlsx(name: string, rows: readonly (readonly string[])[], more = ""): Promise<Buffer> {
  const space = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${REL}"`;
  const letter = (i: number) => String.fromCharCode(65 + i);
  const cells = (row: readonly string[], y: number) =>
    row.map((cell, x) => `<c r="${letter(x)}${y + 1}" t="inlineStr"><is><t>${cell}</t></is></c>`).join("");
  return archiveOf([
    ["[Content_Types].xml", TYPES],
    [
      "xl/workbook.xml",
      `<workbook ${space}><sheets><sheet name="${name}" sheetId="1" r:id="r1"/></sheets></workbook>`,
    ],
    ["xl/_rels/workbook.xml.rels", relations(["r1", "worksheet", "worksheets/sheet1.xml"])],
    ["xl/styles.xml", `<styleSheet ${space}><cellXfs><xf numFmtId="0"/></cellXfs></styleSheet>`],
    [
      "xl/worksheets/sheet1.xml",
      `<worksheet ${space}><sheetData>${rows.map((row, y) => `<row r="${y + 1}">${cells(row, y)}</row>`).join("")}${more}</sheetData></worksheet>`,
    ],
  ]);
}

/** `kind` is text, spreadsheet or presentation; `body` is OpenDocument content. */
export function openDocument(kind: string, body: string, prolog = ""): Promise<Buffer> {
  const spaces = ["office", "text", "table", "style", "draw", "presentation"].map(
    (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  );
  return archiveOf([
    ["mimetype", `application/vnd.oasis.opendocument.${kind}`],
    [
      "content.xml",
      `<?xml version="1.0"?>${prolog}<office:document-content ${spaces.join(" ")}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ],
  ]);
}

export function epub(chapters: readonly string[]): Promise<Buffer> {
  const items = chapters
    .map((_, i) => `<item id="c${i}" href="c%20${i}.xhtml" media-type="application/xhtml+xml"/>`)
    .join("");
  const refs = chapters.map((_, i) => `<itemref idref="c${i}"/>`).join("");
  return archiveOf([
    [
      "META-INF/container.xml",
      `<container><rootfiles><rootfile full-path="book/content.opf"/></rootfiles></container>`,
    ],
    [
      "book/content.opf",
      `<package><metadata xmlns:dc="x"><dc:title>Birds in chapters</dc:title><dc:creator>Eve</dc:creator><dc:language>en</dc:language></metadata><manifest>${items}</manifest><spine>${refs}</spine></package>`,
    ],
    ...chapters.map(
      (text, i) =>
        [
          `book/c ${i}.xhtml`,
          `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${text}</body></html>`,
        ] as const,
    ),
  ]);
}
