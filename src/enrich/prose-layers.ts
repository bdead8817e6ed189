import { append } from "../base/append.ts";
import {
  type LayerSource,
  type Layers,
  MAX_ABSTRACT_LENGTH,
  MAX_ABSTRACT_WORDS,
  MAX_FILE_OVERVIEW_LENGTH,
} from "./layers.ts";
import {
  defines,
  isHousekeeping,
  isMerelyProcedural,
  isOpenEnd,
  leadOf,
  type PlacedSentence,
  placedSentences,
  scoresOf,
  tidy,
  trimmed,
  wordCount,
} from "./lead-sentence.ts";
import { type RankedSentences, rankSteps } from "./rank-sentences.ts";
import { isRst, rstAsMarkdown } from "./rst-markdown.ts";
import { named, normalised, shorten } from "./shorten.ts";
import {
  markdownOutline,
  plainOutline,
  type TextBlock,
  type TextHeading,
  type TextOutline,
  withoutInlineMarks,
} from "./text-blocks.ts";

/** Number of leading characters from which layers are made. */
const MAX_READ_LENGTH = 64 * 1024;
const MAX_TITLE_WORDS = 8;
const MAX_TITLE_LENGTH = 80;
const MAX_PARAGRAPH_SENTENCES = 5;
const MAX_PARAGRAPH_LENGTH = 900;
const MAX_GLOSS_WORDS = 16;
const MAX_NAMED_HEADINGS = 6;
const CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/**
 * Layers of running text in its language: L0 is the sentence that best describes the text; L1 is a paragraph
 * of the sentences with the most information, and the outline with a statement for each section. Made in
 * steps. `stem`: the words of the file name `name`.
 */
export function* proseLayerSteps(source: LayerSource, stem: string, name = ""): Generator<undefined, Layers> {
  const text = source.text.slice(0, MAX_READ_LENGTH);
  const outline = outlineOf(source, text, name);
  yield;
  const { title, tagline } = splitTitle(titleOf(source, outline, stem), stem);
  const sentences = placedSentences(withTagline(outline, tagline));
  yield;
  const ranked = yield* rankSteps(sentences.map((sentence) => sentence.text));
  const scores = scoresOf(sentences, {
    title,
    centrality: ranked.centrality,
    isPaper: source.kind === "document",
  });
  yield;
  const told = descriptionOf(source.description);
  const described = says(source.title, told) ? "" : told;
  const said = described !== "" ? described : leadBy(sentences, scores, outline.blocks);
  const abstract = said === "" ? namedByHeadings(title, outline) : withTitle(title, said);
  yield;
  const paragraph = paragraphOf(sentences, ranked, scores, { described, lead: said });
  const list =
    outline.headings.length > 0 ? outlineList(outline, sentences, title, paragraph) : source.outline;
  const facts = source.kind === "document" ? factsOf(source.outline) : "";
  return { abstract, overview: fitted([`# ${shorten(title || stem, 200)}`, facts, paragraph], list) };
}

function outlineOf({ kind }: LayerSource, text: string, name: string): TextOutline {
  if (kind !== "text") return markdownOutline(text);
  return isRst(text, name) ? markdownOutline(rstAsMarkdown(text)) : plainOutline(text);
}

/** Titles of parts that any document may have. */
const GENERIC_TITLE =
  /^(?:\W*)(?:features|highlights|key features|overview|introduction|about|description|readme|summary|name|table of contents?|terminology|the problem|problem|motivation|background|why\b.*)\W*$/i;

/**
 * Maximum words of a title that counts as generic: a longer one with a word like "support" names the subject.
 */
const MAX_RUNNING_WORDS = 3;
/** Words of a title about the file itself: `README for libpng`, `Libidn2 README -- Introduction`. */
const ABOUT_ITSELF =
  /^(?:(?:read ?me|release notes)(?: file)?(?:\s*[:–-]+\s*|\s+(?:for|of|on|to)\s+(?:the )?|\s+)(?=\S)|welcome to (?=\S)|this is (?:the )?(?=\S))|(?<=\S)\s+read ?me(?: file)?(?:\s+-.*)?$/i;
