import type { KnownStatement } from "../../facts/fact.ts";
import type { RuleLanguage } from "../rule.ts";

export interface KnownPerson {
  /** How the speaker refers to the person: "my sister", "meine Freundin Anja". */
  readonly phrase: string;
  readonly gender: "female" | "male" | "any";
  /**
   * Id of the last message of this conversation that named the person; undefined if an earlier conversation
   * did.
   */
  readonly message: string | undefined;
}

const FEMALE =
  /(?:mum|mom|mother|sister|daughter|wife|girlfriend|fiancée|gran|nan|granny|grandma|aunt|auntie|niece|landlady|missus|[Mm]utter|[Mm]ama|[Ss]chwester|[Tt]ochter|Frau|Freundin|Verlobte|Oma|Tante|Nichte|Cousine|Enkelin|Kollegin|Nachbarin|Chefin|[äÄ]rztin|Trainerin|Katze|Hündin|mère|maman|sœur|soeur|fille|femme|copine|compagne|mamie|tante|cousine|nièce|voisine|cheffe|patronne|chienne|chatte|妈妈?|母亲|姐姐?|妹妹?|女儿|老婆|妻子|太太|女朋友|女友|奶奶|外婆|姥姥|姑姑|阿姨|岳母|婆婆|闺蜜|媳妇)$/u;
const MALE =
  /(?:dad|father|brother|son|husband|boyfriend|fiancé|grandad|grandpa|grandfather|uncle|nephew|landlord|[Vv]ater|[Pp]apa|[Bb]ruder|[Ss]ohn|Bub|Mann|Freund|Verlobter|Opa|Onkel|Neffe|Cousin|Enkel|Kollege|Nachbar|Chef|[Aa]rzt|Trainer|Hund|Kater|père|papa|frère|fils|mari|copain|compagnon|papi|oncle|cousin|neveu|voisin|chef|patron|chien|chat|爸爸?|父亲|哥哥?|弟弟?|儿子|老公|丈夫|男朋友|男友|爷爷|外公|姥爷|叔叔|舅舅|岳父|公公)$/u;

const genderOf = (kind: string): KnownPerson["gender"] => {
  if (FEMALE.test(kind)) return "female";
  return MALE.test(kind) && !/^(?:chat|chien|Hund|dog|cat)$/.test(kind) ? "male" : "any";
};

interface Shape {
  /** Matches a statement that names somebody's relation. Groups: name, relation. */
  readonly named: RegExp;
  /** Matches a statement about somebody who is referred to by the relation. Group: relation. */
  readonly kind: RegExp;
  readonly my: (kind: string, name: string | undefined) => string;
}

const KIN_EN =
  "(?:[\\p{Ll}]+ )?(?:mum|mom|mother|dad|father|brother|sister|son|daughter|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|gran|nan|grandma|grandad|uncle|aunt|cousin|niece|nephew|friend|flatmate|boss|manager|dog|cat|rabbit|horse|kid|eldest|youngest|(?:mother|father|brother|sister|son|daughter)-in-law)";
const FEMININE_FR =
  /^(?:mère|maman|sœur|soeur|fille|femme|copine|compagne|mamie|tante|cousine|nièce|voisine|cheffe|patronne|chienne|chatte|petite-fille|grand-mère|belle-\p{L}+)$/u;

