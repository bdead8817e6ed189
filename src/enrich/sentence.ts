import { MAX_ABSTRACT_LENGTH } from "./layers.ts";
import { normalised, shorten } from "./shorten.ts";

const CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/** Whether a text contains all words of another, ignoring endings. */
export function says(text: string, words: string): boolean {
  const found = normalised(text);
  return normalised(words)
    .trim()
    .split(" ")
    .every((word) =>
      found.includes(
        CJK.test(word)
          ? word
          : word.length < 4
            ? ` ${word} `
            : ` ${word.slice(0, Math.max(4, word.length - 2))}`,
      ),
    );
}

/**
 * Ends a text like a sentence; if it is still too long after shortening, cuts it after a word without an
 * ellipsis.
 */
export function sentence(text: string): string {
  const whole = text.length <= MAX_ABSTRACT_LENGTH ? text : cutAtClause(text);
  const plain = withoutSigns(whole)
    .replace(/(?:\s*(?:…|\.{3}))+$/, "")
    .replace(/[\s,;:–—-]+$/, "");
  if (/[.!?。！？]["'”’)\]」』]?$/.test(plain)) return plain;
  return `${plain}${CJK.test(plain.slice(-2)) ? "。" : "."}`;
}

/** Cuts a text that is too long before a clause or bracket, otherwise after a word. */
function cutAtClause(text: string): string {
  const head = text.slice(0, MAX_ABSTRACT_LENGTH);
  const ends = [", ", "; ", " (", ": ", " – ", " — "].map((mark) => head.lastIndexOf(mark));
  const end = ends.reduce((last, at) => Math.max(last, at), -1);
  return end > MAX_ABSTRACT_LENGTH / 2
    ? head.slice(0, end)
    : shorten(text, MAX_ABSTRACT_LENGTH - 1).replace(/…$/, "");
}

/** Removes pictographs; replaces a tag by its name. */
export const withoutSigns = (text: string): string =>
  text
    .replace(/<\/?([a-zA-Z][\w.-]{0,40})(?:\s[^<>]{0,200})?\/?>/g, "$1")
    .replace(/(?![©®™#*\d])\p{Extended_Pictographic}[\u200d\ufe0f]*/gu, "")
    .replace(/ {2,}/g, " ")
    .replace(/ (?=[,;]|[.:](?:\s|$))/g, "")
    .trim();
