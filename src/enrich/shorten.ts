import { isCjk, isSpace } from "../domain/text/tokens.ts";

/**
 * White space and punctuation at the end. Begins only where a run begins, because the runs within a text are
 * read to their ends, too.
 */
export const LAST_MARKS = /(?<![\s,;:–—-])[\s,;:–—-]+$/;

/** Truncates text to at most `max` UTF-16 units, after a word, with an ellipsis. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = max - 1;
  while (end > max / 2 && !isSpace(text.charCodeAt(end)) && !isCjk(text.charCodeAt(end))) end--;
  if (end <= max / 2) end = max - 1;
  const unit = text.charCodeAt(end);
  if (unit >= 0xdc00 && unit <= 0xdfff) end--;
  return `${text.slice(0, end).replace(LAST_MARKS, "")}…`;
}

/** Shortens text to about `max` UTF-16 units: beginning and end, separated by a blank line. */
export function beginningAndEnd(text: string, max: number): string {
  const half = max / 2;
  return text.length <= max ? text : `${text.slice(0, half)}\n\n${text.slice(-half)}`;
}

/** The words of a file or directory name, without extension, separators and a number for sorting. */
export function nameWords(name: string, isDirectory: boolean): string {
  const stem = isDirectory ? name : name.replace(/(?<=.)\.[^.\s]{1,10}$/, "");
  const words = stem
    .replace(/[-_.\s]+/g, " ")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .trim();
  return words.replace(/^\d{1,4} (?=\S)/, "") || stem || name;
}

/** Normalized words of a text, to check whether one text contains another. */
export const normalised = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