/** What the subject of an API page is. */
const KIND = /^(?:class|interface|function|module|type|enum|namespace|method):\s+/i;
/** A chapter and the title of its manual: `Closures (libffi: the portable interface)`. */
const BOOK = /^([^()]{1,80}) \(([^():]{1,40}): [^()]{1,120}\)$/;
/** The name of a site or manual after the title of a page. */
const SITE =
  /(?<=\S)\s+[|·»–—]\s+(?:[^|]{0,60}\b(?:documentation|docs|manual|reference|handbook|guide|blog)\b[^|]{0,30}|[^|]{0,40}\bv?\d+\.\d[^|]{0,40})$/i;
/** File names that do not describe the content. */
const GENERIC_STEM = /^(?:readme|index|main|default|untitled|document|page)(?: \p{L}{2})?$/iu;
/** Generated names: `mem_955bf19bb85e`, a UUID, a ULID. */
const MADE_STEM =
  /^(?:\p{L}{1,12}[ _-])?(?=[\da-z ]*\d)(?:[\da-f]{10,64}|[\da-f]{8}(?:[ -][\da-f]{4}){3}[ -][\da-f]{12}|[\da-hjkmnp-tv-z]{26})$/iu;

/**
 * The title as readable text; the words of the file name if the first heading only names a part; "" if both
 * are generic.
 */
function titleOf(source: LayerSource, { headings, blocks }: TextOutline, stem: string): string {
  const [first] = headings;
  const isAtTop = first !== undefined && (blocks[0]?.section ?? first.section) >= first.section;
  const isHeading = first !== undefined && says(source.title, first.title);
  // the parser adds the alternative texts of images to a heading
  const isTitle = source.kind === "text" ? isAtTop : first?.level === 1 || (isAtTop && isHeading);
  const told = isTitle ? (first?.title ?? "") : "";
  const title = tidy(withoutSigns(withoutInlineMarks(told || (isHeading ? stem : source.title))))
    .replace(KIND, "")
    .replace(/^\d{1,4}(?:\.\d{1,4})*[.):]?\s+(?=\p{L})/u, "")
    .replace(/\s+\/$|(?<=\p{L}{3})\.$/gu, "")
    .replace(BOOK, (_, page: string, book: string) =>
      /^(?:top|index|start)$/i.test(page) ? book : `${page} (${book})`,
    )
    .replace(SITE, "")
    .replace(/\s*[:：]$|,?(?:\s+(?:version|release|v))?\s+v?\d+(?:\.\d+){1,3}$/i, "")
    .replace(ABOUT_ITSELF, "")
    .slice(0, MAX_TITLE_LENGTH * 2);
  const isRunning = isHousekeeping(title) && wordCount(title) <= MAX_RUNNING_WORDS;
  const isPart = title === "" || isRunning || GENERIC_TITLE.test(title) || title.endsWith("?");
  const chosen = isPart || title.endsWith("-") ? stem : title;
  return GENERIC_STEM.test(chosen) || MADE_STEM.test(chosen) ? "" : chosen;
}

const TITLE_AND_TAGLINE = /^(\S+(?: \S+){0,3}?)\s*(?::|\s[-–—]{1,3})\s+(?=\S+\s+\S+\s+\S)(.+)$/;

/** Splits a title with a description: `yamlint - checks YAML for style` in yamlint.md. */
function splitTitle(whole: string, stem: string): { readonly title: string; readonly tagline: string } {
  const [, title = "", tagline = ""] = TITLE_AND_TAGLINE.exec(whole) ?? [];
  const isWord = !title.includes(" ");
  const name = title.replace(/\(\d\w?\)$/, "");
  const isName =
    (isWord && (GENERIC_STEM.test(stem) || (isPartOf(name, stem) && !says(stem, tagline)))) ||
    normalised(name) === normalised(stem);
  return title !== "" && isName ? { title, tagline } : { title: whole, tagline: "" };
}

/** Whether the words of a file name begin or end with a name. */
const isPartOf = (name: string, stem: string): boolean =>
  normalised(stem).startsWith(normalised(name)) || normalised(stem).endsWith(normalised(name));

const MIN_TAGLINE_WORDS = 4;

/**
 * The blocks, with the description from the title, and a second heading directly below the first (a motto),
 * in their positions.
 */
