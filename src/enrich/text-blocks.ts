import { append } from "../base/append.ts";
import { atxHeading, frontMatterEnd } from "../domain/text/headings.ts";
import { withoutEntities } from "../domain/text/html-entities.ts";

/**
 * A paragraph, list item or quotation as plain text on one line, without markup, link targets, images, HTML
 * and code blocks.
 */
export interface TextBlock {
  readonly kind: "paragraph" | "item" | "quote";
  readonly text: string;
  /** Plain title of the heading above; "" before the first heading. */
  readonly heading: string;
  /** Level of that heading; 0 before the first heading. */
  readonly level: number;
  /** Number of headings before the block. */
  readonly section: number;
}

const MAX_BLOCK_LENGTH = 8000;
const FENCE = /^\s{0,8}(`{3,}|~{3,})/;
const UNDERLINE = /^ {0,3}(=+|-{2,})\s*$/;
const RULE = /^ {0,3}(?:[-*_=~^+] ?){3,}\s*$/;
const DEFINITION = /^ {0,3}\[[^\]]{1,200}\]:/;
const TABLE = /^\s{0,3}\||^[^|]{0,200}\|\s*:?-{2,}|^\s*\+[-=+]{3,}$/;
const INDENTED = /^(?: {4}|\t)/;
const ITEM = /^\s{0,12}(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;
/** A list item or line that consists of one link. */
const LINK_LINE =
  /^\s*(?:(?:[-*+•]|\d{1,3}[.)])\s*)?!?\[[^\]]{0,300}\](?:\([^)]{0,1000}\)|\[[^\]]{0,200}\])[\s.,;|]*$/;
const QUOTE = /^ {0,3}(?:> ?)+/;
/** Lines that open or close an admonition, directive or component, and lines of template languages. */
const DIRECTIVE = /^\s*(?:\[![A-Za-z]+\]\s*$|:{3,}|!{3}\s|\.\. |\{[%{#]|(?:import|export)\s.*from\s+["'])/;
/** A shell prompt before a command. */
const PROMPT = /^\s*(?:\$|>>>|%|#)\s+\S/;
/** Number of lines after a list item within which an indented block belongs to the item. */
const LIST_REACH = 2;

/** A heading and its number in the text, from 1. */
export interface TextHeading {
  readonly title: string;
  readonly level: number;
  readonly section: number;
}

export interface TextOutline {
  readonly blocks: readonly TextBlock[];
  readonly headings: readonly TextHeading[];
}

/** The blocks and headings of a Markdown text in order. Linear in the length of the text. */
export function markdownOutline(text: string): TextOutline {
  const builder = new BlockBuilder();
  const body = withoutComments(text.slice(frontMatterEnd(text)));
  let fence = "";
  for (const raw of linesWithoutHtml(body)) {
    const mark = FENCE.exec(raw)?.[1];
    if (mark === undefined && fence === "") {
      builder.line(raw.slice(0, MAX_BLOCK_LENGTH));
      continue;
    }
    builder.close();
    if (mark !== undefined && fence === "") fence = mark;
    else if (mark?.startsWith(fence)) fence = "";
  }
  builder.close();
  return builder;
}

/** The blocks of a plain text: paragraphs; short lines (lists, verses, logs) are separate blocks. */
export function plainOutline(text: string): TextOutline {
  const blocks: TextBlock[] = [];
  const headings: TextHeading[] = [];
  for (const [i, paragraph] of text.split(/\n[ \t\r]*\n/).entries()) {
    const { title, lines } = titled(paragraph.split("\n"), i === 0);
    if (title !== "") headings.push({ title, level: 1, section: headings.length + 1 });
    const isFilled = lines.slice(0, 40).some((line) => line.trimEnd().length > 50);
    for (const part of isFilled ? [lines.join("\n")] : lines) {
      const plain = part
        .slice(0, MAX_BLOCK_LENGTH)
        .replace(/``([^`]{1,200})``/g, "$1")
        .replace(/\s+/g, " ")
        .trim();
      if (plain === "") continue;
      const { title: heading = "", level = 0 } = headings.at(-1) ?? {};
      blocks.push({ kind: "paragraph", text: plain, heading, level, section: headings.length });
    }
  }
  return { blocks, headings };
}

const TITLE_UNDERLINE = /^(?:={3,}|-{3,}|~{3,}|\*{3,}|\^{3,})\s*$/;
const MAX_PLAIN_TITLE_LENGTH = 80;

/**
 * The title of a plain text paragraph, and the lines below it: an underlined first line, or a single line
 * without a full stop in the first paragraph.
 */
function titled(
  lines: readonly string[],
  isFirst: boolean,
): { readonly title: string; readonly lines: readonly string[] } {
  const told = lines.filter((line) => line.trim() !== "");
  if (TITLE_UNDERLINE.test(told[0]?.trim() ?? "") && told.length > 1) told.shift();
  const title = told[0]?.trim() ?? "";
  const isTitle = title.length <= MAX_PLAIN_TITLE_LENGTH && /\p{L}/u.test(title);
  if (isTitle && TITLE_UNDERLINE.test(told[1]?.trim() ?? "")) return { title, lines: told.slice(2) };
  return told.length === 1 && isTitle && isFirst && !/[.!?:;。！？：,]$/.test(title)
    ? { title, lines: [] }
    : { title: "", lines };
}

