import { append } from "../../../base/append.ts";
import { entity, profile } from "../predicates.ts";
import type { Statement } from "../rule.ts";
import { complementOf, FILLER, headOf, slotOf } from "./german-objects.ts";
import {
  LASTING_STATE,
  NEEDED,
  NEUTER,
  OFTEN,
  OTHERS,
  PASSING_SUBJECT,
  PASSING_THING,
  RELATION,
  THIRD,
} from "./german-words.ts";
import { type Predicate, partsOf, SELF, type Subject, statementAbout } from "./subject.ts";

/** Words of single days, hearsay, wishes, conditions and guesses. */
const REFUSED =
  /["„“”«»?]|(?<!\p{L})(?:heute|gestern|vorgestern|gleich|soeben|im Moment|momentan|eben erst|sagt|sagte|sagen|meint|meinte|glaube|denke|dachte|hoffe|vermute|angeblich|würden?|wäre|wären|hätte|hätten|könnte|sollte|möchte|möchten|vielleicht|möglicherweise|wahrscheinlich|beinahe|angenommen|ob|falls|fast hätte|du|dir|dich|dein\p{Ll}*|Ihnen|sich nicht sicher)(?!\p{L})|^(?:wenn|als|weil|da|obwohl|dass) /iu;

const LEADING =
  /^(?:(?:hallo|hi|hey|moin|servus|ja|nein|ok|okay|danke dir|danke|vielen dank|super|übrigens|also|und|aber|ach|achso|nur zur info|zur info|kurz zu mir|zu mir|kurz|nebenbei|apropos|ehrlich gesagt|eigentlich|leider|zum glück)[,!.:]* )+(?=\p{L})/iu;

const NEXT_CLAUSE = /(?:,? (?:und|aber) |, |: )(?=(?:ich|wir|mein\p{Ll}*|unser\p{Ll}*|sie|er) )/iu;

/** The statements in a German clause about the speaker, or about somebody or something the speaker has. */
export function readGerman(clause: string): readonly Statement[] {
  const plain = clause.replace(LEADING, "").replace(/[.!]+$/, "");
  if (REFUSED.test(plain)) return [];
  const statements: Statement[] = [];
  let known: Subject | undefined;
  for (const words of partsOf(plain, NEXT_CLAUSE, LEADING)) {
    if (/^(?:ich|wir) |^(?!mein|unser).* (?:ich|wir)(?: |$)/iu.test(words)) {
      append(statements, ofSelf(words));
      continue;
    }
    const other = /^(?:sie|er) (\p{Ll}+) (.+)$/iu.exec(words);
    if (other && known) append(statements, said(known, other[1] ?? "", other[2] ?? ""));
    const role =
      /^(?:[Ss]eit [\p{L}\d ]{2,20} )?ist ((?:(?:Herr|Frau|Dr\.) )?\p{Lu}\p{L}+) (?:mein|unser)e? (?:neue[rs]? )?(\p{Lu}\p{Ll}+)$/u.exec(
        words.replace(FILLER, ""),
      );
    if (role && RELATION.test(role[2] ?? "")) statements.push(roleOf(role[2] ?? "", role[1] ?? ""));
    const read = ofPossessed(words);
    if (!read) continue;
    known = read.subject;
    append(statements, read.statements);
  }
  return statements;
}

const roleOf = (role: string, name: string): Statement => ({
  ...profile("de", `ist ${name}`, role.replace(/in$/, "")),
  subject: `${articleOf(role, /(?:in|frau)$/.test(role))} ${role} {whose}`,
});

/** Reads statements whose subject is the speaker: the verb and its complements, in any word order. */
function ofSelf(words: string): Statement[] {
  const straight = /^(?:ich|wir) (\p{L}+)(?: (.*))?$/iu.exec(words);
  if (straight) {
    const [first = "", ...others] = sharedSubject(straight[2] ?? "");
    return [
      ...said(SELF, (straight[1] ?? "").toLowerCase(), first),
      ...others.flatMap((other) =>
        said(SELF, other.slice(0, other.indexOf(" ")), other.slice(other.indexOf(" ") + 1)),
      ),
    ];
  }
  const inverted = /^(.{2,60}?) (\p{L}+) (?:ich|wir)(?: (.*))?$/iu.exec(words);
  if (!inverted) return [];
  const front = (inverted[1] ?? "").replace(FILLER, "").trim();
  const verb = (inverted[2] ?? "").toLowerCase();
  const isName =
    /^\p{Lu}/u.test(front) &&
    !/^(?:Am|Im|In|An|Auf|Bei|Mit|Seit|Statt|Jede\p{L}*|Nachts|Abends|Morgens|Ab|Zu|Zum|Zur|Nach|Vor|Für|Ohne|Von|Gegen|Fürs|Einmal|Zweimal|Dreimal|Meistens|Normalerweise|Manchmal|Immer|Außer|Zuhause|Beruflich|Privat|\p{L}+tags|Den|Die|Das|Meine\p{L}*|Unsere\p{L}*)(?!\p{L})/u.test(
      front,
    );
  const place = isName ? front : front && `${front[0]?.toLowerCase()}${front.slice(1)}`;
  const behind = inverted[3] ?? "";
  return said(SELF, verb, (place.startsWith("statt ") ? `${behind} ${place}` : `${place} ${behind}`).trim());
}

/** Splits off further verbs with the speaker as subject: "… und arbeite nachts". */
function sharedSubject(rest: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const match of rest.matchAll(/,? und (?=(\p{Ll}+) )/gu)) {
    const verb = match[1] ?? "";
    if (
      !/^(?:bin|sind|hab|habe|haben)$/.test(verb) &&
      !(THIRD.has(verb) && !/^(?:essen|reden|leben)$/.test(verb))
    )
      continue;
    parts.push(rest.slice(from, match.index));
    from = match.index + match[0].length;
  }
  return [...parts, rest.slice(from)];
}

