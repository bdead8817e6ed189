import { entity, profile, wish } from "../../predicates.ts";
import { complementOf } from "../../readers/german-objects.ts";
import { RELATION } from "../../readers/german-words.ts";
import type { Statement } from "../../rule.ts";
import { type Reading, readingsOf } from "../table.ts";
import { GERMAN_DAY } from "./changes.ts";

const { fact, form } = readingsOf("de", complementOf);

const NAME = "(?:(?:Herr|Frau|Dr\\.|Prof\\.) )*\\p{Lu}[\\p{Ll}-]+(?:-\\p{Lu}\\p{Ll}+)?";
const FEMININE =
  /(?:in|Oma|Mama|[Mm]utter|[Ss]chwester|[Tt]ochter|Frau|Nichte|Tante|Cousine|Enkelin|Katze|Jüngste|Älteste)$/u;
const MY = "(?:mein|unser)(?:e[nmrs]?)?";
const PART =
  "(?:Staging|Produktion|Prod|Backend|Frontend|Datenbank|API|App|Seite|Webseite|Website|Server|Repo|Code|Doku|Dokumentation|Wiki|Pipeline|CI|Build|Projekt|Schnittstelle|Shop|Monorepo|Daten|Backups?|Mails?|Tests?|Testumgebung|Cluster|Intranet|Newsletter|Kasse|Website)";

/** Customs at the speaker's workplace or home. */
const OURS: readonly Reading[] = [
  {
    form: form(
      "bei (?:uns|mir)(?: (?:im (?:Team|Projekt|Repo|Büro|Verein|Haus|Betrieb)|in der (?:Firma|Praxis|Familie|Schule|Abteilung|Klasse)|zu Hause|daheim))? (wird|werden|gibt es|läuft|laufen|geht|gilt|ist|heißt|kommt|liegt|steht) ([^,]{4,70}(?:, [^,]{3,30})?)",
    ),
    make: ([, verb = "", raw = ""]) => {
      const about = complementOf(raw);
      return about === undefined ||
        !/(?<!\p{L})(?:nie|immer|nur|jede\p{Ll}*|kein\p{Ll}*|alle\p{Ll}*|niemals|grundsätzlich|statt|ohne|über|auf|in|mit)(?!\p{L})/u.test(
          raw,
        )
        ? undefined
        : { ...profile("de", `${verb} ${about}`), subject: "Beim Nutzer" };
    },
  },
  {
    form: form(
      "(?:(?:unser|mein|der|die|das|dem)e? )?(?:\\p{Ll}+ )?(" +
        PART +
        ") (?:\\p{Ll}+ )?(läuft|laufen|liegt|liegen|steht|stehen|ist|wird|geht|bleibt|hostet|nutzt|verwendet) ((?:jetzt |noch |alles |lokal |komplett |bis [^,]{3,20} )?(?:bei|auf|in|mit|über|nach)(?: der| dem| einem| einer)? [\\p{Lu}\\d][^,]{1,40})",
    ),
    make: ([, noun = "", verb = "", raw = ""]) => {
      const about = complementOf(raw);
      return about === undefined || /Zeile|Fehler|Schritt|Seite \d/u.test(raw)
        ? undefined
        : { ...profile("de", `${verb} ${about}`, noun), subject: `${articleOf(noun)} ${noun} {whose}` };
    },
  },
  fact(
    "alles (?:läuft|liegt|ist|steht|geht|wird)(?: jetzt| lokal| komplett| bei uns)* ((?:in|auf|bei|über|mit|nach) [\\p{Lu}][\\p{L}\\d.+# -]{1,30})",
    "hat alles $1",
  ),
  {
    form: form(
      "(gehostet|gespeichert|gebaut|deployt|programmiert|geschrieben|getestet|bezahlt|gekocht) wird ((?:bei|in|auf|mit|über|von|nur|immer) [^,]{2,50})",
    ),
    make: ([, what = "", raw = ""]) => {
      const about = complementOf(raw);
      return about === undefined
        ? undefined
        : { ...profile("de", `wird ${about} ${what.toLowerCase()}`), subject: "Beim Nutzer" };
    },
  },
  {
    form: form(
      `(?:der |die |das )?(${NAME}) (macht|übernimmt|kümmert sich um|leitet|betreut|pflegt|verantwortet|testet|schreibt|organisiert) ((?:die |das |den |unsere?n? |ums |um die |um das |um den )?[\\p{Lu}][\\p{L} /&-]{1,40})`,
    ),
    make: ([, name = "", verb = "", raw = ""]) => about(name, verb, raw),
  },
  {
    form: form(
      `(die|das|den) ([\\p{Lu}][\\p{L}-]{2,25}) (macht|übernimmt|leitet|betreut|pflegt|schreibt) (?:der |die )?(${NAME})`,
    ),
    make: ([, article = "", what = "", verb = "", name = ""]) => about(name, verb, `${article} ${what}`),
  },
  {
    form: form(
      `(?:(der|die|das|unser|unsere|mein|meine) )?([\\p{Lu}][\\p{L}-]{2,30}(?: (?:beim|bei der|der|des|in|mit|für) [\\p{Lu}]?[\\p{L} ]{2,25})?)(?: (?:ist|findet|wäre))?(?: jetzt| nun)? (?:am|ist der|ist am|auf den|auf dem|:|ist) ?((?:den )?${GERMAN_DAY})(?: statt)?`,
    ),
    make: ([, article = "", noun = "", day = ""]) => {
      if (/^(?:Heute|Morgen|Gestern|Ich|Er|Sie|Es|Wir|Das|Termin|Uhr|Seite|Tag|Geburtstag)$/u.test(noun))
        return undefined;
      const which = /^(?:der|die|das)$/.test(article)
        ? `${article[0]?.toUpperCase()}${article.slice(1)}`
        : articleOf(noun.split(" ")[0] ?? "");
      return {
        ...profile("de", `ist am ${day.replace(/^(?:am|der|den|auf den) /, "")}`, noun),
        subject: `${which} ${noun} {whose}`,
      };
    },
  },
];

