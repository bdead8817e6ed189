import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BOMBS } from "../support/bombs.ts";
import { docx, epub, openDocument, paragraph } from "../support/documents.ts";
import { pdf, pdfOf } from "../support/pdf.ts";
import { rawZip } from "../support/raw-zip.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SPACES = Buffer.alloc(120 * 1024 * 1024, " ");
const TYPES = { name: "[Content_Types].xml", data: Buffer.from("<Types/>") };
const SECRET = "file:///etc/passwd";
const THIEF = `<!DOCTYPE x [<!ENTITY a SYSTEM "${SECRET}">]>`;
const PAGES = "<< /Type /Pages /Count 1 /Kids [3 0 R] >>";
const CATALOGUE = "<< /Type /Catalog /Pages 2 0 R >>";

/** Name of the file, its fault, and how to build it; refused, or parsed as far as possible. */
const FILES: readonly (readonly [
  name: string,
  what: string,
  make: () => Buffer | Promise<Buffer>,
  outcome: "refused" | "read",
])[] = [
  [
    "lies.docx",
    "a part that says it is small",
    () => rawZip([TYPES, { name: "word/document.xml", data: SPACES, size: 100 }]),
    "refused",
  ],
  [
    "ratio.xlsx",
    "a sheet that unpacks to 120 MB",
    () =>
      rawZip([
        { name: "xl/workbook.xml", data: Buffer.from("<x/>") },
        { name: "xl/sheet.xml", data: SPACES },
      ]),
    "refused",
  ],
  [
    "ratio.epub",
    "a package file that unpacks to 120 MB",
    () => rawZip([{ name: "META-INF/container.xml", data: SPACES }]),
    "refused",
  ],
  [
    "count.docx",
    "too many parts",
    () => rawZip(Array.from({ length: 20_001 }, (_, i) => ({ name: `p${i}.xml`, data: Buffer.alloc(0) }))),
    "refused",
  ],
  [
    "overlap.docx",
    "parts that lie in each other",
    () =>
      rawZip([
        TYPES,
        ...Array.from({ length: 100 }, (_, i) => ({
          name: `${i}.xml`,
          data: Buffer.alloc(1_000_000, `${i % 7}x`),
          isOverlaid: i > 0,
        })),
      ]),
    "refused",
  ],
  ["twice.docx", "two parts with the same name", () => rawZip([TYPES, TYPES]), "refused"],
  [
    "short.docx",
    "an archive that ends too early",
    async () => (await docx(paragraph("text"))).subarray(0, 400),
    "refused",
  ],
  [
    "old.docx",
    "a compound file, as encrypted ones are",
    () => Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(600)]),
    "refused",
  ],
  [
    "thief.docx",
    "an entity that reads a file",
    () => docx("", [["word/document.xml", `${THIEF}<w:document>&a;</w:document>`]]),
    "refused",
  ],
  [
    "thief.odt",
    "an entity that reads a file",
    () => openDocument("text", "<text:p>&a;</text:p>", THIEF),
    "refused",
  ],
  [
    "deep.odt",
    "elements nested 50,000 deep",
    () => openDocument("text", "<text:p>".repeat(50_000) + "</text:p>".repeat(50_000)),
    "refused",
  ],
  [
    "deep.docx",
    "elements nested 50,000 deep",
    () => docx("<w:sdt>".repeat(50_000) + "</w:sdt>".repeat(50_000)),
    "refused",
  ],
  [
    "deep.epub",
    "elements nested 20,000 deep",
    () => epub([`${"<div>".repeat(20_000)}the words${"</div>".repeat(20_000)}`]),
    "read",
  ],
  [
    "rootless.pdf",
    "no root",
    () => Buffer.from("%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << >>\n%%EOF"),
    "refused",
  ],
  [
    "loop.pdf",
    "pages that hold themselves",
    () => pdfOf([CATALOGUE, "<< /Type /Pages /Count 3 /Kids [2 0 R 2 0 R] >>", "<< >>"]),
    "refused",
  ],
  [
    "many.pdf",
    "a billion pages that are not there",
    () =>
      pdfOf([
        CATALOGUE,
        PAGES.replace("/Count 1", "/Count 1000000000"),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1e9 1e9] >>",
      ]),
    "read",
  ],
  [
    "short.pdf",
    "a file that ends too early",
    () => pdf([[{ x: 72, y: 700, text: "the words" }]]).subarray(0, 300),
    "refused",
  ],
  [
    "locked.pdf",
    "a password",
    () =>
      pdfOf(
        [
          CATALOGUE,
          PAGES,
          "<< /Type /Page /Parent 2 0 R >>",
          `<< /Filter /Standard /V 1 /R 2 /P -4 /O (${"o".repeat(32)}) /U (${"u".repeat(32)}) >>`,
        ],
        "/Root 1 0 R /Encrypt 4 0 R /ID [(1234567890123456) (1234567890123456)]",
      ),
    "refused",
  ],
];

