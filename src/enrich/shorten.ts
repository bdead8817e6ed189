import { isCjk, isSpace } from "../domain/tokens.ts";

/** A text of at most `max` UTF-16 units: cut behind a word, with an ellipsis where something is missing. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = max - 1;
  while (end > max / 2 && !isSpace(text.charCodeAt(end)) && !isCjk(text.charCodeAt(end))) end--;
  if (end <= max / 2) end = max - 1;
  const unit = text.charCodeAt(end);
  if (unit >= 0xdc00 && unit <= 0xdfff) end--;
  return `${text.slice(0, end).replace(/[\s,;:–—-]+$/, "")}…`;
}

/** The words of a file's or directory's name: without extension, separators and a number that only keeps the order. */
export function nameWords(name: string, isDirectory: boolean): string {
  const stem = isDirectory ? name : name.replace(/(?<=.)\.[^.\s]{1,10}$/, "");
  const words = stem
    .replace(/[-_.\s]+/g, " ")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .trim();
  return words.replace(/^\d{1,4} (?=\S)/, "") || stem || name;
}

/** Lower-case words of a text without marks, to see whether one text says another. */
export const normalised = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