function withTagline({ blocks, headings }: TextOutline, tagline: string): readonly TextBlock[] {
  const [first, second] = headings;
  const block = (kind: TextBlock["kind"], text: string): TextBlock[] =>
    text === "" ? [] : [{ kind, text, heading: "", level: 0, section: 1 }];
  const added = block("paragraph", tagline);
  const opening = blocks[0]?.section ?? 0;
  if (
    first !== undefined &&
    second !== undefined &&
    second.level > first.level &&
    opening >= second.section &&
    wordCount(second.title) >= MIN_TAGLINE_WORDS
  )
    append(added, block("paragraph", second.title));
  // a heading of a lower level above everything is a motto, too, unless the text has a better sentence
  const isMotto = first !== undefined && first.level > 1 && opening >= first.section;
  if (isMotto && wordCount(first.title) > MIN_TAGLINE_WORDS) append(added, block("item", first.title));
  return [...added, ...blocks];
}

/** The author's own description, if it is a sentence. */
function descriptionOf(description: string | undefined): string {
  const plain = withoutInlineMarks(description ?? "").slice(0, 1000);
  return wordCount(plain) >= 3 ? plain : "";
}

/** A sentence within the word limit, prefixed with the title unless it contains all of the title's words. */
function withTitle(title: string, said: string): string {
  const isTagline =
    /^\p{Ll}/u.test(said) &&
    /^[\p{L}\p{N}]+$/u.test(title) &&
    !normalised(said).startsWith(normalised(title));
  if (title === "" || (says(said, title) && !isTagline)) return sentence(trimmed(said, MAX_ABSTRACT_WORDS));
  // a long title is a sentence itself, as is one that defines its subject
  if (wordCount(title) > MAX_TITLE_WORDS || title.length > MAX_TITLE_LENGTH || defines(title))
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
  const end = Math.max(...[", ", "; ", " (", ": ", " – ", " — "].map((mark) => head.lastIndexOf(mark)));
  return end > MAX_ABSTRACT_LENGTH / 2
    ? head.slice(0, end)
    : shorten(text, MAX_ABSTRACT_LENGTH - 1).replace(/…$/, "");
}