function articleOf(noun: string): string {
  if (
    /(?:ung|ion|schaft|heit|keit|tät|API|CI|App|Seite|Website|Webseite|Doku|Datenbank|Pipeline|Kasse|Prüfung|Klausur|Hochzeit|Abgabe|Premiere|Vernissage|Feier|Reise|Messe|Taufe|Probe|Sitzung|Schnittstelle|Deadline|Party|OP)$/u.test(
      noun,
    )
  )
    return "Die";
  if (/(?:Daten|Backups|Mails|Tests|Logs)$/u.test(noun)) return "Die";
  return /(?:Repo|Backend|Frontend|Wiki|Staging|Projekt|Intranet|Konzert|Fest|gespräch|Treffen|Turnier|Examen)$/u.test(
    noun,
  )
    ? "Das"
    : "Der";
}

function about(name: string, verb: string, raw: string): Statement | undefined {
  const what = complementOf(raw);
  return what === undefined ||
    /^(?:Ich|Wir|Er|Sie|Es|Das|Wer|Was|Man|Alle|Niemand|Keiner|Heute|Jetzt)$/u.test(name)
    ? undefined
    : entity("de", name, name, `${verb} ${what}`, verb);
}

const SELF: readonly Reading[] = [
  fact(
    "(?:ich bin |ich )?(geboren|aufgewachsen|groß geworden) ((?:bin ich )?(?:in|im|auf) [^,]{2,30})",
    "ist $2 $1",
  ),
  fact(
    "(?:(mit \\d{1,2}|(?:19|20)\\d\\d|letztes Jahr|vor \\p{L}+ Jahren|im \\p{Lu}\\p{L}+) )?(?:wurde|ist) bei mir ([^,]{3,40}) (?:festgestellt|diagnostiziert|entdeckt)(?: worden)?",
    "hat die Diagnose $2 $1",
  ),
  fact(
    "bei mir wurde (?:(mit \\d{1,2}|vor \\p{L}+ Jahren) )?([^,]{3,40}) (?:festgestellt|diagnostiziert|entdeckt)",
    "hat die Diagnose $2 $1",
  ),
  fact("(?:ich bin|wir sind) (halb [\\p{Lu}]\\p{L}+(?:,? (?:und )?halb \\p{Lu}\\p{L}+)?)", "ist $1"),
  fact("(?:ich bin|bin) ([\\p{Lu}][\\p{L}\\d-]{4,}(?:-\\p{Lu}\\p{Ll}+)?)", "ist $1"),
  fact(
    "wir sind (?:insgesamt )?(zu (?:zweit|dritt|viert|fünft|sechst|siebt|acht)(?: im (?:Haushalt|Team|Haus))?)",
    "ist $1",
    {
      slot: "zu wievielt",
    },
  ),
  fact(
    "(?:aber )?(?:alle|meine Freunde|Freunde|die meisten|Kollegen|meine Kollegen) (?:sagen|nennen mich|rufen mich)(?: nur)? (\\p{Lu}\\p{Ll}+)(?: zu mir)?",
    "wird $1 genannt",
    {
      slot: "Spitzname",
    },
  ),
  fact(
    `(?:(?:ich|wir) (?:muss|müssen|soll|sollen) (?:die |das |den |meine?n? )?([^,]{3,40}?)) ((?:bis|am|zum) (?:zum |den |am )?${GERMAN_DAY}) (abgeben|einreichen|liefern|fertig haben|fertigstellen|schicken|vorlegen)`,
    "muss $1 $2 $3",
    {
      slot: "$1 $3",
    },
  ),
  fact(
    `((?:die |das |den |meine?n? )?[\\p{Lu}][^,]{2,30}?) (?:muss|müssen|soll|sollen) (?:ich|wir) ((?:bis|am|zum) (?:zum |den |am )?${GERMAN_DAY}) (abgeben|einreichen|liefern|fertig haben|fertigstellen|schicken|vorlegen)`,
    "muss $1 $2 $3",
    {
      slot: "$1 $3",
    },
  ),
  fact(
    "(?:ich|wir) (?:schreibe|schreiben|programmiere|programmieren|mache|machen|entwickle|entwickeln) alles (?:nur )?in (\\p{Lu}[\\p{L}+#]+)(?:,? kein (\\p{Lu}[\\p{L}+#]+)[^,]{0,20})?",
    "schreibt alles in $1",
  ),
  fact("(?:ich|wir) (?:rücke|rücken) (?:[^,]{0,25} )?mit ([^,]{3,20}) ein", "rückt mit $1 ein"),
  fact(
    "heute (spiele|trinke|esse|fahre|mache|jogge|rauche|lese) ich nur noch ([^,]{3,40})",
    "macht heute nur noch $2",
  ),
  fact(
    "(?:ich )?habe? mir (?:[^,]{2,30} )?((?:die|das|den|einen?|eine) (?:\\p{L}*[Ss]ehne|Kreuzband|\\p{L}*band|Meniskus|Arm|Bein|Schulter|Handgelenk|Knöchel|Hand|Rippe|Schlüsselbein)) (gerissen|gebrochen|verletzt)",
    "hat sich $1 $2",
  ),
  fact(
    "(?:ich habe|habe ich|hab ich) (?:mir )?(?:auch )?((?:eine?n?|zwei|drei|\\d+) [^,]{3,40}? (?:namens|mit Namen|und eine?n? [^,]{3,20} namens) \\p{Lu}\\p{Ll}+)",
    "hat $1",
  ),
];