/**
 * A clause whose subject follows its verb, and is moved to the front: "Ab Montag beginnt meine Schicht um 6".
 */
const INVERTED = /^([^,]{2,40}?) (\p{Ll}+) ((?:[Mm]ein|[Uu]nser)e? (?:\p{Ll}+ )?\p{Lu}[\p{L}-]+) (.+)$/u;

interface Said {
  readonly subject: Subject;
  readonly statements: readonly Statement[];
}

function ofPossessed(words: string): Said | undefined {
  const [inverted, front = "", verbBefore = "", owned, behind] = INVERTED.exec(words) ?? [];
  if (inverted !== undefined && !/^(?:mein|unser)/iu.test(front) && OTHERS.has(verbBefore))
    return ofPossessed(`${owned} ${verbBefore} ${behind} ${front[0]?.toLowerCase()}${front.slice(1)}`);
  const start = /^(mein|meine|unser|unsere) (.+)$/iu.exec(words);
  if (!start) return undefined;
  const isFeminine = /e$/i.test(start[1] ?? "");
  const tokens = (start[2] ?? "").replace(/, (\p{Lu}\p{L}+),/u, " $1").split(" ");
  const at = tokens.findIndex((word, i) => i > 0 && i < 5 && word === word.toLowerCase() && OTHERS.has(word));
  if (at < 1) return undefined;
  const nouns = tokens.slice(0, at);
  const adjectives = nouns.filter((word) => /^\p{Ll}/u.test(word));
  const proper = nouns.filter((word) => /^\p{Lu}|^\d/u.test(word));
  const noun = proper[0];
  if (noun === undefined || PASSING_SUBJECT.test(noun)) return undefined;
  const verb = tokens[at] ?? "";
  const rest = tokens.slice(at + 1).join(" ");
  const isPlural = /^(?:sind|haben|wurden|können|mögen)$/.test(verb) || (verb.endsWith("en") && isFeminine);
  const kind = [...adjectives.filter((word) => !/^neu/.test(word)), noun].join(" ");
  const article = isPlural ? "Die" : articleOf(noun, isFeminine);
  const described = adjectives
    .filter((word) => !/^neu/.test(word))
    .map((word) => word.replace(/(?:er|es)$/, "e"));
  const text = [article, ...described, noun, "{whose}"].join(" ");
  if (!RELATION.test(noun)) {
    if (proper.length > 1 && !/^[\p{Lu}\d]/u.test(proper[1] ?? "")) return undefined;
    const subject: Subject = { kind: "thing", topic: "profile", name: kind, text };
    return { subject, statements: said(subject, verb, rest) };
  }
  return ofPerson({ kind, noun, text, names: proper.slice(1) }, verb, rest);
}

/** A relative, a pet, or a person with a role, as the speaker refers to them. */
interface Relation {
  readonly kind: string;
  readonly noun: string;
  /** The subject, with its article and a placeholder for the speaker. */
  readonly text: string;
  /** The names that follow the noun: "Meine Tochter Lea". */
  readonly names: readonly string[];
}

