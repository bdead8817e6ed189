import { attitude, entity, furtherStatements, profile, wish, wordTable } from "./predicates.ts";
import type { Rule, Statement } from "./rule.ts";

/** Stems of verbs in the first person, each with its third person. */
const VERBS = wordTable(
  "wohn=wohnt, leb=lebt, arbeit=arbeitet, trink=trinkt, ess=isst, benutz=benutzt, nutz=nutzt, " +
    "verwend=verwendet, spiel=spielt, lern=lernt, sprech=spricht, studier=studiert, lieb=liebt, " +
    "hass=hasst, bevorzug=bevorzugt, fahr=fährt, rauch=raucht, koch=kocht, sammel=sammelt, " +
    "unterricht=unterrichtet, veröffentlich=veröffentlicht, deploy=deployt, vertrag=verträgt, " +
    "jogg=joggt, sammle=sammelt, reit=reitet, mal=malt, back=backt, entwickl=entwickelt, leit=leitet, " +
    "heiß=heißt, komm=kommt, mag=mag, mög=mag, hab=hat",
);
const STEMS = Object.keys(VERBS).join("|");
/** First-person forms of a stem: "ich wohne", "wir wohnen", "ich mag". */
const VERB = `(${STEMS})(?:e|en|)`;
const WHO = "(?:ich|wir)";
const FRONT =
  "(?:jetzt|nun|seit [\\p{L}\\d ]{2,20}|derzeit|momentan|aktuell|inzwischen|mittlerweile|am liebsten|normalerweise|meistens|immer|jeden \\p{L}+|\\p{L}+tags|beruflich|privat|nebenbei|zu Hause|übrigens|seitdem)";
const REST = String.raw`([^,;:!?()\n—…]{2,110})`;
/** Pronouns and adverbs that refer to another sentence. */
const POINTING =
  /(?<!\p{L})(?:du|dir|dich|dein(?:e[mnrs]?)?|ihr(?:e[mnrs]?)?|ihnen|er|ihn|ihm|es|das|dies(?:e[mnrs]?)?|jene[mnrs]?|hier|dort|da|so|was|wie|welche\p{L}*|dass|mir|mich|mein(?:e[mnrs]?)?|unser(?:e[mnrs]?)?|unsr\p{L}*|sowas|etwas|nichts|alles|sie|dafür|damit|darauf|davon)(?!\p{L})/iu;
/** Words of wishes, conditions and guesses, and of the past. */
const UNREAL =
  /(?<!\p{L})(?:wenn|falls|würde\p{L}*|hätte\p{L}*|wäre\p{L}*|könnte\p{L}*|vielleicht|möglicherweise|wahrscheinlich|früher|damals|angenommen|fast|beinahe|ob|möchte\p{L}*|sollte\p{L}*)(?!\p{L})|\?\s*$/iu;

const LEADING =
  /^(?:nicht mehr|jetzt|nun|immer|nie|niemals|gern|gerne|ungern|lieber|am liebsten|viel|zu viel|oft|meistens|sehr|nur|noch|auch|inzwischen|seit [\p{L}\d]+(?: Jahren| Monaten)?|morgens|mittags|abends|nachts|\p{L}+tags|(?:am|jeden) \p{Lu}\p{Ll}+|kein\p{L}{0,2}|ein\p{L}{0,2}|den|die|das|der|dem|gerade|täglich|wieder|grünen?|schwarzen?)\s+/iu;
const TRAILING =
  / (?:mehr|nicht mehr|nicht|sehr|als|statt|anstatt|anstelle|seit|für|in|im|auf|mit|ohne|gern|gerne|um|am|bei)(?: .*)?$/iu;

/** The thing in an object, without article, quantity and circumstances. */
function thingOf(object: string): string {
  let thing = object;
  while (LEADING.test(thing)) thing = thing.replace(LEADING, "");
  thing = thing.replace(TRAILING, "");
  return thing.split(" ").slice(0, 3).join(" ") || object;
}

