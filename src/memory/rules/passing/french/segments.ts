import { RELATION } from "../../readers/french-words.ts";

/** Words that begin a new clause after a comma or a conjunction. */
const SUBJECT =
  "(?:je|j['’]|nous|on|moi|mon|ma|mes|notre|nos|il|elle|ils|elles|c['’]est|ce sera|avant|née?|grandi|retraitée?|maintenant|désormais|depuis|donc|avec|par contre|du coup)";
const BREAK = new RegExp(
  `\\s[-–—]+\\s|\\s?[;…]+\\s*|\\.{3}\\s*|\\s?:\\s+(?=\\S)|[,(]\\s*(?=(?:(?:et|mais|donc|car|parce que|du coup|puis|comme|vu que|puisque|par contre) )*(?:${SUBJECT}(?!\\p{L})|\\p{Lu}[\\p{L}-]+ (?:est|a|s['’]occupe|gère|dirige|fait|habite|travaille) ))|\\s(?:(?:et|mais|donc|car|parce que|puisque|vu que)\\s+|qu['’])(?=(?:moi |du coup |maintenant )?(?:je |j['’]|nous |on |mon |ma |mes |il |elle |notre ))|\\set\\s+(?=\\p{Lu}[\\p{L}-]+ (?:est|a|s['’]occupe|gère|dirige|fait) )|\\?\\s+|!\\s+`,
  "iu",
);

/** Splits a sentence into clauses. */
export function frenchParts(sentence: string): string[] {
  const beside: string[] = [];
  const plain = sentence
    .replace(/ ?: (?=\d{1,2}(?:er)? \p{Ll}{3})/gu, " est le ")
    .replace(BESIDE, (said, person: string, kind: string, what?: string, age?: string) => {
      if (!RELATION.test(kind)) return said;
      beside.push(what === undefined ? `${person} a ${age}` : `${person} est ${what}`);
      return person;
    });
  return [...beside, ...plain.split(BREAK)];
}

/** A person with an apposition: "ma sœur Ana, infirmière à Porto, …". */
const BESIDE =
  /(?<!\p{L})((?:mon|ma|notre) ([\p{Ll}œ-]+)(?: \p{Lu}[\p{L}-]+)?)(?:, ((?:une? )?\p{Ll}{4,}(?:eur|euse|ier|ière|iste|trice|logue|cin|cien|cienne|prof)?(?: (?:à|en|au|chez|de) [\p{L}-]+)),| \((\d{1,2} ans)\))/giu;

const SMALL_TALK =
  /^(?:(?:au fait|bonjour|salut|coucou|merci beaucoup|merci bien|merci|oui|non|bon|bref|alors|donc|et|mais|en fait|d['’]ailleurs|pour info|sinon|moi|malheureusement|perso|personnellement|à vrai dire|honnêtement|ok|super|ça y est|correction|rectification|comme|car|parce que|puisque|vu que|du coup|par contre|finalement|en plus|aussi|enfin|figure-toi que|grande nouvelle|bonne nouvelle|hé|eh bien|sachant que|p['’]tite précision|petite précision)(?: ?[,!.:]+)?\s+)+(?=\S)/iu;
