import { frontMatterEnd } from "./headings.ts";
import { withoutEntities } from "./html-entities.ts";

/** A paragraph, list item, table row or code block, reduced to readable text. */
interface Block {
  readonly kind: "heading" | "text" | "item" | "row" | "code";
  readonly text: string;
  /** Whether all words are in links, as in a table of contents or a row of badges. */
  readonly isLinks: boolean;
  /** Line in the parsed text, from 0. */
  readonly line: number;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/gm;
const FENCE_LINE = /^ {0,12}(`{3,}|~{3,})/;
/** How far to look back for an open code fence, in UTF-16 units. */
const MAX_FENCE_REACH = 4096;
/** Length in UTF-16 code units at which a passage is long enough and is not extended. */
const ENOUGH_TO_READ = 600;
/** Matches the end of a text that introduces an example or a list. */
const ANNOUNCES = /[:：]["'`*_)]{0,4}\s*$/;
/** Minimum number of link-only items in a table of contents. */
const MIN_CONTENTS = 3;
const COMMENT = /<!--[\s\S]*?(?:-->|$)|\{\/\*[\s\S]*?(?:\*\/\}|$)/g;
/** Terminal escape sequences for bold and underlined text. */
const TERMINAL_STYLE = /\u001b\[[\d;]*m/g;
const TAG = /(?<!\\)<\/?[a-zA-Z][^<>]{0,1000}>/g;
/** Lines that open, close or import an admonition or component. */
const DIRECTIVE =
  /^(?::{3,}.*|!{3}\s.*|(?:import|export)\s.*\sfrom\s+["'].*|\{[%{#].*[%}#]\}|<\/?[A-Z]\w*[^<>]{0,500}>)$/gm;
const LICENCE = new RegExp(
  [
    "^permission is hereby granted, free of charge",
    "^the above copyright notice and this permission notice",
    "^the software is provided .as is",
    "^redistribution and use in source and binary forms",
    "^licensed under the apache license, version",
    "^unless required by applicable law or agreed to in writing",
    "^copyright (?:\\(c\\)|©|\\d{4})",
    "^this (?:program|library) is free software[;:] you can redistribute it",
    "^all rights reserved\\.?$",
  ].join("|"),
  "i",
);
const FRONT_MATTER_TEXT = /^(title|description|summary):[ \t]*(.{1,1000})$/gm;

export interface PassageOptions {
  /** Maximum number of characters shown. */
  readonly max: number;
  /** Length below which a passage continues into the following text. */
  readonly enough: number;
}

/**
 * Readable text of a Markdown range from `start` to `end`: without markup, images, badges, link targets,
 * HTML, comments and front matter, and without tables of contents, licence boilerplate and headings without
 * text (unless there is nothing else). The rest of the section follows as far as it fits, then the next
 * section if the passage is short.
 */
export function plainPassage(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  { max, enough }: PassageOptions,
): string {
  const front = start === 0 ? frontMatterEnd(text) : 0;
  const from = Math.max(start, Math.min(front, end));
  // a long passage is not continued unless it announces an example, so that most calls parse only a short
  // text
  const isContinued = end - from < ENOUGH_TO_READ || ANNOUNCES.test(text.slice(Math.max(from, end - 8), end));
  const reach = isContinued ? Math.min(text.length, end + max) : end;
  const fence = openFence(text, from);
  const own = cleared(text.slice(from, end));
  const blocks = blocksOf(fence + own + (reach > end ? cleared(text.slice(end, reach)) : ""));
  const lines = countLines(fence + own.trimEnd());
  // the last block may be cut in the middle
  const whole =
    reach > end && reach < text.length && (blocks.at(-1)?.line ?? 0) >= lines ? blocks.slice(0, -1) : blocks;
  const telling = withoutNoise(whole);
  const grown = continued(telling, lines, { max, enough });
  if (grown.length > 0) return joined(grown);
  const left = whole.filter(({ line }) => line < lines);
  return joined(left.length > 0 || front <= start ? left : describedBy(text.slice(0, front)));
}

const cleared = (text: string): string => {
  const styled = text.includes("\u001b") ? text.replace(TERMINAL_STYLE, "") : text;
  const plain = styled.includes("<!--") || styled.includes("{/*") ? styled.replace(COMMENT, "") : styled;
  return plain.replace(DIRECTIVE, "");
};

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** The blocks of a passage of `lines` lines, and the following ones that fit. */
function continued(all: readonly Block[], lines: number, { max, enough }: PassageOptions): readonly Block[] {
  let count = all.findIndex(({ line }) => line >= lines);
  if (count < 0) return all;
  let length = lengthOf(all.slice(0, count));
  if (count === 0) return [];
  const own = length;
  while (count < all.length) {
    const next = all[count];
    if (next === undefined || (next.kind === "heading" && own >= enough) || length + next.text.length > max)
      break;
    length += next.text.length + 2;
    count++;
  }
  while (count > 0 && all[count - 1]?.kind === "heading") count--;
  return all.slice(0, count);
}

const lengthOf = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { text }) => sum + text.length + 2, 0);

/** The opening line of a code block that is open at `at`; "" if none is. */
function openFence(text: string, at: number): string {
  let open = "";
  const before = text.lastIndexOf("\n", at - 1);
  if (before < 0) return "";
  for (const [, mark = ""] of text.slice(Math.max(0, at - MAX_FENCE_REACH), at).matchAll(FENCE)) {
    if (open === "") open = mark;
    else if (mark.startsWith(open)) open = "";
  }
  return open === "" ? "" : `${open}\n`;
}

/** Title and description from the front matter. */
function describedBy(frontMatter: string): Block[] {
  return [...frontMatter.matchAll(FRONT_MATTER_TEXT)].map(([, , value = ""]) => ({
    kind: "text",
    text: value.trim().replace(/^(["'])(.*)\1$/, "$2"),
    isLinks: false,
    line: 0,
  }));
}

const HEADING_MARK = /^ {0,3}#{1,6}/;
const UNDERLINE = /^ {0,3}(?:=+|-{2,})[ \t]*$/;
const RULE = /^ {0,3}(?:[-*_][ \t]*){3,}$/;
const ITEM = /^([ \t]*)([-*+•]|\d{1,4}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/;
const QUOTE = /^ {0,3}(?:> ?)+/;
const DEFINITION = /^ {0,3}\[[^\]]{1,200}\]:/;
const TABLE_RULE = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*(?::?-+:?[ \t]*)?)+$/;
/** Columns of white space per indentation level of a list item. */
const INDENT = 2;
const MAX_DEPTH = 4;

/**
 * Splits a text into blocks line by line. Much faster than a Markdown parser, because it runs for every hit
 * of every search.
 */
function blocksOf(text: string): Block[] {
  const reader = new BlockReader();
  for (const line of text.split("\n")) reader.take(line.endsWith("\r") ? line.slice(0, -1) : line);
  reader.close();
  return reader.blocks;
}

class BlockReader {
  readonly blocks: Block[] = [];
  #fence = "";
  #kind: Block["kind"] = "text";
  #lines: string[] = [];
  #bullet = "";
  #line = -1;
  /** Start line of the open block. */
  #from = 0;

  take(raw: string): void {
    this.#line++;
    const mark = raw.includes("```") || raw.includes("~~~") ? FENCE_LINE.exec(raw)?.[1] : undefined;
    if (this.#fence !== "") {
      if (mark?.startsWith(this.#fence)) this.#closeFence();
      else this.#lines.push(raw);
    } else if (mark !== undefined) {
      this.#begin("code");
      this.#fence = mark;
    } else this.#takeLine(raw.includes(">") ? raw.replace(QUOTE, "") : raw);
  }

  /** Processes a line outside code. */
  #takeLine(line: string): void {
    const heading = headingIn(line);
    const item = heading === undefined ? ITEM.exec(line) : null;
    if (heading !== undefined) this.#addWhole("heading", heading);
    else if (UNDERLINE.test(line) && this.#kind === "text" && this.#lines.length === 1)
      this.#closeAs("heading");
    else if (TABLE_RULE.test(line) && this.#lines.length === 1) this.#closeAs("row");
    else if (line.trim() === "" || DEFINITION.test(line) || TABLE_RULE.test(line) || RULE.test(line))
      this.close();
    else if (item) this.#openItem(line, item);
    else if (/^[ \t]*\|/.test(line)) this.#addWhole("row", line);
    else {
      if (this.#lines.length === 0) this.#begin("text");
      this.#lines.push(line);
    }
  }

  #openItem(line: string, [mark, indent = "", bullet = ""]: RegExpExecArray): void {
    this.#begin("item");
    const depth = Math.min(MAX_DEPTH, Math.floor(indent.replaceAll("\t", "    ").length / INDENT));
    this.#bullet = `${"  ".repeat(depth)}${/\d/.test(bullet) ? bullet : "-"} `;
    this.#lines.push(line.slice(mark.length));
  }

  /** Adds a block of one line. */
  #addWhole(kind: Block["kind"], line: string): void {
    this.#begin(kind);
    this.#lines.push(line);
    this.close();
  }

  #closeAs(kind: Block["kind"]): void {
    this.#kind = kind;
    this.close();
  }

  #begin(kind: Block["kind"]): void {
    this.close();
    this.#kind = kind;
    this.#from = this.#line;
  }

  #closeFence(): void {
    this.#fence = "";
    this.close();
  }

  close(): void {
    const lines = this.#lines;
    this.#lines = [];
    if (this.#kind === "code") {
      const code = lines.join("\n").trimEnd();
      if (code !== "") this.blocks.push({ kind: "code", text: code, isLinks: false, line: this.#from });
    } else if (lines.length > 0) this.#closeText(lines.join(" "));
    this.#kind = "text";
    this.#fence = "";
  }

  #closeText(marked: string): void {
    const { text, isLinks } = inlineText(this.#kind === "row" ? cellsOf(marked) : marked);
    if (text === "") return;
    this.blocks.push({
      kind: this.#kind,
      text: this.#kind === "item" ? this.#bullet + text : text,
      isLinks,
      line: this.#from,
    });
  }
}

/** The text of a heading without markup; undefined for any other line. */
function headingIn(line: string): string | undefined {
  const mark = HEADING_MARK.exec(line)?.[0];
  if (mark === undefined) return undefined;
  let end = line.length;
  while (end > mark.length && " \t#".includes(line.charAt(end - 1))) end--;
  const text = line.slice(mark.length, end);
  return text === "" || /^[ \t]/.test(text) ? text.trimStart() : undefined;
}

/** The non-empty cells of a table row. */
const cellsOf = (row: string): string =>
  row
    .replaceAll("\\|", "\ue001")
    .split("|")
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "" && !/^!\[[^\]]*\](?:\([^)]*\))?$/.test(cell.replace(/\\[[\]]/g, "")))
    .join(" | ")
    .replaceAll("\ue001", "|");

const spaced = (text: string): string => text.replace(/\s+/g, " ").trim();

const IMAGE =
  /!\[(?:\\.|[^\\[\]]){0,300}\](?:\([^()]{0,1000}(?:\([^()]{0,200}\)[^()]{0,200})?\)|\[[^[\]]{0,200}\])/g;
const LINK =
  /\[((?:\\.|[^\\[\]]|\[[^[\]]{0,100}\]){0,300})\](?:\([^()]{0,1000}(?:\([^()]{0,200}\)[^()]{0,200})?\)|\[[^[\]]{0,200}\])/g;
const ADMONITION = /^\s*\[![A-Za-z]{2,20}\]\s*/;
/** Placeholder for a code span while surrounding markup is removed. */
const CODE = "\ue000";

function inlineText(marked: string): { text: string; isLinks: boolean } {
  const code: string[] = [];
  let text = marked;
  if (text.includes("`"))
    text = text.replace(/``([^`]{1,500})``|`([^`]{1,500})`/g, (_, long?: string, short?: string) => {
      code.push((long ?? short ?? "").trim());
      return CODE;
    });
  let isLinks = false;
  if (text.includes("[")) {
    const bare = text.replace(ADMONITION, "").replace(IMAGE, "");
    const linked = bare.replace(LINK, "$1");
    isLinks = (linked !== bare || bare !== text) && !/[\p{L}\p{N}\ue000]/u.test(bare.replace(LINK, ""));
    text = linked;
  }
  if (text.includes("<")) text = text.replace(TAG, "").replace(/\\?<(https?:\/\/[^<>\s]{1,500})>/g, "$1");
  if (text.includes("**") || text.includes("__") || text.includes("~~"))
    text = text.replace(/(\*\*|__|~~)(?=\S)([^\n]{1,1000}?)(?<=\S)\1/g, "$2");
  if (text.includes("*"))
    text = text.replace(/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]{1,300})(?<=\S)\*(?![\p{L}\p{N}*])/gu, "$1");
  if (text.includes("_"))
    text = text.replace(/(?<![\p{L}\p{N}_])_(?=[^\s_])([^_\n]{1,300})(?<=\S)_(?![\p{L}\p{N}_])/gu, "$1");
  if (text.includes("\\")) text = text.replace(/\\([!-/:-@[-`{-~])/g, "$1");
  if (text.includes("&")) text = withoutEntities(text);
  let at = 0;
  if (code.length > 0) text = text.replaceAll(CODE, () => code[at++] ?? "");
  return { text: spaced(text), isLinks };
}

/** Removes licences, runs of links, and headings without content. */
function withoutNoise(blocks: readonly Block[]): Block[] {
  const isContents = blocks.filter(({ kind, isLinks }) => kind === "item" && isLinks).length >= MIN_CONTENTS;
  const kept = blocks.filter(
    ({ kind, text, isLinks }) =>
      !(kind === "text" && (isLinks || LICENCE.test(text) || !/[\p{L}\p{N}]/u.test(text))) &&
      !(kind === "item" && isLinks && isContents),
  );
  return kept.filter(
    ({ kind }, i) => kind !== "heading" || (kept[i + 1] !== undefined && kept[i + 1]?.kind !== "heading"),
  );
}

function joined(blocks: readonly Block[]): string {
  let text = "";
  for (const [i, block] of blocks.entries()) {
    const before = blocks[i - 1];
    const gap = before === undefined ? "" : isClose(before, block) ? "\n" : "\n\n";
    if (block.kind === "heading")
      text += `${gap}${/\p{P}$/u.test(block.text) ? block.text : `${block.text}:`}`;
    else text += `${before?.kind === "heading" && block.kind === "text" ? " " : gap}${block.text}`;
  }
  return text;
}

const isClose = (before: Block, block: Block): boolean =>
  before.kind === "heading"
    ? block.kind !== "heading"
    : before.kind === block.kind && (block.kind === "item" || block.kind === "row");
