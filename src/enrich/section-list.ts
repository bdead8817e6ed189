import { MAX_FILE_OVERVIEW_LENGTH } from "./layers.ts";
import {
  isHousekeeping,
  isMerelyProcedural,
  type PlacedSentence,
  trimmed,
  wordCount,
} from "./lead-sentence.ts";
import { says } from "./sentence.ts";
import { normalised, shorten } from "./shorten.ts";
import type { TextHeading, TextOutline } from "./text-blocks.ts";

const MIN_GLOSS_WORDS = 3;
const MAX_GLOSS_WORDS = 16;

/** A list of headings with and without the statements of their sections. */
export interface SectionList {
  readonly whole: string;
  readonly plain: string;
}

/** The headings as a list; each with the first statement of its section, if it is a sentence. */
export function outlineList(
  { headings }: TextOutline,
  sentences: readonly PlacedSentence[],
  title: string,
  paragraph: string,
): SectionList {
  const own = headings.filter((heading, i) => !isTitle(heading, i, title));
  const subjects = own.filter((heading) => !BOILERPLATE.test(heading.title));
  const listed = subjects.length > 0 ? subjects : [];
  const top = listed.reduce((least, { level }) => Math.min(least, level), 6);
  const glosses = glossesOf(sentences);
  const lines = listed.map((heading) => ({
    heading,
    line: `${"  ".repeat(heading.level - top)}- ${shorten(heading.title.replace(/\s*[:：]$/, ""), 120)}`,
  }));
  const glossed = lines.map(({ heading, line }) => {
    const gloss = glosses.get(heading.section);
    return gloss === undefined || isHousekeeping(heading.title) || paragraph.includes(gloss.slice(0, -1))
      ? line
      : `${line}: ${gloss}`;
  });
  return { whole: glossed.join("\n"), plain: lines.map(({ line }) => line).join("\n") };
}

/** Whether a heading repeats the title of the document, such as the name of the page with that of its site. */
const isTitle = ({ title: heading }: TextHeading, at: number, title: string): boolean =>
  heading === title ||
  (at <= 1 &&
    title !== "" &&
    normalised(heading.replace(/^[\d.]+\s/, "")) === normalised(title.replace(/ \([^()]*\)$/, ""))) ||
  (at === 0 && title !== "" && says(heading, title));

/** Headings of sections that most documents of a kind have. */
const BOILERPLATE =
  /^\W*(?:licen[cs]es?|licensing|contribut(?:e|ing|ors?|ions?)\b.*|sponsors?|backers?|authors?|maintainers?|copyright\b.*|table of contents|contents|toc|code of conduct|credits|acknowledge?ments?|see also|change ?log|security contact|(?:please )?sponsor\b.*|thanks|donate|support(?:ing)?|license and copyright|\w+ and licen[cs]e)\W*$/i;

/** The first sentence per section that does not address the reader, cut to 16 words. */
function glossesOf(sentences: readonly PlacedSentence[]): Map<TextHeading["section"], string> {
  const glosses = new Map<number, string>();
  for (const { text, block, at } of sentences) {
    if (
      at > 0 ||
      block.kind === "item" ||
      glosses.has(block.section) ||
      isMerelyProcedural(text) ||
      /[:：?？]$|\.{3}|[{}=]|^[/.@\\]/.test(text) ||
      /^\p{Ll}|^(?:[Tt]his|[Tt]hat) (?:\w+s|may|would|could)\b/u.test(text)
    )
      continue;
    const gloss = trimmed(text, MAX_GLOSS_WORDS);
    const words = wordCount(gloss);
    if (words >= MIN_GLOSS_WORDS && words <= MAX_GLOSS_WORDS && !isNames(gloss))
      glosses.set(block.section, gloss);
  }
  return glosses;
}

/** Whether most words are names in code, as in an index. */
function isNames(text: string): boolean {
  const words = text.split(" ");
  return words.filter((word) => /_|\p{Ll}\p{Lu}/u.test(word)).length * 2 > words.length;
}

/**
 * Fits heading and list into the length of an overview: drops statements first, then deeper headings, then
 * the last ones.
 */
export function fitted(head: readonly string[], { whole, plain }: SectionList): string {
  const above = head.filter((part) => part !== "").join("\n\n");
  const room = MAX_FILE_OVERVIEW_LENGTH - above.length - 2;
  if (room < 80) return shorten(above, MAX_FILE_OVERVIEW_LENGTH);
  const upper = plain
    .split("\n")
    .filter((line) => !line.startsWith("    "))
    .join("\n");
  const fitting = [whole, plain, upper].find((form) => form.length <= room) ?? firstLines(upper, room);
  return fitting === "" ? above : `${above}\n\n${fitting}`;
}

function firstLines(list: string, room: number): string {
  const lines = list.split("\n");
  let kept = 0;
  let length = 24;
  while (kept < lines.length && length + (lines[kept]?.length ?? 0) + 1 <= room)
    length += (lines[kept++]?.length ?? 0) + 1;
  return [...lines.slice(0, kept), `- and ${lines.length - kept} more sections`].join("\n");
}
