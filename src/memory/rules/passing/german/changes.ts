import { productKind } from "../../../facts/product-names.ts";
import { attitude, profile } from "../../predicates.ts";
import { complementOf } from "../../readers/german-objects.ts";
import { type Reading, readingsOf } from "../table.ts";

const { fact, form } = readingsOf("de", complementOf);

const NOW =
  "(?: (?:jetzt|nun|inzwischen|mittlerweile|seit [^,]{2,20}|ab [^,]{2,15}|nur noch|stattdessen|neuerdings|endlich|komplett))*";
export const GERMAN_DAY =
  "(?:(?:am |bis |zum |der |den |auf den |für den )?(?:\\d{1,2}\\. ?(?:\\p{Lu}\\p{Ll}+|\\d{1,2}\\.?)(?: \\d{4})?|(?:nächste[nr]? )?(?:Mon|Diens|Mitt|Donners|Frei|Sams|Sonn)\\p{Ll}+|Ende \\p{L}+|Mitte \\p{L}+|Anfang \\p{L}+)|(?:mon|diens|mitt|donners|frei|sams|sonn)\\p{Ll}*s)(?: (?:um|ab) [\\d:.∶]{1,5}(?: Uhr)?)?";
const PRODUCT =
  "(?:eine?n? |den |das |die |meine?n? )?(?:neue[nsr]? |gebrauchte[nsr]? )?([\\p{Lu}\\d][\\p{L}\\d.+#&-]*(?: [\\p{Lu}\\d][\\p{L}\\d+.-]*){0,3}?)";

const product = (source: string, verb: "hat" | "nutzt" | "fährt"): Reading => ({
  form: form(source),
  make: ([said = "", name = ""]) => {
    const kind = productKind(name);
    if (kind === undefined) return undefined;
    const isMasculine = kind === "car" || /ein(?:en|n) /.test(said);
    const article = verb === "nutzt" ? "" : isMasculine ? "einen " : "ein ";
    return { ...profile("de", `${verb} ${article}${name}`, kind), replaces: kind };
  },
});