const NAMED = /^((?:(?:Herr|Frau|Dr\.) )?\p{Lu}[\p{L}-]+)/u;
const TITLED = /^(?:der |die )?((?:Herr|Frau|Dr\.) \p{Lu}[\p{L}-]+)$/u;
const ROLE = /(?:klempner|friseur|arzt|chef|vermieter|trainer|lehrer|therapeut|anwalt|berater)/i;

function ofPerson({ kind, noun, text, names }: Relation, verb: string, rest: string): Said {
  const plain = rest.replace(FILLER, "");
  const form = new Map([
    ["heißt", NAMED],
    ["ist", TITLED],
  ]).get(verb);
  const given = form?.exec(plain)?.[1];
  if (given !== undefined && ROLE.test(noun))
    return {
      subject: { kind: "person", topic: given, name: given, text: given },
      statements: [roleOf(noun, given)],
    };
  const name = given ?? (names.length > 0 ? names.join(" ") : undefined);
  if (name === undefined) {
    const subject: Subject = { kind: "person", topic: `${kind} {whose}`, name: kind, text };
    return { subject, statements: said(subject, verb, rest) };
  }
  const subject: Subject = { kind: "person", topic: name, name, text: name };
  const relation = `ist ${text.replace(/^\p{Lu}/u, (first) => first.toLowerCase())}`;
  const introduced = entity("de", name, name, relation, "relation");
  return { subject, statements: given ? [introduced] : [introduced, ...said(subject, verb, rest)] };
}

const articleOf = (noun: string, isFeminine: boolean): string => {
  if (isFeminine) return "Die";
  return NEUTER.test(noun) ? "Das" : "Der";
};

function said(subject: Subject, verb: string, rest: string): Statement[] {
  // "… und jeden Sommer helfe ich mit": the speaker's own clause has begun
  if (subject.kind !== "self" && / und [^,]*(?<!\p{L})(?:ich|wir)(?!\p{L})/iu.test(rest)) return [];
  const found = subject.kind === "self" ? ownPredicate(verb, rest) : othersPredicate(subject, verb, rest);
  return found === undefined ? [] : [statementAbout("de", subject, { ...found, about: found.about.trim() })];
}

function ownPredicate(verb: string, given: string): Predicate | undefined {
  const rest = given.replace(FILLER, "").trim();
  if (/^(?:bin|sind)$/.test(verb)) return being(rest);
  if (/^(?:hab|habe|haben)$/.test(verb)) return having(rest);
  if (/^(?:kann|können)$/.test(verb)) return able("kann", rest);
  if (/^(?:darf|dürfen)$/.test(verb)) return able("darf", rest);
  if (/^(?:mag|mögen)$/.test(verb)) return of("mag", rest);
  if (/^(?:werde|werden)$/.test(verb))
    return WHEN.test(rest) &&
      /(?:ziehen|umziehen|fliegen|reisen|heiraten|anfangen|beginnen|fahren)$/.test(rest)
      ? of("wird", rest)
      : undefined;
  const third = THIRD.get(verb);
  if (third === undefined) return undefined;
  const needed = NEEDED.get(third);
  const isPlanned = /^(?:fährt|fliegt|geht|zieht|reist|beginnt|heiratet)$/.test(third) && DATE.test(rest);
  if (rest === "")
    return /^(?:raucht|schnarcht|stottert|meditiert|pendelt)$/.test(third)
      ? { about: third, slot: third }
      : undefined;
  if (needed && !needed.test(rest) && !OFTEN.test(rest) && !isPlanned) return undefined;
  return of(third, rest);
}

const DATE =
  /\d{1,2}\. ?(?:\p{Lu}|\d)|(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)(?!\p{L})/u;

const WHEN = new RegExp(
  `${DATE.source}|(?:nächste[nsr]?|im) (?:Jahr|Monat|Woche|Sommer|Herbst|Winter|Frühling)`,
  "u",
);

function of(third: string, rest: string): Predicate | undefined {
  const complement = complementOf(rest);
  return complement === undefined
    ? undefined
    : { about: `${third} ${complement}`, slot: slotOf(third, complement) };
}