/** A line without the backslash that ends it as a hard line break. */
const plainLine = (line: string): string =>
  line
    .trim()
    .replace(/(?<!\\)\\$/, "")
    .trimEnd();

/** The target of references in MyST: `(https-certificates)=`. */
const TARGET_LINE = /^\([^()]{1,200}\)=\s*$/;

const isSkipped = (line: string): boolean =>
  TARGET_LINE.test(line) ||
  line.trim() === "" ||
  LINK_LINE.test(line) ||
  RULE.test(line) ||
  DEFINITION.test(line) ||
  TABLE.test(line) ||
  DIRECTIVE.test(line) ||
  PROMPT.test(line);

/** Collects lines into blocks under the heading above them. */
class BlockBuilder implements TextOutline {
  readonly blocks: TextBlock[] = [];
  readonly headings: TextHeading[] = [];
  #lines: string[] = [];
  #kind: TextBlock["kind"] = "paragraph";
  #heading = "";
  #level = 0;
  #section = 0;

  #sinceItem = LIST_REACH + 1;

  /** Processes a line outside code. */
  line(raw: string): void {
    const line = raw.replace(QUOTE, "");
    const isItem = ITEM.test(line);
    this.#sinceItem = isItem ? 0 : this.#sinceItem + (line.trim() === "" ? 1 : 0);
    const heading = atxHeading(line);
    if (heading) this.#addHeading(heading.title, heading.level);
    else if (UNDERLINE.test(line) && this.#isOneLine) this.#underline(line.includes("=") ? 1 : 2);
    else if (isSkipped(line) && !this.#goesOnWith(line)) this.close();
    else if (this.#isCode(line)) this.close();
    else if (isItem) this.#open("item", line.replace(ITEM, ""));
    else this.#add(QUOTE.test(raw) ? "quote" : "paragraph", line);
  }

  get #isOneLine(): boolean {
    return this.#lines.length === 1 && this.#kind === "paragraph";
  }

  /** Whether a line consisting of a link continues an unfinished sentence. */
  #goesOnWith(line: string): boolean {
    const last = this.#lines.at(-1);
    if (last === undefined || !LINK_LINE.test(line) || ITEM.test(line)) return false;
    return /[\p{L}\p{N},(]$/u.test(withoutInlineMarks(last));
  }

  /** Whether a line is indented code: it neither continues a paragraph nor belongs to a list. */
  #isCode = (line: string): boolean =>
    INDENTED.test(line) && this.#lines.length === 0 && this.#sinceItem > LIST_REACH;

  #addHeading(title: string, level: number): void {
    this.close();
    // generators add a link to each heading
    this.#heading = withoutInlineMarks(title).replace(/[#¶]$/, "").trimEnd();
    this.#level = level;
    this.#section++;
    if (this.#heading !== "") this.headings.push({ title: this.#heading, level, section: this.#section });
  }

  /** Turns the previous line into a heading. */
  #underline(level: number): void {
    const [title = ""] = this.#lines;
    this.#lines = [];
    this.#addHeading(title, level);
  }

  #open(kind: TextBlock["kind"], line: string): void {
    this.close();
    this.#kind = kind;
    this.#lines = [plainLine(line)];
  }

  /** Continues an open block of any kind, as Markdown does with consecutive lines. */
  #add(kind: TextBlock["kind"], line: string): void {
    if (this.#lines.length > 0 && (kind === this.#kind || this.#kind === "item"))
      this.#lines.push(plainLine(line));
    else this.#open(kind, line);
  }

