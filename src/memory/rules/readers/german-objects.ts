import { THIRD } from "./german-words.ts";

/** Fillers and adverbs of the present; they are dropped, because the fact has its date. */
export const FILLER =
  /(?<!\p{L})(?:übrigens|leider|eigentlich|halt|eben|ja|auch|gerade|jetzt|nun|inzwischen|mittlerweile|derzeit|aktuell|zurzeit|zur Zeit|wohl|schließlich|natürlich|nämlich)(?!\p{L}) ?/giu;

const MAX_WORDS = 16;

const CAR = /^(?:einen?|eine|nur einen?) (?:\p{Ll}+ )?[\p{Lu}\d]/u;

export function slotOf(third: string, complement: string): string {
  const given = / (?:statt|anstatt|anstelle von) (\p{Lu}\S*)$/u.exec(complement)?.[1];
  if (given !== undefined) return slotOf(third, given);
  if (/^(?:wohnt|lebt)$/.test(third))
    return /(?<!\p{L})(?:in|im|am|auf|bei|zur) /u.test(complement) ? "home" : `lebt ${headOf(complement)}`;
  if (third === "fährt" && CAR.test(complement)) return "Auto ist";
  if (/(?:zur Arbeit|ins Büro)/.test(complement)) return "Arbeitsweg";
  if (third === "studiert") return third;
  if (third === "wiegt") return "Gewicht";
  if (/^(?:beginnt|endet|kostet|beträgt)$/.test(third)) return third;
  if (/^(?:erst |schon )?um \S+$/u.test(complement)) return `${third} um`;
  if (third === "arbeitet" && /(?:^| )(?:bei|für) /.test(complement)) return "employer";
  if (third === "kauft" && /ein$/.test(complement)) return "kauft ein";
  if (third === "steht") return "steht auf";
  return `${third} ${headOf(complement)}`.trim();
}

/** The first noun of a complement, or else its last word, without a plural ending. */
export function headOf(complement: string): string {
  const plain = complement
    .replace(/(?<!\p{L})(?:erst|schon|bereits|immer|meistens) /gu, "")
    .replace(/(?<!\p{L})statt \S+/u, "")
    .replace(/(?<!\p{L})(?:wenn|um) .*$/iu, "")
    .replace(
      /(?<!\p{L})(?:jede[nrsm]?|seit|am|pro|nächste[nrs]?|bei|im|in) (?:der |dem |den )?\p{Lu}[\p{L}-]+(?= \S)/gu,
      "",
    )
    .replace(/, .*$/, "");
  const noun = /(?<![\p{L}])\p{Lu}[\p{L}-]+/u.exec(plain)?.[0];
  return (
    noun ??
    complement
      .split(" ")
      .filter((word) => !/^(?:nicht|mehr|kein\p{Ll}*|nur|gern)$/u.test(word))
      .slice(0, 2)
      .join(" ")
  ).toLowerCase();
}

const POINTING =
  /(?<!\p{L})(?:er|ihn|es|dies\p{Ll}*|jene\p{Ll}*|hier|dort|so|was|wie|welche\p{Ll}*|dass|sowas|etwas(?! \p{Lu})|alles|dafür|damit|darauf|davon|darüber|das(?! \p{L}+)|sie|euch|euer|Ihre?)(?!\p{L})/u;

const UNFINISHED = /(?<!\p{L})(?:der|die|das|den|dem|eine[mnrs]?|und|oder|von|für|sehr|und hat|und ist)$/u;

const ASIDE =
  /,? (?:weil|da|obwohl|denn|aber|damit|sodass|so dass|und zwar nicht|bitte|oder so|und das|und es|und da|und so|sonst) .*$/u;

const SHIFTED: ReadonlyMap<string, string> = new Map([
  ["mir", "ihm"],
  ["mich", "sich"],
  ["uns", "sich"],
  ["ich", "er"],
  ["wir", "er"],
  ["bin", "ist"],
  ["sind", "ist"],
  ["habe", "hat"],
]);

/**
 * The complements of a verb, without asides and in the third person; undefined if they refer to another
 * sentence.
 */
export function complementOf(raw: string): string | undefined {
  const cut = raw
    .replace(ASIDE, "")
    .replace(/[\s.,;:!]+$/, "")
    .replace(/\s+/g, " ")
    .trim();
  const [head = "", ...more] = cut.split(/,\s+/);
  const kept = [head];
  for (const part of more) {
    // "…, Milch kommt nicht rein": the part after the comma is a clause of its own
    if (/^\p{Lu}\p{L}+ (?:kommt|geht|ist|wird|hat|mag|gibt|kann|war|kenn\p{Ll}*)(?: |$)/u.test(part)) break;
    if (
      !/^(?:und zwar|sondern|wenn|ohne|mit|vor allem|besonders|meistens|nicht|nie|außer|seit|nur|am|(?:den|die|der|das) \p{Lu}\p{Ll}+ und |\p{Lu}|\d)/u.test(
        part,
      )
    )
      break;
    kept.push(part);
  }
  const text = kept.join(", ");
  if (text === "" || POINTING.test(text) || UNFINISHED.test(text) || text.split(" ").length > MAX_WORDS)
    return undefined;
  const [main = "", sub] = text.split(/(?=, wenn )/u);
  return `${germanInThirdPerson(main)}${sub === undefined ? "" : germanSubordinate(sub)}`;
}

/** Converts the speaker's pronouns to the third person. */
export const germanInThirdPerson = (text: string): string =>
  text
    .replace(/(?<=bei |mit |von |zu |für |ohne |gegen |über )(?:uns|mir|mich)(?!\p{L})/gu, (word) =>
      word === "mich" ? "ihn" : "ihm",
    )
    .replace(/(?<!\p{L})(?:mein|unse?r)(e[mnrs]?|)(?!\p{L})/gu, "sein$1")
    .replace(/(?<!\p{L})(?:mir|mich|uns)(?!\p{L})/gu, (word) => SHIFTED.get(word) ?? word);

/**
 * Converts a subordinate clause such as ", wenn wir weg sind" to the third person; its verb is at the end.
 */
export const germanSubordinate = (text: string): string =>
  germanInThirdPerson(text).replace(
    /(?<!\p{L})(?:ich|wir)(?!\p{L})(.*?)(\p{L}+)$/u,
    (_, middle: string, verb: string) => `er${middle}${SHIFTED.get(verb) ?? THIRD.get(verb) ?? verb}`,
  );
