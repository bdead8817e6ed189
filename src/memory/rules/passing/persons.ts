import type { RuleLanguage } from "../rule.ts";

const KIN: Readonly<Record<Exclude<RuleLanguage, "zh">, string>> = {
  en: "(?:mother|father|brother|sister|son|daughter)[- ]in[- ]law|mum|mom|mother|dad|father|brother|sister|son|daughter|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|gran|nan|grandma|grandad|grandmother|grandfather|uncle|aunt|auntie|cousin|niece|nephew|mate|best friend|friend|flatmate|neighbour|boss|manager|colleague|landlord|landlady|dentist|doctor|dog|cat|parrot|rabbit|hamster|horse|pony|puppy|kitten|tortoise|(?:mother|father|brother|sister|son|daughter)-in-law|stepson|stepdaughter|stepdad|stepmum|godson|goddaughter|grandson|granddaughter",
  de: "Oma|Opa|Mama|Papa|Mutter|Vater|Schwester|Bruder|Tochter|Sohn|Frau|Mann|Freundin|Freund|Kumpel|Schwager|Schwägerin|Nichte|Neffe|Tante|Onkel|Cousine|Cousin|Enkel|Enkelin|Nachbarin|Nachbar|Kollegin|Kollege|Schwiegermutter|Schwiegervater|Patenkind|Mitbewohnerin|Mitbewohner|Chefin|Chef|Partnerin|Partner|Hund|Hündin|Katze|Kater",
  fr: "meilleure? amie?|mère|père|maman|papa|sœur|soeur|frère|fille|fils|femme|mari|copine|copain|compagne|compagnon|amie|ami|tante|oncle|cousine|cousin|nièce|neveu|grand-mère|grand-père|belle-mère|beau-père|belle-sœur|beau-frère|voisine|voisin|collègue|cheffe|chef|patronne|patron|colocataire|coloc|chienne|chien|chatte|chat|filleule|filleul",
};
const MENTION: Readonly<Record<Exclude<RuleLanguage, "zh">, RegExp>> = {
  en: new RegExp(
    `(?<!\\p{L})(?:[Mm]y|[Oo]ur) (?:[\\p{Ll}-]+ )?(?:${KIN.en})(?!\\p{L}|['’]s)(?:,? (?:(?:Dr|Mr|Mrs|Ms)\\.? )?\\p{Lu}[\\p{L}-]+)?`,
    "gu",
  ),
  de: new RegExp(
    `(?<!\\p{L})(?:[Mm]ein|[Uu]nser)(?:e[nmr]?)? (?:\\p{Ll}+ )?(?:${KIN.de})(?!\\p{L})(?:,? \\p{Lu}[\\p{Ll}-]+(?!\\p{L}))?`,
    "gu",
  ),
  fr: new RegExp(
    `(?<!\\p{L})(?:[Mm]on|[Mm]a|[Nn]otre) (?:${KIN.fr})(?!\\p{L})(?:,? \\p{Lu}[\\p{Ll}-]+)?`,
    "gu",
  ),
};
const PRONOUN: Readonly<Record<Exclude<RuleLanguage, "zh">, RegExp>> = {
  en: /^(?:(?:and|but|because|since|anyway|also|plus|oh|so|well|turns out|btw|by the way|sadly|unfortunately),? ){0,3}(?:he|she)(?:['’]s (?=(?:an?|\d|allergic|called|from|in|on|at|with|due|turning|diabetic|vegan|vegetarian|mad|crazy|nuts|into|retired|deaf|blind|pregnant|obsessed|scared|afraid|married|engaged|\p{Ll}+ing)(?!\p{L}))| is )/iu,
  de: /^(?:(?:und|aber|weil|denn|außerdem|übrigens|leider|also),? ){0,2}(?:er|sie|der|die) (?=(?:ist|hat|wird|arbeitet|wohnt|lebt|studiert|macht|geht|spielt|sammelt|mag|züchtet|isst|trinkt|liebt|fährt|singt|malt|backt|angelt|unterrichtet|leitet|reitet)(?!\p{L}))/iu,
  fr: /^(?:(?:et|mais|car|en plus|d['’]ailleurs|malheureusement|bref),? ){0,2}(?:il|elle|qui) (?=(?:est|a|habite|vit|travaille|bosse|collectionne|étudie|joue|fait|adore|déteste|fête|aura|prend|élève|aime|enseigne|mange|boit|dort|tient|gère|parle|chante|peint|pêche|cuisine|court|nage)(?!\p{L}))/iu,
};
const ENGLISH_VERB =
  /^(?:(?:and|but|because|since|anyway|also|plus|oh|so|well|turns out|btw|by the way|sadly|unfortunately),? ){0,3}(?:he|she) (?=(?:has|gets|takes|starts|works|lives|plays|loves|hates|likes|turns|teaches|runs|collects|goes|studies|speaks|drives|flies|keeps|eats|drinks|paints|sings|cooks|bakes|rides|coaches|breeds|owns|wears|needs|can't|doesn't|moved)\b)/iu;

/** The only person or animal that a message names by its relation to the speaker; undefined for several. */
export function onlyPerson(message: string, language: RuleLanguage): string | undefined {
  if (language === "zh") return undefined;
  const mentions = new Set(
    [...message.matchAll(MENTION[language])].map(([said]) =>
      said
        .replace(",", "")
        .replace(/^Mein|^Unser|^My|^Our|^Mon|^Ma|^Notre/, (word) => word.toLowerCase())
        .replace(/^(mein|unser)(?:en|em) /, "$1 ")
        .replace(/^(mein|unser)er /, "$1e "),
    ),
  );
  const [person] = mentions;
  return mentions.size === 1 ? person : undefined;
}

/** Replaces "he" or "she" at the beginning of a clause by the only person whom the message names. */
export function withPerson(part: string, language: RuleLanguage, person: string | undefined): string {
  if (person === undefined || language === "zh") return part;
  const plain = part.trim();
  // "she is my daughter Jule's teacher": who the clause names by name is not who "she" means
  if (plain.includes(person.slice(person.lastIndexOf(" ") + 1))) return part;
  const found = PRONOUN[language].exec(plain);
  if (found) return `${person}${language === "en" ? " is" : ""} ${plain.slice(found[0].length)}`;
  return language === "en" ? plain.replace(ENGLISH_VERB, `${person} `) : part;
}