function objectOf(raw: string): string | undefined {
  const object = raw
    .replace(/ (?:mit|von|bei|für) (?:mein|unser)\p{L}* .*$/u, "")
    .replace(/[.\s]+$/, "")
    .replace(/ (?:zurzeit|im Moment|übrigens)$/i, "")
    .trim();
  // an article or an amount before a noun is no reference to another sentence
  const plain = object.replace(/(?<!\p{L})(?:das|etwas) (?=\p{Lu})/gu, "");
  return object.length < 2 || POINTING.test(plain) || object.split(" ").length > 12 ? undefined : object;
}

const TASTE = /^(?:trink|ess|benutz|nutz|verwend|lieb|hass|bevorzug|mag|mög|rauch|vertrag)$/;
const NEGATED = /(?<!\p{L})(?:kein\p{L}{0,2}|nicht|nie|niemals|ungern)(?!\p{L})/iu;

function stated(stem: string, raw: string): Statement | readonly Statement[] | undefined {
  const object = objectOf(raw);
  const verb = VERBS[stem];
  if (object === undefined || verb === undefined) return undefined;
  if (stem === "hab") return owned(object);
  if (stem === "heiß") return profile("de", `heißt ${object}`, "name");
  if (stem === "komm")
    return /^(?:ursprünglich )?aus \p{Lu}/u.test(object)
      ? profile("de", `kommt ${object}`, "origin")
      : undefined;
  const about = `${verb} ${object}`;
  const chosen = choice(stem, verb, object);
  if (chosen !== undefined) return chosen;
  if (TASTE.test(stem)) {
    const isNo = NEGATED.test(object) || stem === "hass";
    return attitude("de", about, thingOf(object), isNo ? "no" : "yes");
  }
  if (stem === "wohn" || stem === "leb") return home(about, object);
  if (stem === "arbeit") return profile("de", about, workSlot(object));
  if (stem === "fahr" && /^(?:\p{Ll}+ )?eine?n? (?:\p{Ll}+ )?[\p{Lu}\d]/u.test(object))
    return profile("de", about, "Auto ist");
  return profile("de", about, `${verb} ${thingOf(object)}`);
}

const workSlot = (object: string): string => {
  if (/(?:Teilzeit|Vollzeit)/.test(object)) return "Arbeitszeit";
  if (/^(?:\p{L}+ )?als /u.test(object)) return "job";
  const isAt = /(?:^| )(?:bei|für|in|im|an)(?: der| dem| den| einer?| einem)? \p{Lu}/u.test(object);
  return isAt ? "employer" : `arbeitet ${object.split(" ")[0]}`;
};

const home = (about: string, object: string): Statement | undefined =>
  /(?<!\p{L})(?:in|im|am|auf|bei|nahe) (?:der |dem |den )?\p{Lu}/u.test(object)
    ? profile("de", about, /(?:nicht|kein)/.test(object) ? undefined : "home")
    : undefined;

/** Statements from "X statt Y" and "lieber X als Y"; undefined for other objects. */
function choice(stem: string, verb: string, object: string): Statement | readonly Statement[] | undefined {
  const instead =
    /^(?:jetzt |nun |inzwischen )?(\S+(?: \p{Lu}\S*)?) (?:statt|anstatt|anstelle von) (\S+)$/u.exec(object);
  if (instead && /^(?:benutz|nutz|verwend)$/.test(stem))
    return replaced(instead[2], instead[1] ?? "", verb, /^(?:jetzt|nun|inzwischen) /.test(object));
  const [, one, other] =
    /^(?:jetzt )?lieber (\S+(?: \p{Lu}\S+)?) als (\S+(?: \p{Lu}\S+)?)$/u.exec(object) ?? [];
  if (one === undefined || other === undefined) return undefined;
  const topic = [one, other].sort().join(" oder ");
  return { language: "de", category: "preferences", topic, about: `${verb} ${object}`, slot: "choice" };
}

