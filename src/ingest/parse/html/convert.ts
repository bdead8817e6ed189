import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { converter } from "./blocks.ts";

const MAX_HTML_LENGTH = 1024 * 1024;
/**
 * Maximum number of `<` and `&`: each may become a node, and the parser joins adjacent text nodes one by one.
 */
const MAX_MARKS = 40_000;
const MAX_ELEMENTS = 10_000;
const MAX_DEPTH = 120;
/** Maximum sum of the depths of all elements: in Markdown, nested lists indent every line by its depth. */
const MAX_DEPTH_SUM = 200_000;
/** Maximum depth of nested formatting elements, which the HTML standard repairs in quadratic time. */
const MAX_FORMATTING_DEPTH = 8;
const FORMATTING = new Set(
  "A B BIG CODE EM FONT I NOBR S SMALL STRIKE STRONG TT U TABLE FORM BUTTON".split(" "),
);
/**
 * Minimum share of the page's words (outside links) that an extracted article must contain; otherwise too
 * much would be lost.
 */
const MIN_ARTICLE_SHARE = 0.9;
const DROPPED =
  "script,style,noscript,template,iframe,object,embed,svg,canvas,link,meta,input,select,button,dialog";
const BESIDE_BODY = new Set(["HEAD", "#document-type", "#comment"]);
const CHROME =
  "nav,body > header,body > footer,[role=navigation],[role=banner],[role=contentinfo],[aria-hidden=true]";

export interface Page {
  readonly title: string;
  /** Meta description of the page; "" if missing. */
  readonly description: string;
  readonly markdown: string;
}

type Dom = ReturnType<typeof parseHTML>["document"];
type Element = Dom["documentElement"];

type ReadabilityDocument = ConstructorParameters<typeof Readability>[0];

/**
 * Converts the content of a page to Markdown; undefined if its size, number of elements or depth would make
 * the conversion too slow.
 */
export async function convertHtml(html: string, base: string | undefined): Promise<Page | undefined> {
  if (html.length > MAX_HTML_LENGTH || countMarks(html) > MAX_MARKS) return undefined;
  try {
    const document = parseDocument(html);
    if (!isModest(document)) return undefined;
    const title = document.querySelector("title")?.textContent ?? "";
    const description = descriptionOf(document);
    for (const element of document.querySelectorAll(DROPPED)) element.remove();
    unwrapLayoutTables(document);
    const content = mainContent(document);
    if (base !== undefined) absolutise(content, base);
    dropInlineData(content);
    const markdown = String(await converter.process(content.innerHTML));
    return { title: title.trim(), description, markdown };
  } catch {
    // the caller then strips the tags
    return undefined;
  }
}

const MAX_DESCRIPTION_LENGTH = 1000;

function descriptionOf(document: Dom): string {
  const meta =
    document.querySelector('meta[name="description" i]') ??
    document.querySelector('meta[property="og:description" i]');
  return (meta?.getAttribute("content") ?? "").replace(/\s+/g, " ").trim().slice(0, MAX_DESCRIPTION_LENGTH);
}

function parseDocument(html: string): Dom {
  const isWhole = /<html[\s>]/i.test(html);
  const { document } = parseHTML(
    isWhole ? html : `<!doctype html><html><head></head><body>${html}</body></html>`,
  );
  const root = document.documentElement;
  const body =
    [...root.children].find((child) => child.tagName === "BODY") ??
    root.appendChild(document.createElement("body"));
  // the body's tags are optional, and content after its end still belongs to it
  for (const node of [...root.childNodes, ...document.childNodes])
    if (node !== body && node !== root && !BESIDE_BODY.has(node.nodeName)) body.append(node);
  return document;
}

function countMarks(html: string): number {
  let count = 0;
  for (let i = 0; i < html.length; i++) {
    const unit = html.charCodeAt(i);
    if (unit === 0x3c || unit === 0x26) count++;
  }
  return count;
}

/** Whether number and depth of the elements are within the limits. Iterative, to avoid deep recursion. */
function isModest(document: Dom): boolean {
  let elements = 0;
  let depths = 0;
  const pending: { element: Element; depth: number; formatting: number }[] = [
    { element: document.documentElement, depth: 0, formatting: 0 },
  ];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const formatting = next.formatting + (FORMATTING.has(next.element.tagName) ? 1 : 0);
    depths += next.depth;
    if (
      ++elements > MAX_ELEMENTS ||
      depths > MAX_DEPTH_SUM ||
      next.depth > MAX_DEPTH ||
      formatting > MAX_FORMATTING_DEPTH
    )
      return false;
    for (let child = next.element.firstElementChild; child; child = child.nextElementSibling) {
      pending.push({ element: child, depth: next.depth + 1, formatting });
    }
  }
  return true;
}

/**
 * Replaces tables that only arrange a page by what their cells contain: those that hold other tables and name
 * no columns. The converter would write everything within a cell in one line.
 */
function unwrapLayoutTables(document: Dom): void {
  for (const table of document.querySelectorAll("table")) {
    if (table.querySelector("table") === null) continue;
    const cells = [...table.querySelectorAll("td,th")].filter((cell) => cell.closest("table") === table);
    if (cells.some(({ tagName }) => tagName === "TH")) continue;
    for (const cell of cells) {
      const block = document.createElement("div");
      for (const child of [...cell.childNodes]) block.append(child);
      table.before(block);
    }
    table.remove();
  }
}

/**
 * The article found by Readability if it contains most of the page's words; otherwise the body without
 * navigation.
 */
function mainContent(document: Dom): Element {
  for (const element of document.querySelectorAll(CHROME)) element.remove();
  const body = document.body ?? document.documentElement;
  const copy = parseDocument(document.toString());
  const article = new Readability<Element>(copy as unknown as ReadabilityDocument, {
    maxElemsToParse: MAX_ELEMENTS,
    charThreshold: 200,
    serializer: (node) => node as Element,
  }).parse()?.content;
  const keepsTables =
    article !== null &&
    article !== undefined &&
    article.querySelectorAll("table").length >= body.querySelectorAll("table").length;
  return article && keepsTables && wordsLength(article) >= wordsLength(body) * MIN_ARTICLE_SHARE
    ? article
    : body;
}

/** Number of characters outside links: links are mostly navigation around the content. */
const wordsLength = (element: Element): number =>
  [...element.querySelectorAll("a")].reduce(
    (length, link) => length - lengthOf(link.textContent),
    lengthOf(element.textContent),
  );

const lengthOf = (text: string | null): number => (text ?? "").replace(/\s+/g, "").length;

function absolutise(content: Element, base: string): void {
  for (const [selector, attribute] of [
    ["a[href]", "href"],
    ["img[src]", "src"],
  ] as const) {
    for (const element of content.querySelectorAll(selector)) {
      const value = element.getAttribute(attribute) ?? "";
      if (URL.canParse(value, base)) element.setAttribute(attribute, new URL(value, base).href);
    }
  }
}

/** Removes data and script URLs, which are useless to readers. */
function dropInlineData(content: Element): void {
  for (const image of content.querySelectorAll("img"))
    if (!/^https?:|^[^:]*$/i.test(image.getAttribute("src") ?? "")) image.remove();
  for (const link of content.querySelectorAll("a[href]"))
    if (/^\s*(?:javascript|data|vbscript):/i.test(link.getAttribute("href") ?? ""))
      link.removeAttribute("href");
}
