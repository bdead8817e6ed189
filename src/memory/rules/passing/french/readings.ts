import { attitude, entity, profile, wish } from "../../predicates.ts";
import { complementOf } from "../../readers/french-objects.ts";
import { THIRD } from "../../readers/french-words.ts";
import { type Reading, readingsOf } from "../table.ts";
import { FRENCH_CHANGES, FRENCH_DAY, FRENCH_TOOLS } from "./changes.ts";
import { FRENCH_FRAGMENTS } from "./fragments.ts";
import { capital, the } from "./general.ts";

const { fact, taste, named, habit, form } = readingsOf("fr", complementOf);

const NAME = "((?:(?:le |la )?(?:Dre?|M\\.|Mme|Pr) )?\\p{Lu}[\\p{L}-]+)";
const DURABLE =
  "(?:maison|longère|ferme|appartement|appart|studio|chalet|bateau|péniche|camping-car|caravane|van|voiture|moto|vélo|scooter|guitare|piano|violon|télescope|appareil photo|chien|chiot|chat|chaton|cheval|poney|poules|jardin|potager|terrain|librairie|boutique|resto|restaurant|grange|machine à coudre)";
const NO_LACK = "(?:j['’]ai arrêté|on a arrêté|j['’]ai fini|j['’]ai cessé)";

const EVENTS: readonly Reading[] = [
  fact(
    `${NO_LACK} ((?:de |d['’])[\\p{L}]+(?: [^,]{2,30})?|l['’]alcool|la cigarette|le (?:sucre|café|tabac))( (?:en|depuis|il y a|l['’]an) [^,]{2,20})?`,
    "a arrêté $1$2",
  ),
  fact(
    `(?:j['’]ai|nous avons|on a)(?: enfin| récemment)? (acheté|adopté|hérité d['’]|loué|construit|vendu|repris|ouvert) ((?:une?|notre|des|deux|trois) (?:[^,]{1,20} )?${DURABLE}(?: [^,]{2,30})?)`,
    "a $1 $2",
  ),
  fact("je (n['’]ai jamais) (appris à|su|eu|aimé|fumé|bu|mangé) ?([^,]{3,40})?", "$1 $2 $3"),
  fact("je suis née? (à|en|au|le) ([^,]{2,30})", "est né $1 $2", { slot: "naissance" }),
  fact("j['’]ai grandi ((?:à|en|au|dans) [^,]{2,30})", "a grandi $1", { slot: "origin" }),
];

const LIKES: readonly Reading[] = [
  {
    form: form(
      "((?:les? |la |l['’])[\\p{L}'’ -]{2,30}?),? (?:je|j['’]) ?(déteste|adore|aime|(?:ne )?supporte pas|(?:n['’])?aime pas|hais) (?:vraiment |trop )?ça",
    ),
    make: ([, what = "", verb = ""]) => {
      const object = complementOf(what);
      const isNo = /pas|déteste|hais/.test(verb);
      return object === undefined
        ? undefined
        : attitude("fr", `${isNo ? "n'aime pas" : "aime"} ${object}`, object, isNo ? "no" : "yes");
    },
  },
  taste(
    "je (?:ne )?(?:supporte|digère|tolère) pas (?:du tout )?((?:le |la |les |l['’])[^,]{3,30})",
    "ne supporte pas $1",
    "$1",
    "no",
  ),
  taste(
    "je (?:déteste|hais) ([^,]{3,30})|j['’]ai horreur (?:de |du |des |d['’])([^,]{3,30})",
    "déteste $1$2",
    "$1$2",
    "no",
  ),
  taste(
    "je suis (?:un |une )?(?:grande? |gros |grosse )?(?:fane?|accro|dingue|passionnée?|féru) (?:de |d['’]|du |des |au |à la |aux )([^,]{3,30})",
    "aime $1",
    "$1",
    "yes",
  ),
  taste(
    "((?:le |la |les |l['’])[\\p{L} -]{2,25}),? (?:c['’]est|ce n['’]est) (?:vraiment )?pas (?:mon truc|pour moi|ma tasse de thé)",
    "n'aime pas $1",
    "$1",
    "no",
  ),
  taste(
    "((?:le |la |les |l['’])[\\p{L} -]{2,25}),? c['’]est (?:vraiment |trop )?(?:mon truc|ma passion|mon péché mignon)",
    "aime $1",
    "$1",
    "yes",
  ),
  fact("je suis (?:très |hyper |un peu )?allergique ((?:à |au |aux )[^,]{2,40})", "est allergique $1", {
    slot: "allergique $1",
  }),
  fact(
    "j['’]ai ((?:une? |de l['’]|du |des |la |le )?(?:\\p{L}+ ){0,2}?(?:allergie[^,]{0,30}|intolérance[^,]{0,30}|asthme|diabète|migraines?|endométriose|hypothyroïdie|hypertension|épilepsie|dyslexie|TDAH|arthrose|eczéma|psoriasis|Crohn|maladie c[œoe]+liaque|vertige|pompe à insuline|pacemaker|scoliose|sclérose en plaques|acouphènes))( [^,]{2,30})?",
    "a $1$2",
    { slot: "a $1" },
  ),
  fact(
    "je suis (diabétique|asthmatique|épileptique|dyslexique|cœliaque|coeliaque|insomniaque|daltonien(?:ne)?|malentendante?|sourde?)( [^,]{2,40})?",
    "est $1$2",
    { slot: "est $1" },
  ),
  fact(
    "je prends ((?:du |de la |de l['’]|des |un |une )?(?!le\\b|la\\b|mon\\b)[\\p{L}-]{5,20})( (?:tous les|chaque|matin et|depuis|pour|contre) [^,]{2,30})",
    "prend $1$2",
    { slot: "prend $1" },
  ),
  fact(
    "(?:je|on|nous) (?:ne |n['’])?(mange|mangeons|bois|buvons|boit|consomme) (pas|plus|jamais) ((?:de |d['’])[^,]{2,30})",
    "ne $1 $2 $3",
  ),
];