function replaced(from: string | undefined, to: string, verb: string, isNew: boolean): readonly Statement[] {
  const now = attitude("de", from ? `${verb} ${to} statt ${from}` : `${verb} ${to}`, to, "yes");
  return from && isNew ? [now, attitude("de", `${verb} ${from} nicht mehr`, from, "no")] : [now];
}

const COUNTED =
  "Kind|Kinder|Sohn|Söhne|Tochter|Töchter|Bruder|Brüder|Schwestern?|Katzen?|Hunde?|Kater|Pferde?|Kaninchen|Haustiere?|Enkel|Geschwister";

function owned(object: string): Statement | undefined {
  if (/^am \d{1,2}\. ?(?:\p{L}+|\d{1,2}\.) Geburtstag$/u.test(object))
    return profile("de", `hat ${object}`, "birthday");
  const ill = /^(?:eine? )?(\p{L}+(?:allergie|intoleranz|krankheit)|Asthma|Diabetes|Migräne|Zöliakie)$/u.exec(
    object,
  );
  if (ill) return profile("de", `hat ${object}`);
  const has = new RegExp(
    `^((?:ein|eine|einen|zwei|drei|vier|fünf|\\d+) (?:\\p{Ll}+ )?(${COUNTED}))(?: namens \\p{Lu}\\p{L}+)?$`,
    "u",
  ).exec(object);
  return has ? profile("de", `hat ${object}`, `number of ${has[2]}`) : undefined;
}

const RELATIONS = wordTable(
  "Frau=die, Mann=der, Partner=der, Partnerin=die, Freundin=die, Freund=der, Mutter=die, Mama=die, " +
    "Vater=der, Papa=der, Bruder=der, Schwester=die, Sohn=der, Tochter=die, Oma=die, Opa=der, " +
    "Tante=die, Onkel=der, Cousin=der, Cousine=die, Kollege=der, Kollegin=die, Chef=der, Chefin=die, " +
    "Vorgesetzter=der, Vorgesetzte=die, Ärztin=die, Arzt=der, Hausarzt=der, Zahnarzt=der, Nachbar=der, " +
    "Nachbarin=die, Hund=der, Katze=die, Kater=der, Lehrerin=die, Lehrer=der, Vermieter=der, " +
    "Vermieterin=die, Betreuer=der, Betreuerin=die",
);
/**
 * Relations of which a person has one at a time, with a slot that is the same for all genders: a new bearer
 * supersedes the previous one.
 */
const UNIQUE = wordTable(
  "Frau=Partner, Mann=Partner, Partner=Partner, Partnerin=Partner, Chef=Chef, Chefin=Chef, " +
    "Vorgesetzter=Chef, Vorgesetzte=Chef, Mutter=Mutter, Vater=Vater, Hausarzt=Arzt, Arzt=Arzt, " +
    "Ärztin=Arzt, Zahnarzt=Zahnarzt, Vermieter=Vermieter, Vermieterin=Vermieter",
);
const RELATION = Object.keys(RELATIONS)
  .sort((a, b) => b.length - a.length)
  .join("|");
const PERSON = String.raw`((?:(?:Herr|Frau|Dr\.|Prof\.) ){0,3}\p{Lu}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'-]+){0,2})`;
const IS_A_JOB =
  /^(?:Arzt|Ärztin|Koch|Köchin|Bauer|Wirt|Wirtin|Pilot|Polizist)$|^\p{Lu}\p{Ll}+(?:er|erin|ist|istin|arzt|ärztin|mann|frau|ent|entin|eur|eurin|or|orin|wirt|wirtin|loge|login)(?: |$)/u;

/** A statement of a relative's profession, with its place if one follows. */
function job(relation: string, what: string, more: string): Statement {
  const where = /^ (?:in|bei|an|am|im) [^,;!?]{2,40}$/.test(more) && !POINTING.test(more) ? more : "";
  const subject = `${capital(RELATIONS[relation] ?? "")} ${relation} {whose}`;
  return entity("de", `${relation} {whose}`, subject, `ist ${what}${where.replace(/\.$/, "")}`, "ist");
}

