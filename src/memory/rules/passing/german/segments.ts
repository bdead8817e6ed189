import { RELATION, THIRD } from "../../readers/german-words.ts";

/** Words that begin a new clause after a comma or a conjunction. */
const SUBJECT =
  "(?:geboren|aufgewachsen|alles|gehostet|spiel|wohn|leb|ich|wir|meine?|unsere?|sie|er|man|es ist|das ist|bin|hab|habe|haben|sind|war|mach|arbeite|wohne|spiele|trinke|fahre?|nehme|esse|nutze|früher|heute|jetzt|seit|sonst|bei mir|bei uns|mir|mich|danach|inzwischen|außerdem|dafür|nach|der ist|die ist|der hat|die hat)(?!\\p{L})";
const BREAK = new RegExp(
  `\\s[-–—]+\\s|[;…]+\\s*|\\.{3}\\s*|:\\s+(?=${SUBJECT}|\\p{Lu})|[,(]\\s*(?=(?:(?:und|aber|also|denn|weil|da|dass|deshalb|nur|sonst) )*(?:${SUBJECT}|\\p{Lu}[\\p{L}-]+ (?:ist|hab|mag|macht|kümmert|leitet|heißt|gehen|geht|wird|läuft|kommen|kommt)(?!\\p{L})))|\\s(?:und|aber)\\s+(?=(?:die|den|das) \\p{Lu}[\\p{L}-]+ \\p{Ll}+ (?:ich|wir) |\\p{Lu}\\p{Ll}+ (?:kümmert|macht|leitet|übernimmt|betreut) )|\\s(?:und|aber|denn|weil|da)\\s+(?=(?:ich|wir|meine?|unsere?|er|sie|hab|habe|bin|arbeite|wohne|spiele)(?!\\p{L}))|\\?\\s+|!\\s+`,
  "iu",
);

/**
 * First-person verbs without a subject that continue a clause of the speaker: "… aus Graz, leb aber in Linz".
 */
const GOES_ON =
  /^(\p{Ll}{2,}?)e? (?:aber |alles |seit |auch |jetzt |dort |am |in |bei |im |mit |als |nur |nebenbei )/u;

/**
 * Splits a sentence into clauses. After a clause about the speaker, a clause without a subject is about the
 * speaker too.
 */
export function germanParts(sentence: string): string[] {
  const beside: string[] = [];
  const plain = sentence
    .replace(/ ?: (?=\d{1,2}\. ?\p{Lu})/gu, " ist am ")
    .replace(BESIDE, (said, person: string, kind: string, what?: string, age?: string) => {
      if (!RELATION.test(kind)) return said;
      beside.push(`${person} ist ${what ?? age}`);
      return person;
    });
  return [...beside, ...clauses(plain)];
}

/** A person with an apposition: "meine Schwester Ute, Krankenschwester in Kiel, …". */
const BESIDE =
  /(?<!\p{L})((?:meine?|unsere?) (\p{Lu}\p{Ll}+)(?: \p{Lu}[\p{Ll}-]+)?)(?:, ((?:\d{1,2}|\p{Lu}\p{Ll}{4,}(?: (?:in|bei|im|aus|am) \p{Lu}[\p{L}-]+)?)),| \((\d{1,2})\))/giu;

function clauses(sentence: string): string[] {
  let isSelf = false;
  return sentence
    .split(BREAK)
    .flatMap((given) =>
      given.split(/, (?=\p{Ll}+ (?:aber|seit|auch|jetzt|nebenbei|alles|nur|dafür|am|im|in|bei|mit|als) )/u),
    )
    .map((given) => {
      const part = given.trim();
      const verb = GOES_ON.exec(part)?.[1] ?? "";
      const full = [verb, `${verb}e`].find((form) => THIRD.has(form));
      const goesOn = isSelf && full !== undefined;
      isSelf = goesOn || /(?<!\p{L})(?:ich|wir)(?!\p{L})/iu.test(part);
      if (!goesOn) return part;
      const subject = /en$/.test(full) ? "wir" : "ich";
      return `${subject} ${full} ${part.slice(part.indexOf(" ") + 1).replace(/^aber /, "")}`;
    });
}

