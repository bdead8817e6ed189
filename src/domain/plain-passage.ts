import MarkdownIt from "markdown-it";
import { frontMatterEnd } from "./headings.ts";

/** A paragraph, list item, table row or code block as a reader sees it. */
interface Block {
  readonly kind: "heading" | "text" | "item" | "row" | "code";
  readonly text: string;
  /** All its words are in links, as in a table of contents or a row of badges. */
  readonly isLinks: boolean;
}

/** A passage as text without marks. */
export interface PlainPassage {
  /** Headings directly above their text, paragraphs divided by blank lines. */
  readonly text: string;
  /** The same without headings; "" where only noise is left. */
  readonly body: string;
}

const markdown = new MarkdownIt({ html: true });
type Token = ReturnType<typeof markdown.parse>[number];
const FENCE = /^ {0,3}(`{3,}|~{3,})/gm;
/** How far back an open code fence is looked for, in UTF-16 units. */
const MAX_FENCE_REACH = 64 * 1024;
/** What marks and link targets take at most of a passage that is read on. */
const MAX_MARKS = 500;
/** Items of nothing but links that make a table of contents. */
const MIN_CONTENTS = 3;
const COMMENT = /<!--[\s\S]*?(?:-->|$)|\{\/\*[\s\S]*?(?:\*\/\}|$)/g;
const TAG = /<\/?[a-zA-Z][^<>]{0,1000}>/g;
/** Lines that open or close an admonition or a component, or load one. */
const DIRECTIVE = /^(?::{3,}.*|!{3}\s.*|(?:import|export)\s.*\sfrom\s+["'].*|\{[%{#].*[%}#]\}|<\/?[A-Z]\w*[^<>]{0,500}>)$/gm;
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
  /** Of the characters, so many are shown. */
  readonly max: number;
  /** A passage of less text goes on into what follows. */
  readonly enough: number;
}

/**
 * The characters from `start` to `end` of a Markdown text as a reader sees them: no marks, images, badges, link targets, HTML, comments or front matter, and no tables of
 * contents, licence boilerplate or headings without text (unless there is nothing else). Followed by what stands behind it in its section as far as that fits, and in the
 * next one where the passage says little by itself.
 */
export function plainPassage(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  options: PassageOptions,
): PlainPassage {
  const front = start < MAX_FENCE_REACH ? frontMatterEnd(text) : 0;
  const from = Math.max(start, Math.min(front, end));
  const fence = openFence(text, start);
  const own = blocksOf(fence + cleared(text.slice(from, end)));
  const telling = withoutNoise(own);
  const reach = Math.min(text.length, end + options.max + MAX_MARKS);
  const all = reach > end ? blocksOf(fence + cleared(text.slice(from, reach))) : own;
  // the last block may be cut in the middle
  const whole = reach < text.length ? all.slice(0, -1) : all;
  const grown = continued(telling, withoutNoise(whole), options);
  if (grown.length > 0) return { ...joined(grown), body: joined(telling).body };
  return { ...joined(own.length > 0 || front <= start ? own : describedBy(text.slice(0, front))), body: "" };
}

const cleared = (text: string): string => text.replace(COMMENT, "").replace(DIRECTIVE, "");

/** The blocks of a passage and those of `all` that follow and fit. */
function continued(own: readonly Block[], all: readonly Block[], { max, enough }: PassageOptions): readonly Block[] {
  const last = own.at(-1);
  // what was cut inside a block at the end of the passage goes on to the end of the block
  let count = last === undefined ? 0 : all.findIndex(({ text }) => text.startsWith(last.text)) + 1;
  if (count === 0 && own.length > 0) return own;
  let length = lengthOf(all.slice(0, count));
  while (count < all.length) {
    const next = all[count];
    const isShort = lengthOf(all.slice(0, count)) < enough;
    if (next === undefined || (next.kind === "heading" && !isShort) || length + next.text.length > max) break;
    length += next.text.length + 2;
    count++;
  }
  while (count > 0 && all[count - 1]?.kind === "heading") count--;
  return all.slice(0, count);
}

const lengthOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { text }) => sum + text.length + 2, 0);

/** The mark of a code block that is open at `at`, as a line; "" where there is none. */
function openFence(text: string, at: number): string {
  let open = "";
  for (const [, mark = ""] of text.slice(Math.max(0, at - MAX_FENCE_REACH), at).matchAll(FENCE)) {
    if (open === "") open = mark;
    else if (mark.startsWith(open)) open = "";
  }
  return open === "" ? "" : `${open}\n`;
}

/** What the front matter says of the document, in words. */
function describedBy(frontMatter: string): Block[] {
  return [...frontMatter.matchAll(FRONT_MATTER_TEXT)].map(([, , value = ""]) => ({
    kind: "text",
    text: value.trim().replace(/^(["'])(.*)\1$/, "$2"),
    isLinks: false,
  }));
}

function blocksOf(text: string): Block[] {
  const reader = new BlockReader();
  for (const token of markdown.parse(text, {})) reader.take(token);
  return reader.blocks;
}

/** Turns the parser's tokens into blocks. */
class BlockReader {
  readonly blocks: Block[] = [];
  /** What stands before the text of the open list items: a dash or a number. */
  readonly #bullets: string[] = [];
  #isHeading = false;
  #isItemStart = false;
  #row: string[] | undefined;

  take(token: Token): void {
    switch (token.type) {
      case "heading_open":
      case "heading_close":
        this.#isHeading = token.type === "heading_open";
        break;
      case "list_item_open":
        this.#bullets.push(token.info === "" ? "-" : `${token.info}.`);
        this.#isItemStart = true;
        break;
      case "list_item_close":
        this.#bullets.pop();
        break;
      case "tr_open":
        this.#row = [];
        break;
      case "tr_close":
        this.#add("row", (this.#row ?? []).filter((cell) => cell !== "").join(" | "));
        this.#row = undefined;
        break;
      case "fence":
      case "code_block":
        this.#add("code", token.content.trimEnd());
        break;
      case "html_block":
        this.#add("text", spaced(token.content.replace(TAG, " ")));
        break;
      case "inline":
        this.#addInline(inlineText(token.children ?? []));
    }
  }

  #addInline({ text, isLinks }: Pick<Block, "text" | "isLinks">): void {
    if (this.#row) this.#row.push(text);
    else if (this.#isHeading) this.#add("heading", text, isLinks);
    else if (!this.#isItemStart) this.#add("text", text, isLinks);
    else if (text !== "") this.#add("item", `${"  ".repeat(this.#bullets.length - 1)}${this.#bullets.at(-1)} ${text}`, isLinks);
    this.#isItemStart = false;
  }

  #add(kind: Block["kind"], text: string, isLinks = false): void {
    if (text !== "") this.blocks.push({ kind, text, isLinks });
  }
}