const GOING_ON = / und (?=(?:ist|wohnt|lebt|arbeitet|hat|studiert|spielt) )/;

function relative(relation: string, name: string): Statement {
  const article = RELATIONS[relation] ?? "";
  const role = UNIQUE[relation];
  // a person has one bearer of this role at a time: the next one supersedes the previous one
  return role === undefined
    ? entity("de", name, name, `ist ${article} ${relation} {whose}`, "relation")
    : { ...profile("de", `ist ${name}`, role), subject: `${capital(article)} ${relation} {whose}` };
}

const capital = (word: string): string => `${word[0]?.toUpperCase()}${word.slice(1)}`;

/** Things with their articles. */
const THINGS = wordTable(
  "Server=der, Testserver=der, Datenbank=die, Backend=das, Frontend=das, Team=das, Release=das, " +
    "Büro=das, Firma=die, Projekt=das, Repository=das, Repo=das, Website=die, API=die, Wohnung=die, " +
    "Haus=das, Auto=das, Geburtstag=der, Adresse=die, Telefonnummer=die, Zeitzone=die, Hobby=das, " +
    "Beruf=der, Besprechung=die, Abgabe=die, Deadline=die, Stand=der, Editor=der, Rechner=der, " +
    "Laptop=der, Name=der",
);
const THING = Object.keys(THINGS)
  .sort((a, b) => b.length - a.length)
  .join("|");
const PASSING =
  /^(?:heute|momentan|im Moment|kaputt|langsam|weg|fertig|leer|voll|tot|grün|rot|offline|gut|schlecht|super|toll|nicht|zu|sehr|schon|gerade|immer noch|wieder)(?!\p{L})/u;

const on = (pattern: string, make: Rule["make"], flags = "u"): Rule => ({
  pattern: new RegExp(pattern, flags),
  make: (match) => (UNREAL.test(match.input) ? undefined : make(match)),
});
const START = "(?:^|(?:^|[,.:] |(?<!\\p{L})und )(?:aber |also |ja,? |nein,? |hallo,? |übrigens,? )?)";

