import type { Fact, KnownStatement } from "../../facts/fact.ts";
import { ofKind } from "../../facts/facts-of-kind.ts";
import type { RuleLanguage } from "../rule.ts";
import { type Attribute, attributesOf, EXCLUSIVE } from "./attributes.ts";
import { type ChangeMessage, corrected } from "./corrections.ts";
import { type Ending, endingsIn, isAddition, isInstead, isOfNow, MAY_END, noLonger } from "./endings.ts";

/** Number of known statements whose attributes are computed in one step. */
const STATEMENTS_PER_STEP = 8;
const TELLER = /^(?:The user(?!['’]s)|Der Nutzer|L'utilisateur|用户(?!的))/u;
const OVER = /no longer|nicht mehr|(?<!\p{L})kein\p{L}* .*mehr|(?<!\p{L})ne? .* plus|n'\p{L}+ plus|不再/u;
const RELATION = / is the user's |des Nutzers$|de l'utilisateur$|是用户的/u;

/** The subject of a statement: "" for the speaker, otherwise a person or thing in lower case. */
function subjectOf(text: string): string {
  if (TELLER.test(text)) return "";
  const found =
    /^The user's (?:new )?([\p{L}' -]+?) (?:is|are|was|has|have|had|lives|works|\p{Ll}+s|\p{Ll}+ed|quit|left) /u.exec(
      text,
    ) ??
    /^(?:Der|Die|Das) (?:neue )?(.+?) des Nutzers/u.exec(text) ??
    /^(?:Le |La |Les |L['’])(.+?) de l['’]utilisateur/u.exec(text) ??
    /^用户的(.+?)(?=在|是|上|读|学|有|住|做|当|打|踢|弹|练|叫|用|定|姓|换|不|升|调|辞|开|搬|转|改)/u.exec(
      text,
    ) ??
    /^(\p{Lu}[\p{L}'’-]+)/u.exec(text);
  const subject = found?.[1]?.toLowerCase() ?? text;
  return OWNED.test(subject) ? "" : subject;
}

/** Belongings whose statements count as statements about the speaker: "The user's phone is a Pixel". */
const OWNED =
  /^(?:.* )?(?:phone|car|van|bike|flat|house|home|place|apartment|laptop|computer|editor|browser|bank|gym|watch|wohnung|zuhause|handy|auto|velo|rad|fahrrad|laptop|rechner|bank|téléphone|voiture|vélo|appartement|appart|ordi|ordinateur|banque)$|^(?:手机|车|車|电脑|工资卡|房子|家|笔记本)/u;

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

/** Whether two subjects are the same, as "the class" and "the yoga class" are. */
const isSame = (a: string, b: string): boolean =>
  a === b ||
  (a !== "" &&
    b !== "" &&
    (a.endsWith(` ${b}`) || b.endsWith(` ${a}`) || a.startsWith(`${b} `) || b.startsWith(`${a} `)));

const shares = (a: ReadonlySet<Attribute>, b: ReadonlySet<Attribute>): Attribute[] =>
  [...a].filter((one) => b.has(one));

/** The first six letters of words of at least four letters, and pairs of Chinese characters. */
function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{Script=Latin}]{4,}/gu) ?? [];
  const pairs = (text.match(/\p{Script=Han}{2,}/gu) ?? []).flatMap((run) =>
    [...run].slice(0, -1).map((one, at) => one + run[at + 1]),
  );
  return new Set([...words.map((word) => word.slice(0, 6)), ...pairs]);
}
const COMMON =
  /^(?:user|nutzer|utilis|used|uses|with|have|that|this|they|jetzt|nicht|mehr|eine|einen|einem|einer|habe|haben|sind|maint|plus|pour|avec|dans|mais|用户|现在|已经|在[\p{Script=Han}])/u;

function sharedWords(a: string, b: string): number {
  const other = wordsOf(b);
  return [...wordsOf(a)].filter((word) => other.has(word) && !COMMON.test(word)).length;
}

/**
 * Adds to each fact of a message the known statements that it replaces, and adds facts for endings whose
 * subject the message leaves out ("sold it"). A known statement is replaced only if no other one fits as
 * well. Yields between steps.
 */
export function* withEndedFacts(
  message: ChangeMessage,
  said: readonly Fact[],
  known: readonly KnownStatement[],
): Generator<undefined, Fact[]> {
  const { language, text } = message;
  if (known.length === 0 || /[?？]\s*$/.test(text)) return [...said];
  const open = known.filter((one) => !OVER.test(one.text) && !RELATION.test(one.text));
  const fixed = corrected(message, said, open);
  if (fixed !== undefined) return fixed;
  const isChange = endingsIn(text, language).size > 0 || isInstead(text, language) || isOfNow(text, language);
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
    const fitting = open.filter((one) => {
      if (one.text === fact.text || !isSame(isOneOf(one), whose)) return false;
      const known = attributesOf(one);
      // "she's in the fourth now" names no attribute: it may change any exclusive one that is known
      if (about.size === 0 && whose !== "") return [...known].some((attribute) => EXCLUSIVE.has(attribute));
      const shared = shares(about, known);
      return isStrong ? shared.length > 0 : shared.some((attribute) => EXCLUSIVE.has(attribute));
    });
    const [only, ...others] = narrowed(fitting, fact.text);
    if (only === undefined || others.length > 0) return fact;
    taken.add(only.text);
    return { ...fact, ends: [only.text] };
  });
  if (endings.size === 0 || isMore) return linked;
  return clearEnds(message, taken.size > 0 ? linked : ended(message, linked, open, endings), open);
}

