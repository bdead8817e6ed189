import { entity, profile, wish } from "../../predicates.ts";
import { complementOf } from "../../readers/french-objects.ts";
import { LASTING_STATE, RELATION } from "../../readers/french-words.ts";
import type { Statement } from "../../rule.ts";
import { type Reading, readingsOf } from "../table.ts";
import { FRENCH_DAY } from "./changes.ts";

const { fact, form } = readingsOf("fr", complementOf);

const NAME = "(?:(?:Dre?|M\\.|Mme|Pr\\.?) )?\\p{Lu}[\\p{Ll}-]+(?:-\\p{Lu}\\p{Ll}+)?";
const FEMININE =
  /^(?:.*amie|mère|maman|sœur|soeur|fille|femme|copine|compagne|tante|cousine|nièce|.*-mère|mamie|belle-.*|voisine|cheffe|patronne|chienne|chatte|nounou|filleule|petite-fille|cadette|aînée|benjamine)$/u;
const the = (kind: string): string => (/^[aeiouéè]/u.test(kind) ? "l'" : FEMININE.test(kind) ? "la " : "le ");
const PART =
  "(?:préprod|prod|production|recette|staging|base|base de données|back|front|backend|frontend|API|api|appli|app|site|serveur|dépôt|code|doc|documentation|wiki|CI|pipeline|projet|boutique|monorepo|sauvegardes?|mails?|tests?|cluster|intranet|newsletter|facturation)";

