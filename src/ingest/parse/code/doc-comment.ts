import { sentenceEnd } from "../../../domain/text/sentences.ts";

const MAX_READ_LENGTH = 4000;
const MAX_SENTENCE_LENGTH = 300;
const MAX_PARAGRAPH_LENGTH = 600;
const MIN_WORDS = 2;

/** Comment markers at the beginning of a line. */
const MARKERS = /^\s*(?:\/\*+!?|\/{2,}!?|#+|\*+(?!\/)|--+|;+|%+|"(?=\s))\s?/;
const UNDERLINE = /^(?:~{3,}|={3,}|-{3,}|\^{3,}|\*{3,}|#{3,}|_{3,}|\/{3,})$/;
/** Paragraphs about rights and authors, and notes of generators. */
const LEGAL =
  /copyright|©|\(c\) \d{4}|licen[sc]e|spdx|permission|warrant|is provided|this software|you should have received|in compliance with|unless required|redistribut|all rights reserved|liab(?:le|ility)|disclaim|free software|(?:auto(?:matically)?[- ]?|@)generated\b|do not (?:edit|modify)|generated (?:by|from)\b|^(?:authors?|written by|contributed by|contributor(?:\(s\)|s)?|created by|maintainers?|date|version|revision|see also|usage|todo|fixme|note)\s*:|\bwas (?:originally )?(?:written|contributed) by|part of (?:the |this )?[\w. -]{1,40}\b(?:library|compiler|project|gnu|package)\b|^based on\b|^written (?:in )?\d{4}\b|^from\s\S+$|^originally (?:written|developed|created|contributed) by\b|\bgenerated file\b|^last module patch version|^this file is (?:also )?(?:part of|distributed|included by|generated|automatically)/i;
const RIGHTS = /^(?:copyright|©|\(c\))/i;
/** Directives for compilers, linters and editors. */
const DIRECTIVE =
  /^(?:go:|\+build|eslint|jshint|jslint|global\s|globals\s|istanbul|c8\s|v8\s|coding[:=]|shellcheck|@ts-|@flow|prettier|vi[m]?:|ex:|noqa|pylint|type:|mypy:|pragma|region|endregion|clang-format|nolint|biome-|tslint|use strict|src\/|-\*-|\$(?:Id|Revision|Date)|local variables:|mode:|emacs|<reference|sourcemapping)/i;
const MODE_LINE = /-\*-[^*\n]{0,200}-\*-/g;
/** A file name, alone or before a dash and its description. */
const FILE_NAME = /^(?:file:?\s+)?<?[\w./+-]{1,100}\.[a-z]{1,5}>?(?:\s+(?:[-–—]{1,3}|:)\s+|:\s+|\s*$)/i;
/** Labels of a description. */
const LABEL = /^(?:description|abstract|purpose|summary|overview|module|program|synopsis)\s*:\s+/i;
/** Tags whose text describes the file or declaration. */
const DESCRIBING_TAG =
  /^(?:[@\\](?:brief|short|fileoverview|overview|description|desc|summary|file)\b[ \t:]*|short-description:\s*)/i;
/** Lines in the head of an init script that describe no purpose. */
const INIT_KEY =
  /^(?:provides|(?:required|should|default)-(?:start|stop)|x-[a-z-]{1,30}):|^(?:(?:begin|end) init info|lsb tags)\b/i;
const INLINE_TAG = /\{@(?:link|linkcode|linkplain|code|literal)\s+([^{}\s|]{1,200})[^{}]{0,200}\}/g;
const ROLE = /(?<![\w`]):[a-z:]{1,40}:`~?([^`<>]{1,100})`/g;
const WORD_COMMAND = /(?<!\S)[@\\][cpaeb]\s(?=\S)/g;
const BANNER_END = /(?<![=\s/-])[=\s/-]+$/;

/** Text of a banner such as `===- file.h - What it is ---===//`. */
function withoutBanner(whole: string): string {
  const line = whole.replace(MODE_LINE, "");
  return line.startsWith("==") && /==\W{0,4}$/.test(line)
    ? line
        .replace(/^=+-*\s*/, "")
        .replace(BANNER_END, "")
        .trim()
    : line.trim();
}

const plainLine = (raw: string): string =>
  withoutBanner(
    raw
      .replace(MARKERS, "")
      .replace(/\*+\/\s*$/, "")
      .trim(),
  )
    .replace(/^[|*]\s|\s[|*]$/g, "")
    .trim();

const withoutTags = (line: string): string =>
  line
    .replace(INLINE_TAG, "$1")
    .replace(ROLE, "$1")
    .replace(/``([^`]{1,200})``/g, "$1")
    .replace(/`([^`'\s]{1,200})'/g, "$1")
    .replace(WORD_COMMAND, "")
    .replace(/<\/?[a-zA-Z][^<>]{0,80}>/g, " ");

/**
 * The paragraphs of a comment or docstring that describe something, without comment markers, licences, tags
 * and directives for tools.
 */
function* paragraphs(comment: string): Generator<string> {
  const lines = comment
    .slice(0, MAX_READ_LENGTH)
    .replace(/^\s*[a-zA-Z]{0,2}("""|'''|"|')/, "")
    .replace(/("""|'''|"|')\s*$/, "")
    .split("\n")
    .filter((raw) => !raw.startsWith("#!"))
    .map(plainLine)
    // the rest of `#!/bin/sh`
    .filter((line) => !line.startsWith("!/") && !DIRECTIVE.test(line));
  let open: string[] = [];
  let isTag = false;
  let isFirst = true;
  for (const line of [...lines, ""]) {
    const described = line.replace(DESCRIBING_TAG, "");
    const isOther = described === line && (/^[@\\][a-z]/i.test(line) || INIT_KEY.test(line));
    if (described !== line) isTag = false;
    // an underline makes the line before it a title, as the name of a module
    if (line === "" || isOther || UNDERLINE.test(line)) {
      const isTitle = open.length === 1 && line !== "" && !isOther;
      if (open.length > 0 && !isTitle) yield closed(open, isFirst);
      if (open.length > 0) isFirst = false;
      open = [];
      isTag = isOther;
    } else if (!isTag) {
      const named = open.length === 0 ? described.replace(FILE_NAME, "").replace(LABEL, "") : described;
      if (named !== "") open.push(withoutTags(named));
    }
  }
}

/** A paragraph as one line; of one that ends in a copyright notice, what comes before that. */
function closed(lines: readonly string[], isFirst: boolean): string {
  const legal = lines.findIndex((line) => LEGAL.test(line));
  if (legal === 0 && RIGHTS.test(lines[0] ?? "")) return described(lines.slice(1));
  const kept = legal < 0 ? lines : isFirst ? lines.slice(0, legal) : [];
  const text = kept.join(" ").replace(/\s+/g, " ").trim();
  return legal > 0 && !/[.!?]$/.test(text) ? "" : text;
}

/** What stands directly below a copyright notice, if it is one line about something else. */
const described = ([line = "", next]: readonly string[]): string =>
  next === undefined && /^\p{Lu}/u.test(line) && !LEGAL.test(line) ? line : "";

/** The first paragraph with words, up to the last sentence that fits. */
export function docParagraph(comment: string, minWords = MIN_WORDS): string {
  for (const text of paragraphs(comment)) {
    if (text.split(" ", minWords).length < minWords || !/\p{L}{2}/u.test(text)) continue;
    let end = 0;
    for (let next = 0; next < text.length; ) {
      next = sentenceEnd(text, next, text.length);
      if (next > MAX_PARAGRAPH_LENGTH && end > 0) break;
      end = next;
    }
    return cut(text.slice(0, end).trim(), MAX_PARAGRAPH_LENGTH);
  }
  return "";
}

/** The first sentence of a comment or docstring; "" for licences and tool directives. */
export const docSentence = (comment: string): string => firstSentence(docParagraph(comment, 1));

export const firstSentence = (text: string): string =>
  cut(text.slice(0, sentenceEnd(text, 0, text.length)).trim(), MAX_SENTENCE_LENGTH);

const cut = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1).trimEnd()}…` : text;