  close(): void {
    if (this.#lines.length === 0) return;
    const text = withoutInlineMarks(this.#lines.join(" ").slice(0, MAX_BLOCK_LENGTH));
    this.#lines = [];
    if (text === "") return;
    this.blocks.push({
      kind: this.#kind,
      text,
      heading: this.#heading,
      level: this.#level,
      section: this.#section,
    });
  }
}

/** Removes HTML and MDX comments. An unclosed one extends to the end. */
function withoutComments(text: string): string {
  let kept = "";
  let at = 0;
  for (const { index, 0: mark } of text.matchAll(/<!--|\{\/\*/g)) {
    if (index < at) continue;
    const closing = mark === "<!--" ? "-->" : "*/}";
    const end = text.indexOf(closing, index);
    kept += text.slice(at, index);
    at = end < 0 ? text.length : end + closing.length;
  }
  return kept + text.slice(at);
}

const HTML_HEADING = /<h([1-6])\b[^<>]{0,500}>/gi;
/** An HTML heading that spans lines; in Markdown it is one line. */
const WHOLE_HEADING = /<h([1-6])\b[^<>]{0,500}>[^\0]{0,600}?<\/h\1>/gi;
const HTML_BREAK =
  /<(?:\/?(?:p|div|h[1-6]|table|t[rdh]|ul|ol|li|d[ldt]|pre|center|summary|details|blockquote|section)\b[^<>]{0,500}|br\s*\/?)>/gi;
const HTML_BLOCK = /<(\/?)(?:p|div|h[1-6]|table|t[rdh]|ul|ol|center|details|section)\b[^<>]{0,500}>/gi;

/**
 * Splits Markdown into lines: block tags become line breaks, HTML headings become Markdown headings; inline
 * tags are kept.
 */
function linesWithoutHtml(whole: string): string[] {
  if (!whole.includes("<")) return whole.split(/\r?\n/);
  const text = whole.replace(WHOLE_HEADING, (heading) => heading.replace(/\s*(?:<br\s*\/?>|\s)\s*/gi, " "));
  const lines: string[] = [];
  let isFenced = false;
  let depth = 0;
  for (const line of text.split(/\r?\n/)) {
    if (FENCE.test(line)) isFenced = !isFenced;
    if (isFenced || !(line.includes("<") || depth > 0)) {
      lines.push(line);
      continue;
    }
    // an indented line of HTML is not code
    const plain = depth > 0 || /^\s*</.test(line) ? line.trimStart() : line;
    for (const [, closing] of line.matchAll(HTML_BLOCK))
      depth = Math.max(0, depth + (closing === "" ? 1 : -1));
    const parts = plain.split(/(`[^`]{1,300}`)/);
    const broken = parts.map((part) =>
      part.startsWith("`") ? part : part.replace(HTML_HEADING, headingMark).replace(HTML_BREAK, "\n\n"),
    );
    append(lines, broken.join("").split("\n"));
  }
  return lines;
}

const headingMark = (_: string, level: string) => `\n\n${"#".repeat(Number(level))} `;

/** Placeholder for a code span while surrounding markup is removed, because links can contain code. */
const CODE_MARK = "\ue000";

/**
 * Removes inline markup from a Markdown text. Images are dropped, links become their text, code is unchanged.
 */
export function withoutInlineMarks(line: string): string {
  const code: string[] = [];
  const marked = line
    .replaceAll(CODE_MARK, "")
    .replace(/``([^`]{1,500})``|`([^`]{1,500})`/g, (_, long?: string, short?: string) => {
      code.push((long ?? short ?? "").trim());
      return CODE_MARK;
    });
  let at = 0;
  return withoutMarks(marked)
    .replaceAll(CODE_MARK, () => code[at++] ?? "")
    .replace(/\s+/g, " ")
    .replace(/\s+(?=[,;!?)\]]|[.:](?![\p{L}\p{N}]))/gu, "")
    .replace(/\(\s*\)|\[\s*\]/g, "")
    .trim();
}

const IMAGE =
  /!\[[^[\]]{0,500}\](?:\([^()\s]{0,1000}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?(?:\s+["'][^"'\n]{0,200}["'])?\)|\[[^[\]]{0,200}\])?/g;
const LINK =
  /\[([^[\]]{0,500})\](?:\([^()\s]{0,1000}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?(?:\s+["'][^"'\n]{0,200}["'])?\)|\[[^[\]]{0,200}\])/g;

/** The role of a code span, in MyST and reStructuredText. */
const ROLE = new RegExp(`(?:\\{[a-z:]{1,30}\\}|:[a-z:]{1,30}:)(?=${CODE_MARK})`, "g");
const ADDRESS = /(?<![\w/])(?:https?:\/\/|mailto:)([^\s)\]]{1,500})(?=([ ]?)([^\s]?))/g;

/** An address is left out, but not within a sentence, which would lack a word. */
function shownAddress(_: string, address: string, space: string, next: string): string {
  const isWithin = space !== "" && /\p{Ll}/u.test(next) && !/[.:;,]$/.test(address);
  return isWithin ? address.replace(/\/+$/, "") : "";
}

function withoutMarks(part: string): string {
  const plain = part
    .replace(IMAGE, "")
    .replace(LINK, "$1")
    .replace(/<((?:https?:\/\/|mailto:)[^<>\s]{0,500})>/g, "$1")
    .replace(/(?<!\\)<\/?[a-zA-Z][^<>]{0,500}>/g, "")
    .replace(ADDRESS, shownAddress)
    .replace(/(?<![\w#&])\[([^[\]]{1,200})\](?![([])/g, "$1")
    .replace(/(\*\*|__|~~)(?=\S)([^\n]{1,1000}?)(?<=\S)\1/g, "$2")
    .replace(/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]{1,300})(?<=\S)\*(?![\p{L}\p{N}*])/gu, "$1")
    .replace(/(?<![\p{L}\p{N}*])\*(\p{L}{1,20})\*(?=\p{L})/gu, "$1")
    .replace(/(?<![\p{L}\p{N}_])_(?=[^\s_])([^_\n]{1,300})(?<=\S)_(?![\p{L}\p{N}_])/gu, "$1")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(/:[a-z][a-z0-9_+-]{1,30}:(?=\s|$)/g, "")
    .replace(ROLE, "");
  return withoutEntities(plain);
}
