import { attitude, entity, furtherStatements, profile, wish, wordTable } from "./predicates.ts";
import type { Rule, Statement } from "./rule.ts";

/** Irregular forms of the first person, singular and plural, each with its third person. */
const IRREGULAR = wordTable(
  "bois=boit, buvons=boit, fais=fait, vis=vit, vivons=vit, apprends=apprend, apprenons=apprend, " +
    "viens=vient, mangeons=mange, prends=prend, dors=dort, conduis=conduit, écris=écrit, " +
    "préfère=préfère, préférons=préfère, cours=court, courons=court",
);
const REGULAR =
  "habit|travaill|utilis|employ|aim|ador|détest|parl|mang|jou|étudi|fum|collectionn|enseign|déploy|publi|développ|dirig|support|cuisin|nag|livr|hérberg|stock";
const VERB = `((?:${Object.keys(IRREGULAR).join("|")})|(?:${REGULAR})(?:e|ons))`;
const WHO = "(?:je |j['’]|nous )";
const REST = String.raw`([^,;:!?()\n—…]{2,110})`;
const POINTING =
  /(?<!\p{L})(?:tu|te|toi|ton|ta|tes|vous|votre|vos|il|elle|ils|elles|ça|cela|ceci|ce|cette|ces|celui|celle|y|lui|leur|qui|que|dont|où|mon|ma|mes|notre|nos|moi|ici|là)(?!\p{L})/iu;
