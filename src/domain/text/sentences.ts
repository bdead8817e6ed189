import { isCjk, isSpace } from "./tokens.ts";

const STOP = 0x2e;
const MAX_ABBREVIATION = 12;
const ABBREVIATIONS = new Set(
  "mr mrs ms dr prof st vs etc e.g i.e cf fig figs eq no nr vol pp ca approx aka inc ltd co corp jr sr al z.b d.h u.a bzw usw m jan feb mar apr jun jul aug sep sept oct nov dec".split(
    " ",
  ),
);

/**
 * End of the sentence that starts at `from`: after its final punctuation and closing quotes, or `to`. A line
 * break does not end a sentence. Each character is read a bounded number of times, so that iterating over a
 * text is linear for any input.
 */
export function sentenceEnd(text: string, from: number, to: number): number {
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i);
    if (isWideMark(unit)) return skipClosing(text, i + 1, to);
    if (!isMark(unit)) continue;
    const end = skipClosing(text, i + 1, to);
    if (end >= to || endsAt(text, from, i, end, to)) return end;
    // skip the other marks of this run, which end at the same position
    i = end - 1;
  }
  return to;
}

/** Whether punctuation and closing quotes from `start` to `end` end the sentence that starts at `from`. */
function endsAt(text: string, from: number, start: number, end: number, to: number): boolean {
  let isStopAlone = true;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (isWideMark(unit)) return true;
    if (isMark(unit) && unit !== STOP) isStopAlone = false;
  }
  if (!isSpace(text.charCodeAt(end))) return !isStopAlone && isCjk(text.charCodeAt(end));
  if (text.charCodeAt(start) === STOP && end === start + 1 && isAbbreviation(text, from, start)) return false;
  return !startsLower(text, end, to);
}

/** Sentence-ending punctuation: `. ! ? …` */
function isMark(unit: number): boolean {
  return unit === STOP || unit === 0x21 || unit === 0x3f || unit === 0x2026;
}

/** `。！？；｡` end a sentence without a following space. */
function isWideMark(unit: number): boolean {
  return unit === 0x3002 || unit === 0xff01 || unit === 0xff1f || unit === 0xff1b || unit === 0xff61;
}

const CLOSING = new Set("\"')]}*_`»”’」』）】》。！？!?.…".split("").map((c) => c.charCodeAt(0)));

function skipClosing(text: string, from: number, to: number): number {
  let i = from;
  while (i < to && CLOSING.has(text.charCodeAt(i))) i++;
  return i;
}

/** A German month after an ordinal number, as in "am 12. April". */
const GERMAN_MONTH =
  /^ ?(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)/;

/** Whether the word before the full stop is an initial, a list number or a known abbreviation. */
function isAbbreviation(text: string, from: number, stop: number): boolean {
  let start = stop;
  while (
    start > from &&
    stop - start <= MAX_ABBREVIATION &&
    !isSpace(text.charCodeAt(start - 1)) &&
    text[start - 1] !== "("
  )
    start--;
  const word = text.slice(start, stop);
  if (/^\p{Lu}$/u.test(word)) return true;
  if (/^\d{1,3}$/.test(word))
    return start === from || text[start - 1] === "\n" || GERMAN_MONTH.test(text.slice(stop + 1, stop + 12));
  return ABBREVIATIONS.has(word.toLowerCase());
}

function startsLower(text: string, from: number, to: number): boolean {
  let i = from;
  while (i < to && isSpace(text.charCodeAt(i))) {
    // a blank line before the next word probably ends the sentence
    if (text[i] === "\n" && text[i + 1] === "\n") return false;
    i++;
  }
  const unit = text.charCodeAt(i);
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0xdf && unit <= 0xff);
}

/** The sentences of a text, trimmed. Here a line break also ends a sentence, as in messages and lists. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    for (let at = 0; at < line.length; ) {
      const end = sentenceEnd(line, at, line.length);
      const sentence = line.slice(at, end).trim();
      if (sentence !== "") sentences.push(sentence);
      at = end;
    }
  }
  return sentences;
}
