import type { Fact, KnownStatement } from "../../facts/fact.ts";
import { ofKind } from "../../facts/facts-of-kind.ts";
import { kindsOfNames } from "../../facts/product-names.ts";
import { assertedIn } from "../passing/segments.ts";
import type { RuleLanguage } from "../rule.ts";
import { attributesOf, EXCLUSIVE } from "./attributes.ts";
import { type ChangeMessage, corrected } from "./corrections.ts";
import { type Ending, endingsIn, isAddition, isInstead, isOfNow, MAY_END, noLonger } from "./endings.ts";
import { endedByName, endingsNamed } from "./named-endings.ts";
import { ownClauses, RELATION, sharedWords, subjectOf, TELLER } from "./statement-words.ts";

/** Number of known statements whose attributes are computed in one step. */
const STATEMENTS_PER_STEP = 8;
const OVER = /no longer|nicht mehr|(?<!\p{L})kein\p{L}* .*mehr|(?<!\p{L})ne? .* plus|n'\p{L}+ plus|不再/u;

/** Relations by the names of their bearers: "anja" → "freundin". */
function aliasesOf(known: readonly KnownStatement[]): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  for (const { text } of known) {
    const [, name, kind] =
      /^(\p{Lu}[\p{L}'’-]+) (?:is the user's|ist (?:der|die|das)|est (?:le |la |l['’])) ?(?:\p{Ll}+ )?([\p{L}-]+?)(?: des Nutzers| de l['’]utilisateur)?$/u.exec(
        text,
      ) ?? [];
    if (name !== undefined && kind !== undefined) aliases.set(name.toLowerCase(), kind.toLowerCase());
  }
  return aliases;
}

/** Whether a subject is the end of another, as "周会" is of "公司周会"; "cousin's wedding" is another wedding. */
const isEndOf = (a: string, b: string): boolean =>
  (a.endsWith(` ${b}`) && !/['’]s$/u.test(a.slice(0, -b.length - 1))) ||
  (/\p{Script=Han}{2}/u.test(b) && a.endsWith(b));

/** Whether two subjects are the same, as "the class" and "the yoga class" are. */
const isSame = (a: string, b: string): boolean =>
  a === b ||
  (a !== "" &&
    b !== "" &&
    (isEndOf(a, b) || isEndOf(b, a) || a.startsWith(`${b} `) || b.startsWith(`${a} `)));

const shares = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): T[] => [...a].filter((one) => b.has(one));

/** Statements about the speaker's contracts, projects and teams, whose products a message may change. */
const OF_A_THING =
  /^The user's (?:\p{L}+ ){0,2}?(?:project|team|company|site|website|app|builds?|pipeline|contract|plan|internet|stack|repo|code) |^(?:Der|Die|Das) (?:\p{L}*(?:[tT]arif|[vV]ertrag|[iI]nternet|[pP]rojekt|[tT]eam|[fF]irma|[sS]eite|App|Code|Strom)) des Nutzers |^(?:Le |La |L['’])(?:forfait|contrat|abonnement|projet|équipe|boîte|site|appli|code|internet) de l['’]utilisateur |^用户的(?:套餐|项目|团队|公司|网站|代码|宽带)/u;

/** The verb of a statement about the speaker, in the same form in all statements; undefined for "is" and "has". */
function verbOf(text: string): string | undefined {
  const verb =
    /^(?:The user|Der Nutzer|L['’]utilisateur) (?:only |always |usually )?(\p{Ll}{3,})/u.exec(text)?.[1] ??
    /^用户(?:现在|每天|改|每个?周.)*([教练学打弹踢骑开喝吃养写画唱])/u.exec(text)?.[1];
  return verb === undefined || /^(?:has|was|does|hat|ist|war|est|avait|fait|goes|geht|wird)$/.test(verb)
    ? undefined
    : verb;
}

/**
 * Adds to each fact of a message the known statements that it replaces, and adds facts for endings whose
 * subject the message leaves out ("sold it"). A known statement is replaced only if no other one fits as
 * well. Yields between steps.
 */
export function* withEndedFacts(
  given: ChangeMessage,
  said: readonly Fact[],
  known: readonly KnownStatement[],
): Generator<undefined, Fact[]> {
  const { language } = given;
  const text = known.length === 0 ? "" : assertedIn(given.text, language);
  if (text === "") return [...said];
  const message = { ...given, text };
  const current = known.filter((one) => !OVER.test(one.text));
  const open = current.filter((one) => !RELATION.test(one.text));
  const fixed = corrected(message, said, current);
  if (fixed !== undefined) return fixed;
  const isChange =
    endingsIn(text, language).size > 0 ||
    isInstead(text, language) ||
    isOfNow(text, language) ||
    endingsNamed(text, language).length > 0;
  if (!isChange) return [...said];
  const same = open.filter((one) => languageOfFact(one.text) === language);
  for (const [at, one] of same.entries()) {
    attributesOf(one);
    if (at % STATEMENTS_PER_STEP === 0) yield;
  }
  return linkedTo(message, withoutForeign(clearDates(said), open), known, same);
}

/** Removes `replaces` from a new day of one thing if the known day is that of another thing. */
const withoutForeign = (said: readonly Fact[], open: readonly KnownStatement[]): Fact[] =>
  said.map((fact) => {
    const { replaces, ...rest } = fact;
    if (replaces === undefined || !/^(?:lesson|date|deadline|schedule)$/.test(replaces)) return fact;
    const whose = subjectOf(fact.text);
    const isForeign = ofKind(replaces, open).some(({ text }) => !isSame(subjectOf(text), whose));
    return isForeign && whose !== "" && !NEW_DAY.test(fact.text) ? rest : fact;
  });
const NEW_DAY =
  /^The new |(?:[Dd]eadline|due date|appointment|lesson|Termin|Abgabe\p{L}*|Frist|Kurs|Training|échéance|rendu|date|créneau|cours|截止日期|时间)(?: (?:of|is|des|de)|是|在|$| )/u;

/** Drops "The new date of an appointment is …" if another fact of the message has the same day. */
const clearDates = (said: readonly Fact[]): readonly Fact[] =>
  said.filter(({ text }) => {
    const day = /^The new (?:date|time) of .* is (.+)$/u.exec(text)?.[1];
    return day === undefined || !said.some((other) => other.text !== text && other.text.includes(day));
  });

function linkedTo(
  message: ChangeMessage,
  said: readonly Fact[],
  known: readonly KnownStatement[],
  open: readonly KnownStatement[],
): Fact[] {
  const { text, language } = message;
  const endings = endingsIn(ownClauses(text, language), language);
  const isStrong = endingsIn(text, language).size > 0 || isInstead(text, language);
  const aliases = aliasesOf([...known, ...said]);
  const isOneOf = (fact: { readonly text: string }) => {
    const subject = subjectOf(fact.text);
    return aliases.get(subject) ?? subject;
  };
  const isMore = isAddition(text, language);
  const taken = new Set<string>();
  const linked = said.map((fact) => {
    if (isMore || RELATION.test(fact.text)) return fact;
    const about = attributesOf(fact);
    const whose = isOneOf(fact);
    const products = kindsOfNames(fact.text);
    const fitting = open.filter((one) => {
      if (one.text === fact.text) return false;
      const isOurs = whose === "" && OF_A_THING.test(one.text);
      if (
        isOurs &&
        products.length > 0 &&
        shares(new Set(kindsOfNames(one.text)), new Set(products)).length > 0
      )
        return true;
      if (!isSame(isOneOf(one), whose)) return false;
      const known = attributesOf(one);
      // "she's in the fourth now" names no attribute: it may change any exclusive one that is known
      if (about.size === 0 && whose !== "") return [...known].some((attribute) => EXCLUSIVE.has(attribute));
      const shared = shares(about, known);
      if (isStrong && verbOf(one.text) !== undefined && verbOf(one.text) === verbOf(fact.text)) return true;
      return isStrong ? shared.length > 0 : shared.some((attribute) => EXCLUSIVE.has(attribute));
    });
    const [only, ...others] = narrowed(fitting, fact.text);
    if (only === undefined || others.length > 0) return fact;
    taken.add(only.text);
    return { ...fact, ends: [only.text] };
  });
  if (isMore) return linked;
  const named = endedByName(ownClauses(text, language), language, open).filter((one) => !taken.has(one.text));
  // more statements than these share the words by chance
  if (named.length > 0 && named.length <= MAX_NAMED) {
    const all = named.reduce((facts, one) => endedIn(message, facts, one), linked);
    return clearEnds(message, all, open);
  }
  if (endings.size === 0) return linked;
  return clearEnds(message, taken.size > 0 ? linked : ended(message, linked, open, endings), open);
}
/** Maximum number of known statements that one message ends by name. */
const MAX_NAMED = 2;

/** Marks a known statement as ended by the fact that is about the same, or by a fact in the negative. */
function endedIn(message: ChangeMessage, said: readonly Fact[], known: KnownStatement): Fact[] {
  if (said.some((fact) => fact.text === known.text)) return [...said];
  const about = attributesOf(known);
  const whose = subjectOf(known.text);
  const isOfIt = (fact: Fact): boolean =>
    !RELATION.test(fact.text) &&
    ((isSame(subjectOf(fact.text), whose) && shares(attributesOf(fact), about).length > 0) ||
      sharedWords(fact.text, known.text) > 0);
  const by = said.find((fact) => fact.ends === undefined && isOfIt(fact)) ?? said.find(isOfIt);
  if (by === undefined) return [...said, ...notAnyMore(message, known)];
  return said.map((fact) => (fact === by ? { ...fact, ends: [...(fact.ends ?? []), known.text] } : fact));
}

/** A fact that negates a known statement and ends it; none if the form of the statement is unknown. */
function notAnyMore({ id, date }: ChangeMessage, { category, topic, text, slot }: KnownStatement): Fact[] {
  const about = noLonger(text);
  if (about === undefined) return [];
  return [
    { category, topic, text: about, ...(slot !== undefined && { slot }), ends: [text], sources: [id], date },
  ];
}

/**
 * Replaces a fact without an object, such as "The user gave up in May", by the known statement in the
 * negative.
 */
function clearEnds(message: ChangeMessage, said: readonly Fact[], open: readonly KnownStatement[]): Fact[] {
  return said.map((fact) => {
    const [only, ...others] = fact.ends ?? [];
    const known = open.find(({ text }) => text === only);
    if (known === undefined || others.length > 0 || !BARE_END.test(fact.text)) return fact;
    return notAnyMore(message, known)[0] ?? fact;
  });
}
/** Facts that state an ending without its object. */
const BARE_END =
  /^The user (?:has )?(?:gave up|quit|stopped|packed it in|given up)(?: (?:at|in|on|last|this|since|after) [^,]{2,20})?$|^Der Nutzer hat (?:(?:an|im|am|vor|seit|letzte\p{Ll}*) (?:\p{L}+ )?\p{L}+ )?(?:aufgehört|gekündigt|abgebrochen|aufgegeben)$|^L'utilisateur a (?:tout )?(?:arrêté|abandonné|démissionné|craqué)(?: (?:au|en|le|à|l['’](?=an|été|hiver|automne)|depuis|il y a) ?[^,]{2,20})?$|^用户(?:现在|已经)?(?:不[\p{Script=Han}]{1,3}了|不再[\p{Script=Han}]?|辞职了|戒了|停药了)$/u;

