import { append } from "../base/append.ts";
import { named } from "../domain/text/names.ts";
import { MAX_TITLE_LENGTH, nameSection, splitTitle, titleOf } from "./document-title.ts";
import { type LayerSource, type Layers, MAX_ABSTRACT_LENGTH, MAX_ABSTRACT_WORDS } from "./layers.ts";
import {
  defines,
  isHousekeeping,
  isMerelyProcedural,
  isNavigation,
  isOpenEnd,
  leadOf,
  noticeAmong,
  type PlacedSentence,
  placedSentences,
  scoresOf,
  tidy,
  trimmed,
  wordCount,
} from "./lead-sentence.ts";
import { type RankedSentences, rankSteps } from "./rank-sentences.ts";
import { isRst, rstAsMarkdown } from "./rst-markdown.ts";
import { fitted, outlineList } from "./section-list.ts";
import { hasVerb, isClosed, says, sentence } from "./sentence.ts";
import { normalised, shorten } from "./shorten.ts";
import {
  markdownOutline,
  plainOutline,
  type TextBlock,
  type TextOutline,
  withoutInlineMarks,
} from "./text-blocks.ts";

/** Number of leading characters from which layers are made. */
const MAX_READ_LENGTH = 64 * 1024;
const MAX_TITLE_WORDS = 8;
const MAX_PARAGRAPH_SENTENCES = 5;
const MAX_PARAGRAPH_LENGTH = 900;
const MAX_NAMED_HEADINGS = 6;
const MAX_ADDITION_WORDS = 6;
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
  const manual = nameSection(outline);
  const { title, tagline } =
    manual === undefined ? splitTitle(titleOf(source, outline, stem), stem) : { ...manual, tagline: "" };
  const sentences = placedSentences(withTagline(outline, tagline));
  yield;
  const ranked = yield* rankSteps(sentences.map((sentence) => sentence.text));
  const scores = scoresOf(sentences, {
    title,
    centrality: ranked.centrality,
    isPaper: source.kind === "document",
  });
  yield;
  const told = descriptionOf(source.description) || (manual?.about ?? "");
  const described = says(source.title, told) ? "" : told;
  const said = described !== "" ? described : leadBy(sentences, scores, outline.blocks);
  const outlined = sentences.length > 0 ? outline : withLinkedPages(outline, text);
  const abstract = said === "" ? namedByHeadings(title, outlined) : withTitle(title, said);
  yield;
  const paragraph = paragraphOf(sentences, ranked, scores, { described, lead: said });
  const list =
    outlined.headings.length > 0
      ? outlineList(outlined, sentences, title, paragraph)
      : { whole: source.outline, plain: source.outline };
  const facts = source.kind === "document" ? factsOf(source.outline) : "";
  return { abstract, overview: fitted([`# ${shorten(title || stem, 200)}`, facts, paragraph], list) };
}

function outlineOf({ kind }: LayerSource, text: string, name: string): TextOutline {
  if (kind !== "text") return markdownOutline(text);
  return isRst(text, name) ? markdownOutline(rstAsMarkdown(text)) : plainOutline(text);
}

/** A list item that consists of a link; the title of the linked page. */
const LINKED_PAGE = /^\s{0,8}[-*+] \[([^[\]\n]{2,80})\]\([^()\n]{0,300}\)[ \t]*$/gm;
const MAX_LINKED_PAGES = 20;

/** The outline of a page of links: the pages that it links to take the place of sections. */
function withLinkedPages({ blocks, headings }: TextOutline, text: string): TextOutline {
  const level = Math.min(6, (headings.at(-1)?.level ?? 0) + 1);
  const pages = [...text.matchAll(LINKED_PAGE)].slice(0, MAX_LINKED_PAGES);
  const sections = pages.map(([, title = ""], i) => ({ title, level, section: headings.length + i + 1 }));
  return { blocks, headings: [...headings, ...sections] };
}

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
  const opening = blocks.find(({ text }) => !isNavigation(text))?.text ?? "";
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

