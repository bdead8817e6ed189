import type { Fact, KnownStatement } from "../../facts/fact.ts";
import { productKind } from "../../facts/product-names.ts";
import type { RuleLanguage } from "../rule.ts";
import { isAddition } from "./endings.ts";
import { identifying, OF_OTHERS, ownClauses, RELATION, sharedWords, subjectOf } from "./statement-words.ts";
import { succeeds, successorIn } from "./successors.ts";
import { type ValueKind, valuesIn, withValue } from "./values.ts";

/** A message that may change known statements. */
export interface ChangeMessage {
  readonly text: string;
  readonly language: RuleLanguage;
  readonly id: string;
  readonly date: string;
}

/**
 * Words before a value that is no longer valid or that only begins a period: "from Tuesday", "not Friday".
 */
const BEFORE_OLD =
  /(?:\bfrom|\bnot|instead of|rather than|(?<!\p{L})(?:von|vom|nicht|statt|de|du|pas|au lieu d[eu]|plutôt que)|从|不是)(?: the| dem| am| le)? $/iu;

/** Words that say that a day has moved, or that an earlier statement was wrong. */
const MOVED: Readonly<Record<RuleLanguage, RegExp>> = {
  en: /\b(?:moved?|bumped|pushed|postponed|rescheduled|shifted|slipped|brought (?:it )?forward|delayed|extended|extension|late|changed|switched|now|instead|new date|correction|sorry|scratch that|actually|mixed up|wrong|turns out|earlier|later)\b/i,
  de: /(?<!\p{L})(?:verlegt|verschoben|verschiebt|vorgezogen|geändert|gewechselt|getauscht|neuer Termin|neu(?:es Datum)?|jetzt|nun|künftig|doch|erst|Korrektur|Irrtum|vertan|verwechselt|statt|stattdessen|früher|später)(?!\p{L})/iu,
  fr: /(?<!\p{L})(?:déplacée?|reportée?|repoussée?|avancée?|décalée?|changée?|passée?|maintenant|désormais|finalement|rectification|correction|trompée?|nouvelle date|plutôt|plus tôt|plus tard|rendue?|ne \p{L}+ plus)(?!\p{L})/iu,
  zh: /改|推迟|推到|延|提前|挪|调到|换时间|定在|更正|说错|记错|其实|搞错|顺延/u,
};
/** Nouns that any appointment or person may have, so that they tell no other known statement apart. */
const GENERIC =
  /^(?:meeting|appointment|date|day|slot|time|deadline|opening|lesson|class|session|it|teacher|boss|client|council|paperwork|school|gym|doctor|office|team|prof|professor|they|coach|one|thing|week|month|termin|tag|datum|zeit|frist|abgabe|lehrer|lehrerin|chef|chefin|kunde|kundin|galerie|schule|praxis|verein|prof|rendez-vous|date|jour|créneau|cours|séance|échéance|administration|prof|cheffe|chef|client|école|atelier|gym|salle|heure|semaine)$/iu;
