import { entity, wish } from "../../predicates.ts";
import { complementOf } from "../../readers/german-objects.ts";
import { THIRD } from "../../readers/german-words.ts";
import { type Reading, readingsOf } from "../table.ts";
import { GERMAN_CHANGES, GERMAN_DAY, GERMAN_TOOLS } from "./changes.ts";
import { GERMAN_FRAGMENTS } from "./fragments.ts";

const { fact, taste, named, habit, form } = readingsOf("de", complementOf);

const NAME = "(?:der |die )?((?:(?:Herr|Frau|Dr\\.|Prof\\.|Oma|Opa|Tante|Onkel) ){0,2}\\p{Lu}[\\p{L}-]+)";
const I_AM = "(?:ich bin|wir sind)";
const DURABLE =
  "(?:Haus|Wohnung|Hof|Boot|Wohnwagen|Wohnmobil|Camper|Auto|Rad|Fahrrad|Lastenrad|E-Bike|Motorrad|Gitarre|Klavier|E-Piano|Geige|Cello|Kamera|Teleskop|Laptop|Handy|Hund|Welpen|Katze|Kater|Pferd|Hühner|Kleingarten|Schrebergarten|Garten|Laden|Gewächshaus|Nähmaschine|Beamer|Ferienhaus|Bauernhaus|Resthof)";

const EVENTS: readonly Reading[] = [
  fact(
    `ich (?:habe|hab) (?:mir )?(eine?n? (?:[^,]{1,20} )?${DURABLE}) (gekauft|geholt|gebaut|geerbt|gemietet|adoptiert|zugelegt)`,
    "hat sich $1 $2",
  ),
  fact(
    `wir haben (?:uns )?(eine?n? (?:[^,]{1,20} )?${DURABLE}(?: [^,]{2,25})?) (gekauft|geholt|gebaut|geerbt|gemietet|adoptiert|zugelegt)`,
    "hat sich $1 $2",
  ),
  fact(
    "ich (?:habe|hab) (?:im |vor |letztes |letzten |seit )?([^,]{0,25}?)(?:mit dem )(Rauchen|Trinken|Laufen|Fußball|Alkohol) aufgehört",
    "hat $1mit dem $2 aufgehört",
  ),
  fact(
    "ich (?:habe|hab) (?:seit )([^,]{3,25}) keine?n? ([^,]{3,30}) mehr (getrunken|geraucht|gegessen|angerührt)",
    "hat seit $1 kein $2 mehr $3",
  ),
  fact("([^,]{3,20}) (?:habe|hab) ich nie gelernt", "hat nie $1 gelernt"),
  fact("früher (?:war ich|habe ich|bin ich) ([^,]{3,60})", "war früher $1", { slot: "früher $1" }),
  fact(
    "(?:heute|inzwischen|jetzt|mittlerweile) (?:reicht mir|genügt mir) ([^,]{3,30})",
    "macht heute nur noch $1",
    { slot: "exercise", replaces: "exercise" },
  ),
  fact(
    "(?:(?:Mitte|Ende|Anfang|im|seit|vor) [^,]{2,20} )?(?:bin ich|ich bin) ((?:in Rente|in Elternzeit|in den Ruhestand|Oma|Opa|Vater|Mutter|Papa|Mama) (?:gegangen|geworden)|umgeschult|in Rente|in Elternzeit)",
    "ist $1",
  ),
];

