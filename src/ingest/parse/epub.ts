import { posix } from "node:path";
import { parseHTML } from "linkedom";
import { itemAt } from "../../base/expect.ts";
import { documentOf } from "./document.ts";
import type { FormatFile } from "./format-file.ts";
import { blocksToMarkdown } from "./html/blocks.ts";
import { Package } from "./office/package.ts";
import { elementsOf, firstOf, textOfFirst, type XmlElement, xmlRoot } from "./office/xml.ts";
import type { Parsed } from "./parsed.ts";
import { Unreadable } from "./unreadable.ts";

const MIME = "application/epub+zip";
const MAX_CHAPTERS = 5000;
/** Grouping elements, whose children are separate blocks. */
const GROUPS = new Set(["DIV", "SECTION", "ARTICLE", "MAIN", "HEADER", "FOOTER", "ASIDE", "CENTER", "BODY"]);
const MAX_GROUP_DEPTH = 60;

/**
 * Reads an EPUB: the chapters in reading order with headings, lists, tables and quotations; title, author and
 * language of the book. Omits images.
 */
export async function readEpub({ stem, bytes }: FormatFile): Promise<Parsed> {
  const parts = await Package.open(bytes);
  const { path, root } = await packageFile(parts);
  const items = new Map(
    [...elementsOf(root, "item", "opf:item")].map((item) => [item.getAttribute("id") ?? "", item]),
  );
  const spine = [...elementsOf(root, "itemref", "opf:itemref")].flatMap(
    (ref) => items.get(ref.getAttribute("idref") ?? "") ?? [],
  );
  const chapters = spine.filter(
    (item) => /x?html/.test(item.getAttribute("media-type") ?? "") && !isNavigation(item),
  );
  const warnings =
    chapters.length > MAX_CHAPTERS
      ? [`only the first ${MAX_CHAPTERS} of ${chapters.length} chapters are read`]
      : [];
  const texts: string[] = [];
  for (const chapter of chapters.slice(0, MAX_CHAPTERS)) {
    const name = hrefPath(path, chapter.getAttribute("href") ?? "");
    const text = await parts.text(name);
    if (text === undefined) warnings.push(`a chapter is missing: ${name.slice(0, 200)}`);
    else texts.push(await chapterMarkdown(text));
  }
  const facts = [
    ["Author", [...elementsOf(root, "dc:creator")].map((one) => one.textContent.trim()).join(", ")],
    ["Language", textOfFirst(root, "dc:language")],
    ["Publisher", textOfFirst(root, "dc:publisher")],
  ] as const;
  const markdown = texts.filter((text) => text !== "").join("\n\n");
  return documentOf({ stem, mime: MIME, markdown, title: textOfFirst(root, "dc:title"), facts, warnings });
}

async function packageFile(parts: Package): Promise<{ path: string; root: XmlElement }> {
  const container = await parts.text("META-INF/container.xml");
  const path =
    container === undefined ? undefined : firstOf(xmlRoot(container), "rootfile")?.getAttribute("full-path");
  const text = path ? await parts.text(path) : undefined;
  if (!path || text === undefined) throw new Unreadable("it is not an EPUB: its package file is missing");
  return { path, root: xmlRoot(text) };
}

const isNavigation = (item: XmlElement): boolean => /\bnav\b/.test(item.getAttribute("properties") ?? "");

function hrefPath(from: string, href: string): string {
  const path = itemAt(href.split("#", 1), 0);
  try {
    return posix.join(posix.dirname(from), decodeURIComponent(path));
  } catch {
    return posix.join(posix.dirname(from), path);
  }
}

/** Converts a chapter to Markdown; the blocks are taken out of grouping elements. */
async function chapterMarkdown(xhtml: string): Promise<string> {
  // in HTML, a self-closing XML element would contain everything after it
  const html = xhtml.replace(
    /<(script|title|style|a|div|span|p|i|b|em|td|th|li)(\s[^<>]{0,500})?\/>/gi,
    "<$1$2></$1>",
  );
  const { document } = parseHTML(html);
  const blocks: string[] = [];
  const body = document.querySelector("body") ?? document.documentElement;
  if (body) collect(body as unknown as HtmlElement, blocks, 0);
  return blocksToMarkdown(blocks.join(""));
}

interface HtmlElement {
  readonly tagName: string;
  readonly nodeType: number;
  readonly childNodes: Iterable<HtmlElement>;
  readonly children: Iterable<HtmlElement>;
  toString(): string;
}

function collect(group: HtmlElement, blocks: string[], depth: number): void {
  let inline = "";
  const close = () => {
    if (inline.trim() !== "") blocks.push(`<p>${inline}</p>`);
    inline = "";
  };
  for (const node of group.childNodes) {
    if (node.nodeType === 1 && GROUPS.has(node.tagName.toUpperCase()) && depth < MAX_GROUP_DEPTH) {
      close();
      collect(node, blocks, depth + 1);
    } else if (node.nodeType === 1 && !INLINE.has(node.tagName.toUpperCase())) {
      close();
      blocks.push(node.toString());
    } else if (node.nodeType === 1 || node.nodeType === 3) inline += node.toString();
  }
  close();
}

const INLINE = new Set(
  "A ABBR B BIG BR CITE CODE EM FONT I IMG KBD Q S SAMP SMALL SPAN STRONG SUB SUP TT U VAR".split(" "),
);