/** Whether a text only adds to the sentence before: "With your rules." */
const isAddition = (text: string): boolean =>
  wordCount(text) <= MAX_ADDITION_WORDS &&
  /^(?:with|without|for|from|by|in|on|plus|and|or|also|no|not|just)\b/i.test(text);

/** Two to five sentences in text order, after the author's description. */
function paragraphOf(
  sentences: readonly PlacedSentence[],
  ranked: RankedSentences,
  scores: readonly number[],
  { described, lead }: { readonly described: string; readonly lead: string },
): string {
  const least = scores.reduce((a, b) => Math.min(a, b), 0);
  const isNotice = noticeAmong(sentences);
  const weights = sentences.map((sentence, i) => {
    const { text, block, at } = sentence;
    // the abstract is always part of the overview
    if (text === lead) return LEAD_WEIGHT;
    if (isNotice(sentence)) return 0;
    if (isMerelyProcedural(text) || isHousekeeping(block.heading) || isFragment(text, block, at)) return 0;
    if (!isClosed(text)) return 0;
    // captions and terms are paragraphs of their own or begin one; what follows in running text is a sentence
    if ((at === 0 || isAddition(text)) && !hasVerb(text)) return 0;
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

/** Ends of sentences that lost an example, and references to what stands beside a sentence. */
const REFERS_BESIDE =
  /\b(?:e\.g|i\.e)\.$|\b(?:the|these) following\b|\bas follows\b|\b(?:listed|shown|described) (?:above|below)\b/i;

/** Beginnings that go on from a sentence before. */
const GOES_ON =
  /^(?:alternatively|conversely|similarly|likewise|otherwise|hence|again|same as|where|which)\b/i;
/** Beginnings of sentences whose subject is the heading: a label, or a verb as in reference pages. */
const ABOUT_HEADING =
  /^(?:\p{Lu}[\p{L} ]{1,25}[:：] |whether\b|\p{Lu}\p{Ll}+s (?:the|an?|that|this|true|false|all|any|some|information|several|both|whether|each|one|no|if|to|users|which|when|how|its|\d+)\b)/iu;
const ABOUT_PAGE =
  /^(?:this|these|that)\b(?! (?:\w+ )?(?:package|library|module|project|guide|document|specification|tool|page|manual|crate|plugin|program|article|paper|tutorial)\b)/i;

/** Whether a sentence needs what stands around it: an example, a term of a list, an introduction of code. */
function isFragment(text: string, { section, kind }: TextBlock, at: number): boolean {
  if (REFERS_BESIDE.test(text) || GOES_ON.test(text)) return true;
  if (section <= 1) return false;
  return (
    // within a later section, an item or a second sentence goes on from the text before it
    kind === "item" ||
    at > 0 ||
    ABOUT_PAGE.test(text) ||
    ABOUT_HEADING.test(text) ||
    /^[\p{Ll}(]|[:：?？]$|\.{3}|[{}]|===|->/u.test(text) ||
    wordCount(text) < MIN_PARAGRAPH_WORDS
  );
}

const MIN_PARAGRAPH_WORDS = 5;
const LEAD_WEIGHT = 10;

const ended = (text: string): string =>
  /[\p{L}\p{N})\]]$/u.test(text)
    ? `${text}${CJK.test(text.slice(-2)) ? "。" : "."}`
    : text.replace(/[:：]$/, ".");

/** Joins sentences with a space, except after a full-width stop. */
export const joinSentences = (sentences: readonly string[]): string =>
  sentences.join(" ").replace(/(?<=[。！？；]) /g, "");

/** The facts that follow the description, before the outline. */
const factsOf = (outline: string): string => {
  const [first = ""] = outline.split("\n\n", 1);
  return first.startsWith("- ") || !outline.includes("\n\n") ? "" : first;
};
