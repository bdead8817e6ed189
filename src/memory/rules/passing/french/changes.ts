import { productKind } from "../../../facts/product-names.ts";
import { attitude, profile } from "../../predicates.ts";
import { complementOf } from "../../readers/french-objects.ts";
import { type Reading, readingsOf } from "../table.ts";

const { fact, form } = readingsOf("fr", complementOf);

const NOW =
  "(?: (?:maintenant|désormais|à présent|dorénavant|depuis [^,]{2,20}|finalement|enfin|plutôt|dès [^,]{2,15}))*";
export const FRENCH_DAY =
  "(?:le \\d{1,2}(?:er)? \\p{L}+|(?:le )?(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s?(?: (?:matin|soir|midi|après-midi|prochain))?|(?:fin|mi-|début) ?\\p{L}+)(?: à \\d{1,2} ?h ?\\d{0,2})?";
const PRODUCT =
  "(?:une? |le |la |l['’]|mon |ma )?(?:nouveau |nouvelle |petite? |vieille? )?([\\p{Lu}\\d][\\p{L}\\d.+#&-]*(?: [\\p{Lu}\\d][\\p{L}\\d+.-]*){0,3}?)";
const I_HAVE =
  "(?:j['’]ai|nous avons|on a|on est|je suis|nous sommes|l['’]équipe (?:a|est)|toute l['’]équipe (?:a|est))";

const product = (source: string, verb: string): Reading => ({
  form: form(source),
  make: ([, name = ""]) => {
    const kind = productKind(name);
    if (kind === undefined) return undefined;
    const does = verb === "a" && kind !== "phone" && kind !== "car" && kind !== "computer" ? "utilise" : verb;
    const article = does === "a" ? (kind === "car" ? "une " : "un ") : "";
    return { ...profile("fr", `${does} ${article}${name}`, kind), replaces: kind };
  },
});