const spaced = (text: string): string => text.replace(/\s+/g, " ").trim();

function inlineText(tokens: readonly Token[]): { text: string; isLinks: boolean } {
  let [text, outside] = ["", ""];
  let links = 0;
  let depth = 0;
  for (const { type, content } of tokens) {
    if (type === "link_open") {
      depth++;
      links++;
    } else if (type === "link_close") depth--;
    const piece = type === "text" || type === "code_inline" ? content : type === "softbreak" || type === "hardbreak" ? "\n" : "";
    text += piece;
    if (depth === 0) outside += piece;
  }
  const plain = text
    .replace(/!\[[^\]]{0,300}\]\[[^\]]{0,200}\]/g, "")
    .replace(/\[([^[\]]{0,300})\]\[[^[\]]{0,200}\]/g, "$1")
    .replace(/^\[![A-Za-z]{2,20}\]\s*/, "");
  return { text: /^\s*\|/.test(plain) ? rowsOf(plain) : spaced(plain), isLinks: links > 0 && !/[\p{L}\p{N}]/u.test(outside) };
}

/** Rows of a table whose head is not part of the passage. */
const rowsOf = (text: string): string =>
  text
    .split("\n")
    .map((line) => spaced(line.replace(/^\s*\||\|\s*$/g, "")))
    .join("\n");

/** Without licences, runs of links, and headings over nothing. */
function withoutNoise(blocks: readonly Block[]): Block[] {
  const isContents = blocks.filter(({ kind, isLinks }) => kind === "item" && isLinks).length >= MIN_CONTENTS;
  const kept = blocks.filter(
    ({ kind, text, isLinks }) =>
      !(kind === "text" && (isLinks || LICENCE.test(text) || !/[\p{L}\p{N}]/u.test(text))) && !(kind === "item" && isLinks && isContents),
  );
  return kept.filter(({ kind }, i) => kind !== "heading" || (kept[i + 1] !== undefined && kept[i + 1]?.kind !== "heading"));
}

function joined(blocks: readonly Block[]): PlainPassage {
  let [text, body] = ["", ""];
  for (const [i, block] of blocks.entries()) {
    const before = blocks[i - 1];
    const gap = before === undefined ? "" : isClose(before, block) ? "\n" : "\n\n";
    if (block.kind === "heading") {
      text += `${gap}${/\p{P}$/u.test(block.text) ? block.text : `${block.text}:`}`;
      continue;
    }
    text += `${before?.kind === "heading" && block.kind === "text" ? " " : gap}${block.text}`;
    body += `${body === "" ? "" : gap}${block.text}`;
  }
  return { text, body };
}

const isClose = (before: Block, block: Block): boolean =>
  before.kind === "heading" ? block.kind !== "heading" : before.kind === block.kind && (block.kind === "item" || block.kind === "row");