/** People named in sentence fragments, and the youngest or eldest of several. */
const PEOPLE: readonly Reading[] = [
  {
    form: form(
      "(?:der|die|unser|unsere|mein|meine) (jüngste|älteste|kleine|große|mittlere|zweite|Jüngste|Älteste|Kleine|Große|Jüngster|Ältester|Kleiner|Großer)r? (?:heißt|heisst) (\\p{Lu}\\p{Ll}+)(?: (?:und|ist) [^,]{2,30})?",
    ),
    make: ([said = "", which = "", name = ""]) => {
      const base = which.replace(/r$/, "");
      const article = /^(?:die|unsere|meine) /i.test(said) ? "die" : "der";
      return entity(
        "de",
        name,
        name,
        `ist ${article} ${base[0]?.toUpperCase()}${base.slice(1)} {whose}`,
        "relation",
      );
    },
  },
  {
    form: form(
      `${MY} ((?:\\p{Ll}+ )?\\p{Lu}\\p{Ll}+)(?: (\\p{Lu}[\\p{Ll}-]+))? (stottert|schnarcht|raucht|humpelt|reitet|rudert|boxt|studiert|arbeitet nicht|schielt|pubertiert|zahnt|imkert|angelt|jagt|malt|töpfert|klettert)`,
    ),
    make: ([, kind = "", name, verb = ""]) =>
      RELATION.test(kind) || /(?:Jüngste|Älteste|Kleine|Große)r?$/u.test(kind)
        ? person(kind, name, verb)
        : undefined,
  },
  {
    form: form(
      `${MY} ((?:\\p{Ll}+ )?\\p{Lu}\\p{Ll}+)(?: (\\p{Lu}[\\p{Ll}-]+))? ((?:ist|hat|macht|geht|spielt|wohnt|lebt|arbeitet|rudert|lernt|studiert|trainiert|fährt|wird|kommt|heiratet|sitzt|besucht) (?:jetzt |nun |inzwischen |mittlerweile |seit [^,]{2,20} )*[^,]{2,70})`,
    ),
    make: ([, kind = "", name, raw = ""]) => {
      const what = complementOf(raw);
      return what === undefined || !RELATION.test(kind) || !LIFE.test(raw)
        ? undefined
        : person(kind, name, what);
    },
  },
];
const LIFE =
  /(?:gezogen|gekündigt|eröffnet|abgebrochen|angefangen|gewechselt|geheiratet|bekommen|verlassen|aufgehört|aufgegeben|geworden|gestorben|verstorben|umgestiegen|ausgewandert|eingeschult|befördert)|(?:ist|wird) (?:jetzt |nun |inzwischen |mittlerweile )*(?:\p{Lu}\p{Ll}+(?:er|erin|in|ist|istin|mann|frau|wart|kraft)|in der|im|bei|in Rente|in einem|am) ?|geht (?:jetzt |nun )*(?:in|auf|ins|zum|zur)|(?:spielt|lernt|macht|rudert|trainiert|fährt|studiert|wohnt|lebt|arbeitet|besucht) (?:jetzt|nun|inzwischen|mittlerweile|lieber|eine)/u;