/** Changes with a word such as "now"; the new fact replaces the known one of the same kind. */
export const FRENCH_CHANGES: readonly Reading[] = [
  fact(
    `(?:on habite|j['’]habite|nous habitons|je vis|nous vivons|on vit|je loge)(?: (?:maintenant|désormais|à présent|dorénavant))+ (à|en|au|aux|dans) (\\p{Lu}[^,]{1,40}|l[ea] [^,]{2,40})`,
    "habite $1 $2",
    { slot: "home", replaces: "home" },
  ),
  fact(
    `(?:j['’]ai|on a|nous avons|je viens de|on vient de|nous venons de|on est|nous sommes|je suis|on s['’]est|je me suis)(?: (?!allés?)[\\p{L}]+)? ?(?:pris (?:un|mon|notre) (?:studio|appart(?:ement)?|deux-pièces)|déménagé|emménagé|installée?s?|déménager|emménager|m['’]installer) (?:[^,]{0,25}? )?(à|en|au|aux) (?!deux|plusieurs)(\\p{Lu}[^,]{1,40})`,
    "habite $1 $2",
    { slot: "home", replaces: "home" },
  ),
  {
    form: form(
      "(?:le |notre |mon |la |notre )?(déménagement|migration|passage|bascule)(?: de [^,]{2,25}?)? (?:à|en|vers|sur) (\\p{Lu}[\\p{L}\\d.+#-]*(?: [\\p{Lu}\\d][\\p{L}\\d.+#-]*)?) (?:est |c['’]est )?(?:enfin |bien )?(?:faite?|terminée?|bouclée?|finie?|réglée?)",
    ),
    make: ([, what = "", to = ""]) => {
      const kind = productKind(to);
      if (kind !== undefined) return { ...profile("fr", `utilise ${to}`, kind), replaces: kind };
      return what === "déménagement"
        ? { ...profile("fr", `habite à ${to}`, "home"), replaces: "home" }
        : profile("fr", `est passé à ${to}`);
    },
  },
  fact(
    `(?:mon|notre|ma) (?:nouveau |nouvelle )?(?:chez-moi|chez-nous|appart|appartement|maison|adresse|domicile) (?:est|c['’]est|se trouve)${NOW} (à|en|au|aux|dans) (\\p{Lu}[^,]{1,40})`,
    "habite $1 $2",
    { slot: "home", replaces: "home" },
  ),
  fact(
    `(?:j['’]ai signé|j['’]ai été embauchée?|j['’]ai trouvé (?:un poste|du boulot|un job|un travail)|j['’]ai rejoint|je commence|je démarre|je bosse|je travaille|je suis(?: (?:rendue?|devenue?|passée?) [^,]{2,25}?)?|je suis)(?: (?:maintenant|désormais|à présent|lundi|mardi|bientôt|enfin|en cdi))* (chez (?:une? [^,]{2,40}|\\p{Lu}[^,]{1,40})|à la \\p{Lu}[^,]{1,40}|au \\p{Lu}[^,]{1,40})`,
    "est $1",
    { slot: "employer", replaces: "work" },
  ),
  fact(`j['’]ai rejoint ((?:l['’]équipe de |la |le )?\\p{Lu}[^,]{1,40})`, "a rejoint $1", {
    slot: "employer",
    replaces: "work",
  }),
  fact(`j['’]ai quitté (\\p{Lu}[^,]{1,30})`, "a quitté $1"),
  fact(
    `(?:mon|ma|notre) (?:nouveau |nouvelle |nouvel )?(médecin(?: traitant)?|généraliste|dentiste|propriétaire|proprio)(?: (?:est|c['’]est)|, c['’]est)${NOW} ((?:(?:le |la )?(?:Dre?|Docteure?|M\\.|Mme) )?\\p{Lu}[\\p{L}-]+)`,
    "est $2",
    { slot: "$1", subject: "Le $1 {whose}", replaces: "role" },
  ),
  {
    form: form(
      "(?:c['’]est )?((?:(?:le |la )?(?:Dre?|Docteure?) )\\p{Lu}[\\p{L}-]+) (?:qui )?(?:me suit|est mon (?:nouveau )?(?:médecin|généraliste)|est ma (?:nouvelle )?médecin)",
    ),
    make: ([, name = ""]) => ({
      ...profile("fr", `est ${name}`, "médecin"),
      subject: "Le médecin {whose}",
      replaces: "doctor",
    }),
  },
  {
    form: form(
      "(?:c['’]est fini (?:entre nous|avec [^,]{2,30})|(?:on|nous nous|je me suis|on s['’]est|nous nous sommes|nous)(?: est| sommes)? ?(?:séparée?s?|quittée?s?)(?: [^,]{0,30})?|on a rompu(?: [^,]{0,30})?|j['’]ai rompu(?: avec [^,]{2,30})?|on n['’]est plus ensemble|j['’]ai divorcé)",
    ),
    make: () => ({ ...profile("fr", "s'est séparé", "conjoint"), replaces: "partner" }),
  },
  {
    form: form(
      "je suis(?: (?:de nouveau|à nouveau|maintenant|redevenue?))* célibataire( depuis [^,]{2,20})?",
    ),
    make: ([said = "", since = ""], { isOfChange }) => ({
      ...profile("fr", `est célibataire${since}`, "marriage"),
      ...((isOfChange || /nouveau|maintenant|depuis|redeven/.test(said)) && { replaces: "partner" as const }),
    }),
  },
  fact(
    "je (?:sors avec|suis (?:maintenant )?(?:en couple )?avec) (\\p{Lu}\\p{L}+)( depuis [^,]{2,20}| maintenant)?",
    "est en couple avec $1",
    { slot: "conjoint", replaces: "partner" },
  ),
  fact(
    "(?:j['’]ai|on a) (?:recommencé|repris|remis) à manger ((?:du|de la|des) [^,]{3,40})",
    "mange à nouveau $1",
    { slot: "régime", replaces: "diet" },
  ),
  {
    form: form(
      "(?:on|je|nous) (?:doit|dois|devons) (?:le |la )?(?:remettre|rendre|livrer|soumettre|déposer|présenter)(?: [^,]{2,25}?)? (?:pour |avant |d['’]ici )?le (\\d{1,2}(?:er)? \\p{L}+)",
    ),
    make: ([, day = ""], { isReplacement }) => {
      const { replaces, ...plain } = deadline(day);
      return isReplacement ? { ...plain, replaces } : plain;
    },
  },
  fact(
    "(?:je|on|nous) (?:remange|mange à nouveau|mange de nouveau|remangeons)(?: (?:un peu|à nouveau))? ((?:du|de la|des) [^,]{3,70})",
    "mange à nouveau $1",
    { slot: "régime", replaces: "diet" },
  ),
  {
    form: form(
      `(?:je suis|on est|nous sommes|je suis (?:passée?|devenue?)|on est (?:passée?s?|devenue?s?))(?: (?:maintenant|désormais|complètement|totalement|passée?|devenue?))* (vé?gane?|végétarienne?s?|végétalienne?s?|flexitarienne?s?|pescétarienne?s?)( depuis [^,]{2,30})?`,
    ),
    make: ([said = "", diet = "", since = ""], { isOfChange }) => ({
      ...profile("fr", `est ${diet.toLowerCase()}${since}`, "régime"),
      ...((isOfChange || /maintenant|désormais|complètement|passé|deven/.test(said)) && {
        replaces: "diet" as const,
      }),
    }),
  },
  {
    form: form(
      `(?:la cheffe|le chef|le client|la cliente|le prof|on|ils|elle|il) (?:a|ont|m['’]a|nous a)(?: tout)? (?:décalé|repoussé|reporté|avancé)(?: (?:le rendu|la date|l['’]échéance|tout))? (?:au|à|jusqu['’]au) (\\d{1,2}(?:er)? \\p{L}+)`,
    ),
    make: ([, day = ""]) => deadline(day),
  },
  {
    form: form(
      "(?:ce sera|ça sera|c['’]est|ce n['’]est plus [^,]{2,20} mais)(?: (?:maintenant|désormais|plutôt|finalement))? (?:pour )?le (\\d{1,2}(?:er)? (?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre))(?: finalement| maintenant| plutôt)?",
    ),
    make: ([said = "", day = ""], { isOfChange }) =>
      isOfChange || /sera|plus|finalement|maintenant/.test(said) ? deadline(day) : undefined,
  },
  {
    form: form(
      "(?:la |le |l['’]|mon |ma |notre )(date (?:limite|de tombée|de remise|de rendu)|échéance|deadline|rendu|livraison|dépôt|remise|soutenance|lancement)(?: (?:du|de la|de|des) [^,]{2,30})?,? (?:est|c['’]est|tombe|passe|a été (?:décalée?|repoussée?|reportée?))(?: fixée?| prévue?| maintenant| désormais| repoussée?)* (?:au|le|pour le) (\\d{1,2}(?:er)? \\p{L}+)",
    ),
    make: ([said = "", what = "", day = ""], { isOfChange }) => ({
      ...profile("fr", `est le ${day}`, "échéance"),
      subject: `${/^[éa]/.test(what) ? "L'" : /^(?:date|livraison|remise|soutenance|deadline)/.test(what) ? "La " : "Le "}${what} {whose}`,
      ...((isOfChange || /maintenant|désormais|repouss|décal|report|passe/.test(said)) && {
        replaces: "deadline" as const,
      }),
    }),
  },
  {
    form: form(
      `(?:je |on |nous )?(?:bois|buvons|boit|prends)(?: (?:maintenant|désormais|plutôt))* (?:plus que |que |uniquement )?((?:du|de la|des|de l['’]) ?[^,]{2,30}?)(?: (?:maintenant|désormais|à la place|le matin))+`,
    ),
    make: ([said = "", what = ""]) => ({
      ...profile("fr", `boit ${what}${/le matin/.test(said) ? " le matin" : ""}`, "boisson"),
      replaces: "drink",
    }),
  },
  fact(
    "(?:maintenant|désormais|à présent),? (?:c['’]est|je fais|je pratique) (?:de la |du |la |le |plutôt )*(natation|vélo|yoga|marche|course|piscine|musculation|escalade|pilates|danse|tennis)(?: [^,]{0,40})?",
    "fait maintenant $1",
    { slot: "sport", replaces: "exercise" },
  ),
  {
    form: form(
      "(?:je |on |nous )?(?:prends?|prenons|prend|circule en|roule en|vais au (?:boulot|travail) en)(?: maintenant| désormais)? (le (?:tram|bus|métro|train|RER|vélo)|la voiture|tram|bus|vélo)(?: maintenant| désormais| à la place| du coup)*",
    ),
    make: ([said = "", what = ""], { isOfChange }) => ({
      ...profile(
        "fr",
        /en (?:tram|bus|vélo)/.test(said) ? `se déplace en ${what}` : `prend ${what}`,
        "trajet",
      ),
      ...(isOfChange && { replaces: "car" as const }),
    }),
  },
  product(
    `${I_HAVE}(?: (?:tout|enfin|récemment|finalement|complètement))* (?:basculé|migré|passée?s?|changé|transféré)(?: (?:tout|l['’]ensemble))? (?:de [^,]{2,20} )?(?:sur|à|vers|chez|pour) ${PRODUCT}`,
    "utilise",
  ),
  product(
    `(?:j['’]ai|on a|nous avons|je me suis|on s['’]est)(?: enfin| finalement)? (?:acheté|pris|commandé|offert|trouvé|achetée?s?) ${PRODUCT}(?: (?:hier|à la place|ce week-end|la semaine dernière|d['’]occasion|pour le remplacer))?`,
    "a",
  ),
  product(
    `(?:tout est|tout tourne|tout se passe|l['’]appli (?:est|tourne)|le site (?:est|tourne)|on est|je suis|nous sommes)(?: (?:maintenant|désormais|à présent|passée?s?))* (?:chez|sur|avec|sous) ${PRODUCT}(?: (?:maintenant|désormais|à présent|dorénavant))+`,
    "utilise",
  ),
  product(
    `(?:j['’]utilise|on utilise|nous utilisons|je me sers de)(?: (?:maintenant|désormais|plutôt|à présent))+ ${PRODUCT}(?: (?:à la place|au lieu) de [^,]{2,25})?`,
    "utilise",
  ),
  product(`(?:je roule|je conduis)(?: maintenant| désormais)+ (?:en |avec )?${PRODUCT}`, "a"),
  {
    form: form(
      `(?:(?:mon|ma|le|la|l['’])? ?([\\p{L}' -]{3,30}?) (?:est|c['’]est|a lieu|passe|se tient)(?: (?:maintenant|désormais|décalée?|déplacée?))* (?:au |à )?)?(?:désormais |maintenant |ce sera |dorénavant |c['’]est rendu |c['’]est (?:maintenant|désormais) )?(${FRENCH_DAY})(?: (?:maintenant|désormais|à la place))?`,
    ),
    make: ([said = "", what, day = ""], { isOfChange }) => {
      const isChange =
        isOfChange || /maintenant|désormais|décal|dépla|dorénavant|passe|rendu|sera/.test(said);
      if (!isChange || !/(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)/.test(day)) return undefined;
      const noun = what === undefined || /^(?:ce|il|elle|on)$/.test(what) ? "cours" : what.trim();
      if (!/cours|atelier|entraînement|répét|chorale|club|séance|leçon|yoga|poterie/.test(noun))
        return undefined;
      return {
        ...profile("fr", `est ${day}`, `${noun} est`),
        subject: `${/^[aeiouéè]/.test(noun) ? "L'" : /^(?:chorale|séance|leçon|répét|poterie)/.test(noun) ? "La " : "Le "}${noun} {whose}`,
        replaces: "lesson",
      };
    },
  },
];

const deadline = (day: string) => ({
  ...profile("fr", `est le ${day}`, "échéance"),
  subject: "L'échéance {whose}",
  replaces: "deadline" as const,
});

/** Tools in use, stated without a word such as "now". */
export const FRENCH_TOOLS: readonly Reading[] = [
  {
    form: form(
      "(?:on|nous|j['’]|je) ?(?:a|avons|ai)? ?(?:choisi|pris|retenu|opté pour|partis? sur) ([\\p{Lu}][\\p{L}\\d.+#-]*) (?:plutôt que|au lieu de|à la place de) ([\\p{Lu}][\\p{L}\\d.+#-]*)(?: [^,]{2,30})?",
    ),
    make: ([, one = "", other = ""]) => attitude("fr", `a choisi ${one} plutôt que ${other}`, one, "yes"),
  },
];