const UNREAL =
  /(?<!\p{L})(?:si|s['’]ils?(?! (?:te|vous) pla[iî]t)|peut-être|probablement|aurais|serais|voudrais|pourrais|aimerais|devrais|avant|autrefois|imagine|presque)(?!\p{L})|\?\s*$/iu;

function thirdOf(verb: string): string {
  const known = IRREGULAR[verb];
  if (known !== undefined) return known;
  const stem = verb.replace(/e?ons$/, "");
  return /loy$/.test(stem) && stem !== verb ? `${stem.slice(0, -1)}ie` : stem === verb ? verb : `${stem}e`;
}

const LEADING =
  /^(?:maintenant|toujours|désormais|souvent|beaucoup|trop|plus|jamais|aussi|seulement|surtout|actuellement|bien|pas|(?:de |d['’]|du |des |de la |de l['’]|le |la |les |l['’]|un |une ))+\s*/iu;
const TRAILING =
  / (?:au lieu de|plutôt que|au|aux|à|depuis|avec|sans|pour|dans|sur|en|et|chaque|tous|toutes|maintenant|désormais|vert|noir|le (?:matin|midi|soir))(?: .*)?$/iu;

function thingOf(object: string): string {
  const thing = object.replace(LEADING, "").replace(TRAILING, "").replace(LEADING, "");
  return thing.split(" ").slice(0, 3).join(" ") || object;
}

function objectOf(raw: string): string | undefined {
  const object = raw
    .replace(/[.\s]+$/, "")
    .replace(/ (?:en ce moment|avec (?:mon|ma|mes) .*)$/i, "")
    .trim();
  return object.length < 2 || POINTING.test(object) || object.split(" ").length > 12 ? undefined : object;
}

/** Objects that occur in single events, not in habits. */
const AT_ONCE =
  /^(?:d'abord|(?:(?:un|une|le|la|du|des|les|de la) )?(?:première|deuxième|seconde|dernière|option|café|thé|pause|point|note|temps|photo|tour|erreur|essai|test|copie|recherche|courses|point|mot)(?!\p{L}))/iu;

const TASTE = /^(?:bois|buvons|mange|mangeons|utilis|employ|aim|ador|détest|préf|fum|support)/;

function taste(verb: string, about: string, object: string): Statement | undefined {
  // a rule of plans.ts states "du thé au lieu du café" as an answer about the coffee
  if (/^(?:boi|buv|mang)/.test(verb) && / (?:au lieu|à la place) d/.test(object)) return undefined;
  const isNo = /^détest/.test(verb) || /^pas /.test(object);
  return attitude("fr", about, /^fum/.test(verb) ? "fumer" : thingOf(object), isNo ? "no" : "yes");
}

/** "je dors plus": spoken French drops "ne". "Je dors plus longtemps" is no negation. */
const SPOKEN_NEGATION = /^(?:jamais|rien|personne|plus)(?= (?:de|du|des|à|au|en|la|le|les)(?!\p{L})|$)/iu;

function stated(verb: string, raw: string): Statement | readonly Statement[] | undefined {
  const object = objectOf(raw);
  if (object === undefined || SPOKEN_NEGATION.test(object)) return undefined;
  if (/^(?:fai|pren)/.test(verb) && AT_ONCE.test(object)) return undefined;
  const third = thirdOf(verb);
  const about = `${third} ${object}`;
  const instead =
    /^(maintenant |désormais )?(\S+(?: \p{Lu}\S*)?)( maintenant)? (?:au lieu de |à la place de |plutôt que )(\S+)$/u.exec(
      object.replace(/ (?:maintenant|désormais)$/u, ""),
    );
  if (instead && /^utilis|^employ/.test(verb))
    return replaced(
      instead[4],
      instead[2] ?? "",
      instead[1] !== undefined || instead[3] !== undefined || / (?:maintenant|désormais)$/u.test(object),
    );
  if (TASTE.test(verb)) return taste(verb, about, object);
  if (/^habit|^viv?s?/.test(verb))
    return /^(?:maintenant |toujours |actuellement )?(?:à|en|au|aux|dans|près de) (?:l['’]|la |le |les )?\p{Lu}/u.test(
      object,
    )
      ? profile("fr", about, "home")
      : undefined;
  if (/^travaill/.test(verb))
    return profile(
      "fr",
      about,
      /^(?:\p{L}+ )?(?:comme|en tant que) /u.test(object)
        ? "job"
        : /(?:^| )(?:chez|pour) /.test(object)
          ? "employer"
          : "works",
    );
  if (verb === "viens") return /^d(?:e |['’]|u )/.test(object) ? profile("fr", about, "origin") : undefined;
  if (/^(?:déploy|publi|livr)/.test(verb)) return profile("fr", about, `${third} when`);
  return profile("fr", about, `${third} ${thingOf(object)}`);
}

function replaced(from: string | undefined, to: string, isNew: boolean): readonly Statement[] {
  const now = attitude("fr", from ? `utilise ${to} au lieu de ${from}` : `utilise ${to}`, to, "yes");
  return from && isNew ? [now, attitude("fr", `n'utilise plus ${from}`, from, "no")] : [now];
}

const RELATIONS = wordTable(
  "femme=la , mari=le , compagnon=le , compagne=la , copain=le , copine=la , mère=la , père=le , " +
    "frère=le , sœur=la , soeur=la , fils=le , fille=la , grand-mère=la , grand-père=le , tante=la , " +
    "oncle=l', cousin=le , cousine=la , chef=le , cheffe=la , patron=le , patronne=la , manager=le , " +
    "responsable=le , médecin=le , dentiste=le , collègue=le , ami=l', amie=l', chien=le , chat=le , " +
    "voisin=le , voisine=la , directeur=le , directrice=la ",
);
const UNIQUE = wordTable(
  "femme=conjoint, mari=conjoint, compagnon=conjoint, compagne=conjoint, mère=mère, père=père, " +
    "chef=chef, cheffe=chef, patron=chef, patronne=chef, manager=chef, responsable=chef, " +
    "médecin=médecin, dentiste=dentiste, directeur=directeur, directrice=directeur",
);
const RELATION = Object.keys(RELATIONS)
  .sort((a, b) => b.length - a.length)
  .join("|");
const PERSON = String.raw`((?:(?:M|Mme|Mlle|Dr|Pr)\.? ){0,2}\p{Lu}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'-]+){0,2})`;
const GOING_ON = / et (?=(?:il|elle) |habite |travaille |est )/;

function relative(relation: string, name: string): Statement {
  const article = RELATIONS[relation] ?? "";
  const role = UNIQUE[relation];
  // a person has one bearer of this role at a time: the next one supersedes the previous one
  return role === undefined
    ? entity("fr", name, name, `est ${article}${relation} {whose}`, "relation")
    : { ...profile("fr", `est ${name}`, role), subject: `${capital(article)}${relation} {whose}` };
}

const capital = (word: string): string => `${word[0]?.toUpperCase()}${word.slice(1)}`;

const THINGS = wordTable(
  "équipe=l', serveur=le , serveur de test=le , base de données=la , bureau=le , entreprise=l', " +
    "projet=le , site=le , application=l', appartement=l', maison=la , voiture=la , anniversaire=l', " +
    "adresse=l', numéro de téléphone=le , fuseau horaire=le , réunion=la , éditeur=l', ordinateur=l', " +
    "dépôt=le , mise en production=la , métier=le , loisir=le ",
);
const THING = Object.keys(THINGS)
  .sort((a, b) => b.length - a.length)
  .join("|");
const PASSING =
  /^(?:cassé|lent|lente|parti|prêt|prête|vide|plein|mort|vert|rouge|hors|bon|bonne|nul|pas|trop|très|déjà|encore|en panne|en retard)(?!\p{L})/u;

const on = (pattern: string, make: Rule["make"], flags = "iu"): Rule => ({
  pattern: new RegExp(pattern, flags),
  make: (match) => (UNREAL.test(match.input) ? undefined : make(match)),
});
const START =
  "(?:^|[,.:] |(?<!\\p{L})et )(?:mais |oui,? |non,? |bonjour,? |salut,? |maintenant,? |désormais,? |aujourd['’]hui,? |en fait,? )?";
const COUNTED = "enfants?|fils|filles?|frères?|sœurs?|chats?|chiens?|lapins?|chevaux";
const STATES =
  "végétarien(?:ne)?|végan(?:e)?|végétalien(?:ne)?|célibataire|mariée?|divorcée?|fiancée?|gaucher|gauchère|diabétique|enceinte|daltonien|intolérante? au (?:lactose|gluten)";
const stateOf = (what: string): string =>
  /^(?:célib|mari|divor|fianc)/.test(what)
    ? "marriage"
    : `est ${what.toLowerCase().replace(/(?:ne|e)$/, "")}`;

/** Rules for statements of French speakers about themselves and about people and things they name. */
export const FRENCH: readonly Rule[] = [
  on(`${START}${WHO}${VERB} ${REST}`, ([, verb = "", rest = ""]) => stated(verb.toLowerCase(), rest)),
  on(
    `${START}je ne (${Object.keys(IRREGULAR).join("|")}|(?:${REGULAR})e) (plus|pas|jamais) ${REST}`,
    ([, verb = "", how = "", rest = ""]) => ended(verb.toLowerCase(), how, rest),
  ),
  on(
    `${START}je n['’](utilise|aime|habite|emploie) (plus|pas) ${REST}`,
    ([, verb = "", how = "", rest = ""]) => ended(verb.toLowerCase(), how, rest),
  ),
  on(`${START}je ne suis plus (${STATES})`, ([, what = ""]) =>
    profile("fr", `n'est plus ${what}`, stateOf(what)),
  ),
  on(`${START}je suis (?:maintenant )?(${STATES})`, ([, what = ""]) =>
    profile("fr", `est ${what}`, stateOf(what)),
  ),
  on(`${START}je suis (?:très )?allergique ((?:à|au|aux) [^,;!?()\\n]{2,60})`, ([, what = ""]) => {
    const object = objectOf(what);
    return object === undefined ? undefined : profile("fr", `est allergique ${object}`);
  }),
  on(
    `${START}je suis (?:un |une )?((?:\\p{Ll}+ ){0,1}\\p{Ll}*(?:eur|euse|ien|ienne|ier|ière|iste|teur|trice|ologue|avocate?|médecin|professeure?|étudiante?|architecte|juriste|secrétaire|comptable))(?!\\p{L})([^,;!?()\\n]{0,60})`,
    ([, what = "", more = ""]) =>
      POINTING.test(what) ||
      new RegExp(`^(?:${STATES})`, "iu").test(what) ||
      /^(?:bien|premier|dernier|entier|rien)/.test(what)
        ? undefined
        : profile(
            "fr",
            `est ${what}${/^ (?:chez|à|au|dans) /.test(more) && !POINTING.test(more) ? more.replace(/\.$/, "") : ""}`,
            "job",
          ),
  ),
  on(`${START}j['’]ai (\\d{1,2}) ans`, ([, age]) => profile("fr", `a ${age} ans`, "age")),
  on(
    `${START}(?:j['’]ai|nous avons) ((?:un|une|deux|trois|quatre|cinq|\\d) (${COUNTED}))(?!\\p{L})(,? \\p{Lu}\\p{L}+ et \\p{Lu}\\p{L}+)?`,
    ([, what = "", kind = "", names = ""]) => profile("fr", `a ${what}${names}`, `number of ${kind}`),
  ),
  on(
    `${START}(?:j['’]ai|nous avons) (?:récemment )?(?:déménagé|emménagé) (?:à|en|au|aux) (\\p{Lu}[\\p{L}-]+(?: \\p{Lu}[\\p{L}-]+)?)`,
    ([said, place]) =>
      profile("fr", `a déménagé ${/ (à|en|au|aux) \S+(?: \S+)?$/u.exec(said)?.[1] ?? "à"} ${place}`, "home"),
  ),
  on(
    `${START}(?:je suis passée?|nous sommes passée?s?|j['’]ai migré|nous avons migré) de (\\S+) (?:à|vers) (\\S+(?: \\p{Lu}\\S*)?)`,
    ([, from, to = ""]) => replaced(from, to.replace(/\.$/, ""), true),
  ),
  on(`${START}je m['’]appelle ${PERSON}`, ([, name]) => profile("fr", `s'appelle ${name}`, "name"), "u"),
  on(`${START}(?:appelle|appelez)-moi (\\p{L}+)`, ([, name]) =>
    profile("fr", `veut être appelé ${name}`, "called"),
  ),
  on(
    `(?<!\\p{L})(?:[Mm]on|[Mm]a|[Nn]otre) (?:nouveau |nouvelle |nouvel |grand |grande |petit |petite )?(${RELATION}) (?:s['’]appelle|est)(?: maintenant| désormais)? ${PERSON}(?!\\p{L})([^,;!?()\\n]{0,60})`,
    ([, relation = "", name = "", more = ""]) => {
      const [, ...parts] = ` ${more}`.split(GOING_ON);
      return [
        relative(relation, name),
        ...furtherStatements("fr", name, parts, (part) => objectOf(part.replace(/^(?:il|elle) /, ""))),
      ];
    },
    "u",
  ),
  on(
    `(?<!\\p{L})(?:[Mm]on|[Mm]a|[Nn]otre) (?:grand |grande |petit |petite )?(${RELATION}) ((?:habite|vit|travaille|étudie|joue|aime|a (?:\\d+|\\p{Ll}{3,12}) ans|est (?:allergique|médecin|professeur|infirmi))[^,;!?()\\n]{0,80})`,
    ([, relation = "", about = ""]) => {
      const object = objectOf(about);
      return object === undefined
        ? undefined
        : entity(
            "fr",
            `${relation} {whose}`,
            `${capital(RELATIONS[relation] ?? "")}${relation} {whose}`,
            object,
            object.split(" ")[0],
          );
    },
    "u",
  ),
  on(
    `(?<!\\p{L})([Mm]on|[Mm]a|[Nn]otre) (${THING}) ((?:est|a|compte|se trouve|se réunit|tourne|a lieu) [^,;!?()\\n]{2,80})`,
    ([, whose = "", name = "", about = ""]) => {
      const object = objectOf(about);
      if (object === undefined || PASSING.test(object.replace(/^\S+ /, ""))) return undefined;
      const subject = `${capital(THINGS[name] ?? "")}${name} {whose}`;
      const slot = `${name} ${object.startsWith("a déménagé") ? "est" : object.split(" ")[0]}`;
      return /^m/i.test(whose)
        ? { ...profile("fr", object, slot), subject }
        : entity("fr", name, subject, object, slot);
    },
    "u",
  ),
  on(
    `^(?:n['’]oublie pas|souviens-toi|rappelle-toi|retiens|note)(?: bien)? (?:que |qu['’])([^?\\n]{8,200})`,
    ([, what = ""]) => {
      const kept = what.replace(/[.!]+$/, "");
      return entity(
        "fr",
        kept
          .replace(/^(?:le |la |les |l['’]|mon |ma |notre |nous |je )/iu, "")
          .split(" ")
          .slice(0, 3)
          .join(" "),
        "{Teller}",
        `demande de retenir : ${kept}`,
      );
    },
  ),
  on(
    `^(?:s['’]il te plaît,? )?((?:réponds|écris|explique)(?:-moi)? (?:toujours |seulement |désormais |maintenant )?(?:en|de façon|brièvement)[^.!?\\n]{0,60}|(?:toujours|ne [^.!?\\n]{3,40} jamais|à partir de maintenant,?|désormais,?) [^.!?\\n]{6,120})`,
    ([, what = ""]) =>
      /^(?:toujours (?:est|pas|la même)|ne .*\bje\b)|^désormais,? (?:je|nous|j['’])/i.test(what)
        ? undefined
        : wish(
            "fr",
            what.split(" ").slice(0, 4).join(" ").slice(0, 40),
            `souhaite : ${what.replace(/^\p{Lu}/u, (first) => first.toLowerCase())}`,
          ),
  ),
];

function ended(verb: string, how: string, rest: string): Statement | undefined {
  const object = objectOf(rest);
  if (object === undefined) return undefined;
  const third = thirdOf(verb);
  const about = `${/^[aeiouhéè]/.test(third) ? "n'" : "ne "}${third} ${how} ${object}`;
  if (TASTE.test(verb)) return attitude("fr", about, thingOf(object), "no");
  return profile("fr", about, homeOr(verb, object) ?? `${third} ${thingOf(object)}`);
}

/** The slot "home" if the object is a place; "seule" and "chez mes parents" are none. */
const homeOr = (verb: string, object: string): string | undefined =>
  /^habite|^vis/.test(verb) && /^(?:à|en|au|aux|dans|près) /.test(object) ? "home" : undefined;
