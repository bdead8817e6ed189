import { entity, profile } from "../../predicates.ts";
import { complementOf, headOf, slotOf } from "../../readers/german-objects.ts";
import {
  LASTING_STATE,
  NEUTER,
  PASSING_SUBJECT,
  PASSING_THING,
  RELATION,
  THIRD,
} from "../../readers/german-words.ts";
import type { Statement } from "../../rule.ts";

const MOMENT =
  /["„“”«»?]|(?<!\p{L})(?:heute|gestern|morgen(?! früh)|gerade|grad|gleich|nachher|eben|vorhin|soeben|im Moment|momentan|du|dir|dich|dein\p{L}*|ihr|euch|Sie|Ihnen|würde\p{L}*|könnte\p{L}*|hätte\p{L}*|wäre\p{L}*|sollte\p{L}*|möchte\p{L}*|vielleicht|wahrscheinlich|dringend|Fehler(?:meldung)?|Akku|Bug|mal|kurz|Thema|Seite|\p{L}*[Ss]eite|Menü|Zeile|Spalte|Button|Tabelle|Passwort|Variante|Reiter|Zweig|Schritt|Vorlage|\d+ ?%|Code|Funktion|Skript|Datei|obig\p{L}*|folgend\p{L}*|dies\p{L}*|jene\p{L}*)(?!\p{L})/u;
/** Verbs of the current moment, of thought and of the task at hand. */
const NOW_VERB = new Set(
  "brauche suche will wollen muss müssen soll sollen darf denke glaube weiß wissen frage versuche sehe finde meine hoffe wünsche verstehe sitze stehe warte überlege werde werden würde sage sagen bitte danke kriege bekomme komme gehe freue schicke sende starte klicke kopiere bin sind habe haben kann können mag mögen lasse lassen stelle meinte dachte wollte sollte konnte musste war waren hatte hatten ging kam sah fand ging bräuchte wüsste hole setze gebe nehme mache fange höre heiße halte".split(
    " ",
  ),
);
const OFTEN =
  /(?<!\p{L})(?:immer|nie|niemals|meist|meistens|oft|selten|manchmal|jede[nrsm]?|täglich|wöchentlich|monatlich|(?:mon|diens|mitt|donners|frei|sams|sonn)\p{Ll}*s|regelmäßig|normalerweise|ständig|\p{Ll}+mal|morgens|mittags|abends|nachts|vormittags|nachmittags|am Wochenende|gerne?|ungern|lieber|am liebsten|seit|nur|hauptsächlich|fast|beruflich|ehrenamtlich|nebenbei|grundsätzlich)(?!\p{L})/u;
const LONG =
  /(?<!\p{L})(?:seit|vor (?:\p{L}+ )?(?:Jahren|Monaten|Jahr|Wochen)|letzte[snr]? (?:Jahr|Sommer|Herbst|Winter|Frühling|Monat)|(?:19|20)\d\d|als Kind|früher|im (?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Sommer|Herbst|Winter|Frühjahr)|schon immer|nie|noch nie|jahrelang)(?!\p{L})/u;
/** Participles of life events. */
const EVENT =
  /(?:umgezogen|gezogen|geheiratet|getrennt|gewechselt|gekündigt|aufgehört|angefangen|begonnen|gegründet|eröffnet|adoptiert|geerbt|studiert|gelernt|promoviert|abgeschlossen|aufgegeben|abgewöhnt|verkauft|umgestiegen|geworden|geboren|aufgewachsen|pensioniert|umgeschult|verloren|operiert|gebrochen|diagnostiziert|bekommen|zugelegt|angeschafft|angemeldet|umgestellt|unterschrieben|eingezogen|ausgezogen|ausgewandert|übernommen|renoviert|gebaut|gepachtet)$/u;
const NO_STATE =
  /^(?:(?:so|sehr|echt|total|ziemlich|ganz|etwas|ein bisschen|etwas) )*(?:müde|krank|hungrig|traurig|froh|glücklich|sauer|genervt|gestresst|unsicher|sicher|verwirrt|gespannt|da|weg|fertig|bereit|neugierig|dabei|dran|unterwegs|zu Hause|zuhause|im (?:Urlaub|Stress|Büro|Zug|Bett|Bus|Meeting)|in (?:Eile|der Bahn)|auf (?:der Suche|dem Weg|Arbeit|Seite)|am \p{Lu}|an der \p{L}*haltestelle|beim \p{Lu}|mir (?:nicht )?sicher|nicht sicher|dankbar|gut|schlecht|raus|kein (?:Fan|Genie)|ein (?:Genie|Idiot|Berliner|Fan))/u;
const STATE =
  /^(?:(?:seit \S+ (?:\S+ )?|jetzt |von Beruf |eher |gelernte[rs]? |ausgebildete[rs]? |leidenschaftliche[rs]? |ein |eine |kein |keine |Mitglied |nicht )*(?:\p{Lu}\p{Ll}{3,}|\d+(?: Jahre(?: alt)?)?$)|(?:seit \S+ (?:\S+ )?)?(?:bei|in|im|aus|auf|mit|an der|am) (?:\p{L}+ )*\p{Lu}|.*(?:allergisch|vegan|vegetarisch|verheiratet|geschieden|schwanger|selbstständig|freiberuflich|alleinerziehend|pensioniert|arbeitslos|angestellt|intolerant|kurzsichtig|farbenblind|schwerhörig|blind|taub))/u;

const say = (about: string, slot: string): readonly Statement[] => [profile("de", about, slot)];

const thirdOf = (verb: string): string | undefined => {
  const known = THIRD.get(verb);
  if (known !== undefined) return known;
  const stem = /^(\p{Ll}{3,}?)e$/u.exec(verb)?.[1] ?? /^(\p{Ll}{3,}?)en$/u.exec(verb)?.[1];
  return stem === undefined ? undefined : `${stem}${/[dt]$/.test(stem) ? "et" : "t"}`;
};

function ofSelf(verb: string, rest: string): readonly Statement[] {
  const complement = complementOf(rest);
  if (complement === undefined || / und \p{Ll}{2,}e(?: |$)/u.test(complement)) return [];
  switch (verb) {
    case "bin":
    case "sind":
      return being(rest, complement);
    case "habe":
    case "haben":
      return having(rest, complement);
    case "kann":
    case "können":
      return ABILITY.test(complement) && !/(?<!\p{L})(?:das|mehr|heute|jetzt)(?!\p{L})/u.test(rest)
        ? say(`kann ${complement}`, `kann ${headOf(complement)}`)
        : [];
    case "mag":
    case "mögen":
      return /^(?:das|den|die) /u.test(rest)
        ? []
        : say(`mag ${complement}`, `attitude to ${headOf(complement)}`);
    default:
      return verbal(verb, rest, complement);
  }
}

function being(rest: string, complement: string): readonly Statement[] {
  if (NO_STATE.test(rest) || PASSING_THING.test(rest)) return [];
  const isLasting = EVENT.test(complement) || STATE.test(rest) || LASTING_STATE.test(rest);
  return isLasting ? say(`ist ${complement}`, `ist ${headOf(complement)}`) : [];
}

const PARTICIPLE =
  /(?:^| )(?:ge\p{Ll}{3,}(?:t|en)|\p{Ll}+ge\p{Ll}+(?:t|en)|(?:ver|be|er|ent|zer)\p{Ll}{3,}(?:t|en)|\p{Ll}+iert)$/u;

function having(rest: string, complement: string): readonly Statement[] {
  const found = say(`hat ${complement}`, `hat ${headOf(complement)}`);
  if (EVENT.test(complement) && !/^(?:es|das|alles|die|den) (?:\p{Ll}+ )?\p{Ll}+$/u.test(complement))
    return found;
  if (PARTICIPLE.test(complement)) return LONG.test(complement) ? found : [];
  const isPassing =
    PASSING_THING.test(rest) ||
    /^(?:zu|keine (?:Ahnung|Lust|Zeit)|die |das |den |nichts|viel|gar)/u.test(rest);
  return isPassing || !/\p{Lu}/u.test(rest)
    ? []
    : say(`hat ${complement}`, `number of ${headOf(complement)}`);
}

const ABILITY =
  /(?:essen|trinken|schwimmen|fahren|vertragen|schlafen|hören|sehen|riechen|kochen|singen|tanzen|fliegen|arbeiten|leiden|ausstehen|sprechen|lesen)$/u;
/** Verbs of the current moment that express a habit with a word of frequency. */
const HABITUAL = /^(?:nehme|mache|gehe|komme|höre|gebe|halte|kriege|bekomme)$/;

function verbal(verb: string, rest: string, complement: string): readonly Statement[] {
  // modal verbs and verbs in the past state nothing lasting
  if (/^(?:woll|soll|konn|muss|durf|moch|hatt|war)/.test(verb)) return [];
  const third = thirdOf(verb);
  const isHabit = OFTEN.test(rest) || LONG.test(rest);
  if (third === undefined || (NOW_VERB.has(verb) && !(isHabit && HABITUAL.test(verb)))) return [];
  const isOfTask =
    /^(?:den|die|das|dem) \p{L}+(?: (?:aus|durch|an|ab|ein|weg|vor|zu))?(?:$| und )/u.test(complement) ||
    /(?:^| )(?:aus|durch)(?:$| und )/u.test(complement);
  return isOfTask || PASSING_THING.test(rest) ? [] : say(`${third} ${complement}`, slotOf(third, complement));
}

const PERSON =
  /^(mein|unser)(e?) ((?:(?:große|kleine|ältere|jüngere|beste|neue|alte|verstorbene)[rn]? )?)(\p{Lu}[\p{Ll}-]+)(?:,? ((?:Herr |Frau |Dr\. )?\p{Lu}[\p{Ll}-]+),?)? (\p{Ll}+) (.+)$/u;
const NOT_LASTING =
  /^(?:sagt|sagte|meint|meinte|fragt|fragte|will|wollte|möchte|braucht|findet|denkt|glaubt|kommt (?:gleich|heute|morgen)|hat (?:gesagt|gefragt|mir|gerade|heute|sich beschwert|angerufen)|ist (?:(?:so|sehr|total|echt|gerade|heute) )*(?:krank|müde|sauer|weg|da|toll|nett|süß|lieb|cool|super|traurig|genervt|fertig|im Urlaub|empfindlich|gut|schlecht|lustig|unterwegs|genial)(?!\p{L})|schreibt mir|ruft|war |ging |kam |geht (?:mir|es|gleich)|tut weh|macht (?:mich|mir|Stress|Ärger|Probleme))/u;

/** Reads any lasting statement of a clause about the speaker or a relative, and nothing temporary. */
export function generalGerman(text: string): readonly Statement[] {
  if (MOMENT.test(text) || text.length > 160) return [];
  const straight = /^(?:ich|wir) (\p{Ll}+) (.+)$/u.exec(text);
  if (straight) return ofSelf((straight[1] ?? "").toLowerCase(), straight[2] ?? "");
  const inverted = /^([^,]{2,50}?) (\p{Ll}+) (?:ich|wir)(?: (.+))?$/u.exec(text);
  if (inverted) {
    const front = inverted[1] ?? "";
    if (/^(?:hab|habe)$/.test(inverted[2] ?? "") && inverted[3] === "nicht") return [];
    const isName = /^\p{Lu}[\p{L}-]+$/u.test(front) && !/(?:s|er)$/.test(front);
    const before = isName ? front : `${front[0]?.toLowerCase()}${front.slice(1)}`;
    return ofSelf(inverted[2] ?? "", `${before} ${inverted[3] ?? ""}`.trim());
  }
  return ofPossessed(text);
}

function ofPossessed(text: string): readonly Statement[] {
  const [match, , ending = "", adjective = "", noun = "", name, verb = "", raw = ""] =
    PERSON.exec(text) ?? [];
  if (match === undefined) return [];
  const about = complementOf(raw);
  if (about === undefined || NOT_LASTING.test(`${verb} ${raw}`)) return [];
  const article = ending === "e" ? "Die" : NEUTER.test(noun) ? "Das" : "Der";
  const kind = `${adjective.replace(/[rn] $/, " ")}${noun}`;
  if (RELATION.test(noun)) {
    const called = verb === "heißt" ? /^(\p{Lu}[\p{L}-]+)/u.exec(raw)?.[1] : undefined;
    const who = name ?? called;
    const relation =
      who === undefined
        ? []
        : [entity("de", who, who, `ist ${article.toLowerCase()} ${kind} {whose}`, "relation")];
    const isVerb = /t$|^(?:sind|haben|kann|mag|war|\p{Ll}+en)$/u.test(verb);
    if (called !== undefined || !isVerb) return relation;
    const subject = who ?? `${article} ${kind} {whose}`;
    const said = entity(
      "de",
      who ?? `${kind} {whose}`,
      subject,
      `${verb} ${about}`,
      `${verb} ${headOf(about)}`,
    );
    return [...relation, said];
  }
  return name === undefined && isValue(noun, verb, raw, about)
    ? [{ ...profile("de", `${verb} ${about}`, `${noun} ${verb}`), subject: `${article} ${kind} {whose}` }]
    : [];
}

const isValue = (noun: string, verb: string, raw: string, about: string): boolean =>
  /^(?:ist|heißt|sind|beginnt|läuft|liegt|steht|kostet|hat|findet|geht|endet|fängt)$/.test(verb) &&
  /^(?:\p{Lu}|\d|am |im |in |bei |auf |um |aus |eine?n? |der |die |das |kein)/u.test(about) &&
  !PASSING_THING.test(about) &&
  !PASSING_SUBJECT.test(noun) &&
  !/(?<!\p{L})(?:kaputt|weg|leer|voll|im Eimer)(?!\p{L})/u.test(raw);