const LIKES: readonly Reading[] = [
  taste(
    "(?:ich kann|wir können) ([^,]{3,30}) (?:nicht ausstehen|nicht leiden|nicht ab|nicht riechen|nicht sehen)",
    "mag $1 nicht",
    "$1",
    "no",
  ),
  taste(
    "([\\p{L} -]{3,30}) (?:geht|gehen) (?:bei mir |für mich )?(?:gar nicht|überhaupt nicht)",
    "mag $1 nicht",
    "$1",
    "no",
  ),
  taste(
    "([\\p{L} -]{3,30}) (?:mag|esse|trinke|vertrage|ertrage) ich (?:gar |überhaupt )?nicht",
    "mag $1 nicht",
    "$1",
    "no",
  ),
  taste(
    "(?:ich bin|wir sind) (?:ein )?(?:großer? |absoluter? |riesen ?)?Fan (?:von|vom) ([^,]{3,30})",
    "mag $1",
    "$1",
    "yes",
  ),
  taste("ich stehe (?:total |sehr |voll )?auf ([^,]{3,30})", "mag $1", "$1", "yes"),
  taste(
    "([\\p{Lu}][\\p{L} -]{2,25}) (?:ist|sind) (?:genau |total |voll )?mein (?:Ding|Fall)",
    "mag $1",
    "$1",
    "yes",
  ),
  taste(
    "([\\p{Lu}][\\p{L} -]{2,25}) (?:ist|sind) (?:gar |überhaupt |so gar )?nicht mein (?:Ding|Fall)",
    "mag $1 nicht",
    "$1",
    "no",
  ),
  fact(
    "(?:ich habe|ich hab|ich leide (?:an|unter)) ((?:eine?n? )?(?:\\p{Ll}+ )?(?:Hashimoto|\\p{L}*[Aa]llergie|\\p{L}*[Ii]ntoleranz|Asthma|Diabetes|Rheuma|Arthrose|Migräne|Legasthenie|ADHS|Epilepsie|Neurodermitis|Zöliakie|Bluthochdruck|Heuschnupfen|Tinnitus|Höhenangst|Flugangst|Platzangst|Endometriose|Gicht|Schuppenflechte|MS|Hypothyreose|Reizdarm|Skoliose|Asperger|Autismus|Depressionen)(?: Typ \\d)?( [^,]{2,25})?)",
    "hat $1",
    { slot: "hat $1" },
  ),
  fact(
    "(?:ich nehme|ich schlucke)(?: jeden \\p{L}+| morgens| abends| täglich| seit [^,]{2,15})* ((?!an\\b|ab\\b|mir\\b|den\\b|die\\b|das\\b|es\\b)\\p{Lu}[\\p{L}-]{3,20}(?: \\d+ ?mg)?)( [^,]{2,30})?",
    "nimmt $1$2",
    { slot: "nimmt $1" },
  ),
];