/** Removes pictographs; replaces a tag by its name. */
const withoutSigns = (text: string): string =>
  text
    .replace(/<\/?([a-zA-Z][\w.-]{0,40})(?:\s[^<>]{0,200})?\/?>/g, "$1")
    .replace(/(?![©®™#*\d])\p{Extended_Pictographic}[\u200d\ufe0f]*/gu, "")
    .replace(/ {2,}/g, " ")
    .replace(/ (?=[,;]|[.:](?:\s|$))/g, "")
    .trim();

const MAX_LISTED_ITEMS = 4;
const MAX_ITEM_WORDS = 10;

const MAX_LEADS = 4;

/** The best sentence that is complete; "" if none describes the text. */
function leadBy(
  sentences: readonly PlacedSentence[],
  scores: readonly number[],
  blocks: readonly TextBlock[],
): string {
  const left = [...scores];
  for (let tried = 0; tried < MAX_LEADS; tried++) {
    const lead = leadOf(left);
    const sentence = sentences[lead];
    if (sentence === undefined) return "";
    const said = saidBy(sentence, blocks);
    if (said !== "") return said;
    left[lead] = Number.NEGATIVE_INFINITY;
  }
  return "";
}

/**
 * Continues a sentence that introduces a list with its first items; "" if it is incomplete without the list.
 */
function saidBy({ text, block }: PlacedSentence, blocks: readonly TextBlock[]): string {
  if (!/[:：]$/.test(text) || !block.text.endsWith(text)) return text;
  const at = blocks.indexOf(block) + 1;
  const items: string[] = [];
  let room = MAX_ABSTRACT_WORDS - wordCount(text);
  for (const { kind, text: item } of blocks.slice(at, at + MAX_LISTED_ITEMS)) {
    const plain = trimmed(item, MAX_ITEM_WORDS)
      .replace(/(?<=[.;,])[^\p{L}\p{N}]*$|[.;,]$/u, "")
      .replace(/[.;,]$/, "");
    const words = wordCount(plain);
    if (kind !== "item" || words > Math.min(room, MAX_ITEM_WORDS) || /[.:;]\s/.test(plain)) break;
    room -= words;
    items.push(plain);
  }
  const isOpen = isOpenEnd(text);
  if (items.length < 2) return isOpen ? "" : text;
  const list = `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
  return `${isOpen ? text.slice(0, -1) : text} ${list}`;
}

/** Describes text without a suitable sentence by its title and first headings. */
function namedByHeadings(title: string, { headings, blocks }: TextOutline): string {
  const names = headings
    .map((heading) => tidy(heading.title))
    .map((name) => name.replace(/^\d[\d.]*\s+/, ""))
    .filter((name) => name !== "" && !says(title, name) && !says(name, title) && wordCount(name) <= 8);
  const [opening = ""] = blocks.map(({ text }) => text);
  const first =
    names.length > 0
      ? named([...new Set(names)], MAX_NAMED_HEADINGS)
      : isDescribing(opening, title)
        ? opening
        : "";
  return first === ""
    ? shorten(title, MAX_ABSTRACT_LENGTH)
    : sentence(trimmed(title === "" ? first : `${title}: ${first}`, MAX_ABSTRACT_WORDS * 2));
}

const isDescribing = (text: string, title: string): boolean =>
  title === "" || !(REFERS_ELSEWHERE.test(text) || says(title, text));
const REFERS_ELSEWHERE = /^(?:see|view|refer|read|visit|check|click|please|for (?:more|further|full))\b/i;

/** Two to five sentences in text order, after the author's description. */
function paragraphOf(
  sentences: readonly PlacedSentence[],
  ranked: RankedSentences,
  scores: readonly number[],
  { described, lead }: { readonly described: string; readonly lead: string },
): string {
  const least = scores.reduce((a, b) => Math.min(a, b), 0);
  const weights = sentences.map(({ text, block }, i) => {
    // the abstract is always part of the overview
    if (text === lead) return LEAD_WEIGHT;
    if (isMerelyProcedural(text) || isHousekeeping(block.heading) || isFragment(text, block)) return 0;
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

/** Whether a sentence needs what stands around it: an example, a term of a list, an introduction of code. */
const isFragment = (text: string, { section }: TextBlock): boolean =>
  section > 1 &&
  (/^(?:this|these|that)\b(?! (?:\w+ )?(?:package|library|module|project|guide|document|specification|tool|page|manual|crate|plugin|program|article|paper|tutorial)\b)/i.test(
    text,
  ) ||
    /^[\p{Ll}(]|[:：?？]$|\.{3}|[{}]|===|->/u.test(text) ||
    wordCount(text) < MIN_PARAGRAPH_WORDS);

const MIN_PARAGRAPH_WORDS = 5;
const LEAD_WEIGHT = 10;

const ended = (text: string): string =>
  /[\p{L}\p{N})\]]$/u.test(text)
    ? `${text}${CJK.test(text.slice(-2)) ? "。" : "."}`
    : text.replace(/[:：]$/, ".");

/** Joins sentences with a space, except after a full-width stop. */
export const joinSentences = (sentences: readonly string[]): string =>
  sentences.join(" ").replace(/(?<=[。！？；]) /g, "");

/** The headings as a list; each with the first statement of its section, if it is a sentence. */
function outlineList(
  { headings }: TextOutline,
  sentences: readonly PlacedSentence[],
  title: string,
  paragraph: string,
): string {
  const own = headings.filter((heading, i) => !isTitle(heading, i, title));
  const subjects = own.filter((heading) => !BOILERPLATE.test(heading.title));
  const listed = subjects.length > 0 ? subjects : [];
  const top = listed.reduce((least, { level }) => Math.min(least, level), 6);
  const glosses = glossesOf(sentences);
  return listed
    .map((heading) => {
      const gloss = glosses.get(heading.section);
      const line = `${"  ".repeat(heading.level - top)}- ${shorten(heading.title, 120)}`;
      return gloss === undefined || isHousekeeping(heading.title) || paragraph.includes(gloss.slice(0, -1))
        ? line
        : `${line}: ${gloss}`;
    })
    .join("\n");
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
      /[:：?？]$|\.{3}|[{}=]/.test(text) ||
      /^\p{Ll}/u.test(text)
    )
      continue;
    const gloss = trimmed(text, MAX_GLOSS_WORDS);
    if (wordCount(gloss) <= MAX_GLOSS_WORDS) glosses.set(block.section, gloss);
  }
  return glosses;
}

/** The facts that follow the description, before the outline. */
const factsOf = (outline: string): string => {
  const [first = ""] = outline.split("\n\n", 1);
  return first.startsWith("- ") || !outline.includes("\n\n") ? "" : first;
};

/**
 * Fits heading and list into the length of an overview: drops statements first, then deeper headings, then
 * the last ones.
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