function being(rest: string): Predicate | undefined {
  const complement = complementOf(rest);
  if (complement === undefined) return undefined;
  const found = (slot: string | undefined): Predicate => ({ about: `ist ${complement}`, slot });
  if (/^(?:erst |schon )?\d{1,2}(?: Jahre(?: alt)?)?$/u.test(complement)) return found("age");
  if (/^(?:mit \p{Lu}.* )?(?:verheiratet|verlobt|geschieden|ledig|verwitwet|Single)$/u.test(complement))
    return found("marriage");
  if (/(?:aufgewachsen|geboren|groß geworden)$/.test(complement)) return found(undefined);
  if (LASTING_STATE.test(complement) && !PASSING_THING.test(complement))
    return found(`ist ${headOf(complement)}`);
  const noun =
    /^(?:kein(?:e|en)? |eine? |eher ein(?:e|en)? |absolute[rs]? |leidenschaftliche[rs]? |gelernte[rs]? )*(\p{Lu}\p{Ll}{2,}(?:-\p{L}+)?)(?: (?:mehr|in|im|bei|an|am|aus|beim|auf|für|von|der|des|mit|und|seit) ?.*)?$/u.exec(
      complement,
    )?.[1];
  if (noun !== undefined && !PASSING_THING.test(noun) && !/^(?:Zeuge|Opfer|Ende|Teil|Meinung)$/.test(noun))
    return found(`ist ${noun.toLowerCase().replace(/in$/, "")}`);
  if (/^(?:der|die) (?:Jüngste|Älteste|Mittlere|Einzige)/u.test(complement)) return found(undefined);
  if (/^(?:seit \S+ (?:\S+ )?)?(?:bei|Kund\p{Ll}+ bei) (?:der |dem )?\p{Lu}/u.test(complement))
    return found("bei");
  if (/^aus \p{Lu}/u.test(complement)) return found("origin");
  const moved =
    /^(?:von .* )?(?:nach|zu|zur|zum|auf) (.+) (?:umgezogen|gezogen|gewechselt|umgestiegen)$/u.exec(
      complement,
    );
  return moved ? found(/gezogen/.test(complement) ? "home" : "bei") : undefined;
}

const PARTICIPLE =
  /(?:^| )(?:\p{Ll}*ge\p{Ll}+(?:t|en)|\p{Ll}+iert|(?:ver|be|er|ent|zer|miss)\p{Ll}+(?:t|en))$/u;

/**
 * Complements that state nothing: a day without an activity, and idioms in the negative ("zwei linke Hände
 * hab ich nicht").
 */
const SAYS_NOTHING =
  /^(?:(?:am|jeden) \p{Lu}\p{Ll}+|\p{Ll}+tags|immer|meistens)$| nicht$|^\p{Lu}\p{L}+ kein(?:s|e|en|er)$/u;

function having(rest: string): Predicate | undefined {
  const complement = complementOf(rest);
  if (complement === undefined || SAYS_NOTHING.test(complement)) return undefined;
  const found = (slot: string | undefined): Predicate => ({ about: `hat ${complement}`, slot });
  const stopped = /^(?:(?:im|vor|seit|letzte[nsr]?) (?:\p{L}+ ){1,2})?mit dem (\p{Lu}\p{Ll}+) aufgehört$/u
    .exec(complement)?.[1]
    ?.toLowerCase();
  if (stopped !== undefined) return found(THIRD.get(stopped) ?? `aufgehört ${stopped}`);
  const cancelled = /^(?:sein\p{Ll}*) (\p{Lu}[\p{L}-]+) (?:gekündigt|verkauft|abbestellt)$/u.exec(
    complement,
  )?.[1];
  if (cancelled !== undefined)
    return found(/^(?:Auto|Wagen)$/u.test(cancelled) ? "Auto ist" : `number of ${cancelled}`);
  if (/^(?:von|vom) .* (?:zu|zur|zum|auf) .* gewechselt$/u.test(complement)) return found("bei");
  if (PARTICIPLE.test(complement)) {
    const isPast =
      /^(?:früher|lange|jahrelang|zehn Jahre|\d+ Jahre|als Kind) .*(?:gewohnt|gelebt|gearbeitet|gespielt|geraucht|unterrichtet|studiert)$/u.test(
        complement,
      );
    const isTraining = /^(?!gerade)\p{Lu}.*(?:studiert|gelernt)$/u.test(complement);
    return isPast || isTraining ? found(undefined) : undefined;
  }
  if (PASSING_THING.test(complement) && !/^(?:große |panische )?Angst vor/u.test(complement))
    return undefined;
  const isOwned =
    /^(?:(?:seit [\p{L}\d]+(?: Jahren)? )?(?:eine?n?|keine?n?|zwei|drei|vier|fünf|sechs|\d+|mehrere|viele|einen? eigene[nr]?) |(?:am|jeden|montags|dienstags|mittwochs|donnerstags|freitags|samstags|sonntags|immer|meistens) |\p{Lu}\p{Ll}+(?: |$)|große Angst|panische Angst)/u;
  return isOwned.test(complement)
    ? found(`number of ${/\p{Lu}[\p{L}-]+/u.exec(complement)?.[0] ?? ""}`)
    : undefined;
}