const HABITS: readonly Reading[] = [
  fact("ich bin (?:der|die) (\\p{Lu}\\p{Ll}{2,})", "heißt $1", { slot: "name" }),
  fact(
    "((?:Mon|Diens|Mitt|Donners|Frei|Sams|Sonn)\\p{Ll}+(?:abend|morgen|nachmittag)?s?|jeden \\p{L}+|montags|dienstags|mittwochs|donnerstags|freitags|samstags|sonntags) (?:ist|habe ich|haben wir|ist immer) (?:immer )?((?!\\p{L}+ nicht)[^,]{3,30})",
    "hat $1 $2",
    { slot: "hat $1" },
  ),
  fact(
    "((?:zum Frühstück|morgens|abends|mittags|in der Früh|zu Mittag|am Abend)) gibt es (?:bei (?:mir|uns) )?(?:immer |meistens |nur )*([^,]{3,40})",
    "nimmt $1 $2",
    { slot: "$1" },
  ),
  fact(
    "bei (?:mir|uns) gibt es ((?:immer |jeden \\p{L}+ |\\p{L}+tags |zum Frühstück |morgens |abends )+)([^,]{3,40})",
    "hat $1 $2",
  ),
  fact(
    "mir (?:ist|sind) ([^,]{3,30}?) (ein Graus|zuwider|ein Gräuel|wichtig|heilig|sehr wichtig|unheimlich)",
    "findet $1 $2",
    { slot: "attitude to $1" },
  ),
  fact("mir (?:schmeckt|schmecken) ([^,]{3,30}?) (?:gar |überhaupt )?nicht", "mag $1 nicht", {
    slot: "attitude to $1",
  }),
  fact(
    "(?:der |die )?((?:(?:Mag|Dr|Prof|Ing)\\. ?|Herr |Frau ){0,2}\\p{Lu}[\\p{L}-]+(?: \\p{Lu}[\\p{L}-]+)?) ist (?:jetzt )?(?:mein|unser)e? (?:neue[rs]? )?(\\p{Lu}\\p{Ll}+)",
    "ist $1",
    { slot: "$2", subject: "{article} $2 {whose}" },
  ),
  fact(`${I_AM} (?:bei|Kunde bei|Kundin bei) ((?:der |dem )?\\p{Lu}[^,]{1,40})`, "ist bei $1", {
    slot: "bei $1",
  }),
  fact("sonst (?:bin ich |arbeite ich )?(im Büro [^,]{2,30}|von zu Hause[^,]{0,20})", "arbeitet sonst $1"),
  fact("([\\p{Lu}][\\p{L}-]+) (?:habe ich|haben wir) (?:keine?n?|keins)", "hat kein $1", {
    slot: "number of $1",
  }),
  fact(
    "(?:ich fahre|wir fahren) (?:alles|überall hin|immer|nur|meistens|täglich)(?: [^,]{2,30}?)? (mit (?:dem|der) [^,]{2,30}|Bus|Bahn)",
    "fährt alles $1",
    { slot: "Arbeitsweg" },
  ),
  fact(
    "(?:wir|ich) (?:schauen|schaue|gucken|gucke) (?:alles )?(?:nur noch|alles|nur) ((?:auf|über|mit|per) [^,]{2,30})",
    "schaut nur noch $1",
  ),
  fact(
    "ich (?:habe|hab)(?: endlich| jetzt)? (Gleitzeit|Homeoffice|Schichtdienst|Nachtschicht|Teilzeit|eine 4-Tage-Woche|Elternzeit|Rufbereitschaft|eine unbefristete Stelle)( [^,]{2,30})?",
    "hat $1$2",
  ),
  fact("ich werde (?:im |am |nächstes |dieses )?([^,]{2,20}? )?(\\d{2})", "wird $1$2", { slot: "age" }),
  fact(
    "(?:mein Geburtstag ist|ich habe|ich hab) (?:am )?(\\d{1,2}\\. ?\\p{L}+)(?: Geburtstag)?",
    "hat am $1 Geburtstag",
    { slot: "birthday" },
  ),
  fact(
    "(?:ich komme|ich stamme)(?: ursprünglich| eigentlich)? aus ((?:der |dem )?\\p{Lu}[^,]{2,30})",
    "kommt aus $1",
    { slot: "origin" },
  ),
  fact(
    "(?:unser|mein)e?r? (?:Balkon )?(?:geht|zeigt) nach (Norden|Süden|Osten|Westen) raus( [^,]{2,30})?",
    "geht nach $1",
    { slot: "Balkon", subject: "Der Balkon {whose}" },
  ),
  fact(
    "(?:die|unsere) Kinder (?:kommen|gehen)(?: dann| jetzt| ab [^,]{2,15})? (?:auf|in) (die [^,]{3,30})",
    "gehen auf $1",
    { slot: "Schule", subject: "Die Kinder {whose}" },
  ),
];

const WORK: readonly Reading[] = [
  fact(
    `(?:(der|die|das|unsere?|meine?) )?((?:Prüfung|Präsentation|Verteidigung|Demo|Hochzeit|Klausur|Taufe|Premiere|Termin|Vorstellungsgespräch|OP|Operation|Messe|Aufführung|Umzug|Fest|Konzert)(?: (?:bei|mit|von|in|beim|der|des) [^,]{2,30})?) ist (${GERMAN_DAY})`,
    "ist $3",
    { slot: "$2", subject: "{article} $2 {whose}" },
  ),
  fact(
    `(?:die )?(?:Abgabe|Deadline|Frist)( (?:der|des|für|fürs|von|meiner|unserer) [^,]{3,30})? ist (?:am |der )?(${GERMAN_DAY})`,
    "ist am $2",
    { slot: "Abgabe$1", subject: "Die Abgabe$1 {whose}" },
  ),
  fact(
    "(Betreuer|Betreuerin|Chefin|Chef|Ansprechpartner|Ansprechpartnerin|Hausarzt|Hausärztin|Projektleiterin|Projektleiter) ist ((?:Prof\\. |Dr\\. |Herr |Frau ){0,3}\\p{Lu}[\\p{L}-]+(?: \\p{Lu}[\\p{L}-]+)?)",
    "ist $2",
    { slot: "$1", subject: "{article} $1 {whose}" },
  ),
  named(
    `${NAME} (kümmert sich ums?|leitet|macht bei uns|verantwortet|betreut|übernimmt|testet|macht) ([^,]{3,40})`,
    "$1",
    "$2 $3",
    "$2",
  ),
];