/**
 * Replaces a fact without an object, such as "The user gave up in May", by the known statement in the
 * negative.
 */
function clearEnds(
  { id, date }: ChangeMessage,
  said: readonly Fact[],
  open: readonly KnownStatement[],
): Fact[] {
  return said.map((fact) => {
    const [only, ...others] = fact.ends ?? [];
    const known = open.find(({ text }) => text === only);
    if (known === undefined || others.length > 0 || !BARE_END.test(fact.text)) return fact;
    const text = noLonger(known.text);
    if (text === undefined) return fact;
    const { category, topic, slot } = known;
    return {
      category,
      topic,
      text,
      ...(slot !== undefined && { slot }),
      ends: [known.text],
      sources: [id],
      date,
    };
  });
}
/** Facts that state an ending without its object. */
const BARE_END =
  /^The user (?:has )?(?:gave up|quit|stopped|packed it in|given up)(?: (?:at|in|on|last|this|since|after) [^,]{2,20})?$|^Der Nutzer hat (?:(?:an|im|am|vor|seit|letzte\p{Ll}*) (?:\p{L}+ )?\p{L}+ )?(?:aufgehört|gekündigt|abgebrochen|aufgegeben)$|^L'utilisateur a (?:tout )?(?:arrêté|abandonné|démissionné|craqué)(?: (?:au|en|le|à|l['’](?=an|été|hiver|automne)|depuis|il y a) ?[^,]{2,20})?$|^用户(?:现在|已经)?(?:不[\p{Script=Han}]{1,3}了|不再[\p{Script=Han}]?|辞职了|戒了|停药了)$/u;

const OTHERS: Readonly<Record<RuleLanguage, RegExp>> = {
  en: /^\s*(?:(?:and|but|so|because|well|sadly|apparently) )*(?:(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Tt]he) (?:\p{Ll}+ )?(?:mum|mom|mother|dad|father|brother|sister|son|daughter|wife|husband|partner|girlfriend|boyfriend|friend|mate|neighbou?r|boss|colleague|cousin|uncle|aunt|gran|nan|flatmate|kid|kids|teacher)|(?:[Hh]e|[Ss]he|[Tt]hey|[Yy]ou|[Ss]omeone|somebody|people|everyone)(?!['’]s taken)|(?!Just|Finally|Already|Recently|Have|Never|Sadly)\p{Lu}\p{Ll}+(?= (?:has|is|was|says|left|quit|sold|gave|stopped|moved|lost|broke) )) /u,
  de: /^\s*(?:(?:und|aber|denn|weil|leider) )*(?:(?:mein|unser|sein|ihr)(?:e[rnm]?)? (?:\p{Ll}+ )?(?:Mutter|Vater|Bruder|Schwester|Sohn|Tochter|Frau|Mann|Freundin|Freund|Kumpel|Nachbarin|Nachbar|Kollegin|Kollege|Chefin|Chef|Cousine|Cousin|Onkel|Tante|Oma|Opa)(?!\p{L})|(?:du|ihr|man|jemand|alle) )/iu,
  fr: /^\s*(?:(?:et|mais|car|donc) )*(?:(?:mon|ma|notre|son|sa|leur) (?:\p{Ll}+ )?(?:mère|père|frère|sœur|soeur|fils|fille|femme|mari|copine|copain|amie?|voisine?|collègue|chef|cheffe|cousine?|oncle|tante|pote)(?!\p{L})|(?:tu|vous|quelqu['’]un) )/iu,
  zh: /^\s*(?:但|因为|所以)*我?的?(?:妈|爸|哥|姐|弟|妹|儿子|女儿|老婆|老公|妻子|丈夫|朋友|邻居|同事|女朋友|男朋友|对象|闺蜜|室友|老板|领导)[^，]|^\s*(?:你|大家|有人|别人)/u,
};

/** Removes the clauses about other people from a message. */
const ownClauses = (text: string, language: RuleLanguage): string =>
  text
    .split(/(?<=[.!?;…,，。！；:])/u)
    .filter((clause) => !OTHERS[language].test(clause))
    .join("");

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
  { text, id, date }: ChangeMessage,
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
  const [only, ...others] = narrowed(fitting, text);
  if (only === undefined || others.length > 0 || said.some((fact) => fact.text === only.text))
    return [...said];
  const own = said.find((fact) => TELLER.test(fact.text));
  if (own !== undefined)
    return said.map((fact) => (fact === own ? { ...fact, ends: [...(fact.ends ?? []), only.text] } : fact));
  const about = noLonger(only.text);
  if (about === undefined) return [...said];
  const { category, topic, slot } = only;
  return [
    ...said,
    {
      category,
      topic,
      text: about,
      ...(slot !== undefined && { slot }),
      ends: [only.text],
      sources: [id],
      date,
    },
  ];
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
