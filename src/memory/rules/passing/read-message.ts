import { append } from "../../../base/append.ts";
import type { RuleLanguage, Statement } from "../rule.ts";
import { chineseRoles } from "./chinese/fragments.ts";
import { generalChinese } from "./chinese/general.ts";
import { CHINESE_READINGS } from "./chinese/readings.ts";
import { englishOwned } from "./english/changes.ts";
import { englishRoles } from "./english/fragments.ts";
import { englishNamed, generalEnglish } from "./english/general.ts";
import { ENGLISH_READINGS } from "./english/readings.ts";
import { englishRelations } from "./english/relations.ts";
import { frenchRoles } from "./french/fragments.ts";
import { generalFrench } from "./french/general.ts";
import { FRENCH_READINGS, frenchNamed } from "./french/readings.ts";
import { germanRoles } from "./german/fragments.ts";
import { generalGerman } from "./german/general.ts";
import { GERMAN_READINGS, germanNamed } from "./german/readings.ts";
import { NAMED_THINGS } from "./named-things.ts";
import type { MessageSegment } from "./segments.ts";
import type { MessageContext, Reading } from "./table.ts";

const READINGS: Readonly<Record<RuleLanguage, readonly Reading[]>> = {
  en: [...ENGLISH_READINGS, ...NAMED_THINGS.en],
  de: [...GERMAN_READINGS, ...NAMED_THINGS.de],
  fr: [...FRENCH_READINGS, ...NAMED_THINGS.fr],
  zh: [...CHINESE_READINGS, ...NAMED_THINGS.zh],
};

/** Words of change anywhere in a message. */
const CHANGE =
  /\b(?:now|instead|no longer|any ?more|switched|changed|moved|sold|died|broke down|broken|replaced|finally|new|old|split|extension|from now on|correction|actually|again)\b|(?<!\p{L})(?:jetzt|nun|inzwischen|mittlerweile|nicht mehr|statt|stattdessen|gewechselt|verkauft|kaputt|neue[nrsm]?|alte[nrsm]?|umgezogen|getrennt|Korrektur|verschoben|seit|ab|wieder|doch)(?!\p{L})|(?<!\p{L})(?:maintenant|désormais|à présent|dorénavant|plus|changé|vendu|rendu l['’]âme|nouveau|nouvelle|fini|basculé|migration|finalement|décalé|déménagé|à la place|depuis)(?!\p{L})|换|改|不再|现在|搬|卖|坏|分手|延期|推迟|重构|新|说错|更正|已经/iu;

const REPLACEMENT =
  /\b(?:now|instead|no longer|any ?more|switched|changed|moved|replaced|correction|actually|from now on|sold|split up|not .{2,30} but|turns out|these days|used to)\b|(?<!\p{L})(?:jetzt|nicht mehr|kein\p{L}* .{0,20}mehr|statt|stattdessen|sondern|gewechselt|umgezogen|getrennt|[Kk]orrektur|verschoben|verkauft|umgestiegen|inzwischen|mittlerweile|nur noch|ab sofort|doch nicht|neuerdings|Schluss|umgesattelt)(?!\p{L})|(?<!\p{L})(?:maintenant|désormais|à présent|dorénavant|n(?:e |['’])\p{L}+ plus|changé|vendu|basculé|finalement|déménagé|à la place|correction|en fait|remplacé|abandonné|lâché|rendue?|recommencé|plus tôt|repoussé|plutôt que)(?!\p{L})|不再|现在|改|换|搬|卖了|分手|延期|推迟|更正|说错|不[\p{Script=Han}]{1,4}了/iu;

export const contextOf = (message: string): MessageContext => ({
  isOfChange: CHANGE.test(message),
  isReplacement: REPLACEMENT.test(message),
});

/** Number of forms tried in one step; each is compiled when it is first tried. */
const FORMS_PER_STEP = 8;
/** Minimum length in characters of a part between commas; shorter ones state nothing. */
const MIN_PIECE_LENGTH = 5;

/**
 * The statements of the first form of a language that matches a segment. Yields between steps of a few
 * milliseconds.
 */
export function* readByForms(
  { text, language }: MessageSegment,
  context: MessageContext,
): Generator<undefined, readonly Statement[]> {
  const lowered = withLowerCase(text);
  for (const [at, { form, make }] of READINGS[language].entries()) {
    if (at % FORMS_PER_STEP === 0) yield;
    // German nouns keep their capitals
    const match =
      language === "de" ? (form.exec(text) ?? form.exec(lowered)) : (form.exec(lowered) ?? form.exec(text));
    const made = [(match && make(match, context)) ?? []].flat();
    if (made.length > 0) return made.map((statement) => ({ ...statement, language }));
  }
  return [];
}

/** Statements that a message mentions in any sentence, even a question: "for my brother-in-law Ole". */
export function presupposedStatements(message: string, language: RuleLanguage): readonly Statement[] {
  if (language === "en")
    return [
      ...englishOwned(message),
      ...englishNamed(message),
      ...englishRelations(message),
      ...englishRoles(message),
    ].map((one) => ({ ...one, language }));
  if (language === "de") return [...germanNamed(message), ...germanRoles(message)];
  if (language === "fr") return [...frenchNamed(message), ...frenchRoles(message)];
  return chineseRoles(message).map((one) => ({ ...one, language }));
}

/**
 * A sentence with a lower-case first letter, as the forms expect it; "I" and names of weekdays stay as they
 * are.
 */
const withLowerCase = (text: string): string =>
  /^(?:I(?!\p{L})|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)/u.test(text)
    ? text
    : `${text[0]?.toLowerCase()}${text.slice(1)}`;

const GENERAL: Readonly<Record<RuleLanguage, (text: string) => readonly Statement[]>> = {
  en: generalEnglish,
  de: generalGerman,
  fr: generalFrench,
  zh: generalChinese,
};

/** The statements of the comma-separated parts of a segment in which no rule matched as a whole. */
export function* readCommaParts(
  { text, language }: MessageSegment,
  context: MessageContext,
): Generator<undefined, readonly Statement[]> {
  const found: Statement[] = [];
  if (language === "zh") return found;
  for (const piece of new Set(text.split(/[,:] /).map((part) => part.trim())))
    if (piece.length >= MIN_PIECE_LENGTH)
      append(found, yield* readByForms({ text: piece, language }, context));
  return found;
}

/** Reads a segment that no other rule matches. */
export const readByGeneralForm = ({ text, language }: MessageSegment): readonly Statement[] =>
  GENERAL[language](language === "zh" ? text : withLowerCase(text)).map((statement) => ({
    ...statement,
    language,
  }));