const person = (kind: string, name: string | undefined, about: string): readonly Statement[] => {
  const article = FEMININE.test(kind) ? "die" : "der";
  const said = entity(
    "de",
    name ?? `${kind} {whose}`,
    name ?? `${article === "die" ? "Die" : "Der"} ${kind} {whose}`,
    about,
    about.split(" ")[0],
  );
  return name === undefined
    ? [said]
    : [entity("de", name, name, `ist ${article} ${kind} {whose}`, "relation"), said];
};

const WISHES: readonly Reading[] = [
  {
    form: form(
      "(?:bitte )?((?:schreib|antworte|nutze|verwende|benutze|nenn|sag|erkläre?|übersetze|rechne|formatiere|nimm)(?: (?:mir|mich|bitte))* (?:immer|künftig|in Zukunft|ab jetzt|ab sofort|nie|niemals|grundsätzlich|stets) [^,]{3,60})",
    ),
    make: ([, what = ""]) => wish("de", what.split(" ").slice(0, 4).join(" "), `wünscht: ${what}`),
  },
  {
    form: form("(?:bitte )?((?:duz|siez)e? mich(?: bitte)?(?: und [^,]{3,30})?|fass dich (?:bitte )?kurz)"),
    make: ([, what = ""]) => wish("de", what.split(" ").slice(0, 3).join(" "), `wünscht: ${what}`),
  },
];

export const GERMAN_FRAGMENTS: readonly Reading[] = [...PEOPLE, ...SELF, ...OURS, ...WISHES];

const NO_ROLE =
  /(?:Kind|Beispiel|Ergebnis|Baby|Teenager|Jugendliche\p{Ll}*|Anfänger\p{Ll}*|Leser\p{Ll}*|Test|Witz|Folge|Erstes|Nächstes|Letztes|Hobby|Geschenk|Ganzes|Nachtisch|Beilage|Option|Alternative|Antwort|Idee|Text|Pirat|Figur|KI|Nutzer|Nutzerin|Benutzer|Kunde|Kundin|Besucher|Admin)$/u;

/** Roles that a message mentions in passing: "Als Krankenschwester sehe ich …", "ich als Vegetarierin". */
export function germanRoles(message: string): readonly Statement[] {
  return [
    ...message.matchAll(
      /(?<!\p{L})(?:Als (?:\p{Ll}+(?:e[rn]?) )?(\p{Lu}[\p{L}-]{3,})(?: (?:in|im|bei|an der|am) \p{Lu}[\p{L}-]+)? (?!möchte|will|wollen|würde|brauche|kann|könnte|wünsche|soll)\p{Ll}+ (?:ich|wir)(?!\p{L})|[Ii]ch als (\p{Lu}[\p{L}-]{3,}))/gu,
    ),
  ].flatMap(([, front, behind]) => {
    const role = front ?? behind ?? "";
    return NO_ROLE.test(role) ? [] : [{ ...profile("de", `ist ${role}`), language: "de" as const }];
  });
}
