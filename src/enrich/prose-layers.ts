import {
  type LayerSource,
  type Layers,
  MAX_ABSTRACT_LENGTH,
  MAX_ABSTRACT_WORDS,
  MAX_FILE_OVERVIEW_LENGTH,
} from "./layers.ts";
import {
  isHousekeeping,
  isMerelyProcedural,
  leadOf,
  type PlacedSentence,
  placedSentences,
  scoresOf,
  tidy,
  trimmed,
  wordCount,
} from "./lead-sentence.ts";
import { type RankedSentences, rankSentences } from "./rank-sentences.ts";
import { normalised, shorten } from "./shorten.ts";
import {
  markdownOutline,
  plainOutline,
  type TextHeading,
  type TextOutline,
  withoutInlineMarks,
} from "./text-blocks.ts";

/** Characters from the beginning that layers are made of. */
const MAX_READ_LENGTH = 64 * 1024;
const MAX_TITLE_WORDS = 8;
const MAX_TITLE_LENGTH = 80;
const MAX_PARAGRAPH_SENTENCES = 5;
const MAX_PARAGRAPH_LENGTH = 900;
const MAX_GLOSS_WORDS = 16;
const MAX_NAMED_HEADINGS = 6;
const CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/**
 * The layers of running text, in its own language: L0 is the sentence that says what the text is, L1 a
 * paragraph of the sentences that say most and the outline with a gloss for each section. `stem`: the words
 * of the file's name.
 */
export function proseLayers(source: LayerSource, stem: string): Layers {
  const text = source.text.slice(0, MAX_READ_LENGTH);
  const outline = source.kind === "text" ? plainOutline(text) : markdownOutline(text);
  const sentences = placedSentences(outline.blocks);
  const ranked = rankSentences(sentences.map((sentence) => sentence.text));
  const named = titleOf(source, stem);
  // a plain text has no other title than its first line
  const isTitled = source.kind === "text" && outline.blocks[0]?.section === 1;
  const title = isTitled ? (outline.headings[0]?.title ?? named) : named;
  const scores = scoresOf(sentences, { title, centrality: ranked.centrality });
  const lead = leadOf(scores);
  const described = descriptionOf(source.description);
  const said = described !== "" ? described : lead < 0 ? "" : (sentences[lead]?.text ?? "");
  const abstract = said === "" ? namedByHeadings(title, outline) : withTitle(title, said);
  const paragraph = paragraphOf(sentences, ranked, scores, described);
  const list = outline.headings.length > 0 ? outlineList(outline, sentences, title) : source.outline;
  const facts = source.kind === "document" ? factsOf(source.outline) : "";
  return { abstract, overview: fitted([`# ${shorten(title, 200)}`, facts, paragraph], list) };
}

/** Titles of parts that every document may have. */
const GENERIC_TITLE =
  /^(?:\W*)(?:features|highlights|key features|overview|introduction|about|description|readme|summary)\W*$/i;

/** The title as a reader would write it; the name of the file where the title names a part of it only. */
function titleOf(source: LayerSource, stem: string): string {
  const title = tidy(withoutInlineMarks(source.title))
    .replace(/^\d{1,4}(?:\.\d{1,4})*[.):]?\s+(?=\p{L})/u, "")
    .slice(0, MAX_TITLE_LENGTH * 2);
  return title === "" || isHousekeeping(title) || GENERIC_TITLE.test(title) ? stem : title;
}

/** The author's own description, if it is a sentence. */
function descriptionOf(description: string | undefined): string {
  const plain = withoutInlineMarks(description ?? "").slice(0, 1000);
  return wordCount(plain) >= 3 ? plain : "";
}

/** One sentence of at most 25 words, behind the title where it does not hold all words of it. */
function withTitle(title: string, said: string): string {
  if (says(said, title)) return sentence(trimmed(said, MAX_ABSTRACT_WORDS));
  // a title of so many words says it itself
  if (wordCount(title) > MAX_TITLE_WORDS || title.length > MAX_TITLE_LENGTH)
    return sentence(trimmed(title, MAX_ABSTRACT_WORDS));
  const rest = trimmed(said, MAX_ABSTRACT_WORDS - wordCount(title));
  if (wordCount(title) + wordCount(rest) > MAX_ABSTRACT_WORDS)
    return sentence(trimmed(said, MAX_ABSTRACT_WORDS));
  return sentence(`${title}${CJK.test(title) ? "：" : ": "}${rest}`);
}

/** Whether a text contains all words of another, ignoring endings. */
function says(text: string, words: string): boolean {
  const found = normalised(text);
  return normalised(words)
    .trim()
    .split(" ")
    .every((word) =>
      found.includes(CJK.test(word) ? word : ` ${word.slice(0, Math.max(4, word.length - 2))}`),
    );
}

