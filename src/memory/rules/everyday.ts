import { attitude, entity, profile } from "./predicates.ts";
import type { Rule, Statement } from "./rule.ts";

/** Words of conditions, wishes and questions, which assert nothing. */
const UNREAL =
  /(?<!\p{L})(?:wenn|falls|würde\p{L}*|hätte\p{L}*|wäre\p{L}*|könnte\p{L}*|vielleicht|wahrscheinlich|damals|ob|möchte\p{L}*|si|s['’]ils?(?! (?:te|vous) pla[iî]t)|peut-être|probablement|aurais|serais|voudrais|pourrais|aimerais)(?!\p{L})|[?？]\s*$|如果|要是|假如|可能|也许|或许|以为|曾经|是不是|有没有|吗/iu;
/** Words that refer to another sentence. */
const POINTING =
  /(?<!\p{L})(?:du|dir|dich|dein\p{L}*|ihn|ihm|es|dort|da|hier|damit|davon|tu|te|toi|ton|ta|tes|vous|votre|ça|cela|celui|celle|y|lui|leur|là|ici)(?!\p{L})|[你您他她它这那]/iu;

const on = (pattern: string, make: Rule["make"], flags = "u"): Rule => ({
  pattern: new RegExp(pattern, flags),
  make: (match) => (UNREAL.test(match.input) || POINTING.test(match[0]) ? undefined : make(match)),
});

const CAPITAL = String.raw`\p{Lu}[\p{L}’'-]+`;
const PLACE = `(${CAPITAL}(?: ${CAPITAL}){0,2})`;
const TOOL = String.raw`([\p{L}\p{N}](?:[\p{L}\p{N}.+#/-]*[\p{L}\p{N}+#])?(?: \p{Lu}(?:[\p{L}\p{N}.+#/-]*[\p{L}\p{N}+#])?)?)`;
const trimmed = (text = ""): string => text.trim().replace(/[.!。！\s]+$/u, "");

const GERMAN_ROLES: Readonly<Record<string, readonly [who: string, slot: string]>> = {
  hausarzt: ["Der Hausarzt", "Arzt"],
  hausärztin: ["Die Hausärztin", "Arzt"],
  zahnarzt: ["Der Zahnarzt", "Zahnarzt"],
  zahnärztin: ["Die Zahnärztin", "Zahnarzt"],
  chef: ["Der Chef", "Chef"],
  chefin: ["Die Chefin", "Chef"],
  vermieter: ["Der Vermieter", "Vermieter"],
  vermieterin: ["Die Vermieterin", "Vermieter"],
  frauenärztin: ["Die Frauenärztin", "Frauenarzt"],
  kinderärztin: ["Die Kinderärztin", "Kinderarzt"],
  kinderarzt: ["Der Kinderarzt", "Kinderarzt"],
  tierärztin: ["Die Tierärztin", "Tierarzt"],
  tierarzt: ["Der Tierarzt", "Tierarzt"],
  steuerberater: ["Der Steuerberater", "Steuerberater"],
  steuerberaterin: ["Die Steuerberaterin", "Steuerberater"],
  therapeutin: ["Die Therapeutin", "Therapeut"],
  therapeut: ["Der Therapeut", "Therapeut"],
};
const GERMAN_ROLE = Object.keys(GERMAN_ROLES)
  .map((role) => `${role[0]?.toUpperCase()}${role.slice(1)}`)
  .sort((a, b) => b.length - a.length)
  .join("|");
const TITLED = String.raw`((?:(?:Herr|Frau|Dr\.|Prof\.) ){1,3}${CAPITAL}(?: ${CAPITAL})?)`;

function germanRole(name: string, role: string): Statement | undefined {
  const [who, slot] = GERMAN_ROLES[role.toLowerCase()] ?? [];
  return who === undefined ? undefined : { ...profile("de", `ist ${name}`, slot), subject: `${who} {whose}` };
}

const GERMAN_COUNTED =
  "Katzen|Hunde|Kinder|Söhne|Töchter|Meerschweinchen|Hasen|Kaninchen|Pferde|Hühner|Geschwister|Brüder|Schwestern|Enkel";

/** Rules for everyday statements of German speakers. */
export const GERMAN_EVERYDAY: readonly Rule[] = [
  on(
    `(?:[Ii]ch bin|[Ww]ir sind) (?:(?:letzte\\p{L}*|vorige\\p{L}*|dieses|vor|im|\\d{4}|gerade|kürzlich|\\p{L}+) ){0,3}?von ${PLACE} nach ${PLACE} (?:um)?gezogen`,
    ([, from, to]) => profile("de", `ist von ${from} nach ${to} gezogen`, "home"),
  ),
  on(
    `^${TITLED} ist (?:jetzt )?(?:mein|meine|unser|unsere) (?:neue[rs]? )?(${GERMAN_ROLE})(?!\\p{L})`,
    ([, name = "", role = ""]) => germanRole(name, role),
  ),
  on(
    `(?:^|[,:] )(?:[Mm]eine?|[Uu]nsere?) (?:neue[rs]? )?(${GERMAN_ROLE})(?:,| (?:ist|heißt)(?: jetzt)?)? ${TITLED}(?=[,. ]|$)`,
    ([, role = "", name = ""]) => germanRole(name, role),
  ),
  on(
    `(?:^|[,:] )(?:[Ii]ch habe|[Ww]ir haben) ((?:zwei|drei|vier|fünf|sechs|\\d+) (${GERMAN_COUNTED}))(?:, (${CAPITAL}(?:, ${CAPITAL})* und ${CAPITAL}))?`,
    ([, what = "", kind = "", names]) =>
      profile("de", `hat ${what}${names === undefined ? "" : `: ${names}`}`, `number of ${kind}`),
  ),
  on(`^[Aa]m liebsten (höre|lese) (?:ich|wir) ([^,;!?()\\n]{2,60})`, ([, verb = "", what = ""]) => {
    const third = verb === "höre" ? "hört" : "liest";
    return attitude("de", `${third} am liebsten ${trimmed(what)}`, trimmed(what), "yes");
  }),
  on(
    `(?:^|[,:] )[Ii]ch stehe ((?:(?:jeden \\p{L}+|immer|meistens|werktags|täglich|normalerweise) )?(?:um|gegen) [^,;!?()\\n]{2,30}) auf`,
    ([, when = ""]) => profile("de", `steht ${when} auf`, "steht auf"),
  ),
  on(
    `(?:[Ii]ch habe mich|[Ww]ir haben uns) für ${TOOL} (?:statt|anstatt|anstelle von|und gegen) ${TOOL} entschieden`,
    ([, to = "", from = ""]) => attitude("de", `hat sich für ${to} statt ${from} entschieden`, to, "yes"),
  ),
  on(
    `(?:^|[,:] )ich bin gegen ([^,;!?()\\n]{2,40}?) allergisch`,
    ([, what = ""]) => profile("de", `ist allergisch gegen ${what}`),
    "iu",
  ),
  on(
    `(?:^|[,:] )ich habe (Diabetes(?: Typ [12])?|Asthma|Epilepsie|Rheuma|Zöliakie|ADHS|Bluthochdruck|Heuschnupfen)(?!\\p{L})`,
    ([, what = ""]) => profile("de", `hat ${what}`),
    "iu",
  ),
  on(
    `(?:^|[,:] )[Ii]ch (?:bin|arbeite als) (Lehrerin|Lehrer|Ärztin|Arzt|Krankenschwester|Hebamme|Pflegerin|Pfleger|Ingenieurin|Ingenieur)( für \\p{Lu}[^,;!?()\\n]{2,50})`,
    ([, what = "", more = ""]) =>
      profile("de", `ist ${what}${trimmed(more) === "" ? "" : ` ${trimmed(more)}`}`, "job"),
    "u",
  ),
  on(
    `(?:^|[,:] )(?:[Ii]ch mache|[Ww]ir machen) (jeden? \\p{L}+ Urlaub [^,;!?()\\n]{3,40})`,
    ([, what = ""]) => profile("de", `macht ${trimmed(what)}`, "macht Urlaub"),
  ),
  on(
    `^(Das|Der|Die) (Testsystem|Testserver|Produktionssystem|Datenbank|Server|Staging-Server|API) läuft (?:jetzt |nun )?(auf [^,;!?()\\n]{2,50}|in [^,;!?()\\n]{2,50}|bei [^,;!?()\\n]{2,50})`,
    ([, article = "", what = "", where = ""]) =>
      entity("de", what, `${article} ${what}`, `läuft ${trimmed(where)}`, "läuft"),
  ),
];

const FRENCH_ROLES: Readonly<Record<string, readonly [who: string, slot: string]>> = {
  médecin: ["Le médecin", "médecin"],
  "médecin traitant": ["Le médecin traitant", "médecin"],
  dentiste: ["Le dentiste", "dentiste"],
  chef: ["Le chef", "chef"],
  cheffe: ["La cheffe", "chef"],
  patron: ["Le patron", "chef"],
  patronne: ["La patronne", "chef"],
  propriétaire: ["Le propriétaire", "propriétaire"],
  avocat: ["L'avocat", "avocat"],
  avocate: ["L'avocate", "avocat"],
  vétérinaire: ["Le vétérinaire", "vétérinaire"],
  pédiatre: ["Le pédiatre", "pédiatre"],
};
const FRENCH_ROLE = Object.keys(FRENCH_ROLES)
  .sort((a, b) => b.length - a.length)
  .join("|");
const FRENCH_TITLED = String.raw`((?:[Ll]e docteur|[Ll]a docteure|Dr\.?|M\.|Mme|Madame|Monsieur|Maître) ${CAPITAL}(?: ${CAPITAL})?)`;
const FRENCH_RELATIVES: Readonly<Record<string, string>> = {
  frère: "Le frère",
  sœur: "La sœur",
  père: "Le père",
  mère: "La mère",
  fils: "Le fils",
  fille: "La fille",
  mari: "Le mari",
  femme: "La femme",
  oncle: "L'oncle",
  tante: "La tante",
  cousin: "Le cousin",
  cousine: "La cousine",
};
const FRENCH_DOES =
  /^(?:habite|vit|travaille|étudie|joue|enseigne|est \p{Ll}{4,}(?:er|ère|ien|ienne|eur|euse|iste|ier|ière|te|trice)(?!\p{L}))/u;

/** Rules for everyday statements of French speakers. */
export const FRENCH_EVERYDAY: readonly Rule[] = [
  on(
    `(?:[Jj]['’]ai|[Nn]ous avons|[Oo]n a) déménagé (de ${PLACE} )?((?:à|en|au|aux) ${PLACE})`,
    ([, from = "", , to = ""]) =>
      profile("fr", `a déménagé ${from.trim()}${from === "" ? "" : " "}${to}`, "home"),
  ),
  on(
    `^${FRENCH_TITLED} est (?:maintenant |désormais )?(?:mon|ma|notre) (?:nouveau |nouvelle )?(${FRENCH_ROLE})(?!\\p{L})`,
    ([, name = "", role = ""]) => {
      const [who, slot] = FRENCH_ROLES[role] ?? [];
      return who === undefined
        ? undefined
        : { ...profile("fr", `est ${name.replace(/^L/, "l")}`, slot), subject: `${who} {whose}` };
    },
  ),
  on(
    `(?:^|[,:] )[Oo]n utilise (maintenant |désormais )?${TOOL} (?:au lieu de|à la place de|plutôt que) ${TOOL}`,
    ([, now, to = "", from = ""]) => [
      attitude("fr", `utilise ${to} au lieu de ${from}`, to, "yes"),
      ...(now === undefined ? [] : [attitude("fr", `n'utilise plus ${from}`, from, "no")]),
    ],
  ),
  on(
    `(?:^|[,:] )[Jj]e me lève ((?:tous les jours |toujours |en général |d['’]habitude )?(?:à|vers) [^,;!?()\\n]{3,30})`,
    ([, when = ""]) => profile("fr", `se lève ${trimmed(when)}`, "se lève"),
  ),
  on(
    `(?:[Jj]['’]ai|[Nn]ous avons|[Oo]n a) (?:choisi|opté pour) ${TOOL} (?:plutôt que|au lieu de|et non) ${TOOL}`,
    ([, to = "", from = ""]) => attitude("fr", `a choisi ${to} plutôt que ${from}`, to, "yes"),
  ),
  on(
    `(?:^|[,:] |et )(?:[Mm]on|[Mm]a|[Nn]otre) (?:petit |petite |grand |grande )?(${Object.keys(FRENCH_RELATIVES).join("|")})(?: (${CAPITAL}))? ((?:habite|vit|travaille|étudie|joue|enseigne|est) [^,;!?()\\n]{2,80})`,
    ([, relative = "", name, predicate = ""]) => {
      const subject = name ?? `${FRENCH_RELATIVES[relative] ?? ""} {whose}`;
      return predicate
        .split(/ et (?=(?:habite|vit|travaille|étudie|joue|enseigne|est) )/)
        .map(trimmed)
        .filter((part) => FRENCH_DOES.test(part))
        .map((part) => entity("fr", name ?? `${relative} {whose}`, subject, part, part.split(" ")[0]));
    },
  ),
  on(
    `(?:[Nn]ous habitons|[Jj]['’]habite) ((?:une|un) (?:maison|appartement|studio|ferme) (?:à|en|près de) ${PLACE})`,
    ([, what = ""]) => profile("fr", `habite ${what}`, "home"),
  ),
  on(
    `(?:^|[,:] )[Jj]['’]ai arrêté de (fumer|boire)((?: il y a [^,;!?()\\n]{3,20})?)`,
    ([, what = "", when = ""]) =>
      attitude("fr", `a arrêté de ${what}${trimmed(when) === "" ? "" : ` ${trimmed(when)}`}`, what, "no"),
  ),
];

const CHINESE_ROLE: Readonly<Record<string, string>> = {
  牙医: "牙医",
  医生: "医生",
  家庭医生: "医生",
  律师: "律师",
  房东: "房东",
  老板: "上司",
  经理: "上司",
  上司: "上司",
  导师: "导师",
};
const BEGIN = "(?:^|[，。；！？,.;!?\\s])";
const NAME =
  "([\\u4e00-\\u9fff]{2,4}(?:医生|老师|律师|教授|先生|女士|经理)?|[\\u4e00-\\u9fff](?:医生|老师|律师|教授|先生|女士|经理))";
const CHINESE_TOOL = "([A-Za-z][\\w.+#/-]*(?: [A-Z][\\w.+#/-]*)?)";

/** Rules for everyday statements of Chinese speakers. */
export const CHINESE_EVERYDAY: readonly Rule[] = [
  on(
    `${BEGIN}(?:我|我们)(?:[去今前]年|上个?月|最近|刚刚?|已经)?从([\\u4e00-\\u9fff]{2,8})搬(?:到|去)了?([\\u4e00-\\u9fff]{2,8}?)(?:了)?(?=[，。！,.!]|$)`,
    ([, from = "", to = ""]) => profile("zh", `从${from}搬到${to}`, "home"),
  ),
  on(
    `^${NAME}是我(?:们)?的(${Object.keys(CHINESE_ROLE)
      .sort((a, b) => b.length - a.length)
      .join("|")})(?=[，。！,.!]|$)`,
    ([, name = "", role = ""]) => ({
      ...profile("zh", `是${name}`, CHINESE_ROLE[role]),
      subject: `{Whose}的${role}`,
    }),
  ),
  on(
    `${BEGIN}我(?:的)?(老板|经理|导师|房东)姓([\\u4e00-\\u9fff])(?=[，。！,.!]|$)`,
    ([, role = "", name = ""]) => ({
      ...profile("zh", `姓${name}`, CHINESE_ROLE[role]),
      subject: `{Whose}的${role}`,
    }),
  ),
  on(
    `${BEGIN}我们?家(?:里)?(?:养了|有)([一二两三四五六\\d](?:只|条|个)[\\u4e00-\\u9fff]{1,4})(?:[，,](?:名字)?叫((?:[^，。！？和、,.\\s]{1,4}[和、]){0,3}[^，。！？和、,.\\s]{1,4}))?`,
    ([, what = "", names]) => profile("zh", `家有${what}${names === undefined ? "" : `，叫${names}`}`),
  ),
  on(
    `${BEGIN}(?:我|我们)(?:最后|已经)?(?:决定用|选择了?|选了) ?${CHINESE_TOOL} ?(?:而不是|而不用|，不用) ?${CHINESE_TOOL}`,
    ([, to = "", from = ""]) => attitude("zh", `决定用 ${to} 而不是 ${from}`, to, "yes"),
  ),
  on(
    `${BEGIN}(?:我|我们)(?:现在|目前|已经)?(?:都)?用 ?${CHINESE_TOOL} ?(?:代替|替代|取代)了? ?${CHINESE_TOOL}`,
    ([, to = "", from = ""]) => attitude("zh", `用 ${to} 代替 ${from}`, to, "yes"),
  ),
  on(
    `${BEGIN}我(?:现在|目前)?最喜欢的([\\u4e00-\\u9fff]{1,6})是([^，。；！？,.;!?\\n]{1,16})`,
    ([, kind = "", what = ""]) => ({
      ...attitude("zh", `最喜欢的${kind}是${what.trim()}`, kind, "yes"),
      slot: "favourite",
      answer: what.trim(),
    }),
  ),
  on(`${BEGIN}我有(糖尿病|高血压|哮喘|心脏病|偏头痛|抑郁症|焦虑症)`, ([, what = ""]) =>
    profile("zh", `有${what}`),
  ),
  on(`${BEGIN}我毕业于([\\u4e00-\\u9fff]{3,12})`, ([, where = ""]) =>
    profile("zh", `毕业于${where}`, "degree"),
  ),
  on(
    `${BEGIN}我(?:的)?(父母|爸妈|公公|婆婆|岳父|岳母|爷爷奶奶)(住在|在)([\\u4e00-\\u9fff]{2,8})(?=[，。！,.!]|$)`,
    ([, who = "", verb = "", where = ""]) =>
      entity("zh", `{whose}的${who}`, `{Whose}的${who}`, `${verb}${where}`, verb),
  ),
  on(
    `${BEGIN}我(?:从来)?不(吃|喝|抽)([\\u4e00-\\u9fff]{1,6}?)(?=[，。！,.!]|$)`,
    ([, verb = "", what = ""]) => attitude("zh", `不${verb}${what}`, what, "no"),
  ),
];