const NOUN =
  /\b(?:the|my|our) (?:\p{Ll}+ )?(\p{Ll}{3,})(?=(?:['’]s)? (?:is|was|has|got|moved|slipped|now|to)\b)|(?<!\p{L})(?:der|die|das|meine?|unsere?) (\p{Lu}\p{Ll}+)(?= (?:ist|wurde|findet|wird|hat))|(?<!\p{L})(?:le|la|l['’]|mon|ma|notre) ?(\p{Ll}{3,})(?= (?:est|a été|aura|passe))/gu;

/** How a message states a new number: "make that four", "jetzt sind es vier", "il en a 7". */
const NUMBERED: Readonly<Record<RuleLanguage, RegExp>> = {
  en: /\b(?:make (?:that|it)|(?:it|that|there)['’]?s|there are|we['’]re|(?:i|we)(?:['’]ve| have)(?: got)?|up to|down to|now|only|(?:he|she)['’]s)(?: now| actually| only| just)* (\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?= (?:of (?:us|them)|now|left|people)|$|[,.!;])/iu,
  de: /(?<!\p{L})(?:(?:es )?sind (?:es |wir |wir nur )?(?:jetzt |noch |nur noch )*|wir sind (?:jetzt |nur |noch )*|hab(?:e)? ich (?:jetzt |nun )?|(?:er|sie|es) ist (?:schon |erst |jetzt |doch )?|nur noch |jetzt )(\d{1,3}|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)(?= (?:Leute|Stück|davon|Jahre)|$|[,.!;])/iu,
  fr: /(?<!\p{L})(?:j['’](?:en )?ai|on est|(?:il|elle) (?:en )?a|nous sommes|il en reste|on en a|maintenant) (?:plus que |maintenant |désormais )?(\d{1,3}|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze)(?= (?:maintenant|ans|personnes)|$|[,.!;])/iu,
  zh: /(?:现在|只剩|剩|其实|有|是|已经|变成)(?:是|有)?([\d一二两三四五六七八九十]{1,3})(?=[只个岁条人匹头年])/u,
};

/** Words that say that an amount has changed. */
const CHANGED: Readonly<Record<RuleLanguage, RegExp>> = {
  en: /\b(?:up(?:ped)?|put up|raised|increased|bumped|risen|cut|reduced|lowered|dropped|halved|doubled|down|changed|now|instead|actually|sorry|correction)\b/i,
  de: /(?<!\p{L})(?:\p{Ll}*(?:erhöht|gesenkt|reduziert|gesetzt|gestiegen|gesunken|gekürzt|verdoppelt|halbiert)|steigt|jetzt|nun|statt|doch|Korrektur)(?!\p{L})/iu,
  fr: /(?<!\p{L})(?:augmentée?|montée?|baissée?|réduite?|diminuée?|doublée?|passée?|passe|maintenant|désormais|finalement|rectification|pardon)(?!\p{L})/iu,
  zh: /[加减降涨升提调]到|增加|改成|现在|更正|说错|其实/u,
};

const NEW_NAME_EN =
  "[\"“'‘]?([\\p{L}\\d][\\p{L}\\d'’.+#-]*(?: (?:(?:&|and|of|the) )?[\\p{Lu}\\d][\\p{L}\\d'’-]*)*)";
const NEW_NAME = "[\"“«„]? ?(\\p{Lu}[\\p{L}\\d'’.+#-]*(?: (?:& )?[\\p{Lu}\\d][\\p{L}\\d'’-]*)*)";
/** How a message names the new name of something or somebody. */
const RENAMED: Readonly<Record<RuleLanguage, RegExp>> = {
  en: new RegExp(
    `\\b(?:(?:renamed?|rebranded|name of)\\b[^.!]{0,40}?(?: to|,? it['’]s(?: now)?| as) |(?:renamed?|rebranded) (?:it|him|her) |(?:new name|name['’]s|name is)(?: now| is)?:? |(?:is|['’]s) (?:now|actually) (?:called|named|spelled|spelt) |it['’]s spell?ed |called |ended up being )${NEW_NAME_EN}(?=$|[\\s,.;!"”'’)])`,
    "u",
  ),
  de: new RegExp(
    `(?<!\\p{L})(?:(?:in|auf) ${NEW_NAME} (?:umbenannt|umgetauft)|(?:heißt|heisst|nennt sich) (?:jetzt|nun|ab jetzt|ab sofort|inzwischen|seit \\p{L}+|doch|künftig) ${NEW_NAME}|[Nn]eue[rn]? Name(?: ist)?(?: jetzt)?:? ${NEW_NAME})`,
    "u",
  ),
  fr: new RegExp(
    `(?<!\\p{L})(?:(?:renommée?|rebaptisée?)(?: (?:en|le|la|notre|mon|ma|l['’]?|\\p{Ll}+))*? ${NEW_NAME}|s['’]appelle (?:désormais|maintenant|dorénavant|finalement|plutôt) ${NEW_NAME}|[Ff]inalement,? (?:il|elle|ça|on) s['’]appelle ${NEW_NAME}|(?:changé de|nouveau) nom[^.!]{0,20}?(?:c['’]est|est|:) ?${NEW_NAME})`,
    "u",
  ),
  zh: /(?:改名|更名|名字?改|名字?换|重新起名)(?:叫|为|成)?了?[“"「]?([\p{Script=Han}A-Za-z\d]{2,12}?)[”"」]?(?=了|$|[，,。！])|现在叫[“"「]?([\p{Script=Han}A-Za-z\d]{2,12}?)[”"」]?(?=了|$|[，,。！])/u,
};

/** The new value of a kind in a message; undefined if there are none or several. */
function valueIn({ text, language }: ChangeMessage, kind: ValueKind): string | undefined {
  if (kind === "number") return NUMBERED[language].exec(text)?.[1];
  if (kind === "bearer") return successorIn(text, language)?.name;
  if (kind === "name")
    return RENAMED[language]
      .exec(text)
      ?.slice(1)
      .find((name) => name !== undefined);
  if (kind === "product") return productIn(text, language);
  const isChanged = kind === "amount" ? CHANGED[language] : MOVED[language];
  if (!isChanged.test(text) && !(kind === "shift" && SHIFTED.test(text))) return undefined;
  const values = valuesIn(text, kind).filter(({ at }) => !BEFORE_OLD.test(text.slice(0, at)));
  return new Set(values.map((value) => value.text)).size === 1 ? values[0]?.text : undefined;
}
const SHIFTED = /\b(?:put|transferred|gone|back) .{0,12}on\b|versetzt|调到|转到/u;

/** How a message names the product that is used from now on: "it's Zed now". */
const USED: Readonly<Record<RuleLanguage, RegExp>> = {
  en: /(?:\bit['’]s(?: all)?|\bthat['’]s|\ball about|\bmoved (?:it |everything |over )*to|\bswitched to|\bgone to|\bwe['’]re (?:all )?on) ([\p{Lu}][\p{L}\d.+#-]*(?: [\p{Lu}\d][\p{L}\d.+#-]*){0,2})(?= (?:now|instead|these days)|[,.!]|$)/gu,
  de: /(?<!\p{L})(?:nur noch|jetzt|doch|(?:alles )?(?:über|auf|mit|nach|in|bei|zu)) ([\p{Lu}][\p{L}\d.+#-]*(?: [\p{Lu}\d][\p{L}\d.+#-]*){0,2})/gu,
  fr: /(?<!\p{L})(?:c['’]est|on est (?:sur|passés? à)|tout (?:est )?(?:sur|chez)|passée?s? (?:à|sur|chez)) ([\p{Lu}][\p{L}\d.+#-]*(?: [\p{Lu}\d][\p{L}\d.+#-]*){0,2})/gu,
  zh: /(?:换[成到]?了?|改[成用到]?了?|搬到|转到|迁到|现在用)([A-Za-z][\w.+#-]*(?: [A-Z]\w*)?|[\p{Script=Han}]{2,6}?(?:银行|笔记)|语雀|飞书|钉钉)(?=了|$|[，,。！])/gu,
};

function productIn(text: string, language: RuleLanguage): string | undefined {
  const names = new Set([...text.matchAll(USED[language])].map((found) => found[1] ?? ""));
  const [name, ...others] = names;
  if (name === undefined || others.length > 0) return undefined;
  // every German noun begins with a capital: only known products and names with "-" or inner capitals count
  return language === "de" && productKind(name) === undefined && !/\p{Ll}\p{Lu}|-/u.test(name)
    ? undefined
    : name;
}

/** Whether a message names a noun that the known statement does not contain. */
function isOfOther(text: string, known: string): boolean {
  return [...text.matchAll(NOUN)].some((found) => {
    const noun = found[1] ?? found[2] ?? found[3] ?? "";
    return !GENERIC.test(noun) && !known.toLowerCase().includes(noun.toLowerCase().slice(0, 5));
  });
}

/** Facts that give a day without saying what happens on it. */
const VAGUE = /^The new (?:date|time) of|^L'utilisateur (?:la|le|les) |(?:Termin|Saunatag|截止日期|新时间)/u;
/** Maximum number of words of a fact that only states the new value. */
const SHORT = 9;
/** Kinds whose new value a message also states without what it is the value of: "I'm with Declan now". */
const BARE: ReadonlySet<ValueKind> = new Set<ValueKind>(["bearer", "name", "amount", "shift"]);

const OF_AMOUNT: ReadonlySet<ValueKind> = new Set<ValueKind>(["amount", "shift"]);

const LEFT = /\b(?:quit|left|notice)\b|gekündigt|lâché|quitté|démissionné|辞|离职/u;

interface Fix {
  readonly one: KnownStatement;
  readonly text: string;
}

/**
 * Corrects the day, number, amount, shift, bearer of a role, name or product in the only known statement that
 * fits: "they've moved it to Friday" changes "The user's appointment is on Tuesday". Undefined if the message
 * corrects nothing, or if several statements fit.
 */
export function corrected(
  message: ChangeMessage,
  said: readonly Fact[],
  known: readonly KnownStatement[],
): Fact[] | undefined {
  if (isAddition(message.text, message.language)) return undefined;
  for (const kind of ["day", "bearer", "name", "amount", "shift", "number", "product"] as const) {
    const value = valueIn(message, kind);
    if (value === undefined) continue;
    const isValue = ({ text }: Fact): boolean => text.includes(value.replace(/s$/, ""));
    // if a fact of the message states the value in full, no known statement is corrected
    if (kind !== "number" && !BARE.has(kind) && said.some((fact) => isValue(fact) && !VAGUE.test(fact.text)))
      continue;
    const [only, ...others] = mostLikely(fixesOf(message, kind, value, known), message.text);
    if (only === undefined || others.length > 0) continue;
    const { category, topic, slot } = only.one;
    // the question of the known statement is answered by a fact of the message
    if (BARE.has(kind) && said.some((fact) => isValue(fact) && fact.slot !== undefined && fact.slot === slot))
      continue;
    const fixed: Fact = {
      category,
      topic,
      text: only.text,
      ...(slot !== undefined && { slot }),
      ends: [only.one.text],
      sources: [message.id],
      date: message.date,
    };
    // a fact of the message with the same value says less than the corrected statement, and is dropped
    const isLess = (fact: Fact): boolean =>
      isValue(fact) && (!BARE.has(kind) || fact.text.split(" ").length <= SHORT);
    return [...said.filter((fact) => !isLess(fact)), fixed];
  }
  return undefined;
}

/** The known statements with the new value of a kind in the place of theirs. */
function fixesOf(
  { text: message, language }: ChangeMessage,
  kind: ValueKind,
  value: string,
  known: readonly KnownStatement[],
): Fix[] {
  const successor = kind === "bearer" ? successorIn(message, language) : undefined;
  const own = ownClauses(message, language);
  const isOthers = !own.includes(value) || (OF_AMOUNT.has(kind) && OF_OTHERS.test(message));
  return known.flatMap((one) => {
    if (isOthers && kind !== "bearer" && !mentionsSubject(message, one.text)) return [];
    if (RELATION.test(one.text) && !isOfRelation(kind, one.text, message)) return [];
    if (kind === "amount" && sharedWords(one.text, message) === 0) return [];
    if (kind === "name" && !RELATION.test(one.text) && !isAbout(message, one.text)) return [];
    // who gave up a job works other hours somewhere else
    if (kind === "shift" && LEFT.test(message)) return [];
    if (successor !== undefined && !succeeds(successor, one.text, message)) return [];
    const text =
      kind !== "amount" && isOfOther(message, one.text) ? undefined : withValue(one.text, kind, value);
    return text === undefined ? [] : [{ one, text }];
  });
}

/** Whether a message may correct the name in "Max is the user's dog", or the bearer in "Ann is the user's boss". */
function isOfRelation(kind: ValueKind, known: string, message: string): boolean {
  if (kind === "bearer") return true;
  const name = valuesIn(known, "name")[0]?.text;
  return kind === "name" && name !== undefined && (OWN_NAME.test(message) || message.includes(name));
}
const OWN_NAME =
  /\b(?:her|his|its|their) (?:new )?name\b|\b(?:spell?ed|spelt|renamed (?:him|her))\b|(?:ihn|sie) .{0,20}umbenannt|(?:il|elle) s['’]appelle|[他她它](?:改名|现在叫)/iu;

/** Whether a message mentions what a known name is the name of, or refers to it by a pronoun. */
function isAbout(message: string, known: string): boolean {
  const before = known.slice(0, valuesIn(known, "name")[0]?.at ?? 0);
  const chinese = /^用户的?(.+)叫$/u.exec(before)?.[1];
  return (
    /(?<!\p{L})(?:it|it['’]s|its|es|er|sie|il|elle|ça)(?!\p{L})|[它他她]/iu.test(message) ||
    identifying(before).some((word) => message.toLowerCase().includes(word)) ||
    (chinese !== undefined && message.includes(chinese))
  );
}

const mentionsSubject = (message: string, known: string): boolean =>
  identifying(subjectOf(known)).some((word) => message.toLowerCase().includes(word));

/** Narrows down fixes to those whose statements share a word with the message, or else to the latest ones. */
function mostLikely(fixes: readonly Fix[], message: string): readonly Fix[] {
  if (fixes.length < 2) return fixes;
  const related = fixes.filter(({ one }) => sharedWords(one.text, message) > 0);
  if (related.length === 1) return related;
  const last = fixes.at(-1)?.one.message;
  return last === undefined ? fixes : fixes.filter(({ one }) => one.message === last);
}