/**
 * Narrows down fitting statements to the only one that shares words with the text, or else to those of the
 * latest message.
 */
function narrowed(fitting: readonly KnownStatement[], text: string): readonly KnownStatement[] {
  if (fitting.length < 2) return fitting;
  const overlaps = fitting.filter((one) => sharedWords(one.text, text) > 0);
  if (overlaps.length === 1) return overlaps;
  const last = fitting.at(-1)?.message;
  return last === undefined ? fitting : fitting.filter(({ message }) => message === last);
}

/**
 * Marks the only known statement that fits an ending such as "sold it" as ended. If no fact of the message is
 * about the speaker, a fact in the negative is added.
 */
function ended(
  message: ChangeMessage,
  said: readonly Fact[],
  open: readonly KnownStatement[],
  endings: ReadonlySet<Ending>,
): Fact[] {
  const mayEnd = [...endings].flatMap((ending) => [...MAY_END[ending]]);
  const fitting = open.filter((one) => {
    if (!TELLER.test(one.text)) return false;
    const about = attributesOf(one);
    return mayEnd.some((attribute) => about.has(attribute));
  });
  const [only, ...others] = narrowed(fitting, message.text);
  if (only === undefined || others.length > 0 || said.some((fact) => fact.text === only.text))
    return [...said];
  const own = said.find((fact) => TELLER.test(fact.text));
  if (own !== undefined)
    return said.map((fact) => (fact === own ? { ...fact, ends: [...(fact.ends ?? []), only.text] } : fact));
  return [...said, ...notAnyMore(message, only)];
}

function languageOfFact(text: string): RuleLanguage {
  if (/\p{Script=Han}/u.test(text)) return "zh";
  if (/Nutzers?(?!\p{L})/u.test(text)) return "de";
  if (/l['’]utilisateur/iu.test(text)) return "fr";
  if (/\buser\b/u.test(text)) return "en";
  if (
    /(?<!\p{L})(?:ist|hat|geht|studiert|spielt|arbeitet|wohnt|macht|lebt|bei|und|der|die|das)(?!\p{L})/u.test(
      text,
    )
  )
    return "de";
  return /(?<!\p{L})(?:est|a|habite|travaille|fait|joue|vit|le|la|chez)(?!\p{L})/u.test(text) ? "fr" : "en";
}