describe("hostile documents", () => {
  let served: Served;
  let key: string;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    await mkdir(join(folder.path, "mix"));
    served = await serve({
      CTXDB_LOCAL_PATHS: folder.path,
      CTXDB_PARSE_MEMORY_MB: "768",
      CTXDB_PARSE_TIMEOUT_SECONDS: "60",
    });
    const made = await served.rest(ROOT_KEY, "POST admin/accounts", {
      account_id: "work",
      admin_user_id: "boss",
    });
    key = (made.result as { user_key: string }).user_key;
  });
  afterAll(async () => {
    await served.close();
    await folder.remove();
  });

  const bombs = BOMBS.map(({ name, what, make, outcome }) => [name, what, make, outcome] as const);

  it.each([...FILES, ...bombs])(
    "the server stays available while it imports the hostile document %s: %s",
    { timeout: 180_000 },
    async (name, _, make, outcome) => {
      await writeFile(join(folder.path, name), await make());
      const importing = served.rest(key, "POST resources", {
        path: join(folder.path, name),
        wait: true,
        timeout: 120,
      });
      // while it is being parsed
      expect((await fetch(`http://127.0.0.1:${served.port}/health`)).status).toBe(200);
      const answer = await importing;
      if (outcome === "read") expect(answer).toMatchObject({ http: 200 });
      else
        expect(answer).toMatchObject({
          http: 400,
          error: {
            code: "INVALID_ARGUMENT",
            message: expect.stringMatching(name.endsWith(".zip") ? "the archive" : `^${name}: `),
          },
        });
      expect(JSON.stringify(answer)).not.toMatch(/root:x|\bat .*\.ts/);
      expect((await fetch(`http://127.0.0.1:${served.port}/health`)).status).toBe(200);
    },
  );

  it("archive members deeper than a URI allows are left out of an import", async () => {
    const deep = (levels: number, name: string) => ({
      name: `${"d/".repeat(levels)}a.md`,
      data: Buffer.from(name),
    });
    const wide = { name: `${`${"w".repeat(250)}/`.repeat(16)}a.md`, data: Buffer.from("wide") };
    await writeFile(
      join(folder.path, "deep.zip"),
      rawZip([{ name: "a.md", data: Buffer.from("top") }, deep(58, "in"), deep(59, "out"), wide]),
    );
    const to = "ctx://resources/one/two/three/four";
    const { result } = await served.rest(key, "POST resources", {
      path: join(folder.path, "deep.zip"),
      to,
      wait: true,
    });
    expect((result as { warnings: string[] }).warnings).toEqual([
      `${"d/".repeat(59)}a.md: skipped: its URI would be too long`,
      `${wide.name}: skipped: its URI would be too long`,
    ]);
    expect((await served.rest(key, `GET content/read?uri=${to}/${"d/".repeat(58)}a.md`)).result).toBe("in");
  });

  it("an import that is not strict stores and reports a broken document", async () => {
    await writeFile(join(folder.path, "mix/broken.docx"), "PK\x03\x04 not really a zip");
    await writeFile(join(folder.path, "mix/good.md"), "# Good\n\nThe quetzal nests in cloud forests.");
    await writeFile(join(folder.path, "mix/good.docx"), await docx(paragraph("The trogon nests near by.")));
    const answer = await served.rest(key, "POST resources", {
      path: join(folder.path, "mix"),
      wait: true,
      strict: false,
    });
    expect(answer).toMatchObject({
      http: 200,
      result: { errors: ["broken.docx: its zip archive is damaged or incomplete: stored without text"] },
    });
    const found = await served.rest(key, "GET content/read?uri=ctx://resources/mix/good.md");
    expect(found.result).toContain("quetzal");
    expect((await served.rest(key, "GET content/read?uri=ctx://resources/mix/good.docx.md")).result).toBe(
      "The trogon nests near by.\n",
    );
  });
});
