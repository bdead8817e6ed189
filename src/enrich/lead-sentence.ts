import { sentenceEnd } from "../domain/text/sentences.ts";
import { isCjk, isSpace } from "../domain/text/tokens.ts";
import { MAX_ABSTRACT_LENGTH, MAX_ABSTRACT_WORDS } from "./layers.ts";
import { LAST_MARKS, normalised } from "./shorten.ts";
import type { TextBlock } from "./text-blocks.ts";

/** A sentence and its position. */
export interface PlacedSentence {
  readonly text: string;
  readonly block: TextBlock;
  /** Index of the sentence in its block. */
  readonly at: number;
}

const MAX_SENTENCES = 240;
const MAX_SENTENCE_LENGTH = 600;
const MIN_LETTERS = 0.55;
/** Words of a sentence that is rather left whole than replaced by another. */
const MAX_LONG_WORDS = 32;

const CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/** The sentences of the blocks that are candidates for a summary, in order. */
export function placedSentences(blocks: readonly TextBlock[]): PlacedSentence[] {
  const found: PlacedSentence[] = [];
  for (const block of blocks) {
    for (let from = 0, at = 0; from < block.text.length; at++) {
      const end = sentenceEnd(block.text, from, block.text.length);
      const text = tidy(block.text.slice(from, Math.min(end, from + MAX_SENTENCE_LENGTH)));
      if (end - from <= MAX_SENTENCE_LENGTH && isSentence(text)) found.push({ text, block, at });
      from = end;
      if (found.length >= MAX_SENTENCES) return found;
    }
  }
  return found;
}

/** Matches only from the start of a run: matching from each of its characters would take quadratic time. */
const LAST_SIGNS =
  /(?<!\s|\p{Extended_Pictographic}|\u200d|\ufe0f|[|→»])(?:\s|\p{Extended_Pictographic}|\u200d|\ufe0f|[|→»])+$/u;

