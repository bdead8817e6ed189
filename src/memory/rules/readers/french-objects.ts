import { FEMININE, THIRD } from "./french-words.ts";

/** Adverbs of the present; they are dropped, because the fact has its date. */
export const FILLER =
  /(?<!\p{L})(?:maintenant|désormais|actuellement|malheureusement|d['’]ailleurs|en fait|aussi|hélas|bien sûr|du coup)(?!\p{L}),? ?/giu;

const MAX_WORDS = 18;

export function slotOf(third: string, complement: string): string {
  const [, preposition = "", given] =
    /^((?:en|à|au|chez) )?.* (?:au lieu de |au lieu d'|plutôt qu(?:e |'))(.+)$/iu.exec(complement) ?? [];
  if (given !== undefined) return slotOf(third, `${preposition}${given}`);
  if (/^(?:habite|vit)$/.test(third))
    return /^(?:à|en|au|aux|dans|près de) /u.test(complement) ? "home" : `habite ${headOf(complement)}`;
  if (/^(?:roule|conduit)$/.test(third)) return "voiture est";
  if (/(?:au travail|au bureau|au boulot)/.test(complement)) return "trajet";
  if (third === "étudie") return third;
  if (third === "pèse") return "poids";
  if (/^(?:commence|finit|termine|coûte|expire)$/.test(third)) return third;
  if (third === "travaille") return /(?:^| )(?:chez|pour) /.test(complement) ? "employer" : "works";
  if (/courses chez/.test(complement)) return "courses";
  return `${third} ${headOf(complement)}`.trim();
}

export const headOf = (complement: string): string =>
  complement
    .toLowerCase()
    .replace(
      /^(?:(?:pas|plus|jamais|que|toujours|souvent|surtout|beaucoup|trop|de|du|des|de la|le|la|les|un|une|deux|trois|quatre|cinq|\d+|son|sa|ses|en|au|à|à la|aux|sur|dans|mes|chez) |d'|l'|de l')+/u,
      "",
    )
    .replace(
      / (?:à|au|aux|le|la|les|de|du|des|en|dans|depuis|tous|toutes|chaque|avec|sans|pour|chez|quand|qui|que|par|deux|trois|plutôt|sur|et) .*$/u,
      "",
    )
    .replace(/ (?:à|au) \S+$/u, "")
    .replace(/(?<=\p{L}{2})s$/u, "")
    .replace(/,.*$/, "");

const POINTING =
  /(?<!\p{L})(?:ça|cela|ceci|ce|cet|cette|ces|celui|celle|lui|leurs?|dont|ici|là|où|eux)(?!\p{L})|(?<!\p{L})(?:il|elle|ils|elles)(?!\p{L})/iu;

const ASIDE =
  /,? (?:parce que|car|puisque|mais|alors que|donc|du coup|sinon|comme ça|et c'est|et ça|s'il te plaît|merci|moi non|moi oui|pas moi|plus (?:chez|au|à|en)|hein|quoi|lol|mdr)(?: .*)?$/iu;

const UNFINISHED = /(?<!\p{L})(?:le|la|les|un|une|de|du|des|à|au|en|et|ou|avec|pour|dans|sur|très|que)$/u;

export function complementOf(raw: string): string | undefined {
  const cut = raw
    .replace(ASIDE, "")
    .replace(/[\s.,;:!]+$/, "")
    .trim();
  const [head = "", ...more] = cut.split(/,\s+/);
  const kept = [head];
  for (const part of more) {
    if (!/^(?:surtout|et|sans|avec|pas|jamais|sauf|notamment|le|la|à|en|depuis|\p{Lu}|\d)/u.test(part)) break;
    kept.push(part);
  }
  const text = kept.join(", ").replace(FILLER, "").trim();
  if (text === "" || POINTING.test(text) || UNFINISHED.test(text) || text.split(" ").length > MAX_WORDS)
    return undefined;
  return frenchInThirdPerson(text);
}

/** Converts the speaker's pronouns to the third person. */
export const frenchInThirdPerson = (text: string): string =>
  text
    .replace(
      /(?<!\p{L})(?:je |j'|on |nous (?=\p{L}+ons(?!\p{L})))(ne |n')?(me |m'|nous |se |s')?(\p{L}+)/giu,
      (_, ne: string | undefined, me: string | undefined, verb: string) =>
        `il ${ne ?? ""}${me === undefined ? "" : /['’]$/.test(me) ? "s'" : "se "}${THIRD.get(verb) ?? verb}`,
    )
    .replace(/(?<!\p{L})(qu)'(?:on|il) me (?=\p{L})/giu, "$1'on le ")
    .replace(/(?<!\p{L})mon(?!\p{L})/giu, "son")
    .replace(/(?<!\p{L})ma(?!\p{L})/giu, "sa")
    .replace(/(?<!\p{L})(?:mes|nos)(?!\p{L})/giu, "ses")
    .replace(
      /(?<!\p{L})notre (\p{L}+)/giu,
      (_, noun: string) => `${FEMININE.test(noun) && !/^[aeiouéèêh]/iu.test(noun) ? "sa" : "son"} ${noun}`,
    )
    .replace(/(?<!\p{L})me (?=\p{L})/giu, "le ")
    .replace(/(?<!\p{L})nous-mêmes?(?!\p{L})/giu, "lui-même")
    .replace(/(?<!\p{L})(?:moi|nous)(?!\p{L})/giu, "lui")
    .replace(/(?<!\p{L})si il(?= |s )/gu, "s'il");

/** Adds "ne" to a negation after the user as subject: "L'utilisateur boit pas d'alcool". */
export const withNegation = (text: string): string =>
  text.replace(/^(L'utilisateur) ((?!n'|ne )\p{L}+) pas(?= |$)/u, (_, subject: string, verb: string) => {
    const ne = /^[aeiouéèêhâîô]/iu.test(verb) ? "n'" : "ne ";
    return `${subject} ${ne}${verb} pas`;
  });