const SHAPES: Readonly<Record<RuleLanguage, Shape>> = {
  en: {
    named: new RegExp(`^(\\p{Lu}[\\p{L}'’-]+) is the user's (${KIN_EN})$`, "u"),
    kind: new RegExp(
      `^The user's (${KIN_EN}) (?:is|has|lives|works|plays|studies|goes|does|\\p{Ll}+s) `,
      "u",
    ),
    my: (kind, name) => `my ${kind}${name === undefined ? "" : ` ${name}`}`,
  },
  de: {
    named: /^(\p{Lu}[\p{L}-]+) ist (?:der|die|das) ((?:\p{Ll}+ )?\p{Lu}\p{Ll}+) des Nutzers$/u,
    kind: /^(?:Der|Die|Das) ((?:\p{Ll}+ )?\p{Lu}\p{Ll}+) des Nutzers (?!ist am|ist ein (?:alte|neue)|ist in )/u,
    my: (kind, name) => `mein${FEMALE.test(kind) ? "e" : ""} ${kind}${name === undefined ? "" : ` ${name}`}`,
  },
  fr: {
    named: /^(\p{Lu}[\p{L}-]+) est (?:le |la |l['’])([\p{Ll}-]+) de l['’]utilisateur$/u,
    kind: /^(?:Le |La |L['’])([\p{Ll}œ-]+) de l['’]utilisateur (?!est (?:le|un|une|à|en|chez) )/u,
    my: (kind, name) =>
      `${FEMININE_FR.test(kind) && !/^a/.test(kind) ? "ma" : "mon"} ${kind}${name === undefined ? "" : ` ${name}`}`,
  },
  zh: {
    named: /^([\p{Script=Han}]{2,3}|[A-Z]\w+)是用户的([\p{Script=Han}]{1,4})$/u,
    kind: /^用户的([\p{Script=Han}]{1,4}?)(?=在|是|上|读|学|有|住|做|当|今年|打|踢|弹|练|喜欢|对)/u,
    my: (kind) => `我${kind}`,
  },
};
const PERSON_DE =
  /(?:[Mm]utter|[Mm]ama|[Vv]ater|[Pp]apa|[Ss]chwester|[Bb]ruder|[Tt]ochter|[Ss]ohn|Bub|Frau|Mann|Freundin?|Partner(?:in)?|Verlobte|Oma|Opa|Tante|Onkel|Nichte|Neffe|Cousine?|Enkel(?:in)?|Kolleg\p{Ll}+|Nachbar(?:in)?|Chef(?:in)?|Hund|Hündin|Katze|Kater|Kind)$/u;
const PERSON_FR =
  /(?:mère|maman|père|papa|sœur|soeur|frère|fille|fils|femme|mari|copine|copain|compagne|compagnon|tante|oncle|cousine?|nièce|neveu|voisine?|chef|cheffe|patronne?|chien|chienne|chat|chatte|amie?|collègue|mamie|papi)$/u;
const PERSON_ZH =
  /^(?:妈妈?|母亲|爸爸?|父亲|姐姐?|妹妹?|哥哥?|弟弟?|女儿|儿子|孩子|老婆|妻子|太太|老公|丈夫|男朋友|女朋友|男友|女友|对象|爷爷|奶奶|外公|外婆|姥姥|姥爷|岳父|岳母|公公|婆婆|领导|老板|同事|朋友|闺蜜|室友|表[哥弟姐妹]|狗|猫)$/u;

/**
 * Statements about somebody whose name is known but not the relation. Pronouns may refer to this person too.
 */
const ONLY_NAMED =
  /^(\p{Lu}\p{Ll}[\p{L}-]*) (?:lives|works|is an?|plays|studies|has|moved|wohnt|arbeitet|lebt|spielt|studiert|hat|habite|travaille|vit|joue|étudie) /u;

const isPerson = (kind: string, language: RuleLanguage): boolean => {
  if (language === "de") return PERSON_DE.test(kind);
  if (language === "fr") return PERSON_FR.test(kind);
  return language === "zh" ? PERSON_ZH.test(kind) : true;
};

/** The known relatives, friends and animals, each once, in the order in which they were last named. */
export function knownPeople(known: readonly KnownStatement[], language: RuleLanguage): KnownPerson[] {
  const { named, kind, my } = SHAPES[language];
  const people = new Map<string, KnownPerson & { readonly kind: string }>();
  for (const { text, message } of known) {
    const withName = named.exec(text);
    const found = withName?.[2] ?? kind.exec(text)?.[1];
    if (found === undefined || !isPerson(found, language)) {
      const name = ONLY_NAMED.exec(text)?.[1];
      const isKnown = name === undefined || [...people.keys()].some((one) => one.endsWith(` ${name}`));
      if (name !== undefined && !isKnown)
        people.set(name, { phrase: name, gender: "any", message, kind: name });
      continue;
    }
    if (withName?.[1] !== undefined) people.delete(withName[1]);
    const phrase = my(found, withName?.[1]);
    people.delete(phrase);
    people.set(phrase, { phrase, gender: genderOf(found), message, kind: found });
  }
  // drops "my sister" if "my sister Ana" is known
  const all = [...people.values()];
  return all.filter(
    (one) =>
      !all.some(
        (other) => other !== one && other.kind === one.kind && other.phrase.startsWith(`${one.phrase} `),
      ),
  );
}

interface Pronouns {
  readonly female: RegExp;
  readonly male: RegExp;
}
const START = "(^|[.!?;…,:] ?|\\s(?:and|but|so|because|since|und|aber|denn|weil|et|mais|car|puis) )";
const VERB_DE =
  "(?=(?:ist|hat|wird|kann|war|geht|macht|mag|lebt|wohnt|arbeitet|studiert|spielt|heißt|heisst|lernt|fährt|leitet|\\p{Ll}{3,}t) )";
const PRONOUNS: Readonly<Record<Exclude<RuleLanguage, "zh">, Pronouns>> = {
  en: {
    female: new RegExp(`${START}(she)(?=['’ ])`, "giu"),
    male: new RegExp(`${START}(he)(?=['’ ])`, "giu"),
  },
  de: {
    female: new RegExp(`${START}(sie|die) ${VERB_DE}`, "giu"),
    male: new RegExp(`${START}(er|der|dem) ${VERB_DE}`, "giu"),
  },
  fr: {
    female: new RegExp(`${START}(elle)(?= )`, "giu"),
    male: new RegExp(`${START}(il)(?= (?!y a|faut|pleut|fait (?:beau|froid|chaud)))`, "giu"),
  },
};
const INVERTED = {
  female: /(^|[.!?;…,] )(jetzt|nun|inzwischen|mittlerweile) (\p{Ll}{3,}t) sie(?= |$|[.,!])/giu,
  male: /(^|[.!?;…,] )(jetzt|nun|inzwischen|mittlerweile) (\p{Ll}{3,}t) er(?= |$|[.,!])/giu,
};
const CHINESE = /(^|[，,。！!；;]\s?)([他她它])(?!们|的)/gu;
const PARTICIPLE =
  /^(?:been|gone|got|given|left|become|taken|begun|quit|passed|moved|started|retired|switched|changed|joined|stopped|finished|dropped|\p{Ll}{3,}ed)(?!\p{L})/u;

/**
 * Replaces "he" and "she" in a message by the only known person who fits: of all known people, or else of
 * those in the latest message that named a fitting one. The message is unchanged if nobody or several people
 * fit.
 */
export function withKnownPerson(
  message: string,
  language: RuleLanguage,
  known: readonly KnownStatement[],
): string {
  if (known.length === 0) return message;
  const gender = pronounIn(message, language);
  if (gender === undefined) return message;
  const fitting = knownPeople(known, language).filter(
    (one) => one.gender === gender || one.gender === "any" || gender === "any",
  );
  const last = fitting.at(-1);
  const recent = fitting.filter(({ message: id }) => id !== undefined && id === last?.message);
  const [person, ...others] = fitting.length === 1 ? fitting : recent;
  return person === undefined || others.length > 0
    ? message
    : replaced(message, language, gender, person.phrase);
}

/** Names that begin a clause: "Sam's left", "und Ida ist". */
const FIRST = "(^|[.!?;…,:。！？，] ?|\\s(?:and|but|so|und|aber|et|mais) )";

/**
 * Puts the relation before the name of a known person at the beginning of a clause, so that the clause is read
 * as one about that person: "Sam's left BT" becomes "my brother Sam has left BT".
 */
export function withKnownNames(
  message: string,
  language: RuleLanguage,
  known: readonly KnownStatement[],
): string {
  let text = message;
  for (const { phrase } of known.length === 0 ? [] : knownPeople(known, language)) {
    const name = / (\p{Lu}[\p{L}'’-]+)$/u.exec(phrase)?.[1];
    if (name === undefined || !text.includes(name)) continue;
    const form = new RegExp(`${FIRST}${name}(?=['’]s | \\p{Ll})`, "gu");
    const found = text.replace(form, (_, before: string) => `${before}${phrase}`);
    text = language === "en" ? withoutShortIs(found, phrase) : found;
  }
  return text;
}

/** "my brother Sam's left" with the verb in full. */
function withoutShortIs(text: string, phrase: string): string {
  const [first = "", ...rest] = text.split(new RegExp(`${phrase}['’]s `, "u"));
  return rest.reduce((before, after) => {
    const verb = /^been /.test(after) || PARTICIPLE.test(after) ? " has" : " is";
    // "my brother Sam's bike" is a genitive
    const isVerb =
      PARTICIPLE.test(after) || /^(?:an?|the|in|at|on|now|not|also|\p{Ll}+ing)(?!\p{L})/u.test(after);
    return isVerb ? `${before}${phrase}${verb} ${after}` : `${before}${phrase}'s ${after}`;
  }, first);
}

function pronounIn(message: string, language: RuleLanguage): KnownPerson["gender"] | undefined {
  if (language === "zh") {
    const found = [...message.matchAll(CHINESE)].map((one) => one[2]);
    if (found.length === 0 || new Set(found).size > 1) return undefined;
    return found[0] === "她" ? "female" : found[0] === "他" ? "male" : "any";
  }
  const { female, male } = PRONOUNS[language];
  const isFemale = message.search(female) >= 0;
  const isMale = message.search(male) >= 0;
  if (isFemale === isMale) return undefined;
  return isFemale ? "female" : "male";
}

function replaced(
  message: string,
  language: RuleLanguage,
  gender: KnownPerson["gender"],
  phrase: string,
): string {
  if (language === "zh") return message.replace(CHINESE, `$1${phrase}`);
  // "jetzt rudert er": the subject is moved to the front
  const given =
    language === "de"
      ? message.replace(INVERTED[gender === "male" ? "male" : "female"], `$1${phrase} $3 $2`)
      : message;
  const { female, male } = PRONOUNS[language];
  const gap = language === "de" ? " " : "";
  const text = given.replace(
    gender === "female" ? female : male,
    (_, before: string) => `${before}${phrase}${gap}`,
  );
  if (language !== "en") return text;
  const [first = "", ...rest] = text.split(new RegExp(`${phrase}['’]s `, "u"));
  return rest.reduce(
    (before, after) => `${before}${phrase} ${PARTICIPLE.test(after) ? "has" : "is"} ${after}`,
    first,
  );
}
