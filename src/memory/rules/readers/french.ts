import { append } from "../../../base/append.ts";
import { attitude, entity, profile } from "../predicates.ts";
import type { Statement } from "../rule.ts";
import { complementOf, FILLER, headOf, slotOf } from "./french-objects.ts";
import {
  FEMININE,
  LASTING_STATE,
  OFTEN,
  OTHERS,
  PASSING_SUBJECT,
  PASSING_THING,
  RELATION,
  ROLE,
  THIRD,
} from "./french-words.ts";
import { type Predicate, partsOf, SELF, type Subject, statementAbout } from "./subject.ts";

/** Words of single days, hearsay, wishes, conditions and guesses. */
const REFUSED =
  /(?<!\p{L})(?:viens|vient|venons) (?:juste )?(?:de |d['’])(?!\p{Lu}|emménager|déménager)|["“”«»?]|(?<!\p{L})(?:aujourd['’]hui|hier|avant-hier|demain|depuis (?:une heure|\d+ (?:minutes|heures)|ce matin|tout à l['’]heure)|ce (?:matin|soir|midi|week-end)|cette (?:nuit|semaine|après-midi)|en ce moment|tout à l['’]heure|tout de suite|dit|disent|pense|crois|trouve que|espère|imagine|suppose|peut-être|probablement|voudrais|aimerais|pourrais|devrais|serais|aurais|failli|presque|tu|toi|ton|ta|tes|vous|votre|vos)(?!\p{L})|^(?:si|s['’]il|quand|comme|parce que|pendant que) /iu;

const LEADING =
  /^(?:(?:au fait|bonjour|salut|coucou|merci beaucoup|merci bien|merci|oui|non|bon|bref|alors|donc|et|mais|en fait|d['’]ailleurs|pour info|pour info,|sinon|moi|chez nous|nous|maintenant|désormais|actuellement|malheureusement|perso|personnellement|à vrai dire|honnêtement|voilà|ok|super) ?[,!.:]* +)+(?=(?:je|nous|on|mon|ma|mes|notre|nos) |j['’])/iu;

const FRONTED =
  /^((?:le|la|les|tous|toutes|chaque|à|au|en|dans|pendant|depuis|après|avant|sur|pour|l['’]\p{L}+) ?(?:[\p{L}\d'’-]+ ){0,5}?[\p{L}\d'’-]+),? (?=(?:je|nous|on) |j['’])/iu;

const NEXT_CLAUSE =
  /(?:,? (?:et|mais|donc|alors que) |, |: )(?=(?:je|nous|on|mon|ma|mes|notre|nos|il|elle|ils|elles) |j['’])/iu;

/** The statements in a French clause about the speaker, or about somebody or something the speaker has. */
export function readFrench(clause: string): readonly Statement[] {
  const plain = clause
    .replaceAll("’", "'")
    .replace(/(?<!\p{L})chuis(?!\p{L})/giu, "je suis")
    .replace(LEADING, "")
    .replace(/[.!]+$/, "")
    .replace(/^((?:mon|ma|mes|notre|nos) [^,]{2,40}), c'est /iu, "$1 est ");
  if (REFUSED.test(plain)) return [];
  const statements: Statement[] = [];
  let known: Subject | undefined;
  for (const words of partsOf(plain, NEXT_CLAUSE, LEADING)) {
    const fronted = FRONTED.exec(words);
    const main = fronted ? words.slice(fronted[0].length) : words;
    const self = /^(?:je |j'|nous |on )(.+)$/iu.exec(main);
    if (self) {
      const behind = fronted ? ` ${fronted[1]?.[0]?.toLowerCase()}${fronted[1]?.slice(1)}` : "";
      append(
        statements,
        sharedSubject(`${self[1]}${behind}`).flatMap((vp) => said(SELF, vp)),
      );
      continue;
    }
    const other = /^(?:il|elle|ils|elles) (.+)$/iu.exec(main);
    if (other && known?.kind === "person") append(statements, said(known, other[1] ?? ""));
    const read = ofPossessed(main);
    if (!read) continue;
    known = read.subject;
    append(statements, read.statements);
  }
  return statements;
}

/** Splits off further verbs with the same subject: "… et travaille la nuit". */
function sharedSubject(vp: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const match of vp.matchAll(/ et (?:je |j')?(?=([\p{L}']+) )/giu)) {
    if (
      !THIRD.has(match[1] ?? "") ||
      /^(?:rame|danse|marche|voyage|dessine|pêche|garde)$/.test(match[1] ?? "")
    )
      continue;
    parts.push(vp.slice(from, match.index));
    from = match.index + match[0].length;
  }
  return [...parts, vp.slice(from)];
}

function ofPossessed(words: string): { subject: Subject; statements: readonly Statement[] } | undefined {
  const moved =
    /^(mon|ma|notre) ([\p{L}' -]{2,30}?) (?:est|a été|a) (?:reporté|décalé|déplacé|avancé|déménagé)e? (à|au|en) (.+)$/iu.exec(
      words,
    );
  if (moved) {
    const noun = moved[2] ?? "";
    const subject: Subject = {
      kind: "thing",
      topic: "profile",
      name: noun,
      text: subjectOf(moved[1] ?? "", noun),
    };
    const complement = complementOf(`${moved[3]} ${moved[4]}`);
    const verb = /(?<!\p{L})(?:est|a été|a) \p{L}+é\p{L}*/u.exec(words)?.[0] ?? "";
    return complement === undefined
      ? undefined
      : {
          subject,
          statements: [statementAbout("fr", subject, { about: `${verb} ${complement}`, slot: "est" })],
        };
  }
  const start = /^(mon|ma|mes|notre|nos) (.+)$/iu.exec(words);
  if (!start) return undefined;
  const tokens = (start[2] ?? "").replace(/, (\p{Lu}\p{L}+),/u, " $1").split(" ");
  const at = tokens.findIndex(
    (word, i) => i > 0 && i < 6 && (/^(?:ne|n'.+|se|s'.+|a|est)$/.test(word) || OTHERS.has(word)),
  );
  if (at < 1) return undefined;
  const nouns = tokens.slice(0, at);
  const named = nouns.findIndex((word, i) => i > 0 && /^\p{Lu}/u.test(word));
  const kind = nouns
    .slice(0, named < 0 ? at : named)
    .join(" ")
    .toLowerCase();
  const name = named < 0 ? undefined : nouns.slice(named).join(" ");
  // in "ma femme et moi on …", the subject is not the relative alone
  if (/(?:^| )(?:et|on|moi) /.test(`${kind} `)) return undefined;
  const vp = tokens.slice(at).join(" ");
  const text = subjectOf(start[1] ?? "", kind.replace(/^(?:nouveau|nouvelle|nouvel) /, ""));
  if (!RELATION.test(kind)) {
    if (name !== undefined || PASSING_SUBJECT.test(kind)) return undefined;
    const subject: Subject = { kind: "thing", topic: "profile", name: kind, text };
    return { subject, statements: said(subject, vp) };
  }
  const called =
    /^(?:s'appelle|est) ((?:(?:M\.|Mme|Dr|le Dr|la Dr) )?\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)?)(?: (?:maintenant|désormais))?$/u.exec(
      vp,
    )?.[1];
  const plainKind = kind.replace(/^(?:nouveau|nouvelle|nouvel) /, "");
  if (called !== undefined && ROLE.test(kind)) {
    const role = {
      ...profile(
        "fr",
        `est ${called}`,
        plainKind.replace(/^(?:cheffe|patronne|manager|responsable|directrice)$/, "chef"),
      ),
      subject: text,
    };
    return { subject: { kind: "person", topic: called, name: called, text: called }, statements: [role] };
  }
  const who = name ?? (vp.startsWith("s'appelle") ? called : undefined);
  if (who === undefined) {
    const subject: Subject = { kind: "person", topic: `${plainKind} {whose}`, name: plainKind, text };
    return { subject, statements: said(subject, vp) };
  }
  const subject: Subject = { kind: "person", topic: who, name: who, text: who };
  const introduced = entity(
    "fr",
    who,
    who,
    `est ${text.replace(/^\p{Lu}/u, (first) => first.toLowerCase())}`,
    "relation",
  );
  return { subject, statements: called ? [introduced] : [introduced, ...said(subject, vp)] };
}

/** The subject of a statement about a thing or person of the speaker: "la voiture de l'utilisateur". */
function subjectOf(possessive: string, noun: string): string {
  const head = noun.split(" ")[0] ?? "";
  const article = /^(?:mes|nos)$/i.test(possessive)
    ? "Les "
    : /^[aeiouéèêhâîô]/iu.test(head) && !/^haut/.test(head)
      ? "L'"
      : /^ma$/i.test(possessive) || (/^notre$/i.test(possessive) && FEMININE.test(head))
        ? "La "
        : "Le ";
  return `${article}${noun} {whose}`;
}

/** The tool that somebody uses, or no longer uses. */
const USED = /^(n')?utilise (?:plus )?(\p{Lu}[\p{L}\d.+#-]*(?: \p{Lu}[\p{L}\d.+#-]*)?)(?! au lieu)(?: |$)/u;

function said(subject: Subject, vp: string): Statement[] {
  // the speaker's own clause has begun
  if (subject.kind !== "self" && /(?<!\p{L})(?:je |j')/iu.test(vp)) return [];
  const found = predicateOf(vp.replace(FILLER, "").trim(), subject);
  if (found === undefined) return [];
  const tool = subject.kind === "self" ? USED.exec(found.about) : null;
  if (tool) return [attitude("fr", found.about, tool[2] ?? "", tool[1] === undefined ? "yes" : "no")];
  return [statementAbout("fr", subject, found)];
}

/** Groups: negation, object pronoun, verb, second part of the negation, rest. */
const VERB_PHRASE =
  /^(ne |n')?(me |m'|nous |se |s'|y |en )?([\p{L}-]+)(?: (pas|plus|jamais|guère)(?=[ ,]|$))?(?:,? (.*))?$/iu;

function predicateOf(vp: string, { kind }: Subject): Predicate | undefined {
  const [match, ne, pronoun, word = "", not, rest = ""] = VERB_PHRASE.exec(vp) ?? [];
  if (match === undefined) return undefined;
  const third = thirdOf(word.toLowerCase(), kind);
  // "ne" without a second part does not always negate, except "ne … que"; in speech, "pas" negates alone
  const isSpoken = ne === undefined && not === "pas";
  const isHalf = (not === undefined) !== (ne === undefined) && !isSpoken && !/^que /.test(rest);
  const complement = rest === "" ? "" : complementOf(rest);
  if (third === undefined || isHalf || complement === undefined) return undefined;
  const isVowel = /^[aeiouéèêhâîô]/iu.test(third);
  const reflexive = reflexiveOf(pronoun, isVowel);
  const negative = ne === undefined && !isSpoken ? "" : isVowel && reflexive === "" ? "n'" : "ne ";
  const about = `${negative}${reflexive}${third}${not === undefined ? "" : ` ${not}`} ${complement}`.trim();
  const question = questionOf(third, complement, kind, not);
  if (question === undefined) return undefined;
  return {
    about: kind === "self" ? about.replace(/^est passée?s? /u, "est passé ") : about,
    slot: question.slot,
  };
}

function thirdOf(verb: string, kind: Subject["kind"]): string | undefined {
  const isThird = OTHERS.has(verb) || verb === "est" || verb === "a";
  return (kind === "self" ? THIRD.get(verb) : undefined) ?? (isThird ? verb : undefined);
}

function reflexiveOf(pronoun: string | undefined, isVowel: boolean): string {
  if (pronoun === undefined) return "";
  if (/^[ye]/i.test(pronoun)) return pronoun.toLowerCase();
  return isVowel ? "s'" : "se ";
}

const ABILITY =
  /^(?:(?:bien|très bien|pas|plus|rien) )*(?:nager|conduire|cuisiner|chanter|danser|skier|lire|écrire|parler|manger|boire|digérer|supporter|dormir|jouer|voir|entendre|marcher|coudre|nouer|faire (?:du|de la|la cuisine))/u;

/** The question that a predicate answers; undefined if it states nothing lasting. */
function questionOf(
  third: string,
  complement: string,
  kind: Subject["kind"],
  not: string | undefined,
): { readonly slot?: string | undefined } | undefined {
  if (/^étai(?:t|ent)$/.test(third))
    return kind === "person" && LASTING_STATE.test(complement) ? { slot: "était" } : undefined;
  if (third === "est" || third === "sont")
    return isLastingBeing(complement, kind) ? { slot: beingSlot(complement, kind) } : undefined;
  if (third === "a" || third === "ont") return having(complement, not !== undefined);
  if (/^(?:peut|sait)$/.test(third))
    return ABILITY.test(complement) ? { slot: `${third} ${complement.split(" ")[0]}` } : undefined;
  if (complement === "")
    return /^(?:fume|ronfle|bégaye|médite|jardine|bricole)$/.test(third) ? { slot: third } : undefined;
  const isPlanned =
    /^(?:part|va|vient|commence|vole|s'envole|emménage|déménage)$/.test(third) && DATE.test(complement);
  const isHabit = isPlanned || OFTEN.test(complement) || not === "jamais";
  const needed = NEEDED.get(third);
  if (needed && !isHabit && !needed.test(complement)) return undefined;
  if (
    /^(?:prend|fait|met)$/.test(third) &&
    /(?:une?|la|le) (?:pause|café|photo|point|résumé|option|deuxième|première|erreur|tour)/u.test(complement)
  )
    return undefined;
  return { slot: slotOf(third, complement) };
}

const DATE =
  /(?<!\p{L})(?:le )?\d{1,2}(?:er)? (?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)|(?<!\p{L})en (?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)|(?:semaine|mois|année) prochaine?|l'(?:été|année|an) prochaine?/iu;

const NEEDED: ReadonlyMap<string, RegExp> = new Map([
  [
    "va",
    /^(?:(?:nager|courir|marcher|danser) |(?:à|au|en) .*(?:à vélo|en (?:bus|train|voiture|métro|tram)|à pied)|à (?:la messe|l'église|l'école|la salle|la fac|la piscine)|au (?:travail|bureau|lycée|collège))/u,
  ],
  ["vient", /^d(?:e |u |es |')\p{Lu}?/u],
  [
    "fait",
    /^(?:(?:du|de la|de l'|des) (?:yoga|sport|vélo|ski|judo|karaté|danse|natation|musique|théâtre|poterie|escalade|course|randonnée|piano|guitare|violon|batterie|chant|dessin|peinture|tennis|foot|football|rugby|basket|handball|boxe|équitation|surf|voile|plongée|jardinage|tricot|couture|pâtisserie|photo|bénévolat|télétravail|covoiturage|camping|crossfit|pilates|badminton|golf|marche|vtt)(?!\p{L})|[ms]es courses|partie|une (?:thèse|formation|licence)|un (?:master|stage|doctorat|régime)|\d+ kilos)/iu,
  ],
  [
    "prend",
    /^(?:(?:le|la|l') ?(?:bus|train|métro|tram|tramway|voiture|vélo|pilule|avion|rer)(?!\p{L})|du |de la |des |de l'|de |d'|son (?:café|thé|petit|traitement)|\d+ (?:mg|gouttes|comprimés))/iu,
  ],
  ["met", /^(?:du|de la|jamais|toujours)/u],
  ["part", /^(?:en vacances|toujours)/u],
  ["attend", /(?:enfant|bébé|jumeaux)/u],
  ["joue", /^(?:au |à la |à l'|aux |du |de la |de l'|des |dans )/u],
  ["passe", /(?:vacances|noël|été|hiver|week-ends?|mon permis|ma thèse)/iu],
  ["donne", /(?:cours|sang|concerts)/u],
  ["rentre", /^$/u],
  ["arrive", /^$/u],
  ["teste", /^$/u],
  ["reçoit", /^$/u],
  ["perd", /^$/u],
  ["finit", /(?:à|le|mon) /u],
  ["termine", /(?:à|le|mon) /u],
  ["commence", /(?:^| )(?:à \d|le (?:lundi|mardi|mercredi|jeudi|vendredi))/u],
  ["regarde", /^(?:la télé|des|les|beaucoup|surtout|que)/u],
  ["écoute", /^(?:surtout|du|de la|beaucoup|les|que|de l'|principalement)/u],
  ["lit", /^(?:que|surtout|beaucoup|des|du|de la|en|le |l'|principalement|uniquement)/iu],
  ["écrit", /^(?:tous|toutes|en|des|mes|mon|mon premier|pour|à la main)/u],
  ["gagne", /\d/u],
  ["corrige", /^$/u],
  ["connaît", /^$/u],
  ["essaie", /^de (?:perdre|arrêter|apprendre)/u],
  ["entend", /(?:rien|mal|pas|plus|oreille)/u],
  ["oublie", /(?:toujours|tout le temps|souvent|anniversaires|prénoms|noms)/u],
  ["vote", /\p{L}/u],
  ["construit", /(?:maison|meubles|bateau)/u],
  ["traduit", /(?:romans|livres|depuis)/u],
]);

const HAS =
  /^(?:(?:pas |plus |jamais )?(?:d'|de |un |une |deux |trois |quatre |cinq |six |\d+ |mon propre |ma propre |son propre |sa propre |des |plusieurs |aucun |aucune |le permis|la nationalité|les yeux|les cheveux|du diabète|de l'(?:asthme|arthrose|hypertension|eczéma)|des (?:migraines|allergies|jumeaux|poules)|horreur d|peur d|toujours |la phobie|le vertige|une peur|l'habitude de))/u;

function having(complement: string, isNot: boolean): { readonly slot?: string | undefined } | undefined {
  const found = (slot?: string) => ({ slot });
  if (/^\d{1,2} ans$/.test(complement)) return found("âge");
  if (/^(?:toujours |beaucoup )?grandi (?:à|en|au|aux|dans|sur) /u.test(complement)) return found("origin");
  const ended = /^(?:résilié|vendu|annulé) (?:son|sa|ses|l'|le|la) ?(.+)$/u.exec(complement)?.[1];
  if (ended !== undefined) return found(`number of ${headOf(ended)}`);
  const dropped = /^(?:laissé tomber|abandonné) (.+)$/u.exec(complement)?.[1];
  if (dropped !== undefined) return found(`apprend ${headOf(dropped)}`);
  if (/^arrêté (?:de \p{L}+er|l'|le |la |les )/u.test(complement)) return found(stoppedSlot(complement));
  if (/^(?:étudié|fait des études)/u.test(complement)) return found(undefined);
  const isPerfect =
    /^(?:(?:déjà|bien|mal|tout|trop|enfin|encore|pas|plus|jamais|toujours|beaucoup) )*(?:\p{L}{2,}(?:é|ée|és|i|is|it|u|us|ert)|fait|pris|mis|eu|lu|vu|bu|su|dû)(?: |$)/u.test(
      complement,
    );
  if (isPerfect || PASSING_THING.test(complement)) return undefined;
  return isNot || HAS.test(complement)
    ? HAS.test(complement) || /^(?:de|d'|le|la)/.test(complement)
      ? found(`number of ${headOf(complement)}`)
      : undefined
    : undefined;
}

function stoppedSlot(complement: string): string {
  const [, verb = ""] = /^arrêté de (\p{L}+)er(?: |$)/u.exec(complement) ?? [];
  if (verb === "fum") return "fume";
  return verb === "" ? `prend ${headOf(complement.replace(/^arrêté /, ""))}` : `${verb}e`;
}

const KIND =
  /^(?:une? |l'un|la |le |l'|membre d|originaire d|née? |chez \p{Lu}|à la \p{Lu}|de \p{Lu}|d'origine|en (?:fauteuil|couple|congé parental)|contre |pour le télétravail|quelqu'un d|payée? (?:le|chaque|tous))/u;

const FACT_OF_THING =
  /^(?:une? |le |la |l'|les |\d|\p{Lu}|d['e]|à |au |aux |en |dans |chez |sur |sous |derrière |devant |près d|loin d|à côté d|hébergée? |située? )/u;

function isLastingBeing(complement: string, kind: Subject["kind"]): boolean {
  if (/\d ?%/u.test(complement)) return false;
  if (kind === "thing")
    return (
      FACT_OF_THING.test(complement) &&
      !/^(?:en (?:panne|retard|cours)|à (?:jour|plat|moitié))/u.test(complement) &&
      !PASSING_THING.test(complement)
    );
  if (/^descendue? à \d+ kilos/u.test(complement)) return true;
  if (/^(?:toujours |souvent )?(?:passée?s?|partie?s?) de .* (?:à|vers) /u.test(complement)) return true;
  if (SCHOOL.test(complement)) return kind === "person";
  return (
    (LASTING_STATE.test(complement) || (KIND.test(complement) && !PASSING_THING.test(complement))) &&
    !/^(?:en|à) (?:réunion|retard|train)/u.test(complement)
  );
}

const SCHOOL =
  /^(?:au (?:collège|lycée)|à la (?:maternelle|crèche|fac)|à l'(?:école|université)|en (?:maternelle|primaire|sixième|cinquième|quatrième|troisième|seconde|première|terminale|CP|CE\d|CM\d))(?!\p{L})/u;

function beingSlot(complement: string, kind: Subject["kind"]): string {
  if (SCHOOL.test(complement)) return "école";
  if (kind === "thing") return "est";
  if (/^descendue? à/u.test(complement)) return "poids";
  if (/^(?:mariée?|fiancée?|divorcée?|célibataire|pacsée?|en couple|veuf|veuve)/u.test(complement))
    return "marriage";
  if (/^(?:chez|à la) |^passée?s? de/u.test(complement))
    return complement.startsWith("chez") ? "employer" : "est à";
  return `est ${headOf(complement).replace(/ne$|e$/u, "")}`;
}
