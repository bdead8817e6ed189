import type { Fact, KnownStatement } from "../../facts/fact.ts";
import { productKind } from "../../facts/product-names.ts";
import type { RuleLanguage } from "../rule.ts";
import { isAddition } from "./endings.ts";
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
  fr: /(?<!\p{L})(?:j['’]en ai|on est|(?:il|elle) en a|nous sommes|il en reste|on en a|maintenant) (?:plus que |maintenant |désormais )?(\d{1,3}|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze)(?= (?:maintenant|ans|personnes)|$|[,.!;])/iu,
  zh: /(?:现在|只剩|剩|其实|有|是|已经|变成)(?:是|有)?([\d一二两三四五六七八九十]{1,3})(?=[只个岁条人匹头年])/u,
};

/** How a message names the successor in a role: "it's Mr. Lambert", "Carol's taken over". */
const FOLLOWED: Readonly<Record<RuleLanguage, RegExp>> = {
  en: /(?<![\p{L}])(\p{Lu}[\p{L}-]+)(?:['’]s| has)? (?:taken over|took over|replaced (?:him|her)|stepped in|is (?:my|our) (?:new )?\p{Ll}+ now)|(?:it['’]s|now it['’]s|i see|i['’]m with|i have|called) ((?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )\p{Lu}[\p{L}-]+)/u,
  de: /(?:leitet (?:uns|mich)|(?:er|sie|das) (?:heißt|heisst|ist)|jetzt (?:ist (?:es|das)|betreut mich|hab ich)|bin (?:jetzt )?bei)(?: jetzt| nun)? ((?:Herrn?|Frau|Dr\.) (?:Dr\. )?\p{Lu}[\p{L}-]+)/u,
  fr: /(?:c['’]est|(?:je suis|suivie?) (?:par|chez)|remplacée? par|maintenant) (?:le |la )?((?:Dre?|M|Mme|Pr)\.? \p{Lu}[\p{L}-]+)/u,
  zh: /(?:现在(?:是|看的是|换成)|换成|改成|是)([\p{Script=Han}]{1,2}(?:医生|医师|大夫|老师|教授|经理|总|姐|哥|工|主任|律师|教练|先生|女士))/u,
};

/** The new value of a kind in a message; undefined if there are none or several. */
function valueIn({ text, language }: ChangeMessage, kind: ValueKind): string | undefined {
  if (kind === "number") return NUMBERED[language].exec(text)?.[1];
  if (kind === "bearer") {
    const found = FOLLOWED[language].exec(text);
    return found?.[1] ?? found?.[2];
  }
  if (kind === "product") return productIn(text, language);
  if (!MOVED[language].test(text)) return undefined;
  const values = valuesIn(text, "day").filter(({ at }) => !BEFORE_OLD.test(text.slice(0, at)));
  return new Set(values.map((value) => value.text)).size === 1 ? values[0]?.text : undefined;
}

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

/**
 * Corrects the day, number, bearer of a role or product in the only known statement that fits: "they've moved
 * it to Friday" changes "The user's appointment is on Tuesday". Undefined if the message corrects nothing, or
 * if several statements fit.
 */
export function corrected(
  message: ChangeMessage,
  said: readonly Fact[],
  known: readonly KnownStatement[],
): Fact[] | undefined {
  if (isAddition(message.text, message.language)) return undefined;
  for (const kind of ["day", "bearer", "number", "product"] as const) {
    const value = valueIn(message, kind);
    if (value === undefined) continue;
    // if a fact of the message states the value in full, no known statement is corrected
    if (
      kind !== "number" &&
      said.some(({ text }) => text.includes(value.replace(/s$/, "")) && !VAGUE.test(text))
    )
      continue;
    const fixes = known.flatMap((one) => {
      const text = isOfOther(message.text, one.text) ? undefined : withValue(one.text, kind, value);
      return text === undefined ? [] : [{ one, text }];
    });
    const last = fixes.at(-1)?.one.message;
    const near =
      fixes.length > 1 && last !== undefined ? fixes.filter((fix) => fix.one.message === last) : fixes;
    const [only, ...others] = near;
    if (only === undefined || others.length > 0) continue;
    const { category, topic, slot } = only.one;
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
    return [...said.filter(({ text }) => !text.includes(value.replace(/s$/, ""))), fixed];
  }
  return undefined;
}