const RELATIVE =
  "(?:Oma|Opa|Mama|Papa|Mutter|Vater|Schwester|Bruder|Tochter|Sohn|Frau|Mann|Freundin|Freund|Kumpel|Schwager|Schwägerin|Nichte|Neffe|Tante|Onkel|Cousine|Cousin|Enkel|Enkelin|Nachbarin|Nachbar|Kollegin|Kollege|Kind|Schwiegermutter|Schwiegervater|Patenkind|Mitbewohner|Mitbewohnerin|Chefin|Chef|Partnerin|Partner|Hund|Hündin|Katze|Kater|Zwillinge|Kinder|Eltern|Großeltern|Bub|Mädel|Lebensgefährtin|Lebensgefährte|Verlobte|Verlobter|Schwiegersohn|Schwiegertochter|Enkerl)";

/** Predicates of relatives, with or without a name. */
const RELATIVES: readonly Reading[] = [
  {
    form: form(
      `(mein|unser)(e?) ((?:\\p{Ll}+ )?${RELATIVE})(?:,? (?:der |die )?(\\p{Lu}[\\p{L}-]+),?)? ((?:wird|werden|ist|sind|hat|haben|arbeitet|macht|geht|kommt|wohnt|lebt|studiert|spielt|fährt|zieht|heiratet|bekommt|kriegt) [^,]{2,60})`,
    ),
    make: ([, , feminine = "", kind = "", name, raw = ""]) => {
      const about = complementOf(raw);
      if (about === undefined || !LASTING.test(about) || PASSING.test(about)) return undefined;
      const subject = name ?? `${feminine === "e" ? "Die" : "Der"} ${kind} {whose}`;
      return [
        ...(name === undefined
          ? []
          : [
              entity("de", name, name, `ist ${feminine === "e" ? "die" : "der"} ${kind} {whose}`, "relation"),
            ]),
        entity(
          "de",
          name ?? `${kind} {whose}`,
          subject,
          about.replace(/ und hilft .*$/, ""),
          about.split(" ").slice(0, 2).join(" "),
        ),
      ];
    },
  },
  {
    form: form(
      `(?:meine Frau|mein Mann|meine Freundin|mein Freund) (?:hat )?(?:dort |da )?(?:eine )?(?:neue )?Stelle als (\\p{Lu}[\\p{L}-]+)(?: bekommen| hat)*`,
    ),
    make: ([said = "", trade = ""]) => {
      const kind = /(?:Frau|Mann|Freundin|Freund)/.exec(said)?.[0] ?? "";
      return entity(
        "de",
        `${kind} {whose}`,
        `${/(?:Frau|in)$/.test(kind) ? "Die" : "Der"} ${kind} {whose}`,
        `hat eine Stelle als ${trade}`,
        "ist",
      );
    },
  },
];
const LASTING =
  /^(?:wird (?:im|am|nächste|bald)? ?.*\d|(?:ist|sind) (?:\p{Lu}\p{L}+(?:er|in|or|ist|arzt|ärztin|mann|frau|ent|wirt|loge|ger|ker|cker)(?: |$)|\d+|allergisch|vegan|vegetarisch|schwanger|dement|taub|blind|pensioniert|in Rente|Rentner|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)|(?:hat|haben) (?:\p{L}+allergie|eine \p{L}+allergie|Diabetes|Demenz|Parkinson|Asthma|ADHS|MS|Alzheimer|Krebs|Rheuma|Zöliakie|am \d)|arbeitet |studiert |wohnt |lebt |geht (?:in|auf|zur) |kommt (?:in|auf|aus) (?:die|den|das)?|spielt |macht (?:eine|ihr|sein|ihre|seine) (?:Ausbildung|Abitur|Praktikum|Lehre)|zieht nach |heiratet |bekommt (?:im|ein)|kriegt (?:im|ein))/u;