/** Rules for statements of German speakers about themselves and about people and things they name. */
export const GERMAN: readonly Rule[] = [
  on(`${START}${WHO} ${VERB} ${REST}`, ([, stem = "", rest = ""]) => stated(stem.toLowerCase(), rest), "iu"),
  on(
    `^(${FRONT}) ${VERB} ${WHO} ${REST}`,
    ([, front = "", stem = "", rest = ""]) =>
      stated(
        stem.toLowerCase(),
        /^(?:am liebsten|immer|jed|seit|\p{L}+tags)/iu.test(front)
          ? `${front[0]?.toLowerCase()}${front.slice(1)} ${rest}`
          : rest,
      ),
    "iu",
  ),
  on(
    `${START}[Ii]ch bin (?:von Beruf |ein |eine |gelernte[rs]? )?(\\p{Lu}\\p{Ll}{3,}(?:er|erin|in|ist|istin|arzt|ärztin|mann|frau|ent|entin|eur|eurin|or|orin|loge|login))(?![\\p{L}-])(?! (?:von|für|der|mehr)\\b)([^,;!?()\\n]{0,50})`,
    ([, what = "", more = ""]) =>
      profile(
        "de",
        `ist ${what}${/^ (?:bei|in|am|an|im|aus) /.test(more) && !POINTING.test(more) ? more.replace(/\.$/, "") : ""}`,
        beingOf(what),
      ),
    "u",
  ),
  on(
    `${START}ich bin (?:jetzt )?(verheiratet|ledig|geschieden|verlobt|verwitwet|Single|laktoseintolerant|glutenintolerant|schwanger|Linkshänder(?:in)?|farbenblind|Diabetiker(?:in)?)`,
    ([, what = ""]) =>
      profile("de", `ist ${what}`, /^(?:ver|led|gesch|single)/i.test(what) ? "marriage" : undefined),
    "iu",
  ),
  on(
    `${START}ich (?:bin|reagiere) (?:sehr |stark )?allergisch (?:gegen|auf) ([^,;!?()\\n]{2,60})`,
    ([, what = ""]) => {
      const object = objectOf(what);
      return object === undefined ? undefined : profile("de", `ist allergisch gegen ${object}`);
    },
    "iu",
  ),
  on(`${START}ich bin (\\d{1,2}) Jahre alt`, ([, age]) => profile("de", `ist ${age} Jahre alt`, "age"), "iu"),
  on(
    `${START}(?:[Ii]ch bin|[Ww]ir sind) (?:\\p{L}+ ){0,2}?nach (\\p{Lu}\\p{L}+(?: \\p{Lu}\\p{L}+)?) (?:um)?gezogen`,
    ([, place]) => profile("de", `ist nach ${place} gezogen`, "home"),
    "u",
  ),
  on(
    `${START}(?:[Ii]ch bin|[Ww]ir sind) von (\\S+) (?:auf|zu) (\\S+) (?:umgestiegen|gewechselt|umgezogen)`,
    ([, from, to = ""]) => replaced(from, to, "benutzt", true),
    "u",
  ),
  on(
    `${START}(?:nennt?|sag) mich (?:bitte |einfach )*(\\p{Lu}\\p{L}+)`,
    ([, name]) => profile("de", `möchte ${name} genannt werden`, "called"),
    "iu",
  ),
  on(`${START}mein Name ist ${PERSON}`, ([, name]) => profile("de", `heißt ${name}`, "name"), "iu"),
  on(
    `${START}[Mm]eine? Lieblings(\\p{Ll}+) (?:ist|sind) ([^,;!?()\\n]{2,60})`,
    ([, kind = "", what = ""]) => {
      const object = objectOf(what);
      return object === undefined
        ? undefined
        : {
            language: "de",
            category: "preferences",
            topic: `Lieblings${kind}`,
            about: `hat als Lieblings${kind} ${object}`,
            slot: "favourite",
          };
    },
  ),
  on(
    `(?<!\\p{L})(?:[Mm]ein|[Mm]eine|[Uu]nser|[Uu]nsere) (?:neue[rs]? |ältere[rs]? |jüngere[rs]? |kleine[rs]? |große[rs]? )?(${RELATION}) (heißt|ist)(?: jetzt)? ${PERSON}(?![\\p{L}])([^,;!?()\\n]{0,60})`,
    ([, relation = "", verb = "", name = "", more = ""]) => {
      // "mein Bruder ist Tischler" does not name the brother
      if (verb === "ist" && IS_A_JOB.test(name)) return job(relation, name, more);
      if (verb === "ist" && UNIQUE[relation] === undefined) return undefined;
      const [, ...parts] = ` ${more}`.split(GOING_ON);
      return [relative(relation, name), ...furtherStatements("de", name, parts, objectOf)];
    },
  ),
  on(
    `(?<!\\p{L})(?:[Mm]ein|[Mm]eine|[Uu]nser|[Uu]nsere) (?:neue[rs]? |ältere[rs]? |jüngere[rs]? |kleine[rs]? |große[rs]? )?(${RELATION})(?: (\\p{Lu}\\p{L}+))? ((?:wohnt|lebt|arbeitet|studiert|spielt|mag|isst|ist (?:\\d+|[a-zäöü]{3,12} Jahre|allergisch|schwanger|\\p{Lu}\\p{L}+(?:in|er)(?!\\p{L})))[^,;!?()\\n]{0,80})`,
    ([, relation = "", name, about = ""]) => {
      const object = objectOf(about);
      const subject = name ?? `${capital(RELATIONS[relation] ?? "")} ${relation} {whose}`;
      return object === undefined
        ? undefined
        : entity("de", name ?? `${relation} {whose}`, subject, object, object.split(" ")[0]);
    },
  ),
  on(
    `(?:[Mm]eine|[Uu]nsere) (Kinder|Söhne|Töchter|Katzen|Hunde|Eltern|Brüder|Schwestern|Geschwister|Kater) (heißen|sind) (\\p{Lu}\\p{L}+(?:, \\p{Lu}\\p{L}+)* und \\p{Lu}\\p{L}+)`,
    ([, who = "", , names = ""]) => ({
      ...profile("de", `heißen ${names}`, `names of ${who}`),
      subject: `Die ${who} {whose}`,
    }),
  ),
  on(
    `(?<!\\p{L})([Mm]eine?|[Uu]nsere?) (${THING}) ((?:ist|liegt|läuft|steht|befindet sich|trifft sich|hat|findet)(?: jetzt)? [^,;!?()\\n]{2,80})`,
    ([, whose = "", name = "", about = ""]) => {
      const object = objectOf(about.replace(/ jetzt(?= )/, ""));
      if (object === undefined || PASSING.test(object.replace(/^\S+ /, ""))) return undefined;
      const subject = `${capital(THINGS[name] ?? "")} ${name} {whose}`;
      const slot = `${name} ${object.split(" ")[0]}`;
      return /^m/i.test(whose)
        ? { ...profile("de", object, slot), subject }
        : entity("de", name, subject, object, slot);
    },
  ),
  on(
    `^(?:[Bb]itte )?(?:[Mm]erk(?:e)? dir|[Dd]enk(?:e)? (?:bitte )?daran|[Vv]ergiss nicht|[Bb]ehalte im Kopf)(?: bitte)?, dass ([^?\\n]{8,200})`,
    ([, what = ""]) => {
      const kept = what.replace(/[.!]+$/, "");
      return entity(
        "de",
        kept
          .replace(/^(?:der|die|das|mein\p{L}*|unser\p{L}*|wir|ich) /iu, "")
          .split(" ")
          .slice(0, 3)
          .join(" "),
        "{Teller}",
        `bittet, sich zu merken, dass ${kept}`,
      );
    },
  ),
  on(
    `^(?:[Bb]itte )?((?:[Aa]ntworte?|[Ss]chreibe?|[Ee]rkläre?)(?: mir)?(?: bitte)?(?: immer| nur| ab jetzt| von jetzt an)? (?:auf (?:Deutsch|Englisch|Französisch)|kurz|in [^.!?\\n]{3,40})[^.!?\\n]{0,40}|(?:[Ii]mmer|[Nn]ie(?:mals)?|[Vv]on jetzt an|[Aa]b jetzt|[Ii]n Zukunft) [^.!?\\n]{6,120})`,
    ([, what = ""]) =>
      /^immer (?:noch|mehr|wenn|wieder|dieses?)/i.test(what)
        ? undefined
        : wish(
            "de",
            what
              .replace(/^(?:immer|nie|bitte) /i, "")
              .split(" ")
              .slice(0, 4)
              .join(" ")
              .slice(0, 40),
            `möchte: ${what.replace(/^\p{Lu}/u, (first) => first.toLowerCase())}`,
          ),
  ),
  {
    pattern: new RegExp(`${START}[Ii]ch bin (keine?) (\\p{Lu}\\p{Ll}+) mehr`, "u"),
    make: ([, no = "", what = ""]) => profile("de", `ist ${no} ${what} mehr`, beingOf(what)),
  },
];

/** The slot of a state: "Vegetarier" and "Vegetarierin" share one, and so do all professions. */
function beingOf(what: string): string {
  const plain = what.toLowerCase().replace(/in$/, "");
  return /^(?:vegetarier|veganer|nichtraucher|raucher|linkshänder|christ|muslim)/.test(plain)
    ? `is ${plain}`
    : "job";
}
