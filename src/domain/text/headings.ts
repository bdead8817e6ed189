import MarkdownIt from "markdown-it";
import { itemAt } from "../../base/expect.ts";
import { isSpace } from "./tokens.ts";

/** A Markdown heading that is not inside a list, quotation or code block. */
export interface Heading {
  /** UTF-16 offset of the heading's first line. */
  readonly start: number;
  /** UTF-16 offset after the heading's last line, including the line break. */
  readonly end: number;
  /** 1 to 6. */
  readonly level: number;
  /** The text without Markdown markup, at most 200 characters. */
  readonly title: string;
}

/**
 * Maximum length of a text that is parsed; in a longer one, only `#` lines outside fences count as headings.
 */
const MAX_PARSED_LENGTH = 2 * 1024 * 1024;
const MAX_FRONT_MATTER_LENGTH = 64 * 1024;
const MAX_TITLE_LENGTH = 200;

// enable only the block rules, which are linear; inline content is not needed
const markdown = new MarkdownIt("zero", { html: true });
markdown.enable(["fence", "code", "blockquote", "list", "html_block", "heading", "lheading", "hr"]);

/** The headings of a Markdown text in order, without its front matter. Runs in linear time; never throws. */
export function headings(text: string): Heading[] {
  return text.length > MAX_PARSED_LENGTH ? scannedHeadings(text) : parsedHeadings(text);
}

function parsedHeadings(text: string): Heading[] {
  const skipped = frontMatterEnd(text);
  // the parser breaks lines only at \n; the replacements preserve every offset
  const body = withoutLongGaps(
    (skipped === 0 ? text : text.slice(skipped)).replace(/\r(?=\n)/g, " ").replaceAll("\r", "\n"),
  );
  const tokens: ReturnType<typeof markdown.parse> = [];
  const state = new markdown.block.State(body, markdown, {}, tokens);
  markdown.block.tokenize(state, 0, state.lineMax);
  const found: Heading[] = [];
  let starts: number[] | undefined;
  for (const [i, token] of tokens.entries()) {
    if (token.type !== "heading_open" || token.level !== 0 || !token.map) continue;
    starts ??= lineStarts(body);
    const end = starts[token.map[1]] ?? body.length;
    const title = plainInline(tokens[i + 1]?.content ?? "").slice(0, MAX_TITLE_LENGTH);
    found.push({
      start: skipped + itemAt(starts, token.map[0]),
      end: skipped + end,
      level: Number(token.tag.slice(1)),
      title,
    });
  }
  return found;
}

const LONG_GAP = 64;
/** The beginning of a long gap, at the beginning of its run, so that runs are read only once. */
const GAP_START = /(?<!\s)\s{64}/g;

/**
 * A text of the same length in which the blank lines of a long gap are one line: the parser takes most of a
 * microsecond for each, and a text of megabytes may have nothing else. Lines of other white space than spaces
 * and tabs count as blank here, too.
 */
function withoutLongGaps(text: string): string {
  let made = "";
  let copied = 0;
  for (const { index } of text.matchAll(GAP_START)) {
    let end = index + LONG_GAP;
    while (isSpace(text.charCodeAt(end))) end++;
    const gap = text.slice(index, end);
    const [first, last] = [gap.indexOf("\n"), gap.lastIndexOf("\n")];
    if (last - first < 2) continue;
    made += text.slice(copied, index + first + 1) + " ".repeat(last - first - 1);
    copied = index + last;
  }
  return copied === 0 ? text : made + text.slice(copied);
}

function scannedHeadings(text: string): Heading[] {
  const found: Heading[] = [];
  let fence = "";
  for (let at = frontMatterEnd(text); at < text.length; ) {
    const feed = text.indexOf("\n", at);
    const end = feed < 0 ? text.length : feed + 1;
    const symbol = text[at];
    if (symbol === "#" || symbol === "`" || symbol === "~" || symbol === " ") {
      const line = text.slice(at, Math.min(end, at + 2000));
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      const heading = fence === "" ? atxHeading(line) : undefined;
      if (mark && fence === "") fence = mark;
      else if (mark?.startsWith(fence) && fence !== "") fence = "";
      else if (heading)
        found.push({
          start: at,
          end,
          level: heading.level,
          title: plainInline(heading.title).slice(0, MAX_TITLE_LENGTH),
        });
    }
    at = end;
  }
  return found;
}

/**
 * Level and title of a line that is a heading with `#`; undefined for others. In steps, because a single
 * expression for white space, title and closing marks takes cubic time.
 */
export function atxHeading(line: string): { readonly level: number; readonly title: string } | undefined {
  const mark = /^ {0,3}(#{1,6})(?=[ \t\r\n]|$)/.exec(line);
  if (!mark) return undefined;
  const title = line.slice(mark[0].length).trim();
  return { level: itemAt(mark, 1).length, title: title.replace(/(?:^|[ \t])#+$/, "").trimEnd() };
}

/** End offset of a Markdown text's front matter, including its closing line; 0 if there is none. */
export function frontMatterEnd(text: string): number {
  const open = /^(?:---|\+\+\+)[ \t]*\r?\n/.exec(text.slice(0, 80));
  if (!open) return 0;
  if (text.startsWith("+")) {
    const end = /(?:^|\n)\+\+\+[ \t]*(?:\r?\n|$)/.exec(text.slice(open[0].length, MAX_FRONT_MATTER_LENGTH));
    return end ? open[0].length + end.index + end[0].length : 0;
  }
  const close = /(?:^|\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(
    text.slice(open[0].length, MAX_FRONT_MATTER_LENGTH),
  );
  return close ? open[0].length + close.index + close[0].length : 0;
}

/** Only a whole, short run of backticks begins a span: parts of long runs would take cubic time. */
const MARKED = /(\*\*|__|(?<!`)`{1,8}(?!`)|~~)(?=\S)([^\n]{1,1000}?)(?<=\S)\1/g;

/** A Markdown line without inline markup: links and images are replaced by their text. */
export function plainInline(line: string): string {
  return line
    .slice(0, 4000)
    .replace(/!?\[([^[\]]{0,500})\]\([^()\s]{0,1000}(?:\s"[^"]{0,200}")?\)/g, "$1")
    .replace(/<\/?[a-zA-Z][^<>]{0,500}>/g, "")
    .replace(MARKED, "$2")
    .replace(/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]{1,300})(?<=\S)\*(?![\p{L}\p{N}*])/gu, "$1")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
