import { attitude, entity, profile } from "./predicates.ts";
import type { Rule, RuleLanguage, Statement } from "./rule.ts";

const on = (pattern: string, make: Rule["make"], isOfEnds = false): Rule => ({
  pattern: new RegExp(pattern, "u"),
  make: (match) => (/[?？“”"«»]/.test(match.input) ? undefined : make(match)),
  ...(isOfEnds && { isOfEnds }),
});

const BEGIN = "(?:^|[,:] )";
const END = "(?=[.!;,。]|$)";
const MODEL = String.raw`((?:an? |the |ein(?:e|en)? |une? )?[\p{Lu}\d][\p{L}\d'’+-]*(?: [\p{L}\d+-]+){0,3}?)`;
const OWNED =
  "phone|mobile|laptop|computer|tablet|car|bike|bicycle|camera|watch|monitor|keyboard|printer|guitar|piano|TV";
const GERMAN_OWNED =
  "Handy|Telefon|Smartphone|Notebook|Laptop|Rechner|Computer|Tablet|Auto|Fahrrad|Rad|Kamera|Uhr|Monitor|Drucker|Gitarre|Fernseher|Wagen";
const FRENCH_OWNED =
  "téléphone|portable|ordinateur|ordi|tablette|voiture|vélo|appareil photo|montre|écran|imprimante|guitare|télé|moto";
const ARTICLE_OF: ReadonlyMap<string, string> = new Map([
  ...["Laptop", "Rechner", "Computer", "Monitor", "Drucker", "Fernseher", "Wagen"].map(
    (noun) => [noun, "Der"] as const,
  ),
  ...["Kamera", "Uhr", "Gitarre"].map((noun) => [noun, "Die"] as const),
]);
const FRENCH_FEMININE = /^(?:tablette|voiture|montre|guitare|télé|moto)$/;

/** New things of which a person has one at a time: "I got a new phone, it's a Pixel 9". */
const NEW_THINGS: readonly Rule[] = [
  on(
    `${BEGIN}(?:I|[Ww]e)(?:['’]ve| have)? (?:just |recently )?(?:got|bought|have) (?:myself )?a new (${OWNED}),? (?:it['’]s |it is |which is )?${MODEL}${END}`,
    ([, thing = "", model = ""]) => ({
      ...profile("en", `is ${model}`, thing.toLowerCase()),
      subject: `{Whose} ${thing}`,
    }),
  ),
  on(
    `${BEGIN}(?:[Ii]ch habe|[Ww]ir haben) (?:jetzt |nun )?ein(?:e|en)? neue[sn]? (${GERMAN_OWNED})(?: gekauft)?, (?:es ist |und zwar )?${MODEL}${END}`,
    ([, thing = "", model = ""]) => ({
      ...profile("de", `ist ${model.replace(/^einen /, "ein ")}`, `${thing} ist`),
      subject: `${ARTICLE_OF.get(thing) ?? "Das"} ${thing} {whose}`,
    }),
  ),
  on(
    `${BEGIN}(?:[Jj]['’]ai|[Nn]ous avons|[Oo]n a) (?:acheté )?(?:un nouvel|un nouveau|une nouvelle) (${FRENCH_OWNED}), (?:c['’]est )?${MODEL}${END}`,
    ([, thing = "", model = ""]) => {
      const article = FRENCH_FEMININE.test(thing) ? "La " : /^[aeioué]/.test(thing) ? "L'" : "Le ";
      return {
        ...profile("fr", `est ${model}`, `${thing} est`),
        subject: `${article}${thing} {whose}`,
      };
    },
  ),
  on(
    `^我(?:们)?(?:刚)?(?:换|买)了(?:一?[个部台辆块])?新的?(手机|电脑|车|相机|手表|平板|耳机|自行车)[，,](?:是|叫)([^，。,的]{2,24})`,
    ([, thing = "", model = ""]) => ({
      ...profile("zh", `是${model.trim()}`, thing),
      subject: `{Whose}的${thing}`,
    }),
  ),
];

const KIN =
  "brother|sister|son|daughter|mother|mum|mom|father|dad|parents|boyfriend|girlfriend|cousin|aunt|uncle|grandmother|grandfather|grandparents|best friend|friend";
const GERMAN_KIN =
  "Bruder|Schwester|Sohn|Tochter|Mutter|Vater|Freund|Freundin|Cousin|Cousine|Tante|Onkel|Oma|Opa|Eltern|Großeltern";
const FRENCH_KIN =
  "frère|sœur|soeur|fils|fille|mère|père|copain|copine|cousin|cousine|tante|oncle|grand-mère|grand-père|parents|grands-parents|ami|amie";
const CHINESE_KIN =
  "哥哥|弟弟|姐姐|妹妹|儿子|女儿|妈妈|爸爸|爸妈|父母|男朋友|女朋友|爷爷|奶奶|外公|外婆|表哥|表弟|表姐|表妹|叔叔|阿姨|朋友";
const PLACE = String.raw`(\p{Lu}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'-]+){0,2})`;

/** Moves of relatives and of the speaker: they say where the person lives now. */
const MOVES: readonly Rule[] = [
  on(
    `${BEGIN}[Mm]y (${KIN}) (?:(?:has|have|['’]s|just|has just|recently) )?moved (back )?(?:from ${PLACE} )?to ${PLACE}`,
    ([, kin = "", back = "", , place = ""]) =>
      entity("en", `{whose} ${kin}`, `{Whose} ${kin}`, `moved ${back}to ${place}`, "home"),
  ),
  on(
    `${BEGIN}(?:[Mm]eine?|[Uu]nsere?) (${GERMAN_KIN}) (ist|sind) (?:(?:wieder|zurück|letztes Jahr|vor kurzem|inzwischen|jetzt|gerade) ){0,2}(?:von ${PLACE} )?(?:zurück )?nach ${PLACE} (?:um|zurück)?gezogen`,
    ([said, kin = "", verb = "", , place = ""]) =>
      entity(
        "de",
        `${kin} {whose}`,
        `${verb === "sind" || (/(?:in|er)$/.test(kin) && /^(?:Freundin|Schwester|Tochter|Mutter)$/.test(kin)) || /^(?:Cousine|Tante|Oma)$/.test(kin) ? "Die" : "Der"} ${kin} {whose}`,
        `${verb} ${said.includes("zurück") ? "zurück " : ""}nach ${place} gezogen`,
        "wohnt",
      ),
  ),
  on(
    `${BEGIN}(?:[Mm]on|[Mm]a|[Mm]es|[Nn]otre) (${FRENCH_KIN}) (?:a déménagé|ont déménagé|est (?:revenue?|retournée?|partie?) vivre|vient de déménager) (?:de ${PLACE} )?((?:à|en|au|aux) ${PLACE})`,
    ([said, kin = "", , where = ""]) => {
      const verb = /(?:a déménagé|ont déménagé|est \p{L}+ vivre|vient de déménager)/u.exec(said)?.[0] ?? "";
      return entity(
        "fr",
        `${kin} {whose}`,
        `${frenchArticle(kin)}${kin} {whose}`,
        `${verb} ${where}`,
        "habite",
      );
    },
  ),
  on(
    `^我(?:的)?(${CHINESE_KIN})(?:已经|刚|上个月|去年|今年|最近)*(?:从[^，]{2,6})?(搬[回到去]了?)([^，。了]{2,8})了?[。！]?$`,
    ([, kin = "", moved = "", place = ""]) =>
      entity("zh", `{whose}的${kin}`, `{Whose}的${kin}`, `${moved.replace("了", "")}${place}`, "住在"),
  ),
];

const frenchArticle = (kin: string): string => {
  if (kin.endsWith("s") && kin !== "fils") return "Les ";
  if (/^[aeiouéo]/.test(kin)) return "L'";
  return /^(?:sœur|soeur|fille|mère|copine|cousine|tante|grand-mère)$/.test(kin) ? "La " : "Le ";
};

const ENGLISH_PERSON = String.raw`((?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?)`;
const GERMAN_PERSON = String.raw`((?:(?:Herr|Frau|Dr\.|Prof\.) )*\p{Lu}[\p{L}-]+)`;
const FRENCH_PERSON = String.raw`((?:(?:M\.|Mme|Dr|le Dr|la Dr) )?\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)?)`;
const ENGLISH_ROLE =
  "landlord|landlady|boss|manager|dentist|doctor|GP|therapist|teacher|coach|lawyer|accountant|hairdresser|supervisor";
const GERMAN_ROLE =
  "Vermieter|Vermieterin|Chef|Chefin|Zahnarzt|Zahnärztin|Hausarzt|Hausärztin|Trainer|Trainerin|Steuerberater|Steuerberaterin|Anwalt|Anwältin";
const FRENCH_ROLE =
  "propriétaire|patron|patronne|chef|cheffe|médecin|dentiste|coach|avocat|avocate|comptable|coiffeur|coiffeuse";

/** New people in a role: "X is no longer my landlord, it's Y now". */
const SUCCESSORS: readonly Rule[] = [
  on(
    `${BEGIN}${ENGLISH_PERSON} (?:is no longer|isn['’]t) my (${ENGLISH_ROLE})(?: any ?more)?,? (?:but |and )?(?:it['’]s |it is |now it['’]s )${ENGLISH_PERSON}`,
    ([, , role = "", name = ""]) => ({
      ...profile("en", `is ${name}`, role.toLowerCase()),
      subject: `{Whose} ${role}`,
    }),
    true,
  ),
  on(
    `${BEGIN}[Mm]y (${ENGLISH_ROLE}) (?:is no longer|isn['’]t) ${ENGLISH_PERSON}(?: any ?more)?,? (?:but|it['’]s)(?: now)? ${ENGLISH_PERSON}`,
    ([, role = "", , name = ""]) => ({
      ...profile("en", `is ${name}`, role.toLowerCase()),
      subject: `{Whose} ${role}`,
    }),
    true,
  ),
  on(
    `${BEGIN}(?:[Mm]eine?|[Uu]nsere?) (${GERMAN_ROLE}) ist nicht mehr ${GERMAN_PERSON}, sondern (?:jetzt )?${GERMAN_PERSON}`,
    ([, role = "", , name = ""]) => ({
      ...profile(
        "de",
        `ist ${name}`,
        role
          .replace(/in$/, "")
          .replace("ä", "a")
          .replace(/(?:Haus)?arzt$/, "Arzt"),
      ),
      subject: `${role.endsWith("in") ? "Die" : "Der"} ${role} {whose}`,
    }),
    true,
  ),
  on(
    `${BEGIN}(?:[Mm]on|[Mm]a|[Nn]otre) (${FRENCH_ROLE}) n['’]est plus ${FRENCH_PERSON},? mais ${FRENCH_PERSON}`,
    ([, role = "", , name = ""]) => ({
      ...profile("fr", `est ${name}`, role.replace(/^(?:cheffe|patronne|patron)$/, "chef")),
      subject: `${/^a/.test(role) ? "L'" : /(?:ne|fe|se)$/.test(role) ? "La " : "Le "}${role} {whose}`,
    }),
    true,
  ),
];

const TOOL = String.raw`([\p{Lu}\d][\p{L}\p{N}.+#-]*[\p{L}\p{N}+#](?: \p{Lu}[\p{L}\p{N}.+#-]*)?)`;

/** Replaced tools, and foods or subjects that the speaker changes to. */
const REPLACED: readonly Rule[] = [
  on(
    `${BEGIN}(?:[Ii]ch habe|[Ww]ir haben) ${TOOL} (?:inzwischen |jetzt |endlich )?durch ${TOOL} ersetzt`,
    ([, from = "", to = ""]) =>
      both("de", `benutzt ${to} statt ${from}`, `benutzt ${from} nicht mehr`, from, to),
  ),
  on(`${BEGIN}(?:[Ii]ch plane|[Ww]ir planen) (?:alles )?mit ${TOOL}${END}`, ([, tool = ""]) =>
    attitude("de", `plant mit ${tool}`, tool, "yes"),
  ),
  on(`${BEGIN}(?:[Jj]['’]ai|[Nn]ous avons|[Oo]n a) remplacé ${TOOL} par ${TOOL}`, ([, from = "", to = ""]) =>
    both("fr", `utilise ${to} au lieu de ${from}`, `n'utilise plus ${from}`, from, to),
  ),
  on(
    `^我们?(?:已经|现在)?用 ?([A-Za-z][\\w .+#-]*[\\w+#]) ?(?:代替|替代|取代|替换)了? ?([A-Za-z][\\w .+#-]*[\\w+#])`,
    ([said, to = "", from = ""]) => {
      const [now, ended] = both("zh", `用 ${to} 代替 ${from}`, `不再用 ${from}`, from, to);
      return [now, said.includes("了") ? ended : undefined].filter((one) => one !== undefined);
    },
  ),
  on(
    `${BEGIN}(?:I['’]ve become|I have become|I became|I turned|I went) (?:an? )?(vegetarian|vegan)${END}`,
    ([, diet = ""]) => [
      profile("en", `is ${diet}`, `is ${diet}`),
      attitude("en", "no longer eats meat", "meat", "no"),
    ],
  ),
  on(
    `${BEGIN}[Ii]ch bin (?:\\p{L}+ ){0,3}?(Vegetarier|Veganer)(in)? geworden`,
    ([, diet = "", feminine = ""]) => [
      profile("de", `ist ${diet}${feminine}`, `is ${diet.toLowerCase()}`),
      attitude("de", "isst kein Fleisch mehr", "Fleisch", "no"),
    ],
  ),
  on(`${BEGIN}[Jj]e suis devenue? (végétarien(?:ne)?|végane?)${END}`, ([, diet = ""]) => [
    profile("fr", `est devenu ${diet}`, `est ${diet.replace(/ne$/, "")}`),
    attitude("fr", "ne mange plus de viande", "viande", "no"),
  ]),
  on(`^我(?:从[^，]{1,6}(?:开始|起))?(?:改)?吃素了[。！]?$`, () => [
    profile("zh", "吃素", "diet"),
    attitude("zh", "不再吃肉", "肉", "no"),
  ]),
  on(
    `${BEGIN}I(?:['’]ve| have)? (?:gave|given) up (?:on )?(?:learning )?(\\p{Lu}\\p{Ll}+)(?: and | ?${END})`,
    ([, what = ""]) => profile("en", `gave up ${what}`, `learn ${what.toLowerCase()}`),
    true,
  ),
];

const both = (
  language: RuleLanguage,
  now: string,
  noLonger: string,
  from: string,
  to: string,
): readonly Statement[] => [attitude(language, now, to, "yes"), attitude(language, noLonger, from, "no")];

const WISH_LENGTH = "kurze?|knappe?|ausführliche?|detaillierte?|präzise|einfache?";

/** Polite wishes about the agent's answers. */
const WISHES: readonly Rule[] = [
  on(
    `${BEGIN}I(?:['’]d| would) (?:rather (?:get|have)|prefer|like) ((?:an? )?(?:short|brief|concise|detailed|plain|direct|simple)(?:er)? (?:answers?|repl(?:y|ies)|explanations?|responses?)[^.!?,;]{0,60})`,
    ([said, what = ""]) => {
      const wish = /(?:rather (?:get|have)|prefer|like) (?=(?:an? )?\p{L}+ )/u.exec(said)?.[0] ?? "prefer ";
      return answers("en", wish.startsWith("rather") ? `would ${wish}${what}` : `would like ${what}`);
    },
  ),
  on(
    `${BEGIN}[Ii]ch (?:hätte gern|hätte gerne|möchte|wünsche mir) ((?:${WISH_LENGTH})n? (?:Antworten|Erklärungen|Texte)[^.!?,;]{0,60})`,
    ([, what = ""]) => answers("de", `möchte ${what}`),
  ),
  on(
    `${BEGIN}[Jj](?:['’]aimerais|e voudrais|e souhaite) ((?:des |les )?(?:réponses|explications) (?:courtes|brèves|concises|détaillées|simples|directes)[^.!?,;]{0,60})`,
    ([, what = ""]) => answers("fr", `souhaite ${what}`),
  ),
  on(
    `^我(?:希望|想要?)你的?(回答|回复|解释)((?:尽量|能)?(?:简短|简洁|详细|直接|简单)(?:一些|一点|些|点)?)[。！]?$`,
    ([, what = "", how = ""]) => answers("zh", `希望${what}${how}`),
  ),
];

const answers = (language: RuleLanguage, about: string): Statement => ({
  language,
  category: "preferences",
  topic: "answers",
  about,
  slot: "length of answers",
});

/** Rules for changes of things, homes, people and tools, and for wishes about answers. */
export const CHANGE_RULES: readonly Rule[] = [...NEW_THINGS, ...MOVES, ...SUCCESSORS, ...REPLACED, ...WISHES];