/** Changes with a word such as "now"; the new fact replaces the known one of the same kind. */
export const GERMAN_CHANGES: readonly Reading[] = [
  fact(
    `(?:ich bin|wir sind)(?: [\\p{L}\\d]+){0,4}? (?:nach|in(?: die| den| eine)?) ((?:\\p{L}+ )?\\p{Lu}[^,]{1,40}) (?:um)?gezogen`,
    "wohnt in $1",
    { slot: "home", replaces: "home" },
  ),
  {
    form: form(
      "(?:so,? )?(?:der |unser |mein |die |unsere )?(Umzug|Umstellung|Migration|Wechsel)(?: von [^,]{2,25}?)? (?:nach|auf|zu|in die) (\\p{Lu}[\\p{L}\\d.+#-]*(?: [\\p{Lu}\\d][\\p{L}\\d.+#-]*)?) (?:ist |hat |wäre )?(?:jetzt |endlich |nun )?(?:geschafft|durch|fertig|erledigt|vorbei|geklappt|überstanden|abgeschlossen|vollbracht)",
    ),
    make: ([, what = "", to = ""]) => {
      const kind = productKind(to);
      if (kind !== undefined) return { ...profile("de", `nutzt ${to}`, kind), replaces: kind };
      return what === "Umzug"
        ? { ...profile("de", `ist nach ${to} umgezogen`, "home"), replaces: "home" }
        : profile("de", `ist auf ${to} umgestiegen`);
    },
  },
  fact(
    `(?:(?:mein|unser)e? )?(?:neues Zuhause|neue Adresse|neue Wohnung|neues Haus) ist${NOW} (in|bei|im|am) (\\p{Lu}[^,]{2,40})`,
    "wohnt $1 $2",
    { slot: "home", replaces: "home" },
  ),
  fact(
    `(?:ich wohne|wir wohnen|ich lebe|wir leben)(?: (?:jetzt|nun|inzwischen|mittlerweile|seit [^,]{2,20}?))+ (in|bei|im|am|auf) (\\p{Lu}[^,]{2,40})`,
    "wohnt $1 $2",
    { slot: "home", replaces: "home" },
  ),
  fact(
    `(?:wir sind|ich bin)(?: jetzt| nun| inzwischen)+ (in|im|auf) ((?:\\p{L}+ )?\\p{Lu}[^,]{1,40}?) (?:daheim|zu Hause|zuhause|gelandet|angekommen)`,
    "wohnt $1 $2",
    { slot: "home", replaces: "home" },
  ),
  product(
    `(?:[Nn]ach [^,]{3,40} )?(?:wird es|wird's|wirds|nehmen wir|wurde es|ist es|es wird)(?: jetzt| doch| nun)+ ${PRODUCT}`,
    "nutzt",
  ),
  fact(
    `(?:wir ziehen|ich ziehe)( [^,]{0,30}?)? (?:um, )?nach (\\p{Lu}[\\p{L}-]+)(?: um)?`,
    "zieht$1 nach $2",
  ),
  fact(
    `(?:ab|seit) ([^,]{2,20}?) (?:bin|arbeite|fange) ich(?: nicht mehr bei(?: der| dem)? [^,]{2,30}, sondern)? (bei(?: der| dem| den)?|im|in der|in einem|in einer|an der|am) ((?:\\p{Ll}+ )?\\p{Lu}[^,]{1,50}?)(?: an)?`,
    "arbeitet ab $1 $2 $3",
    { slot: "employer", replaces: "work" },
  ),
  fact(
    `ich (?:bin|arbeite)(?: jetzt| nun| inzwischen| mittlerweile)+ (bei(?: der| dem| den)?|für|als) ((?:\\p{Ll}+ )?\\p{Lu}[^,]{1,50})`,
    "arbeitet $1 $2",
    { slot: "employer", replaces: "work" },
  ),
  fact(
    `ich (?:habe (?:einen |den )?(?:neuen )?(?:Job|Vertrag|Stelle)|habe eine (?:neue )?Stelle|habe angefangen|fange(?: [^,]{2,20})?|bin gewechselt|habe gewechselt|habe unterschrieben)(?: [\\p{Ll}]+)? (bei(?: der| dem)?|zu(?:r|m)?) (\\p{Lu}[^,]{1,40}?)(?: an| unterschrieben| bekommen| gewechselt| angefangen)?`,
    "arbeitet bei $2",
    { slot: "employer", replaces: "work" },
  ),
  fact(
    `(?:mein|unser)e? (?:neue[rs]? )?(Hausarzt|Hausärztin|Arzt|Ärztin|Zahnarzt|Zahnärztin|Vermieter|Vermieterin) (?:ist|heißt)${NOW} ((?:(?:Herr|Frau|Dr\\.|Prof\\.|Doktor) ){0,3}\\p{Lu}[\\p{L}-]+)`,
    "ist $2",
    { slot: "$1", subject: "{article} $1 {whose}", replaces: "role" },
  ),
  {
    form: form(
      "(?:(?:ich|wir) (?:habe|haben) (?:mich|uns) (?:von [^,]{2,30} )?getrennt|ich bin (?:jetzt |wieder )?(?:geschieden|getrennt)|wir sind (?:nicht mehr zusammen|getrennt|auseinander)|es ist aus mit [^,]{2,30})",
    ),
    make: () => ({ ...profile("de", "hat sich getrennt", "partner"), replaces: "partner" }),
  },
  {
    form: form("ich bin (?:jetzt |wieder |nun ){1,2}(?:single|solo)"),
    make: () => ({ ...profile("de", "ist Single", "marriage"), replaces: "partner" }),
  },
  fact(
    "ich bin (?:jetzt |inzwischen )?(seit [^,]{2,20}? )?mit (\\p{Lu}\\p{L}+)(?: zusammen| verlobt| verheiratet)",
    "ist $1mit $2 zusammen",
    { slot: "partner", replaces: "partner" },
  ),
  {
    form: form(
      `(?:(seit [^,]{2,20}) (?:bin ich|sind wir|esse ich|essen wir)|ich bin|wir sind|ich esse|wir essen|ich ernähre mich|ich lebe)${NOW} (?:komplett |rein |ganz |wieder |jetzt )*(vegan|vegetarisch|pescetarisch|Fleisch)( unterwegs)?`,
    ),
    make: ([said = "", since = "", diet = ""]) => {
      if (diet === "Fleisch" && !/wieder/.test(said)) return undefined;
      const about =
        diet === "Fleisch"
          ? "isst wieder Fleisch"
          : `ernährt sich ${since === "" ? "" : `${since[0]?.toLowerCase()}${since.slice(1)} `}${diet.toLowerCase()}`;
      const isChange = /komplett|jetzt|wieder|inzwischen|seit/i.test(said);
      if (!isChange) return undefined;
      return { ...profile("de", about, "diet"), replaces: "diet" };
    },
  },
  {
    form: form(
      `(?:der Kunde|die Chefin|der Chef|sie|er|man|mein \\p{L}+|meine \\p{L}+) (?:will|möchte|braucht) (?:es|sie|ihn|das)(?: jetzt| nun)? erst (?:am |bis |zum )?(\\d{1,2}\\. ?\\p{L}+)(?: haben| sehen)?`,
    ),
    make: ([, day = ""]) => deadline("die Abgabe", day),
  },
  {
    form: form(
      `(?:die |der |das |unser |unsere |meine |mein |neue[rs]? )*(Abgabetermin|Abgabe|Deadline|Frist|Einsendeschluss|Launch|Release)(?: [^,]{2,30}?)? (?:ist|wurde|liegt|wird)(?: jetzt| nun| erst| doch)*(?: auf den| auf| am| der| bis| bis zum| zum)? (\\d{1,2}\\. ?(?:\\p{L}+|\\d{1,2}\\.?))( verschoben| verlegt| verlängert)?`,
    ),
    make: ([said = "", what = "", day = ""], { isOfChange }) => ({
      ...profile("de", `ist am ${day}`, "Abgabe"),
      subject: `${/^(?:Abgabe|Deadline|Frist)$/i.test(what) ? "Die" : "Der"} ${what} {whose}`,
      ...((isOfChange || /jetzt|nun|erst|doch|verschoben|verlegt/.test(said)) && {
        replaces: "deadline" as const,
      }),
    }),
  },
  {
    form: form(
      "bei (?:mir|uns) gibt es(?: [\\p{Ll}]+)? nur noch ([^,]{2,30})|(?:ich trinke|wir trinken|trinke)(?: jetzt| nun| morgens)*(?: nur noch| lieber| stattdessen) ([^,]{2,30})",
    ),
    make: ([said = "", one, other]) => {
      const what = complementOf(one ?? other ?? "");
      const when = /(?<!\p{L})(?:morgens|mittags|abends|zum Frühstück)(?!\p{L})/u.exec(said)?.[0] ?? "";
      if (what === undefined || !/trink|morgens|Frühstück/.test(said)) return undefined;
      const thing = what.replace(/^(?:morgens|mittags|abends) /, "");
      return {
        ...profile("de", `trinkt ${when} nur noch ${thing}`.replace(/ {2,}/g, " "), "drink"),
        replaces: "drink",
      };
    },
  },
  product(
    `(?:ich|wir) (?:habe|haben)(?: mir| uns)?(?: jetzt| endlich| gestern| nun)* ${PRODUCT} (?:geholt|gekauft|zugelegt|angeschafft|bestellt|geleast|bekommen)`,
    "hat",
  ),
  product(`(?:ich|wir) (?:fahre|fahren)(?: jetzt| nun| inzwischen)+ ${PRODUCT}`, "fährt"),
  {
    form: form(
      "([\\p{Lu}][\\p{L}\\d.+#-]*) (?:haben wir|habe ich) (?:abgeschafft|gekündigt|rausgeworfen|gelöscht|abgelöst)",
    ),
    make: ([, name = ""]) => attitude("de", `nutzt ${name} nicht mehr`, name, "no"),
  },
  product(
    `(?:bei (?:mir|uns)(?: im \\p{L}+| in der \\p{L}+)? läuft(?: jetzt| nun)? alles) (?:über|mit|auf) ${PRODUCT}`,
    "nutzt",
  ),
  {
    form: form(
      "(?:verschoben|verlegt|vorverlegt)(?: auf(?: den)?)?:? ?(?:der |den |auf den )?(\\d{1,2}\\. ?(?:\\p{Lu}\\p{Ll}+|\\d{1,2}\\.?))|(?:es |das |die \\p{L}+ |der \\p{L}+ )?(?:ist|wurde|wird)(?: jetzt| nun| doch)? (?:auf|am)(?: den)? (\\d{1,2}\\. ?\\p{L}+) (?:verschoben|verlegt|vorverlegt)",
    ),
    make: ([, one, other]) => ({
      ...profile("de", `ist am ${one ?? other}`, "neues Datum"),
      subject: "Der neue Termin {whose}",
      replaces: "date",
    }),
  },
  product(
    `(?:(?:ich|wir|das Team|die Firma) (?:bin|sind|ist|habe|haben|hat))(?: jetzt| inzwischen| endlich| komplett| alles| seit [^,]{2,15})*(?: von [^,]{2,25})? (?:auf|zu) ${PRODUCT} (?:umgestiegen|gewechselt|umgezogen|umgestellt|migriert)`,
    "nutzt",
  ),
  product(
    `(?:ich|wir) (?:nutze|nutzen|benutze|benutzen|verwende|verwenden|nehme|nehmen|arbeite mit|arbeiten mit|setze auf|setzen auf)(?: jetzt| nun| inzwischen| nur noch| stattdessen)+ ${PRODUCT}(?: statt [^,]{2,25})?`,
    "nutzt",
  ),
  product(
    `(?:ich|wir) (?:nutze|nutzen|benutze|benutzen|verwende|verwenden) ${PRODUCT} statt(?: dem| des)? [^,]{2,25}`,
    "nutzt",
  ),
  product(
    `(?:die IT|\\p{L}+ \\p{L}+) hat (?:mir|uns) ${PRODUCT} (?:draufgemacht|installiert|aufgespielt|eingerichtet)`,
    "nutzt",
  ),
  product(
    `(?:alles|das|die \\p{L}+|der \\p{L}+|unser\\p{L}* \\p{L}+) (?:läuft|liegt|ist)(?: jetzt| nun| inzwischen)+ (?:auf|bei|in|mit) ${PRODUCT}`,
    "nutzt",
  ),
  {
    form: form(
      `ich (spiele|trainiere|turne|singe|schwimme|tanze|laufe)(?: jetzt| nun)* ((?:mon|diens|mitt|donners|frei|sams|sonn)\\p{Ll}*s)(?: jetzt)? (beim|bei|im|in der) ([^,]{2,30})`,
    ),
    make: ([, verb = "", day = "", at = "", where = ""], { isOfChange }) => ({
      ...profile(
        "de",
        `${verb.replace(/e$/, "t").replace("lauft", "läuft")} ${day} ${at} ${where}`,
        "Training",
      ),
      ...(isOfChange && { replaces: "lesson" as const }),
    }),
  },
  {
    form: form(
      `((?:mein|unser|der|das|die)e? )([\\p{Lu}][\\p{L}-]+) (?:ist|findet|läuft|wurde)(?: jetzt| nun| ab sofort| künftig)* (?:auf )?(${GERMAN_DAY})(?: statt| verlegt| verschoben| jetzt)?`,
    ),
    make: ([said = "", , what = "", day = ""], { isOfChange }) =>
      /Training|Kurs|Unterricht|Chor|Probe|Stunde|Verein|Treffen|Yoga/.test(what)
        ? {
            ...profile("de", `ist ${day}`, `${what} ist`),
            subject: `${/(?:ing|eff)/.test(what) ? "Das" : "Der"} ${what} {whose}`,
            ...((isOfChange || /jetzt|nun|verlegt|verschoben/.test(said)) && { replaces: "lesson" as const }),
          }
        : undefined,
  },
];