const PASSING =
  /(?<!\p{L})(?:heute|gerade|morgen|gestern|nachher|gleich|krank|müde|sauer|weg|im Urlaub)(?!\p{L})/u;

/**
 * Relatives in any grammatical case, with the statement of a relative clause: "für meinen Schwager Ole, der
 * ist Imker".
 */
export function germanNamed(sentence: string) {
  return [
    ...sentence.matchAll(
      new RegExp(
        `(?<!\\p{L})([Mm]ein|[Uu]nser)(e[nmrs]?)? (?:\\p{Ll}+ )?(${RELATIVE})(?:, (?:der|die))? (\\p{Lu}[\\p{Ll}-]+)(?![\\p{L}'’])`,
        "gu",
      ),
    ),
  ].flatMap(([, , ending = "", kind = "", name = ""]) => {
    if (/^(?:Ist|Hat|Und|Oder)$/.test(name)) return [];
    const isFeminine = /(?:in|Oma|Mama|Mutter|Schwester|Tochter|Frau|Nichte|Tante|Cousine|Katze)$/.test(kind);
    return ending === "s"
      ? []
      : [entity("de", name, name, `ist ${isFeminine ? "die" : "der"} ${kind} {whose}`, "relation")];
  });
}

const WISHES: readonly Reading[] = [
  {
    form: form(
      "bitte ((?:ohne|nur|immer|keine?|mit|in|auf|möglichst|lieber) [^,]{2,40}?(?: antworten| schreiben| erklären| formulieren| halten)?)",
    ),
    make: ([, what = ""]) => wish("de", what.split(" ").slice(0, 4).join(" "), `wünscht: ${what}`),
  },
  {
    form: form(
      "(?:bitte )?((?:antworte|schreib|erkläre?|formuliere?|rede|sprich|halte?|benutze?|verwende?|duze?|sieze?|nenn)(?: (?:mir|mich|das|es|dich))?(?: bitte)? [^,]{0,30}(?:kurz|knapp|einfach\\p{L}*|Sprache|Stichpunkten|Deutsch|Englisch|Emojis|Fachbegriffe|Beispiele\\p{L}*|per Du|du|Sätze\\p{L}*|Tabellen?|locker|förmlich|metrisch\\p{L}*)[^,]{0,30})",
    ),
    make: ([, what = ""]) => wish("de", what.split(" ").slice(0, 4).join(" "), `wünscht: ${what}`),
  },
  fact("lange Sätze sind (?:für mich )([^,]{3,30})", "findet lange Sätze schwierig"),
];

const VERBAL = form(
  "(?:ich|wir) (\\p{Ll}+) ((?:\\p{L}+ ){0,3}?(?:jeden|jede|jedes|immer|täglich|meistens|nie|oft|gern|gerne|regelmäßig|seit|morgens|abends|nachts|(?:mon|diens|mitt|donners|frei|sams|sonn)\\p{Ll}*s) [^,]{3,50}|[^,]{3,50} (?:jeden|jede|täglich|immer) [^,]{2,20})",
);

export const GERMAN_READINGS: readonly Reading[] = [
  ...GERMAN_CHANGES,
  ...GERMAN_TOOLS,
  ...EVENTS,
  ...LIKES,
  ...HABITS,
  ...WORK,
  ...RELATIVES,
  ...WISHES,
  ...GERMAN_FRAGMENTS,
  habit(VERBAL, (verb) => THIRD.get(verb), PASSING),
];