const SMALL_TALK =
  /^(?:(?:hallo|hi|hey|moin|servus|ja|nein|ne|nee|ok|okay|danke dir|danke|super|übrigens|also|und|aber|ach|achso|nur zur info|zur info|kurz zu mir|zu mir|kurz|nebenbei|apropos|ehrlich gesagt|eigentlich|leider|zum glück|korrektur|update|nachtrag|außerdem|deshalb|deswegen|denn|dass|tatsächlich|genau|stimmt|na ja|naja|sorry|ps|info|mittlerweile schon|große neuigkeit\p{L}*|neuigkeit\p{L}*|gute nachricht\p{L}*|so)[,!.:]*\s+)+(?=\S)/iu;
const TRAILING =
  /[\s,]+(?:übrigens|nur so|falls das hilft|danke|bitte|btw|lol|haha|leider|halt|oder so|und so|eigentlich|zum Glück|und liebe es)[.!]*$/iu;

/** Introductory phrases that are dropped; the clause after them has its verb at the end. */
const MENTION =
  /^(?:ich sollte|sollte|muss|ich muss|darf|ich wollte|wollte)(?: (?:vielleicht|noch|wohl|kurz|dazu|auch|nur))* (?:erwähnen|sagen|dazusagen|anmerken|dazu sagen|hinzufügen),? dass |^(?:(?:nur|bloß) )?(?:damit|dass) du es weißt,? |^(?:wichtig|gut) zu wissen(?: ist)?[:,]? (?:dass )?|^(?:nur )?(?:fürs|zum) (?:Protokoll|Verständnis)[:,]? /iu;

