import { crc32, deflateSync } from "node:zlib";
import { docx, openDocument, paragraph, xlsx } from "./documents.ts";
import { pdfOf } from "./pdf.ts";
import { rawZip } from "./raw-zip.ts";

const MIB = 1024 * 1024;
const CATALOGUE = "<< /Type /Catalog /Pages 2 0 R >>";
const PAGES = "<< /Type /Pages /Count 1 /Kids [3 0 R] >>";

/** XML entities, each of which expands to ten copies of the previous one. */
export const LAUGHS = `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 12 }, (_, i) => `<!ENTITY ${"abcdefghijklm"[i + 1]} "${`&${"abcdefghijkl"[i]};`.repeat(10)}">`).join("")}]>`;

/** A small file that is expensive to parse. */
export interface Bomb {
  readonly name: string;
  readonly what: string;
  readonly make: () => Buffer | Promise<Buffer>;
  /**
   * `refused`: rejected with INVALID_ARGUMENT naming the file; `read`: parsed as far as possible, or stored
   * unparsed.
   */
  readonly outcome: "refused" | "read";
}

/** One file of each kind. */
export const BOMBS: readonly Bomb[] = [
  {
    name: "ratio.zip",
    what: "an archive that unpacks to 1,000 times its size",
    make: () => rawZip([{ name: "a.txt", data: Buffer.alloc(200 * MIB) }]),
    outcome: "refused",
  },
  { name: "nested.zip", what: "archives in archives", make: () => nested(8), outcome: "read" },
  {
    name: "part.docx",
    what: "a part that unpacks to 120 MB",
    make: () => rawZip([types, { name: "word/document.xml", data: Buffer.alloc(120 * MIB, " ") }]),
    outcome: "refused",
  },
  {
    name: "memory.docx",
    what: "900,000 paragraphs, more than its reader has memory for",
    make: () => docx(paragraph("a").repeat(900_000)),
    outcome: "refused",
  },
  {
    name: "laughs.docx",
    what: "entities that grow",
    make: () => docx("", [["word/document.xml", `${LAUGHS}<w:document>&m;</w:document>`]]),
    outcome: "refused",
  },
  {
    name: "laughs.odt",
    what: "entities that grow",
    make: () => openDocument("text", "<text:p>&m;</text:p>", LAUGHS),
    outcome: "refused",
  },
  {
    name: "far.xlsx",
    what: "a cell in the last column a million rows away",
    make: () =>
      xlsx("Far", [["a"]], '<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>b</t></is></c></row>'),
    outcome: "refused",
  },
  {
    name: "stream.pdf",
    what: "a page that unpacks to 120 MB",
    make: () => pagePdf(Buffer.alloc(120 * MIB, " ")),
    outcome: "read",
  },
  {
    name: "letters.pdf",
    what: "a page with a million letters, one at a time",
    make: () => pagePdf(Buffer.from(`BT ${"(a) Tj ".repeat(1_000_000)} ET`)),
    outcome: "read",
  },
  { name: "pixels.png", what: "3,600 million pixels", make: () => blackPng(60_000), outcome: "refused" },
  {
    name: "deep.html",
    what: "300,000 elements in each other",
    make: () => Buffer.from("<div>".repeat(300_000)),
    outcome: "read",
  },
  {
    name: "deep.md",
    what: "lists and quotations in each other",
    make: () => Buffer.from(`${"> - ".repeat(1000)}\n`.repeat(500)),
    outcome: "read",
  },
  {
    name: "deep.json",
    what: "4 million brackets",
    make: () => Buffer.from("[".repeat(4_000_000)),
    outcome: "read",
  },
];

const types = { name: "[Content_Types].xml", data: Buffer.from("<Types/>") };

function nested(levels: number): Buffer {
  let inner = rawZip([{ name: "a.txt", data: Buffer.alloc(100 * MIB) }]);
  for (let level = 1; level < levels; level++)
    inner = rawZip(Array.from({ length: 8 }, (_, i) => ({ name: `${level}-${i}.zip`, data: inner })));
  return inner;
}

function pagePdf(content: Buffer): Buffer {
  const packed = deflateSync(content, { level: 1 });
  return pdfOf([
    CATALOGUE,
    PAGES,
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n${packed.toString("latin1")}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ]);
}

/** Builds an image whose header declares a square of the given size. */
function blackPng(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const edges = Buffer.alloc(8);
    edges.writeUInt32BE(data.length, 0);
    edges.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([edges.subarray(0, 4), body, edges.subarray(4)]);
  };
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc(MIB))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