const deadline = (subject: string, day: string) => ({
  ...profile("de", `ist am ${day}`, "Abgabe"),
  subject: `${subject[0]?.toUpperCase()}${subject.slice(1)} {whose}`,
  replaces: "deadline" as const,
});

/** Tools in use, stated without a word such as "now". */
export const GERMAN_TOOLS: readonly Reading[] = [
  {
    form: form(
      `(?:ich|wir) (?:nehme|nehmen|nutze|nutzen|benutze|benutzen|verwende|verwenden)(?: (?:im|für das|fürs) \\p{L}+)? ([\\p{Lu}][\\p{L}\\d.+#-]*) statt ([\\p{Lu}][\\p{L}\\d.+#-]*)`,
    ),
    make: ([, one = "", other = ""]) => attitude("de", `nutzt ${one} statt ${other}`, one, "yes"),
  },
  {
    form: form(
      "(?:ich|wir) (?:mache|machen|schreibe|schreiben|verwalte|verwalten|plane|planen) (?:da |damit )?(alle? (?:meine|unsere) \\p{L}+|alles) (?:in|mit|über) ([\\p{Lu}][\\p{L}\\d.+#-]*)",
    ),
    make: ([, what = "", name = ""]) =>
      productKind(name) === undefined
        ? undefined
        : profile("de", `macht ${what} in ${name}`, `macht ${what}`),
  },
];