function able(modal: string, rest: string): Predicate | undefined {
  const complement = complementOf(rest);
  const isLasting =
    /(?:schwimmen|kochen|fahren|singen|sprechen|lesen|schreiben|schlafen|hören|sehen|essen|trinken|vertragen|leiden|ausstehen|spielen|tanzen|riechen|fliegen|nähen|rechnen|einparken|pfeifen|backen|merken)$/;
  if (complement === undefined || !isLasting.test(complement)) return undefined;
  return { about: `${modal} ${complement}`, slot: `${modal} ${complement.split(" ").at(-1)}` };
}

/** The predicate of a statement about somebody or something else; its verb is already in the third person. */
function othersPredicate({ kind }: Subject, verb: string, given: string): Predicate | undefined {
  const complement = complementOf(given.replace(FILLER, "").trim());
  if (complement === undefined) return undefined;
  const slot = othersSlot(kind, verb, complement);
  return slot === undefined ? undefined : { about: `${verb} ${complement}`, slot };
}

const TRADE = /^\p{Lu}\p{Ll}+(?:er|erin|ist|istin|mann|frau|in|arzt|or|eur|ent|wirt)(?: |$)/u;

const OWNS = /^(?:eine?n?|keine?n?|zwei|drei|vier|\d+|\p{Lu}|am|jeden) ?/u;

/** The question that a predicate about another subject answers; undefined if it states nothing lasting. */
function othersSlot(kind: Subject["kind"], verb: string, complement: string): string | undefined {
  if (/^wurden?$/.test(verb))
    return /^(?:von .* )?(?:auf|in|nach) .* (?:verschoben|verlegt)$/u.test(complement) ? "ist" : undefined;
  if (/^(?:war|waren)$/.test(verb)) return kind === "person" && TRADE.test(complement) ? "war" : undefined;
  if (/^(?:ist|sind)$/.test(verb)) return othersState(kind, complement);
  if (/^(?:hat|haben)$/.test(verb)) {
    const isOwned = OWNS.test(complement) && !PARTICIPLE.test(complement) && !PASSING_THING.test(complement);
    return isOwned ? `hat ${headOf(complement)}` : undefined;
  }
  if (/^(?:kann|können)$/.test(verb)) return able(verb, complement)?.slot;
  return kind === "thing" ? thingSlot(verb, complement) : personSlot(verb, complement);
}

function othersState(kind: Subject["kind"], complement: string): string | undefined {
  if (/\d ?%/.test(complement)) return undefined;
  const isPlace = /^(?:am|um|im|in|bei|auf|jeden|immer|an|neben|hinter|unter|zwischen|aus) /u.test(
    complement,
  );
  const isKind =
    /^(?:eine?n? |der |die |das |\p{Lu}|\d)/u.test(complement) && !PASSING_THING.test(complement);
  if (kind === "thing") return isKind || (isPlace && !PASSING_THING.test(complement)) ? "ist" : undefined;
  if (
    /^(?:\S+ Jahre alt|\d+|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)$/u.test(complement)
  )
    return "age";
  return isKind || LASTING_STATE.test(complement) ? `ist ${headOf(complement)}` : undefined;
}

const THING_VERB =
  /^(?:heißt|heißen|beträgt|befindet|beginnt|endet|gehört|besteht|kostet|läuft|steht|liegt|trifft|treffen|trainiert|nutzt|benutzt|wohnt|geht|macht|arbeitet|verwendet|fängt)$/;

function thingSlot(verb: string, complement: string): string | undefined {
  if (!THING_VERB.test(verb)) return undefined;
  const isVague = /^(?:läuft|geht|macht|liegt)$/.test(verb);
  if (isVague && !/(?:ab$|ab |bis |am |im |in |auf |um |unter )/.test(complement)) return undefined;
  return slotOf(verb, complement);
}

function personSlot(verb: string, complement: string): string | undefined {
  if (/(?:Klasse|Schule|Kindergarten|Kita|Uni|Gymnasium|Grundschule)$/u.test(complement)) return "Schule";
  const needed = NEEDED.get(verb);
  if (needed && !needed.test(complement) && !OFTEN.test(complement)) return undefined;
  return slotOf(verb, complement);
}