/** Customs at the speaker's workplace or home. */
const OURS: readonly Reading[] = [
  fact(
    "chez (?:nous|moi),? (?:on |c['’]est )?(tout (?:est|se fait|tourne|passe) (?:en|sur|chez|dans|avec|par) [^,]{2,30}(?:, pas de [^,]{2,20})?)",
    "$1",
    {
      subject: "Chez l'utilisateur,",
    },
  ),
  fact(
    "tout (est|tourne|passe|se fait|est stocké|est hébergé)(?: maintenant| désormais)? ((?:sur|chez|en|dans|avec) \\p{Lu}[\\p{L}\\d.+# -]{1,30})",
    "a tout $2",
  ),
  fact(
    "(?:dans (?:ce|le|notre) (?:dépôt|projet|code|équipe),? )?(?:on|nous) (n['’]|ne )?(indente|pousse|déploie|teste|écrit|code|commite|merge|relit|formate|livre|sort une version|facture|documente)s? ((?:jamais |toujours |tout |directement )*(?:avec|en|sur|dans|à|un|chaque|tous|toutes|par|le|jamais|toujours|directement|tout) ?[^,]{2,50})",
    "$1$2 $3",
  ),
  {
    form: form(
      "(?:la |le |les |l['’]|notre |nos )?(" +
        PART +
        ")(?: (?:de test|de prod|du client|web|mobile))?(?: (est|tourne|reste|sont|tournent|passe))?(?: hébergée?s?| déployée?s?| encore| toujours)? ((?:chez|sur|en|dans|avec) [\\p{Lu}\\d][^,]{1,40})",
    ),
    make: ([, noun = "", verb = "est", raw = ""]) => {
      const what = complementOf(raw);
      if (what === undefined || /ligne \d|erreur|étape|page \d/iu.test(raw)) return undefined;
      const article =
        /^(?:préprod|prod|production|recette|base.*|API|api|appli|app|doc.*|CI|boutique|facturation|newsletter)$/.test(
          noun,
        );
      const subject = /^[aeiouAI]/u.test(noun) ? `L'${noun}` : `${article ? "La" : "Le"} ${noun}`;
      return {
        ...profile("fr", `${verb === "" ? "est" : verb} ${what}`, noun.toLowerCase()),
        subject: `${subject} {whose}`,
      };
    },
  },
  {
    form: form(
      `(?:et |c['’]est )?(${NAME}) (?:qui )?(fait|gère|s['’]occupe d[eu]|dirige|relit|teste|écrit|traduit|maintient|assure|prend en charge|organise) ?((?:la |le |les |l['’]|notre )?[\\p{L}][\\p{L} '’/-]{1,40})`,
    ),
    make: ([, name = "", verb = "", raw = ""]) => {
      const what = complementOf(raw);
      return what === undefined ||
        /^(?:On|Je|Il|Elle|Tu|Nous|Vous|Ça|Cela|Tout|Qui|Personne|Chacun)$/u.test(name)
        ? undefined
        : entity("fr", name, name, `${verb} ${what}`, verb);
    },
  },
  {
    form: form(
      `(?:(?:le |la |l['’]|mon |ma |notre )((?!date)\\p{Ll}[\\p{L}'’ -]{2,40}?)|([\\p{Lu}]\\p{Ll}{3,}(?: \\p{Ll}+){0,3}))(?: est(?: prévue?| fixée?)?| aura lieu| a lieu| commence| ouvre| ferme| :|:| tombe)? ?(?:c['’]est )?((?:le |au |du )?${FRENCH_DAY})`,
    ),
    make: ([said = "", noun = "", bare = "", day = ""]) => {
      const what = (noun === "" ? bare : noun).trim();
      if (
        /^(?:on|je|il|elle|ce|c['’]est|rendez-vous le|hier|demain|aujourd)/iu.test(what) ||
        / (?:que|est|a|passe|sont) /u.test(`${what} `)
      )
        return undefined;
      const article =
        noun === ""
          ? ""
          : /^(?:le |mon )/i.test(said)
            ? "Le "
            : /^(?:la |ma )/i.test(said)
              ? "La "
              : /^l/i.test(said) || /^[aeiouéè]/u.test(what)
                ? "L'"
                : "Le ";
      return {
        ...profile(
          "fr",
          `est ${/^(?:le|au|du) /.test(day) || /^\p{Ll}/u.test(day) ? day : `le ${day}`}`,
          what.toLowerCase(),
        ),
        subject: `${article}${what} {whose}`,
      };
    },
  },
];

const SELF: readonly Reading[] = [
  fact(
    "j['’]ai (?:pris|racheté|acheté|repris|commandé) (une? (?:\\p{Ll}+ )?[\\p{Lu}][\\p{L}\\d -]{2,25}|une? iPhone(?: \\d+)?)",
    "a $1",
  ),
  fact("j['’]ai (recommencé|repris) (à \\p{L}+er [^,]{3,40})", "a $1 $2"),
  fact("(?:je suis )?(née?|grandi|élevée?) ((?:à|en|au|aux|dans) [^,]{2,30})", "est $1 $2"),
  fact("on m['’]a diagnostiqué ([^,]{3,50})", "a été diagnostiqué : $1"),
  fact("je suis (moitié \\p{L}+(?:,? (?:et )?moitié \\p{L}+)?)", "est $1"),
  fact(
    "(?:mais )?(?:tout le monde|mes amis|mes potes|on|mes collègues) (?:dit|m['’]appelle|m['’]appellent|me surnomme|disent) (\\p{Lu}\\p{Ll}+)",
    "est surnommé $1",
    { slot: "surnom" },
  ),
  fact("moi,? c['’]est (\\p{Lu}\\p{Ll}+)", "s'appelle $1", { slot: "nom" }),
  fact(
    "(?:on|nous) (?:s['’]est|nous sommes|est) (?:installée?s?|posée?s?|établie?s?) ((?:à|en|au|aux|dans) [^,]{2,30}?)((?: il y a| en \\d{4}| depuis| l['’]an) ?[^,]{0,25})?",
    "s'est installé $1$2",
    { slot: "home", replaces: "home" },
  ),
  fact(
    "(?:je me suis|je m['’]étais) (?:installée?|établie?|posée?) (?:dans (?:un|une) [^,]{3,25} )?((?:à|en|au|aux) [^,]{2,30})",
    "habite $1",
    { slot: "home", replaces: "home" },
  ),
  fact(
    "(?:on|nous|je) (?:vient|viens|venons) d['’]emménager ((?:dans|à|en|au) [^,]{3,50})",
    "vient d'emménager $1",
    { slot: "home", replaces: "home" },
  ),
  fact(
    "(?:nous avons|on a|j['’]ai) quitté (\\p{Lu}[\\p{L} -]{2,25}) pour ((?:le |la |les |l['’])?\\p{Lu}[^,]{2,30})",
    "a quitté $1 pour $2",
    { slot: "home", replaces: "home" },
  ),
  fact(
    "(?:avec|à) (ma mère|mon père|mes parents|ma grand-mère|mes grands-parents|mon mari|ma femme|mes enfants|à la maison),? je parle ([^,]{3,25})",
    "parle $2 avec $1",
  ),
  fact(
    "(?:les? |la |l['’])([\\p{L}'’ -]{3,25}),? (?:très peu pour moi|non merci|c['’]est pas mon truc|j['’]évite|c['’]est non|c['’]est interdit pour moi|je n['’]y touche pas)",
    "n'aime pas ou évite $1",
    { slot: "attitude to $1" },
  ),
  fact(
    "(?:le |la |les |l['’])([\\p{L}'’ -]{3,25}),? je (?:le |la |les |l['’])(bois|mange|prends|lis|fais|cuisine) ([^,]{3,40})",
    "$2 $1 $3",
  ),
  fact(
    "(?:on|nous) (?:est|sommes) ((?:deux|trois|quatre|cinq|six|sept|huit|\\d+) (?:à la maison|dans l['’]équipe|à table|au bureau))[^,]{0,30}",
    "est $1",
    { slot: "nombre" },
  ),
  fact("(?:avec [^,]{3,30} )(?:on|nous) (tient|gère|a ouvert|dirige|élève|loue|anime) ([^,]{3,50})", "$1 $2"),
  fact("j['’]étais (\\p{Ll}+(?: \\p{Ll}+){0,2})(?: avant)?", "était $1"),
  fact(
    "(?:et )?(?:j['’]ai |on a )?(?:ouvert|monté|créé|lancé) (mon|ma|notre|une?) ((?:propre )?(?:atelier|boîte|resto|restaurant|café|boutique|salon|cabinet|ferme|studio|librairie|gîte)[^,]{0,40})",
    "a ouvert $1 $2",
  ),
  fact("je (?:me suis|m['’]étais) (déchiré|cassé|fracturé|foulé|rompu) ([^,]{3,40})", "s'est $1 $2"),
  fact(
    "je suis ((?:\\p{Ll}+ ){1,3}(?:d['’]un |d['’]une |de la |du |de |à la |à l['’]|au |chez |dans )[^,]{3,40})(?: depuis [^,]{2,20})?",
    "est $1",
  ),
];

/** Relatives: what they became or do now, and those named by birth order. */
const PEOPLE: readonly Reading[] = [
  {
    form: form(
      `(?:mon|ma|notre) ((?:petit |petite |grand |grande )?\\p{Ll}[\\p{Ll}œ-]+(?: \\p{Ll}+)?)(?:,? (${NAME}),?)? ((?:a|est|fait|va|joue|s['’]est|vit|travaille|habite|entre|part|étudie|pratique|apprend|vient|tient|élève|collectionne|souffre|adore|passe) [^,]{2,70})`,
    ),
    make: ([, kind = "", name, raw = ""], { isOfChange }) => {
      const what = complementOf(raw);
      const isKin =
        RELATION.test(kind) ||
        /^(?:cadette?|aînée?|benjamine?|plus (?:vieux|vieille|jeune|petite?|grande?))$/u.test(kind);
      if (what === undefined || !isKin || MOOD.test(raw) || !(LIFE.test(raw) || isOfChange)) return undefined;
      const low = kind.toLowerCase();
      const article = the(low);
      const said = entity(
        "fr",
        name ?? `${low} {whose}`,
        name ?? `${article[0]?.toUpperCase()}${article.slice(1)}${low} {whose}`,
        what,
        what.split(" ").slice(0, 2).join(" "),
      );
      return name === undefined
        ? said
        : [entity("fr", name, name, `est ${article}${low} {whose}`, "relation"), said];
    },
  },
  {
    form: form(
      "(?:la |le |l['’])(plus jeune|plus petite?|plus grande?|plus vieux|aînée?|cadette?|benjamine?)(?: s['’]appelle|,? c['’]est)? (\\p{Lu}\\p{Ll}+)",
    ),
    make: ([said = "", which = "", name = ""]) =>
      entity(
        "fr",
        name,
        name,
        `est ${/^la/i.test(said) ? "la " : /^l['’]/i.test(said) ? "l'" : "le "}${which} {whose}`,
        "relation",
      ),
  },
];
const MOOD =
  /^(?:est|a) (?:(?:très|trop|un peu|super) )*(?:malade|fatiguée?|faim|soif|froid|raison|tort|dit|demandé|appelé|oublié|perdu|là|content\p{L}*|fâché\p{L}*|gentil\p{L}*|sympa|en retard)/u;
const LIFE =
  /^(?:est (?:partie?|passée?|entrée?|revenue?|devenue?|morte?|décédée?|née?|en (?:maison|prison|couple|fac|CP|CE\d|CM\d|sixième|cinquième|quatrième|troisième|seconde|première|terminale|apprentissage)|sous |à la retraite|au (?:lycée|collège|chômage)|\p{L}*(?:eur|euse|ier|ière|iste|trice|logue|gère|ger|cien|cienne)(?: |$))|a (?:déménagé|démissionné|ouvert|arrêté|abandonné|laissé tomber|commencé|quitté|changé|été mineur|été (?:\p{Ll}+eur|\p{Ll}+ier)|eu (?:un|une|deux|\p{L}+ ans)|\d+ ans|rejoint|intégré|repris)|fait (?:de|du|des|son|ses|sa)|s['’]est (?:mise?|installée?|mariée?)|va (?:à|au|en)|joue|pratique|apprend|tient|élève|collectionne|souffre|passe (?:son|le) (?:permis|bac))/u;

const WISHES: readonly Reading[] = [
  {
    form: form(
      "((?:tutoie|vouvoie)-moi(?: et [^,]{3,25})?|(?:réponds|écris|explique|utilise)(?:-moi)? (?:toujours|désormais|dorénavant|systématiquement|plutôt) [^,]{3,50})(?: s['’]il te plaît| stp)?",
    ),
    make: ([, what = ""]) => wish("fr", what.split(" ").slice(0, 3).join(" "), `souhaite : ${what}`),
  },
];

export const FRENCH_FRAGMENTS: readonly Reading[] = [...PEOPLE, ...SELF, ...OURS, ...WISHES];

const NO_ROLE =
  /^(?:utilisat\p{L}+|visiteur|admin\p{L}*|enfant|exemple|résultat|bébé|ado\p{L}*|débutante?|lecteur|lectrice|client[e]?|fan|test|cadeau|pirate|robot|personnage|assistant|ia)/iu;

/**
 * Roles and states that a message mentions in passing: "En tant qu'infirmière, …", "étant daltonien, je …".
 */
export function frenchRoles(message: string): readonly Statement[] {
  const roles = [
    ...message.matchAll(
      /(?<!\p{L})en tant (?:que |qu['’])((?:\p{Ll}+ )?\p{Ll}[\p{L}-]+(?: (?:en|de|à|au) [\p{Ll}]+(?: \p{Ll}+)?)?)(?=,?(?: je (?!veux|souhaite|voudrais|dois|peux)| j['’](?!aimerais)| comment | on ))/giu,
    ),
  ].flatMap(([, role = ""]) => (NO_ROLE.test(role) ? [] : [`est ${role}`]));
  const states = [
    ...message.matchAll(/(?:^|[.!?,;] )étant ([\p{Ll}é -]{3,30}?), (?=je |j['’]|on |nous )/giu),
  ].flatMap(([, state = ""]) => (LASTING_STATE.test(state) ? [`est ${state}`] : []));
  return [...roles, ...states].map((about) => profile("fr", about));
}
