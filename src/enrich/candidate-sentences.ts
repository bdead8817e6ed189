import { frontMatterEnd, plainInline } from "../domain/headings.ts";
import { sentenceEnd } from "../domain/sentences.ts";

const MAX_HEAD_SENTENCES = 200;
const MAX_HEAD_LENGTH = 64 * 1024;
const SAMPLES = 40;
const SAMPLE_LENGTH = 1500;
const MAX_SENTENCE_LENGTH = 400;
const MIN_LETTERS = 0.6;

/** The sentences of a text that could stand in a summary: no code, tables, headings, lists of links, dot leaders or lines of mere signs. In order, bounded. */
export function candidateSentences(text: string, isMarkdown: boolean): string[] {
  const start = isMarkdown ? frontMatterEnd(text) : 0;
  const head = text.slice(start, start + MAX_HEAD_LENGTH);
  const found = sentencesOf(head, isMarkdown).slice(0, MAX_HEAD_SENTENCES);
  const rest = text.length - start - head.length;
  for (let i = 0; rest > 0 && i < SAMPLES; i++) {
    const from = start + head.length + Math.floor((rest * i) / SAMPLES);
    const paragraph = text.indexOf("\n\n", from);
    if (paragraph < 0 || paragraph - from > rest / SAMPLES) continue;
    const sample = sentencesOf(text.slice(paragraph, paragraph + SAMPLE_LENGTH), isMarkdown)[0];
    if (sample) found.push(sample);
  }
  return found;
}

function sentencesOf(text: string, isMarkdown: boolean): string[] {
  const found: string[] = [];
  for (const block of isMarkdown ? markdownBlocks(text) : plainBlocks(text)) {
    for (let at = 0; at < block.length; ) {
      const end = sentenceEnd(block, at, block.length);
      const sentence = clean(block.slice(at, end), isMarkdown);
      if (isSentence(sentence)) found.push(sentence);
      at = end;
      if (found.length >= MAX_HEAD_SENTENCES) return found;
    }
  }
  return found;
}

function clean(sentence: string, isMarkdown: boolean): string {
  const cut = sentence
    .trim()
    .slice(0, MAX_SENTENCE_LENGTH * 2)
    .toWellFormed()
    .replaceAll("\ufffd", "");
  const plain = isMarkdown ? plainInline(cut) : cut.replace(/\s+/g, " ");
  return plain.length > MAX_SENTENCE_LENGTH ? "" : plain;
}

function isSentence(sentence: string): boolean {
  if (sentence.length < 4 || /\.{4,}|(?:\. ){4,}|…{2,}|_{4,}|https?:\/\/\S{80,}/.test(sentence)) return false;
  const letters = sentence.match(/[\p{L}\p{M}]/gu)?.length ?? 0;
  if (letters < sentence.replace(/\s+/g, "").length * MIN_LETTERS) return false;
  return /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(sentence) || /\p{L}\S*\s+\S*\p{L}/u.test(sentence);
}

/** Paragraphs; lines that stand apart (lists, verses, logs) count for themselves. */
function plainBlocks(text: string): string[] {
  return text
    .split(/\n[ \t\r]*\n/)
    .flatMap((paragraph) => (paragraph.split("\n", 40).some((line) => line.trimEnd().length > 50) ? [paragraph] : paragraph.split("\n")));
}

const HEADING = /^ {0,3}#{1,6}(?:\s|$)/;
const SKIPPED = /^ {0,3}(?:\||<|\[[^\]]{1,200}\]:|(?:[-*_=] ?){3,}\s*$)|^(?: {4}|\t)/;
const LINK_ITEM = /^\s*(?:[-*+]|\d+[.)])?\s*!?\[[^\]]{0,300}\]\([^)]{0,1000}\)[\s.,;|]*$/;
const ITEM = /^\s{0,8}(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;
const QUOTE = /^ {0,3}(?:> ?)+/;

/** Paragraphs and list items of Markdown as single strings. */
function markdownBlocks(text: string): string[] {
  const blocks: string[] = [];
  let open: string[] = [];
  let fence = "";
  const close = () => {
    if (open.length > 0) blocks.push(open.join(" "));
    open = [];
  };
  for (const raw of text.split(/\r?\n/)) {
    const mark = /^\s{0,8}(`{3,}|~{3,})/.exec(raw)?.[1];
    if (mark || fence !== "") {
      close();
      if (mark && fence === "") fence = mark;
      else if (mark?.startsWith(fence)) fence = "";
      continue;
    }
    const line = raw.slice(0, 8000).replace(QUOTE, "");
    if (line.trim() === "" || HEADING.test(line) || SKIPPED.test(line) || LINK_ITEM.test(line)) {
      // the line above `===` or `---` is a heading
      if (/^ {0,3}(?:=+|-+)\s*$/.test(line) && open.length === 1) open = [];
      close();
      continue;
    }
    if (ITEM.test(line)) close();
    open.push(line.replace(ITEM, "").trim());
  }
  close();
  return blocks;
}