const TRAILING =
  /[\s,]+(?:d['’]ailleurs|au fait|en fait|quoi|hein|stp|svp|s['’]il te plaît|merci|mdr|lol|voilà|au moins|du coup|finalement|maintenant que j['’]y pense)[.!]*$/iu;

/** Introductory phrases that are dropped. */
const MENTION =
  /^(?:(?:je |j'|il faut que je |faut que je )(?:devrais |dois |tiens à |voulais |)(?:peut-être |aussi |juste |quand même )*(?:précise|préciser|dire|dise|mentionner|signaler|signale|ajouter|ajoute|rappelle)(?: que | qu'| : ?)|à (?:noter|savoir)(?: que | qu'| : ?)|pour (?:que tu saches|le contexte|ton info)[ ,:]+|sache que |note(?: bien)? que )/iu;

const WRITTEN: readonly (readonly [form: RegExp, full: string])[] = [
  [/[’]/g, "'"],
  [/(?<!\p{L})chui?s?(?!\p{L})/giu, "je suis"],
  [/^maman /giu, "ma mère "],
  [/^papa /giu, "mon père "],
  [/^les enfants (?=(?:sont|ont|vont|font|mangent|déjeunent|parlent)(?!\p{L}))/giu, "mes enfants "],
  [
    /^(?:avec mon|avec ma) (?:pote|mari|femme|copain|copine|frère|sœur|associée?|compagne|compagnon)(?: \p{Lu}\p{Ll}+)?,? (?=on |nous )/giu,
    "",
  ],
  [
    /(?<!\p{L})j'(?=suis |travaille|bosse|prends|fais |mange|bois|vis |lis |mets |peux |sais |joue|parle)/giu,
    "je ",
  ],
  [/(?<!\p{L})t'as(?!\p{L})/giu, "tu as"],
  [/(?<!\p{L})y'a(?!\p{L})|(?<!\p{L})ya(?!\p{L})/giu, "il y a"],
  [/^(?:chez nous,? |ici,? |au (?:boulot|bureau),? )?c'est (\p{Lu}\p{L}+) qui /iu, "$1 "],
  [/^(?:nous,? |moi,? )?(?:on a|j'ai) (\p{Lu}\p{Ll}+) qui (?=\p{Ll}+e )/iu, "$1 "],
  [/^jhabite /giu, "j'habite "],
  [/^chuis /giu, "je suis "],
  [/^nous voilà /iu, "nous habitons maintenant "],
  [/^(?:mon|ma) \p{L}+(?: \p{Lu}\p{L}+)? et moi,? (?=(?:on|nous) )/iu, ""],
  [/^me voilà (?=à|en|dans)/iu, "j'habite maintenant "],
];

/** Clauses that state nothing: questions, requests, hearsay, wishes. */
const NO_STATEMENT =
  /^(?:quel\p{L}*|que|qu['’]|qui|quoi|comment|pourquoi|où|quand|combien|est-ce|c['’]est quoi|tu (?!peux|pourrais)|vous|peux(?!-tu (?:me )?(?:tut|vouv|rép))|peut-on|pourrais|pouvez|as-tu|aurais|dis-moi|explique|donne|écris|aide|trouve|montre|fais|invente|il faut|si|s['’]il|imagine|supposons|peut-être|sans doute|probablement|je joue (?:le|la|les) (?:chanson|morceau|vidéo|son|piste|film)|je (?:pense|crois|suppose|voudrais|aimerais|me demande|pourrais|cherche (?:à|comment)|n['’]arrive pas)|j['’](?:espère|aimerais|imagine|aurais|ai un petit creux))(?!\p{L})|(?<!\p{L})(?:aujourd'hui|ce matin|ce soir|en ce moment|là tout de suite|tout à l'heure)(?!\p{L})/iu;

/** Clauses whose subject and verb are left out: "Allergique aux noix". */
const WITHOUT_SUBJECT =
  /^(?:allergique|végétarien\p{L}*|végane?|intolérante?|actuellement (?=prof|\p{Ll}+(?:eur|euse|ier|ière|iste|trice) )|née? (?=à|en|au|le)|diabétique|célibataire|mariée?|retraitée?|gauch\p{L}+|originaire|ancien(?:ne)? \p{Ll}+|grandi(?= à| en| au))(?= |$)/iu;

/** A phrase before the subject, which is moved to the end of the clause: "Depuis ma grossesse je …". */
const FRONTED =
  /^(?:depuis|après|à cause d[eu]|grâce à|pendant|dès) [^,]{2,40}?,? (?=(?:je |on |nous )|j')/iu;

/** Participles at the beginning of a clause without subject and auxiliary: "Acheté un vélo". */
const PARTICIPLE =
  /^(?:acheté|vendu|déménagé|arrêté|changé|perdu|trouvé|quitté|commencé|adopté|signé|rejoint|remplacé|basculé|abandonné|lâché)(?= \p{L})/iu;

/** Completes a clause to a full statement; undefined if it states nothing. */
export function frenchStatement(part: string): string | undefined {
  let text = part.replace(SMALL_TALK, "");
  for (let cut = text.replace(TRAILING, ""); cut !== text; cut = text.replace(TRAILING, "")) text = cut;
  for (const [form, full] of WRITTEN) text = text.replace(form, full);
  text = text
    .trim()
    .replace(/[\s.!]+$/, "")
    .replace(MENTION, "");
  if (text.length < 5 || NO_STATEMENT.test(text)) return undefined;
  const fronted = FRONTED.exec(text);
  if (fronted) text = `${text.slice(fronted[0].length)} ${fronted[0].trim().replace(/,$/, "")}`;
  if (PARTICIPLE.test(text)) return `j'ai ${text[0]?.toLowerCase()}${text.slice(1)}`;
  return WITHOUT_SUBJECT.test(text) ? `je suis ${text[0]?.toLowerCase()}${text.slice(1)}` : text;
}