/** Removes emoji, bullets, arrows, dashes and other non-word characters at both ends. */
export const tidy = (text: string): string =>
  text
    .toWellFormed()
    .replace(/^[^\p{L}\p{N}"'“‘«(@.$/\\<「『《]+|^\.+(?=[\s.])/gu, "")
    .replace(LAST_SIGNS, "")
    .trim();

function isSentence(text: string): boolean {
  if (text.length < 4 || text.split(/ [|•·] /, 4).length > 3 || /\.{4,}|(?:\. ){4,}|…{2,}|_{4,}/.test(text))
    return false;
  if (DANGLING.test(text) || isNavigation(text)) return false;
  const letters = text.match(/[\p{L}\p{M}]/gu)?.length ?? 0;
  if (letters < text.replace(/\s+/g, "").length * MIN_LETTERS) return false;
  return CJK.test(text) || /\p{L}\S*\s+\S*\p{L}/u.test(text);
}

/** Matches a sentence whose last word was a removed link. */
const DANGLING = /\s(?:see|at|of|via|by|the|an?|and|or|visit)[.:]?$/i;
/** Matches a sentence that is incomplete without the list after it. */
const OPEN_END =
  /\s(?:\w+ing|against|for|with|by|to|of|from|in|on|like|as|are|is|these|following|contains?|includes?|provides?|supports?|has|have|into|and|or|than|that|can|to be):$/i;

/** Whether a sentence is incomplete without the list after it. */
export const isOpenEnd = (text: string): boolean => OPEN_END.test(text);

/** Headings of sections that describe the document's subject. */
const ABOUT =
  /^[\W\d]*(?:about|introduction|overview|description|summary|abstract|synopsis|purpose|what(?:'s| is| are| does)\b|motivation|intro|einleitung|überblick|beschreibung|zusammenfassung|introducción|descripción|resumen|présentation|résumé|aperçu|introdução|简介|概述|介绍|摘要|はじめに|概要)/iu;
/** Headings of sections about using or maintaining a project. */
const HOUSEKEEPING =
  /\b(?:install\w*|setup|set up|getting started|quick ?start|usage|license|licence|licensing|contribut\w*|changelog|change log|changes|release notes|history|credits|acknowledg\w*|thanks|authors?|maintainers?|sponsors?|backers?|support|donat\w*|security|code of conduct|community|related|see also|links|resources|references|badges|build status|development|building|testing|tests|requirements|prerequisites|compatibility|browser support|faq|todo|roadmap|table of contents|contents|toc|download\w*|migrat\w*|upgrad\w*|deprecat\w*|notice|copyright|disclaimer)\b/i;

/**
 * Whether a heading names a section about using or maintaining the project, such as licence or contributing.
 */
export const isHousekeeping = (heading: string): boolean => HOUSEKEEPING.test(heading);

/** Beginnings of sentences that address the reader or describe the page, not the subject. */
const ADDRESS =
  /^(?:see\b|notes?:|note that|please note|(?:warning|caution|important|tip|hint|todo|beta|alpha|experimental|deprecated?|unmaintained|attention|good to know|english|disclaimer|sidenote|example|version|status|author|contents|table of contents|update|news|announcement)\b\s*[:!.—-]|install(?:ing|ation)?\b|(?:npm|pip|cargo|yarn|pnpm|brew|go|apt|gem|composer) (?:i|install|add|get|run|require|exec|ci)\b|feel free\b|like\b|you(?:'re|'ll|'ve|'d)\b|(?:it|that|there|here|what|who)'s\b|bug reports?\b|questions?\b|run (?:the|this|it|with|your)\b|click (?:on|here|the|to)\b|read (?:the|this|more|our|about|it)\b|read \S+\/|your\b|q\. |barring\b|contributed by\b|refer to\b|besides\b|for [^,.]{1,40} support,|view (?:the |our )?(?:docs?|documentation)\b|as (?:a|the) first step\b|(?:created|authored|edited|published|copyedited) (?:at|by)\b|structured like\b|(?:for|on|about) .{1,80}(?:\bplease|,) (?:see|refer|read|visit|consult|check)\b|this directory contains the \S+ (?:release|version)|this is (?:the )?(?:\S+ ){1,5}(?:version|release|source distribution|v) ?\d|this is the (?:\S+ ){1,4}(?:source )?distribution\b|(?:this|the) (?:\S+ ){0,2}(?:file|program|software|package|library|crate) (?:is (?:free software|distributed|part of)|may )|formerly\b|visit\b|check(?: it)? out\b|try (?:it|the|out)\b|use (?:it|this|the|with|together)\b(?! (?:package|library|module|tool|plugin|utility|component|hook) to\b)|(?:suppose|imagine|consider|let|say) (?:that )?(?:you|we|a|an|the|this)\b|v?\d+(?:\.(?:\d+|x))*\+? |for (?:better|\w+ (?:\w+ ){0,3}(?:see|visit|check|read|refer))\b|to (?!be\b)\w+ [^,]{3,80}, |(?:this|it) is (?:v?\d|true|a maintained)|please\b|upcoming\b|thanks?\b|thank you|download\b|(?:documentation|docs) (?:is|are|can|at|for|:)|for (?:more|further|full|details|documentation|a full|an overview|the full|examples?|usage|information|instructions|older|support)\b|if (?:you|that|this|it|all)\b|when you\b|you (?:can|may|should|must|need|might|will|want|could|have)\b|to (?:install|use|run|get|build|learn|see|start|include|contribute)\b|let's\b|let us\b|we (?:recommend|suggest|welcome|use|are|have)\b|i'?(?:m|ve|ll)?\b|my\b|our\b|contribut\w+|licensed?\b|dual[- ]licensed|copyright\b|©|\(c\)|(?:released|distributed|available|published) (?:under|on|via|at|as)\b|(?:this|the) (?:page|section|chapter|document|file|readme|repo|repository|project|release|package|library|module|crate) (?:was|has been|has moved|is (?:licensed|deprecated|archived|maintained|no longer|not|tested|sponsored|under|currently|now|still|available|hosted|compatible|stable|experimental|esm|in )|requires|follows|uses semantic|works)|(?:built|made|created|written|maintained|developed|powered|sponsored|supported|inspired) (?:with|by|using)\b|(?:proudly|looking for|join|follow|star|buy|become|donate|sponsor)\b|(?:want|need|are you|do you|have you|did you|why|wondering)\b.*\?$|supports? (?:node|python|browsers?|all)\b|works (?:both )?(?:in|with|on) (?:the )?(?:node|browsers?|any|all)\b|requires\b|minimum\b|(?:the )?(?:current|latest|stable|supported) (?:version|release)|work in progress|under (?:heavy|active) development|as of\b|since\b|because\b|however\b|but\b|and\b|or\b|also\b|then\b|so\b|therefore\b|thus\b|that\b|these\b|those\b|it\b|its\b|they\b|he\b|she\b|this (?:is (?:because|why|not|useful|especially|where|done|what|the active|a work|an? (?:alpha|beta|early|experimental|fork|mirror))|means|makes it|will|can be|way|does|did|also)|there (?:are|is)\b|here\b(?! is an? (?:\S+ ){0,3}(?:examples?|program|sample|list))|below\b|above\b|the following\b|following\b|first(?:ly)?,|second(?:ly)?,|finally\b|next\b|now\b|after\b|before\b|once\b|in this (?:example|case|way)|in (?:addition|particular|fact|other words)|additionally\b|furthermore\b|moreover\b|by default\b|optionally\b|e\.g|i\.e|all rights|中文|can be\b|should be\b|must be\b|many (?:of )?(?:the|these)|such\b|both\b|other\b|another\b.*\bis\b|some\b|unless\b|otherwise\b|while\b|although\b|instead\b|rather\b)/i;

const PARTS_OF_A_PAGE =
  /\b(?:badges?|(?:photo|picture|image|logo|artwork) (?:by|from)|click here|pull requests?|open an issue|file an issue|stack overflow|discord|slack|gitter|twitter|mailing list|sponsor\w*|donat\w*|patreon|opencollective|github sponsors|changelog|contributing guide|code of conduct|mit license|apache license|license|bsd-\d|warranty|phone|fax|please (?:refer|see|read)|no longer be|(?:was|were|has been|have been) (?:moved|renamed|merged|transferred)|(?:can be|is|are) (?:obtained|downloaded|generated)|(?:is|are) (?:distributed|licensed|released|covered) under|copyright|translations?|readme|documentation (?:is|can|at|for)|docs\.|website|listed (?:below|above)|in this section)\b/i;
/** Marks of notes, in capitals: lower case may begin a sentence. */
const NOTE =
  /^(?:NOTE|WARNING|IMPORTANT|CAUTION|TODO|DEPRECATED)\b|^(?:Note|Warning|Important|Caution|Tip) (?=\p{Lu}\p{Ll})/u;
/** A label with its value, as in the tables of API pages: `Extends: Dispatcher`. */
const LABELLED =
  /^(?:extends|implements|inherits(?: from)?|stability|type|default|since|added in|deprecated since|version|status|returns?|arguments?|parameters?|options?|authors?|authored by|editors?|licen[cs]e|date|present|absent|apologies|attendees|participants|on-call|category|tags?|module|namespace|source(?: code)?|kind|imports?|syntax|requires|level|homepage|url|e-?mail|contact|last (?:updated|modified)|created|updated|published)\b[^:.]{0,30}[:：]\s/i;
const LABEL_AND_VALUE = /^\p{Lu}[\p{L} ]{1,25}[:：] \S/u;
const MAX_VALUE_WORDS = 7;
/** A name of a person or organization, each word with a capital letter. */
const PROPER_NAME = /^(?:\p{Lu}[\p{L}.'’-]{0,30} ?){2,6}\.?$/u;
/** Links of a page to its neighbours. */
const NAVIGATION =
  /^(?:(?:next|previous|prev|up|top|home|contents|index)[:：] |\[?(?:contents|index)\]|skip to\b|on this page\b|table of contents\b)/i;

export const isNavigation = (text: string): boolean => NAVIGATION.test(text);

const DEFINES =
  /^.{0,80}?(?:\b(?:is|are) (?:an?|the|one|another|your|designed|used|intended|meant|built|written|aimed)\b|\b(?:provides?|implements?|offers?|allows?|lets?|enables?|helps?|contains?|describes?|explains?|defines?|parses?|converts?|adds?|makes?|gives?|returns?|generates?|creates?|manages?|handles?|covers?|shows?|documents?|specifies|introduces|lists?|exposes?|wraps?|supports?|attempts?|aims?|proposes?|presents?|discusses|outlines?)\b)|是一|是一个|提供|用于/i;
const SUBJECT_IS_THE_PAGE =
  /^(?:this|the) (?:\S+ ){0,2}?(?:package|library|module|crate|plugin|project|repository|repo|tool|document|page|guide|chapter|article|paper|file|specification|function|utility|component|framework|extension|program|script|tutorial|book|manual|section|implementation|collection)\b/i;
const FRAGMENT =
  /^(?:an?|the|fast|simple|small|tiny|lightweight|minimal\w*|easy|pure|robust|modern|powerful|safe|efficient|javascript|typescript|python|rust|node(?:\.js)?|\w+(?:ing|ed|er|or|ion|ity|s))\b/i;

/** Verbs and subjects that mark a complete sentence. */
const FINITE = /\b(?:is|are|was|were|has|have|had|will|would|can|could|should|must|we|you|they|it)\b/i;

/** Whether a sentence is an instruction, or refers to the page itself. */
export const isMerelyProcedural = (text: string): boolean => isAddress(text) || PARTS_OF_A_PAGE.test(text);

const isAddress = (text: string): boolean => ADDRESS.test(text) || NOTE.test(text) || LABELLED.test(text);

/** Whether a sentence of the form `X is a …` defines the words before the verb. */
export const defines = (text: string): boolean => /^\S+(?: \S+){0,2} (?:is|are) (?:an?|the)\s/.test(text);

export interface LeadOptions {
  readonly title: string;
  /** Whether the text begins with the names of its authors, as papers do. */
  readonly isPaper?: boolean;
  /** Centrality of each sentence among all, 0 to 1. */
  readonly centrality: readonly number[];
}

/** Scores how well each sentence describes the document. */
export function scoresOf(
  sentences: readonly PlacedSentence[],
  { title, centrality, isPaper = false }: LeadOptions,
): number[] {
  const titleWords = wordsOf(title);
  const before = placesBefore(sentences);
  const isNotice = noticeAmong(sentences);
  return sentences.map(
    (sentence, i) =>
      placeScore(sentence, before[i] ?? 0) -
      (isNotice(sentence) ? 1 : 0) +
      formScore(sentence.text, titleWords) -
      (isPaper && PROPER_NAME.test(sentence.text) ? 0.6 : 0) +
      0.25 * (centrality[i] ?? 0),
  );
}

/** Whether a sentence is a notice to the reader: a quotation above the title. */
export function noticeAmong(sentences: readonly PlacedSentence[]): (sentence: PlacedSentence) => boolean {
  const hasHeadings = sentences.some(({ block }) => block.section > 0);
  return ({ block }) => hasHeadings && block.section === 0 && block.kind === "quote";
}

/** Index of the sentence that best describes the document; -1 if none does. */
export function leadOf(scores: readonly number[]): number {
  let best = -1;
  for (const [i, score] of scores.entries()) if (score > (scores[best] ?? MIN_SCORE)) best = i;
  return best;
}

/**
 * Minimum score; sentences below it address the reader or describe the page, so that title and headings are
 * more informative.
 */
const MIN_SCORE = 0.7;

/** For each sentence, the number of earlier ones in its section that do not address the reader. */
function placesBefore(sentences: readonly PlacedSentence[]): number[] {
  const counts = new Map<number, number>();
  return sentences.map(({ text, block }) => {
    const before = counts.get(block.section) ?? 0;
    if (!isMerelyProcedural(text)) counts.set(block.section, before + 1);
    return before;
  });
}

/**
 * Scores the position: the beginning of a document, or a section titled like an introduction, describes the
 * document.
 */
function placeScore({ block, at }: PlacedSentence, before: number): number {
  const isOpening = block.section <= 1;
  const inSection = before === 0 ? 0.75 : 0.4 / (1 + before);
  const kind = block.kind === "item" ? -0.35 : block.kind === "quote" && before > 0 ? -0.2 : 0;
  const later = at > 0 ? -0.1 : 0;
  if (isOpening) return 1 + inSection + kind + later;
  if (ABOUT.test(block.heading)) return 0.5 + inSection + kind + later;
  if (HOUSEKEEPING.test(block.heading)) return -0.6 + kind;
  return 0.55 / (1 + (block.section - 2) / 3) + 0.4 * inSection + kind + later;
}

function formScore(text: string, titleWords: ReadonlySet<string>): number {
  const words = wordCount(text);
  let score = 0;
  if (words < 4) score -= words < 2 ? 0.7 : 0.4;
  else if (words > MAX_ABSTRACT_WORDS && wordCount(trimmed(text)) > MAX_ABSTRACT_WORDS)
    score -=
      wordCount(trimmed(text)) > MAX_LONG_WORDS || trimmed(text).length > MAX_ABSTRACT_LENGTH ? 0.6 : 0.2;
  else if (words > 30) score -= 0.15;
  const isAddressed = isAddress(text);
  if (isAddressed) score -= 1.4;
  if (LABEL_AND_VALUE.test(text) && words <= MAX_VALUE_WORDS && !FINITE.test(text)) score -= 0.9;
  if (PARTS_OF_A_PAGE.test(text)) score -= 0.6;
  if (/[:：]$/.test(text)) score -= OPEN_END.test(text) ? 0.8 : 0.6;
  if (/[?？]$/.test(text)) score -= 0.9;
  if (/\b(?:I|I'm|my|me)\b/.test(text)) score -= 0.35;
  if (/https?:|www\.|\.(?:com|org|io)\b/.test(text)) score -= 0.3;
  if (/[{}=;$]|=>|\(\)\s/.test(text)) score -= 0.15;
  return isAddressed ? score : score + subjectScore(text, titleWords);
}

/** Scores a sentence that defines its subject, highest if that is the document. */
function subjectScore(text: string, titleWords: ReadonlySet<string>): number {
  let score = 0;
  const defines = DEFINES.test(text);
  const first = [...wordsOf(text.slice(0, 80))];
  const isSubject =
    titleWords.size > 0 && first.slice(0, titleWords.size).every((word) => titleWords.has(word));
  if (defines && isSubject) score += 0.6;
  else if (defines && first.slice(0, 3).some((word) => titleWords.has(word))) score += 0.35;
  else if (defines && SUBJECT_IS_THE_PAGE.test(text)) score += 0.45;
  else if (defines) score += 0.1;
  else if (FRAGMENT.test(text) && !FINITE.test(text)) score += 0.35;
  return score + 0.25 * shareOf(titleWords, text);
}

/** Number of words; a Chinese, Japanese or Korean character counts half. */
export function wordCount(text: string): number {
  let [words, signs, isInWord] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (isCjk(unit)) signs++;
    else if (!isSpace(unit) && !isInWord) words++;
    isInWord = !isCjk(unit) && !isSpace(unit);
  }
  return words + signs / 2;
}

const wordsOf = (text: string): Set<string> =>
  new Set(
    normalised(text)
      .split(" ")
      .filter((word) => word.length > 1),
  );

function shareOf(words: ReadonlySet<string>, text: string): number {
  if (words.size === 0) return 0;
  const found = wordsOf(text);
  let common = 0;
  for (const word of words) if (found.has(word)) common++;
  return common / words.size;
}

/** Shortens a sentence to at most `maxWords`; what is in brackets and subordinate clauses are left out first. */
export function trimmed(text: string, maxWords = MAX_ABSTRACT_WORDS): string {
  let rest = text.replace(/\s+/g, " ").replace(/ ?[:：]$/, ".");
  if (wordCount(rest) <= maxWords) return rest;
  // square brackets belong to what is written: an option in a command
  rest = rest.replace(/ ?\((?:[^()]{0,200})\)/g, "");
  if (wordCount(rest) <= maxWords) return rest;
  let [end, counted, words] = [0, 0, 0];
  for (const { index } of rest.matchAll(CLAUSE)) {
    words += wordCount(rest.slice(counted, index));
    // without the punctuation before the clause
    counted = index + 1;
    // after a colon, commas separate the items of a list
    if (words > maxWords || (rest[end] === ":" && rest[index] === ",")) break;
    if (
      !LIST_END.test(rest.slice(index, index + 8)) ||
      !rest.slice(Math.max(0, index - LIST_ITEM_LENGTH), index).includes(",")
    ) {
      const isInserted =
        RESUMES.test(rest.slice(index, index + 8)) &&
        INSERTION.test(rest.slice(Math.max(0, index - INSERTION_LENGTH), index));
      if (!isInserted) end = index;
    }
  }
  if (wordCount(rest.slice(0, end)) < MIN_CLAUSE_WORDS) return rest;
  const kept = rest.slice(0, end).replace(LAST_MARKS, "").replace(LAST_CONJUNCTION, "");
  return `${kept}${CJK.test(rest) ? "。" : "."}`;
}

const LAST_CONJUNCTION = /,? for (?:example|instance)$|\s(?:so that|such that|that|which|and|or|but|so)$/;

/** Matches the last item of a list, which is not a subordinate clause: removing it would falsify the list. */
const LIST_END = /^,\s(?:and|or|und|oder|et|ou|y|o)\s/i;
const LIST_ITEM_LENGTH = 60;
const MIN_CLAUSE_WORDS = 5;
/**
 * Matches an inserted participle, after which the main clause continues: `from a name, expressed as text,
 * to`.
 */
const INSERTION = /,\s\w{1,40}(?:ed|ing)\b[^,]{0,80}$/;
const INSERTION_LENGTH = 130;
const RESUMES = /^,\s(?:to|from|into|in|on|by|at|for|with)\s/;
/** Start of a subordinate clause. */
const CLAUSE =
  /[;；:：]\s|\s[–—-]+\s|,\s(?=(?:which|who|where|while|whereas|so|(?:and|but|or) (?:it|they|this|these|you|we|is|are|was|has|have|can|will|also|provides?|supports?|includes?|allows?|contains?)|as|because|since|with|without|including|such as|like|using|based|making|allowing|e\.g\.|i\.e\.|both|plus|when|if|although|though|to|for|in|on|by|from|at|that|thus|even|rather|especially|particularly|wobei|die|der|das|und|aber|oder|mit|ohne|damit|sodass|et|mais|ou|qui|que|avec|sans|y|pero|o|con|sin)\b)|[，；](?=.)|\.\s(?=\p{Lu})/giu;