const HABITS: readonly Reading[] = [
  fact(
    "(?:on a|nous avons|j['’]ai) ((?:une?|deux|trois|quatre|cinq|six|\\d+) (?:petite?s? )?(?:poules?|chats?|chiens?|chevaux|lapins?|enfants?|filles?|garçons?|fils|chèvres?|moutons?|perruches?|poissons?|ânes?|hamsters?|tortues?|canards?|ruches?|frères?|sœurs?)(?: [^,:]{2,30})?)",
    "a $1",
    { slot: "number of $1" },
  ),
  fact(
    "((?:le |la |les |l['’])[\\p{L} -]{2,25}),? (?:jamais|plus|pas) (après [^,]{2,20}|le (?:matin|soir)|avant [^,]{2,20}|pour moi)",
    "ne prend pas $1 $2",
    { slot: "attitude to $1" },
  ),
  fact("(?:je me sers|on se sert) (?:de |d['’]|du )([^,]{2,30})", "se sert de $1"),
  fact(
    "(?:le |tous les )((?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s?(?: (?:matin|soir|midi|après-midi))?),? (?:j['’]ai|je vais (?:à la |au |à l['’]))(?! (?:pas|mal|envie))((?: ?\\p{L}+){1,4})",
    "a $2 le $1",
    { slot: "le $1" },
  ),
  fact(
    "j['’]ai ((?:cours de |club de )?(?:chorale|yoga|judo|danse|théâtre|piscine|tennis|poterie|guitare|piano|solfège|foot|rugby|escalade)) ((?:le |tous les )[^,]{3,25})",
    "a $1 $2",
    { slot: "$1" },
  ),
  fact(`(?:mon anniversaire|ma fête)(?:,)? (?:est|tombe|c['’]est) (${FRENCH_DAY})`, "est $1", {
    slot: "anniversaire",
    subject: "L'anniversaire {whose}",
  }),
  fact(
    "(?:moi )?(?:c['’]est|je m['’]appelle|je me prénomme|mon prénom est|mon prénom c['’]est) (\\p{Lu}[\\p{L}-]+)",
    "s'appelle $1",
    { slot: "name" },
  ),
  fact("(?:moi )?je (?:tiens|gère|dirige|possède|anime) ((?:une?|le|la|mon|ma) [^,]{3,50})", "gère $1", {
    slot: "gère $1",
  }),
  fact("(?:où )?je gère ((?:le|la|les) [^,]{3,40})", "gère $1", { slot: "gère $1" }),
  fact("le (télétravail)(?:,)? c['’]est ([^,]{3,40})", "est en $1 $2", { slot: "télétravail" }),
  fact(
    "(?:je vais|je viens|on va) (?:au (?:boulot|travail|bureau)|à l['’]école|à la fac) (à vélo|en (?:bus|train|voiture|métro|tram|scooter)|à pied)( [^,]{2,40})?",
    "va au travail $1$2",
    { slot: "trajet" },
  ),
  fact("(?:par contre |en revanche )?je parle (?:aussi |couramment )?([^,]{3,40})", "parle $1", {
    slot: "parle $1",
  }),
  fact(
    "(?:je|on|nous) (?:fais|fait|faisons) ((?:du |de la |de l['’]|des )[\\p{L} -]{3,25}?(?: (?:tous les|chaque|le|une fois|deux fois|trois fois|depuis) [^,]{2,30}))",
    "fait $1",
  ),
  fact("on n['’]a pas (?:de |d['’]|la |le )([^,]{3,30})", "n'a pas de $1", { slot: "number of $1" }),
  fact(
    "(?:je suis|on est) (?:actuellement |encore )?(en (?:[^,]{2,20}année|master|licence|thèse|première|terminale|alternance|apprentissage|reconversion|retraite|arrêt|couple|coloc)[^,]{0,30})",
    "est $1",
    { slot: "est en" },
  ),
];

