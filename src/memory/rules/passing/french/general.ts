import { entity, profile } from "../../predicates.ts";
import { complementOf, headOf, slotOf } from "../../readers/french-objects.ts";
import {
  LASTING_STATE,
  OFTEN,
  OTHERS,
  PASSING_SUBJECT,
  PASSING_THING,
  RELATION,
  THIRD,
} from "../../readers/french-words.ts";
import type { Statement } from "../../rule.ts";

const MOMENT =
  /["“”«»?]|(?<!\p{L})(?:aujourd['’]hui|hier|demain|ce (?:matin|soir|midi|week-end)|cette (?:nuit|semaine|après-midi)|en ce moment|tout à l['’]heure|tout de suite|bientôt|(?:deux|trente|une) (?:secondes?|minutes?)|depuis (?:une|\d+|deux|trois) (?:heures?|minutes)|tu|toi|te|ton|ta|tes|vous|votre|vos|t['’]\p{L}+|voudrais|aimerais|pourrais|devrais|serais|aurais|peut-être|probablement|erreur|page|menu|ligne|bouton|colonne|tableau|onglet|mot de passe|sujet|chanson|version|étape|modèle|\d+ ?%|code|fonction|script|fichier|ci-dessous|ci-dessus|suivante?)(?!\p{L})/iu;
const NOW_VERB = new Set(
  "veux veut cherche pense crois croit sais dois doit peux peut vois voit trouve comprends essaie demande viens vient vais va suis est ai a dis dit espère souhaite attends attend regarde envoie écris reçois obtiens commence arrive remercie aime appelle mets prends prend fais fait faut devons voulons pouvons savons passe supprime lance clique".split(
    " ",
  ),
);
const LONG =
  /(?<!\p{L})(?:depuis|il y a|l['’](?:an|année) (?:dernier|dernière|passée)|en (?:19|20)\d\d|toujours|jamais|pendant (?:\p{L}+ )?(?:ans|années|mois)|quand j['’]étais|enfant|petite?|(?:en|au) (?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|printemps|été|automne|hiver))(?!\p{L})/iu;
/** Participles of life events. */
const EVENT =
  /^(?:(?:enfin|récemment|finalement|déjà|tout) )*(?:déménagé|emménagé|quitté|arrêté|commencé (?:le|la|l['’]|les|à apprendre)|acheté (?:une?|notre) (?:[^,]{0,20} ?)?(?:maison|appart|voiture|vélo|bateau|moto|terrain|longère|ferme|van|camping-car|piano|guitare)|acheté (?:une?|notre) \p{L}+ (?:maison|longère|ferme|voiture|bâtisse)|vendu (?:la|le|ma|mon|notre)|adopté|hérité|repris|ouvert|fondé|créé|changé d|perdu (?:mon|ma)|eu (?:un|une|deux|des) (?:enfant|fille|fils|garçon|bébé|jumeaux|AVC|opération)|été (?:opérée?|diagnostiquée?|licenciée?|promue?|élevée?|embauchée?)|grandi|étudié|rejoint|intégré|divorcé|passé (?:mon|le) (?:permis|bac|concours)|lâché|abandonné|remplacé|basculé|migré|signé|démissionné|appris)(?!\p{L})/u;
const ETRE_EVENT =
  /^(?:(?:enfin|récemment) )*(?:née?|devenue?|partie? (?:vivre|à la retraite)|passée?s? (?:à|au|sur|de)|revenue? (?:vivre|à|en)|arrivée? (?:en|à|au)|installée?|mariée?|pacsée?|divorcée?|séparée?|inscrite?|abonnée?|suivie? (?:par|pour))(?!\p{L})/u;
const NO_STATE =
  /^(?:(?:très|trop|un peu|vraiment|super|hyper|assez|tellement) )*(?:fatiguée?|malade|perdue?|bloquée?|désolée?|contente?|ravie?|sûre?|en (?:train|retard|vacances|réunion|route|panne)|dispo(?:nible)?|là|prête?|curieu(?:x|se)|nulle?|triste|stressée?|inquiète?|inquiet|débordée?|coincée?|d['’]accord|preneu(?:r|se)|au (?:bureau|lit|boulot)|à (?:la bourre|bout|la gare|l['’]arrêt)|dans le (?:train|bus|métro)|intéressée?|surprise?)(?!\p{L})/iu;
const STATE =
  /^(?:(?:toujours|aussi|plutôt|actuellement|maintenant) )*(?:une? |le |la |l['’]|chez |en (?:couple|coloc|fac|licence|master|thèse|alternance|CDI|CDD|fauteuil|retraite|reconversion|télétravail|apprentissage|\p{L}+ième année)|à (?:la (?:retraite|fac|mairie)|mi-temps|mon compte|temps partiel|l['’]université)|au (?:chômage|lycée|régime|RSA)|sous (?:traitement|lévothyrox|insuline|antidépresseurs)|\p{L}+(?: (?:aux?|de|en|à la) \p{L}+)? (?:dans (?:une?|le|la)|chez) |originaire|d['’]origine|de (?:\p{Lu}|garde)|plus \p{L}+ que |du (?:matin|soir|genre)|pas (?:du matin|du soir|très|fan|croyante?))/u;

const say = (about: string, slot: string): readonly Statement[] => [profile("fr", about, slot)];

/** The third person of a verb in the first; after "on", the verb already has this form. */
function thirdOf(verb: string, isOn: boolean): string | undefined {
  if (isOn) return verb;
  const known = THIRD.get(verb);
  if (known !== undefined) return known;
  if (/ons$/.test(verb)) return /(?:ç|ge)ons$/.test(verb) ? undefined : verb.replace(/ons$/, "e");
  if (/e$/.test(verb)) return verb;
  if (/(?:ds|ts|cs)$/.test(verb)) return verb.slice(0, -1);
  return /s$/.test(verb) && verb.length > 3 ? `${verb.slice(0, -1)}t` : undefined;
}

/** Adds both parts of the negation to a verb; spoken French drops the first. */
function negated(about: string, not: string | undefined): string {
  if (not === undefined) return about;
  const [verb = "", ...rest] = about.split(" ");
  if (/^(?:se|y|en)$/.test(verb)) return `ne ${verb} ${rest[0]} ${not} ${rest.slice(1).join(" ")}`;
  return `${isVowel(verb) ? "n'" : "ne "}${verb} ${not} ${rest.join(" ")}`.trim();
}

const isVowel = (word: string): boolean => /^[aeiouéèêhâîô]/iu.test(word);

const SELF =
  /^(je |j'|on |nous )(ne |n')?(me |m'|nous |se |s'|y |en )?(\p{L}+)(?: (pas du tout|pas|plus|jamais))?(?: (.+))?$/u;

function ofSelf(match: RegExpExecArray): readonly Statement[] {
  const [, who = "", ne, pronoun, given = "", not, rest = ""] = match;
  const verb = given.toLowerCase();
  const complement = rest === "" ? "" : complementOf(rest);
  // "ne" without its second part does not always negate
  if (complement === undefined || complement === "" || (ne !== undefined && not === undefined)) return [];
  if (PASSING_THING.test(rest)) return [];
  if (pronoun === undefined && /^(?:suis|sommes|est)$/.test(verb)) return being(rest, complement, not);
  if (pronoun === undefined && /^(?:ai|avons|a)$/.test(verb)) return having(rest, complement, not);
  const third = thirdOf(verb, /^on/i.test(who));
  if (/^(?:viens|vient)$/.test(verb) && /^de |^d['’]/u.test(rest)) return [];
  if (third === undefined || !isLasting(verb, rest, complement, not)) return [];
  const about = `${reflexiveOf(pronoun, third)}${third} ${complement}`;
  return say(negated(about, not), slotOf(third, complement));
}

function being(rest: string, complement: string, not: string | undefined): readonly Statement[] {
  const isState = LASTING_STATE.test(rest) || STATE.test(rest) || ETRE_EVENT.test(rest);
  return isState && !NO_STATE.test(rest)
    ? say(negated(`est ${complement}`, not), `est ${headOf(complement)}`)
    : [];
}

const PERFECT =
  /^(?:(?:déjà|bien|enfin|toujours|jamais|récemment) )*(?:\p{L}{2,}(?:é|ée|és|ées|i|is|it|u|us|ert)|fait|pris|mis|eu|lu|vu|bu|dû)(?: |$)/u;
/** Verbs of saying and thought: "je n'ai jamais dit que j'avais un chien" says nothing about a dog. */
const SAID =
  /^(?:jamais |pas |toujours )?(?:dit|pensé|cru|prétendu|affirmé|demandé|écrit que|craqué)(?!\p{L})/u;
const NOT_OWNED =
  /^(?:à |l['’]impression|du mal|la flemme|rien|trop|un petit creux|une (?:question|idée|réunion|erreur)|le droit|les \p{L}+ qui)/iu;

function having(rest: string, complement: string, not: string | undefined): readonly Statement[] {
  const about = negated(`a ${complement}`, not);
  if (SAID.test(rest)) return [];
  if (EVENT.test(rest) || PERFECT.test(rest)) {
    const isWorthKeeping = not === undefined ? EVENT.test(rest) || LONG.test(rest) : not === "jamais";
    return isWorthKeeping ? say(about, `a ${headOf(complement)}`) : [];
  }
  return NOT_OWNED.test(rest) ? [] : say(about, `number of ${headOf(complement)}`);
}

/** Verbs of the current moment that express a habit with a word of frequency. */
const HABITUAL = /^(?:prends|prend|fais|fait|vais|va|mets|commence|viens|aime|regarde)$/;

function isLasting(verb: string, rest: string, complement: string, not: string | undefined): boolean {
  const isHabit = OFTEN.test(rest) || LONG.test(rest);
  if (NOW_VERB.has(verb) && !(isHabit && HABITUAL.test(verb))) return false;
  const isOfTask =
    /^(?:le|la|les|ce|cette) \p{L}+$/u.test(complement.replace(/ et .*$/u, "")) &&
    !/^(?:ador|détest|support|enseign|parl|pratiqu)/.test(verb);
  if (isOfTask && !isHabit) return false;
  return not !== undefined || !/^(?:que|qu['’]|comment|pourquoi|si|de \p{L}+er )/u.test(rest);
}

function reflexiveOf(pronoun: string | undefined, third: string): string {
  if (pronoun === undefined) return "";
  if (/^[ye]/i.test(pronoun)) return pronoun.toLowerCase();
  return isVowel(third) ? "s'" : "se ";
}

const FEMININE =
  /^(?:.*amie|mère|maman|sœur|soeur|fille|femme|copine|compagne|tante|cousine|nièce|grand-mère|mamie|belle-.*|voisine|cheffe|patronne|chienne|chatte|nounou|filleule|petite-fille|collègue)$/u;
/** The article of a relation, with a space: `la `, `l'`. */
export const the = (kind: string): string =>
  /s$|x$/.test(kind) && kind !== "fils"
    ? "les "
    : /^[aeiou]/.test(kind)
      ? "l'"
      : FEMININE.test(kind)
        ? "la "
        : "le ";
export const capital = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`;
const PERSON =
  /^(mon|ma|mes|notre|nos) ((?:\p{Ll}[\p{Ll}'-]+ ){0,1}\p{Ll}[\p{Ll}-]+)(?:,? ((?:(?:le |la )?(?:Dre?|Mme|M\.) )?\p{Lu}[\p{L}-]+),?)? ((?:ne |n')?(?:se |s')?\p{L}+)(?: (.+))$/u;
const NOT_LASTING =
  /^(?:dit|dis|pense|veut|voudrait|demande|trouve|croit|doit|peut|vient de|va \p{L}+er|m['’a]|est (?:(?:très|trop|un peu|super|vraiment) )*(?:malade|fatiguée?|fâchée?|là|absente?|en retard|contente?|géniale?|adorable|gentille?|gentil|sympa|drôle|triste|partie? (?:ce|hier))|a (?:dit|demandé|appelé|eu|fait|oublié|perdu|trouvé)|arrive|appelle|était|avait)(?!\p{L})/u;

/** Reads any lasting statement of a clause about the speaker or a relative, and nothing temporary. */
export function generalFrench(text: string): readonly Statement[] {
  if (MOMENT.test(text) || text.length > 160) return [];
  const self = SELF.exec(text);
  return self ? ofSelf(self) : ofPossessed(text);
}

function ofPossessed(text: string): readonly Statement[] {
  const [match, whose = "", given = "", name, verb = "", raw = ""] =
    PERSON.exec(text.replace(/^\p{Lu}/u, (first) => first.toLowerCase())) ?? [];
  if (match === undefined) return [];
  const kind = given.toLowerCase();
  const about = complementOf(raw);
  if (about === undefined || NOT_LASTING.test(`${verb} ${raw}`)) return [];
  if (RELATION.test(kind)) return ofPerson(kind, name, verb, raw, about);
  const isValue =
    /^(?:\p{Lu}|\d|le \d|le (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)|à |au |en |chez |dans |sur |une? |de \p{Lu})/u.test(
      about,
    );
  if (
    !isValue ||
    name !== undefined ||
    PASSING_SUBJECT.test(kind) ||
    PASSING_THING.test(raw) ||
    !/^(?:est|sont|s'appelle|tourne|commence|finit|coûte|date|se trouve|a lieu|tombe|expire)$/.test(verb)
  )
    return [];
  const article = /^(?:mes|nos)$/.test(whose)
    ? "Les "
    : /^[aeiouéèh]/u.test(kind)
      ? "L'"
      : whose === "ma"
        ? "La "
        : "Le ";
  return [{ ...profile("fr", `${verb} ${about}`, `${kind} ${verb}`), subject: `${article}${kind} {whose}` }];
}

function ofPerson(
  kind: string,
  name: string | undefined,
  verb: string,
  raw: string,
  about: string,
): readonly Statement[] {
  const called = verb === "s'appelle" ? /^(\p{Lu}[\p{L}-]+)/u.exec(raw)?.[1] : undefined;
  const who = name ?? called;
  const relation =
    who === undefined ? [] : [entity("fr", who, who, `est ${the(kind)}${kind} {whose}`, "relation")];
  const isVerb = OTHERS.has(verb) || /(?:e|t|ent|d|a)$/u.test(verb);
  if (called !== undefined || PASSING_THING.test(raw) || !isVerb) return relation;
  const subject = who ?? `${capital(the(kind))}${kind} {whose}`;
  return [
    ...relation,
    entity("fr", who ?? `${kind} {whose}`, subject, `${verb} ${about}`, `${verb} ${headOf(about)}`),
  ];
}
