import { fileURLToPath } from "node:url";
import type { PDFDocumentProxy } from "pdfjs-dist";
import { documentOf } from "../document.ts";
import type { FormatFile } from "../format-file.ts";
import type { Parsed } from "../parsed.ts";
import { Unreadable } from "../unreadable.ts";
import { blocksOf } from "./blocks.ts";
import { formMarkdown } from "./form.ts";
import { withoutHeadersAndFooters } from "./headers-and-footers.ts";
import { bodySizeOf, headingLevels, type OutlineEntry } from "./heading-levels.ts";
import { FontWidths, type PageLines, pageLines } from "./page-lines.ts";

const MIME = "application/pdf";
const MAX_PAGES = 5000;
const MAX_OUTLINE = 5000;
const MAX_OUTLINE_DEPTH = 6;
/** Share of pages without text above which a warning is added. */
const MAX_EMPTY_SHARE = 0.2;
const CMAPS = fileURLToPath(new URL("../../cmaps/", import.meta.resolve("pdfjs-dist/legacy/build/pdf.mjs")));

/**
 * Reads a PDF: the text of its pages in reading order. Detects headings by the outline or font size, lists,
 * tables by their columns, and code by monospaced fonts; joins words divided at line ends; omits running
 * headers and page numbers; appends form values. Images are not read. Throws Unreadable for an encrypted or
 * invalid file.
 */
export async function readPdf({ stem, bytes }: FormatFile): Promise<Parsed> {
  const pdf = await open(bytes);
  try {
    const count = Math.min(pdf.numPages, MAX_PAGES);
    const fonts = new FontWidths();
    const pages: PageLines[] = [];
    const warnings =
      pdf.numPages > count ? [`only the first ${count} of ${pdf.numPages} pages are read`] : [];
    let damaged = 0;
    for (let number = 1; number <= count; number++) {
      const page = await readPage(pdf, number, fonts);
      if (page) pages.push(page);
      else damaged++;
    }
    if (pages.length === 0) throw new Unreadable("none of its pages can be read");
    if (damaged > 0) warnings.push(`${damaged} of ${count} pages are damaged and were not read`);
    const empty = pages.filter(({ lines }) => lines.length === 0).length;
    if (empty > pages.length * MAX_EMPTY_SHARE)
      warnings.push(`${empty} of ${count} pages hold no text: pictures of pages are not read`);
    const bodySize = bodySizeOf(pages.flatMap(({ lines }) => lines));
    const lines = withoutHeadersAndFooters(pages, bodySize).flat();
    const levels = headingLevels(lines, await outlineOf(pdf), bodySize);
    const { title, author, subject, language } = await factsOf(pdf);
    const facts = [
      ["Author", author],
      ["Subject", subject],
      ["Language", language],
      ["Pages", pdf.numPages],
    ] as const;
    const markdown = [blocksOf(lines, levels, fonts), await formMarkdown(pdf, warnings)]
      .filter((part) => part !== "")
      .join("\n\n");
    return documentOf({ stem, mime: MIME, markdown, title, facts, warnings });
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function open(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const { getDocument, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  try {
    return await getDocument({
      data: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      verbosity: VerbosityLevel.ERRORS,
      isEvalSupported: false,
      useSystemFonts: false,
      disableFontFace: true,
      useWorkerFetch: false,
      enableXfa: false,
      cMapUrl: CMAPS,
      cMapPacked: true,
      // pages are never rendered
      isOffscreenCanvasSupported: false,
      isImageDecoderSupported: false,
      maxImageSize: 0,
    }).promise;
  } catch (error) {
    const isLocked = error instanceof Error && error.name === "PasswordException";
    throw new Unreadable(
      isLocked ? "it is encrypted: remove its password" : "it is damaged or not a PDF",
      error,
    );
  }
}

/** Undefined if the page is damaged. */
async function readPage(
  pdf: PDFDocumentProxy,
  number: number,
  fonts: FontWidths,
): Promise<PageLines | undefined> {
  try {
    const page = await pdf.getPage(number);
    const lines = await pageLines(page, number, fonts);
    page.cleanup();
    return lines;
  } catch {
    return undefined;
  }
}

type OutlineNode = Awaited<ReturnType<PDFDocumentProxy["getOutline"]>>[number];

async function outlineOf(pdf: PDFDocumentProxy): Promise<OutlineEntry[]> {
  const found: OutlineEntry[] = [];
  const walk = async (nodes: readonly OutlineNode[], level: number) => {
    for (const { title, items, dest } of nodes) {
      if (found.length >= MAX_OUTLINE) return;
      found.push({ title, level, page: await pageOf(pdf, dest).catch(() => undefined) });
      if (level < MAX_OUTLINE_DEPTH) await walk(items, level + 1);
    }
  };
  await walk((await pdf.getOutline().catch(() => undefined)) ?? [], 1);
  return found;
}

async function pageOf(pdf: PDFDocumentProxy, dest: OutlineNode["dest"]): Promise<number | undefined> {
  const [page] = (typeof dest === "string" ? await pdf.getDestination(dest) : dest) ?? [];
  if (typeof page === "number") return page + 1;
  return page ? (await pdf.getPageIndex(page)) + 1 : undefined;
}

async function factsOf(
  pdf: PDFDocumentProxy,
): Promise<Record<"title" | "author" | "subject" | "language", string>> {
  const info = ((await pdf.getMetadata().catch(() => undefined))?.info ?? {}) as Record<string, unknown>;
  const text = (name: string) => (typeof info[name] === "string" ? info[name].trim() : "");
  return {
    title: text("Title"),
    author: text("Author"),
    subject: text("Subject"),
    language: text("Language"),
  };
}