const PLANNED: ReadonlyMap<string, string> = new Map([
  ["rends", "rend"],
  ["soutiens", "soutient"],
  ["me marie", "se marie"],
]);

const WORK: readonly Reading[] = [
  {
    form: form(
      `(?:on|nous|je) (rends?|rendons|livre|livrons|lance|lançons|présente|présentons|soutiens|déploie|publie|déménage|me marie|se marie) ((?:le |la |les |l['’]|notre |mon |ma )?[^,]{0,40}?) ?(le \\d{1,2}(?:er)? \\p{L}+|en (?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre))`,
    ),
    make: ([, verb = "", what = "", day = ""]) => {
      const object = what === "" ? "" : complementOf(what);
      const third = THIRD.get(verb) ?? PLANNED.get(verb) ?? verb;
      return object === undefined
        ? undefined
        : profile("fr", `${third} ${object} ${day}`.replace(/ {2,}/g, " "), `échéance ${object}`);
    },
  },
  named(
    `(?:c['’]est )?${NAME} (?:qui )?(s['’]occupe|gère|dirige|fait|teste|développe|pilote) ((?:du|de la|des|de|le|la|les|d['’]|l['’]) ?[^,]{3,40})`,
    "$1",
    "$2 $3",
    "$2",
  ),
  {
    form: form(
      `(?:mon|ma|notre) ((?:endocrino|cardiologue|gynéco|dermato|ophtalmo|kiné|psy|ostéo|dentiste|avocate?|notaire|banquier|banquière|comptable|coach|prof de \\p{L}+|cheffe?|patronne?|manager|tutrice|tuteur|directrice|directeur)(?: de thèse)?),? (?:c['’]est|est|s['’]appelle) ${NAME}`,
    ),
    make: ([, kind = "", name = ""]) =>
      entity("fr", name, name, `est ${the(kind)}${kind} {whose}`, "relation"),
  },
];

const KIN =
  "(?:meilleure? ami|meilleure amie|mère|père|maman|papa|sœur|soeur|frère|fille|fils|femme|mari|copine|copain|compagne|compagnon|amie?|tante|oncle|cousine?|nièce|neveu|grand-mère|grand-père|mamie|papi|belle-mère|beau-père|belle-sœur|beau-frère|voisine?|collègue|cheffe?|patronne?|colocataire|coloc|chienne?|chatte?|cheval|lapin|dentiste|médecin|prof|nounou|filleule?|aînée?|cadette?|benjamine?|plus vieux|plus vieille|plus petite?|petit dernier|petite dernière|blonde|chum|conjointe?|jumelles|jumeaux|parents|enfants|filles|garçons)";

const PREDICATE =
  "((?:s['’]appelle|est|sont|a|ont|habite|habitent|vit|travaille|bosse|étudie|joue|collectionne|prend sa retraite|accouche|attend|entre|rentre|passe|fête|part|déménage|aura|fait|élève|tient|adore|déteste|ne mange|enseigne) ?[^,]{2,60})";