const WRITTEN: readonly (readonly [form: RegExp, full: string])[] = [
  [/[’]/g, "'"],
  [/^i (?=(?:bin|hab|hob|wohn|arbeit|red|mog|fahr|spiel|trink)\p{L}* )/giu, "ich "],
  [/(?<!\p{L})hob (?=\p{L})/giu, "hab "],
  [/(?<!\p{L})zwoa(?!\p{L})/giu, "zwei"],
  [/(?<!\p{L})heisst(?!\p{L})/gu, "heißt"],
  [
    /^(Mama|Mutti|Papa|Vati|Oma|Opa) (?=(?:ist|hat|wohnt|lebt|arbeitet|war|kann|mag)(?!\p{L}))/gu,
    "meine $1 ",
  ],
  [/^meine (Papa|Vati|Opa) /gu, "mein $1 "],
  [/(?<![\p{L}'])'?n(?=(?:e[nrm]?)? \p{L})/giu, "ein"],
  [/(?<!\p{L})gibt's|(?<!\p{L})gibts(?!\p{L})/giu, "gibt es"],
  [/(?<!\p{L})hab(?!\p{L})/giu, "habe"],
  [
    /(?<!\p{L})(fahr|mach|wohn|arbeit|spiel|trink|ess|nutz|brauch|nehm|leb|geh|komm|schreib|schlaf|lern|üb|hass|lieb|find)(?= ich(?!\p{L}))/giu,
    "$1e",
  ],
  [
    /^(ich|wir) (fahr|mach|wohn|arbeit|spiel|trink|ess|nutz|brauch|nehm|leb|geh|komm|schreib|schlaf|lern|üb|hass|lieb|find|ruf) /giu,
    "$1 $2e ",
  ],
  [/(?<!\p{L})(?:grad|grade)(?!\p{L})/giu, "gerade"],
  [/^(ich|wir) (\p{Ll}{2,}[^e\s]) (?=\p{L})/iu, ""],
  [/^(?:mein|unser)e? [\p{L}]+ und ich (?=\p{Ll})/iu, "wir "],
  [/^(?:da|weil) (ich|wir) (.+) (\p{L}+)$/iu, "$1 $3 $2"],
];

/** Forms of the first person without an ending. */
const FULL = /^(?:bin|sind|mag|kann|muss|soll|will|darf|weiß|war|hatte)$/;

/** Verbs at the beginning of a clause whose subject is left out: "bin bei McFit". */
const WITHOUT_SUBJECT =
  /^(?:spiele?|wohne?|arbeite?|lebe?|fahre?|lerne?|jobbe?|bin|habe|hab|wohne|arbeite|spiele|trinke|esse|nutze|benutze|verwende|fahre|mache|lerne|nehme|lebe|mag|komme|vertrage|studiere|kann(?! man)|brauche|gehe|liebe|hasse|heiße|sammle|war)(?= (?!ich |wir |du |er |sie |es |man |mir (?:mal|bitte)))/iu;

/** Clauses that state nothing: questions, requests, hearsay, wishes. */
const NO_STATEMENT =
  /^(?:was|wie|wo|wer|wann|warum|wieso|welche\p{L}*|womit|wozu|wohin|woher|ist|sind|hast|habt|kannst|könntest|könnt|kann (?:ich|man)|darf|soll|sollte|muss|würdest|weißt|gibt es|gib|zeig|sag|schreib|erklär|hilf|mach mir|nenn|empfiehl|such|such mir|ob|wenn|falls|angenommen|treffen sich|ich (?:denke|glaube|hoffe|vermute|würde|hätte|wäre|könnte|möchte|frage|suche gerade|dachte|wünsch)|vielleicht|wahrscheinlich|vermutlich|angeblich)(?!\p{L})|gerade|momentan|im Moment|heute (?!reicht|nur|spiele|trinke|esse|jogge|mache|geh|bin ich (?:bei|in)|arbeite|wohne|trinke|esse|nutze)/iu;

/** Nouns and names to capitalize in messages written in lower case: "mein hund rocky ist 13". */
const SMALL =
  /(?<!\p{L})(meine?|unsere?) (hund|katze|kater|mann|frau|sohn|tochter|bruder|schwester|mutter|vater|oma|opa|freund|freundin|chef|chefin|kind|kinder)(?: (\p{Ll}{3,10}))?(?= (?:ist|hat|heißt|heisst|wohnt|arbeitet)(?!\p{L}))/gu;
const capital = (word: string): string => `${word[0]?.toUpperCase()}${word.slice(1)}`;
const withCapitals = (text: string): string =>
  text.replace(
    SMALL,
    (_, my: string, kind: string, name?: string) =>
      `${my} ${capital(kind)}${name === undefined ? "" : ` ${capital(name)}`}`,
  );

/** Completes a clause to a full statement; undefined if it states nothing. */
export function germanStatement(part: string): string | undefined {
  let text = withCapitals(part.replace(SMALL_TALK, ""));
  for (let cut = text.replace(TRAILING, ""); cut !== text; cut = text.replace(TRAILING, "")) text = cut;
  for (const [form, full] of WRITTEN)
    text =
      full === ""
        ? text.replace(form, (said, who: string, verb: string) =>
            THIRD.has(`${verb}e`) && !FULL.test(verb) ? `${who} ${verb}e ` : said,
          )
        : text.replace(form, full);
  text = text
    .trim()
    .replace(MENTION, (said) => (/dass $/.test(said) ? "da " : ""))
    .replace(/^(?:da|weil|dass) (ich|wir) (.+) (\p{L}+)[.!]*$/iu, "$1 $3 $2")
    .replace(/[.!]+$/, "")
    .replace(/^da (?=\p{Ll}+ (?:ich|wir)(?!\p{L}))/u, "");
  if (text.length < 5 || NO_STATEMENT.test(text)) return undefined;
  if (/^(?:geboren|aufgewachsen) (?:in|im|auf) /iu.test(text))
    return `ich bin ${text[0]?.toLowerCase()}${text.slice(1)}`;
  if (WITHOUT_SUBJECT.test(text)) return `ich ${text[0]?.toLowerCase()}${text.slice(1)}`;
  return /^(?:sind|haben) (?=umgezogen|jetzt|nach|in |seit|kein|zwei|drei|ein)/iu.test(text)
    ? `wir ${text[0]?.toLowerCase()}${text.slice(1)}`
    : text;
}