/** Ends like a sentence; cut behind a word without a trace of it where even the shortest form is too long. */
export function sentence(text: string): string {
  const whole =
    text.length <= MAX_ABSTRACT_LENGTH ? text : shorten(text, MAX_ABSTRACT_LENGTH - 1).replace(/…$/, "");
  const plain = whole.replace(/(?:\s*(?:…|\.{3}))+$/, "").replace(/[\s,;:–—-]+$/, "");
  if (/[.!?。！？]["'”’)\]」』]?$/.test(plain)) return plain;
  return `${plain}${CJK.test(plain.slice(-2)) ? "。" : "."}`;
}

/** A text without a sentence of its own is named by its title and its first headings. */
function namedByHeadings(title: string, { headings, blocks }: TextOutline): string {
  const names = headings
    .map((heading) => heading.title)
    .filter((name) => name !== title && wordCount(name) <= 8);
  const first =
    names.length > 0 ? [...new Set(names)].slice(0, MAX_NAMED_HEADINGS).join(", ") : (blocks[0]?.text ?? "");
  return first === ""
    ? shorten(title, MAX_ABSTRACT_LENGTH)
    : sentence(trimmed(`${title}: ${first}`, MAX_ABSTRACT_WORDS * 2));
}

/** Two to five sentences in the order of the text; the author's description stands first. */
function paragraphOf(
  sentences: readonly PlacedSentence[],
  ranked: RankedSentences,
  scores: readonly number[],
  described: string,
): string {
  const least = scores.reduce((a, b) => Math.min(a, b), 0);
  const weights = sentences.map(({ text, block }, i) => {
    if (isMerelyProcedural(text) || isHousekeeping(block.heading)) return 0;
    return (
      0.45 * ((scores[i] ?? 0) - least) + (ranked.centrality[i] ?? 0) - (block.kind === "item" ? 0.5 : 0)
    );
  });
  const room = MAX_PARAGRAPH_LENGTH - described.length;
  const chosen = ranked.choose(
    weights,
    described === "" ? MAX_PARAGRAPH_SENTENCES : MAX_PARAGRAPH_SENTENCES - 1,
    room,
  );
  const texts = chosen.map((i) => sentences[i]?.text ?? "").filter((text) => text !== described);
  return joinSentences([described, ...texts].filter((text) => text !== "").map(ended));
}

const ended = (text: string): string =>
  /[\p{L}\p{N})\]]$/u.test(text)
    ? `${text}${CJK.test(text.slice(-2)) ? "。" : "."}`
    : text.replace(/[:：]$/, ".");

/** Sentences with a space between, but not behind a full stop that is wide already. */
export const joinSentences = (sentences: readonly string[]): string =>
  sentences.join(" ").replace(/(?<=[。！？；]) /g, "");

/**
 * The headings as a list; each with the first thing its section says, where that is a sentence of its own.
 */
function outlineList({ headings }: TextOutline, sentences: readonly PlacedSentence[], title: string): string {
  const listed = headings.filter((heading, i) => i > 0 || heading.title !== title);
  const top = listed.reduce((least, { level }) => Math.min(least, level), 6);
  const glosses = glossesOf(sentences);
  return listed
    .map((heading) => {
      const gloss = glosses.get(heading.section);
      const line = `${"  ".repeat(heading.level - top)}- ${shorten(heading.title, 120)}`;
      return gloss === undefined || isHousekeeping(heading.title) ? line : `${line}: ${gloss}`;
    })
    .join("\n");
}

/** By section: its first sentence that addresses nobody, in at most 16 words. */
function glossesOf(sentences: readonly PlacedSentence[]): Map<TextHeading["section"], string> {
  const glosses = new Map<number, string>();
  for (const { text, block, at } of sentences) {
    if (
      at > 0 ||
      block.kind === "item" ||
      glosses.has(block.section) ||
      isMerelyProcedural(text) ||
      /[:：?？]$/.test(text)
    )
      continue;
    const gloss = trimmed(text, MAX_GLOSS_WORDS);
    if (wordCount(gloss) <= MAX_GLOSS_WORDS) glosses.set(block.section, gloss);
  }
  return glosses;
}

/** The description precedes the outline. */
const factsOf = (outline: string): string => {
  const [first = ""] = outline.split("\n\n", 1);
  return first.startsWith("- ") || !outline.includes("\n\n") ? "" : first;
};

/**
 * Head and list within the length of an overview: glosses go first, then the deeper headings, then the last
 * ones.
 */
function fitted(head: readonly string[], list: string): string {
  const above = head.filter((part) => part !== "").join("\n\n");
  const room = MAX_FILE_OVERVIEW_LENGTH - above.length - 2;
  if (room < 80) return shorten(above, MAX_FILE_OVERVIEW_LENGTH);
  const plain = list.replace(/^( *- [^\n:]{1,120}): [^\n]*$/gm, "$1");
  const upper = plain
    .split("\n")
    .filter((line) => !line.startsWith("    "))
    .join("\n");
  const fitting = [list, plain, upper].find((form) => form.length <= room) ?? firstLines(upper, room);
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