const LASTING =
  /^(?:s['’]appelle \p{Lu}|(?:est|sont) (?:allergique|végétari|végan|diabétique|sage-femme|enceinte|retraité|intolérante?|au (?:collège|lycée)|en (?:maternelle|CP|CE|CM|sixième|terminale|retraite|fac)|\p{L}+(?:teur|trice|ier|ière|eur|euse|iste|ien|ienne|logue|médecin|avocate?|kiné|prof|pompier|vétérinaire|comptable|architecte|agent|artiste)(?: |$)|une? \p{L}+|à la retraite|originaire|née?)|(?:a|ont) (?:\d+ ans|la maladie|un diabète|du diabète|une allergie|de l['’]asthme|Parkinson|Alzheimer|l['’]alzheimer|deux|trois|un chien|un chat)|habite|vit |travaille|bosse|étudie|joue (?:du|de la|au|à)|collectionne|prend sa retraite (?:en|le|l)|accouche (?:en|le)|attend (?:un|une|des)|entre (?:au|en)|rentre (?:au|en) |passe (?:le bac|son)|fête ses|part à la retraite|déménage (?:à|en)|aura \d|élève |tient (?:une?|le|la)|adore |déteste |ne mange |enseigne|fait (?:du|de la|des) \p{L}+(?: depuis| en)?)/u;

const RELATIVES: readonly Reading[] = [
  {
    form: form(
      `(?:mon|ma|mes|notre|nos) ((?:${KIN}))(?:,? ((?:(?:le |la )?(?:Dre?|M\\.|Mme) )?\\p{Lu}[\\p{L}-]+))?,? ${PREDICATE}`,
    ),
    make: ([, kind = "", name, raw = ""]) => {
      const about = complementOf(raw);
      const low = kind.toLowerCase();
      if (
        about === undefined ||
        !LASTING.test(about) ||
        /(?<!\p{L})(?:malade|fatiguée?|fâchée?|en retard|absente?|aujourd|demain)(?!\p{L})/u.test(about)
      )
        return undefined;
      const called = /^s['’]appelle (\p{Lu}[\p{L}-]+)/u.exec(about)?.[1];
      const who = name ?? called;
      const relation =
        who === undefined ? [] : [entity("fr", who, who, `est ${the(low)}${low} {whose}`, "relation")];
      if (called !== undefined) return relation;
      const subject = who ?? `${capital(the(low))}${low} {whose}`;
      return [
        ...relation,
        entity("fr", who ?? `${low} {whose}`, subject, about, about.split(" ").slice(0, 2).join(" ")),
      ];
    },
  },
];

/** Relatives that a message names in passing, in any sentence: "pour mon beau-père". */
export function frenchNamed(sentence: string) {
  return [
    ...sentence.matchAll(
      new RegExp(`(?<!\\p{L})(?:mon|ma) (${KIN}),? (\\p{Lu}[\\p{Ll}-]+)(?![\\p{L}'’])`, "gu"),
    ),
  ].map(([, kind = "", name = ""]) =>
    entity("fr", name, name, `est ${the(kind)}${kind} {whose}`, "relation"),
  );
}

const WISHES: readonly Reading[] = [
  {
    form: form(
      "(?:tu peux |merci de |peux-tu |tu pourrais )(?:s['’]il te plaît )?(?:me |on peut se )?((?:tutoyer|vouvoyer|répondre (?:plus )?(?:brièvement|court|en [^,]{3,30}|sans [^,]{3,25}|avec [^,]{3,25})|faire (?:court|simple)|éviter [^,]{3,30}))(?: stp| svp| s['’]il te plaît)?",
    ),
    make: ([, what = ""]) =>
      wish(
        "fr",
        what.split(" ").slice(0, 4).join(" "),
        `souhaite : ${/^(?:tu|vou)/.test(what) ? `se faire ${what}` : what}`,
      ),
  },
  {
    form: form(
      "((?:réponds|écris|explique|parle|utilise|évite|garde|fais)(?:-moi)? [^,]{0,40}(?:court\\p{L}*|simple\\p{L}*|bref|brève\\p{L}*|français|anglais|phrases|listes?|emojis?|jargon|tutoie\\p{L}*|exemples?|unités)[^,]{0,30})",
    ),
    make: ([, what = ""]) => wish("fr", what.split(" ").slice(0, 4).join(" "), `souhaite : ${what}`),
  },
];

const VERBAL = form(
  "(?:je |j['’]|nous |on )(\\p{L}+) ((?:[^,]{2,50} )?(?:tous les|toutes les|chaque|toujours|jamais|souvent|depuis|le (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|matin|soir|week-end))(?: [^,]{1,40})?)",
);

const thirdOf = (verb: string): string | undefined =>
  THIRD.get(verb.toLowerCase()) ??
  (/^(?:refait|fait|mange|boit|joue|regarde|travaille|prend)$/.test(verb) ? verb : undefined);

export const FRENCH_READINGS: readonly Reading[] = [
  ...FRENCH_CHANGES,
  ...FRENCH_TOOLS,
  ...EVENTS,
  ...LIKES,
  ...HABITS,
  ...WORK,
  ...RELATIVES,
  ...WISHES,
  ...FRENCH_FRAGMENTS,
  habit(VERBAL, thirdOf, /depuis (?:une|\d+) (?:heures?|minutes)/u),
];
