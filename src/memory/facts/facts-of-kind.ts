import type { FactFile, KnownFact } from "./fact-file.ts";
import type { FactKind } from "./fact-kind.ts";
import { PRODUCT_KINDS, PRODUCTS, type ProductKind } from "./product-names.ts";

interface Kind {
  readonly form: RegExp;
  /** Whether only facts about the user count, not those about relatives and belongings. */
  readonly isOwn?: boolean;
  /** Whether nothing is replaced if several facts are of the kind, because the change does not say which. */
  readonly isOnlyOne?: boolean;
}

const KINDS: Readonly<Record<Exclude<FactKind, ProductKind>, Kind>> = {
  home: {
    isOwn: true,
    form: /(?:hat|mietet) .*(?:[Ww]ohnung|Haus|Zimmer) in |\b(?:lives? (?:in|at|near|out|with)|based in|moved to|is in an? |rents? )|wohnt|lebt (?:in|auf|bei)|gezogen|habite|vit (?:à|en|dans|au|chez)|déménagé|emménagé|住|定居|搬[到去回进]|租/iu,
  },
  work: {
    isOwn: true,
    form: /\b(?:works?|working|employed|started at|joined|starts? (?:at|as|with)|is at \p{Lu})|arbeitet|angestellt|ist (?:\S+ ){0,3}(?:bei|im|in der) (?:der |dem |den )?\p{Lu}|travaille|bosse|est (?:maintenant )?chez|employée?|\bis an? (?:[\w-]+ ){0,4}[\w-]*(?:er|or|ist|ian|nurse|cook|clerk|assistant|driver)\b|ist (?:\p{L}+ )?\p{Lu}\p{Ll}+(?:er|erin|in|ist|mann|frau)(?: (?:im|in|bei|am|an) |$)|est (?:un |une )?\p{L}*(?:eur|euse|ier|ière|iste|commis|ien|ienne)(?: |$)|(?:工作|上班|任职|就职|入职)|在[^，]{1,14}(?:做|当|任)|^用户是[^，]{2,8}(?:员|师|生|工|手|长|士)$/u,
  },
  partner: {
    form: /(?<!\p{L})(?:girlfriend|boyfriend|partner|wife|husband|fianc[eé]e?|(?<!(?:beste[rn]?|gute[rn]?|alte[rn]?) )Freund(?:in)? (?:des|von)|(?:Der|Die) (?:Freund|Freundin|Partner|Partnerin|Frau|Mann|Verlobte[rn]?) (?:des|von)|copain|copine|compagnon|compagne|conjointe?|mari|femme|blonde|chum|fiancée?)(?!\p{L})|男朋友|女朋友|男友|女友|对象|老公|老婆|妻子|丈夫|未婚[妻夫]|(?:is|with) \p{Lu}\p{L}+ together|mit \p{Lu}\p{L}+ zusammen|is dating|en couple avec/u,
  },
  diet: {
    isOwn: true,
    form: /\b(?:vegetarian|vegan|pescatarian|keto|eats? (?:no )?meat|stopped eating|eats? meat again)\b|vegetari|vegan|kein Fleisch|Fleisch|végétari|végan|viande|bœuf|吃素|素食|吃肉|纯素/iu,
  },
  drink: {
    isOwn: true,
    isOnlyOne: true,
    form: /\b(?:drinks?|coffee|tea|matcha)\b|trinkt|Kaffee|(?<!\p{L})Tee(?!\p{L})|boit|café|(?<!\p{L})thé(?!\p{L})|喝|咖啡|茶/iu,
  },
  exercise: {
    isOwn: true,
    isOnlyOne: true,
    form: /\b(?:gym|runs|running|jogs?|swims?|cycles|works? out|lifts?|yoga|pilates|climbs?)\b|Fitness|joggt|läuft|schwimmt|klettert|(?<!\p{L})court |nage|natation|jogging|musculation|跑步|健身|游泳|锻炼|瑜伽|骑自行车|快走|打球/iu,
  },
  deadline: {
    isOnlyOne: true,
    form: /\b(?:deadline|due|hand(?:ed)? in|submission|launch\w*|release)\b|Abgabe|Deadline|(?<!\p{L})[Ff]rist|fällig|Termin|Release|rendu|rend |échéance|date limite|livraison|截止|提交|交付|上线|交稿/u,
  },
  doctor: {
    form: /\b(?:gp|doctor|dr\.? \S+ patient)\b|(?:Haus)?[Aa]rzt(?!\p{L}*\S*Zahn)|[Hh]ausärztin|médecin|généraliste|家庭医生|医生/iu,
  },
  dentist: { form: /\bdentist\b|[Zz]ahn(?:arzt|ärztin)|dentiste|牙医/u },
  landlord: { form: /\bland(?:lord|lady)\b|[Vv]ermieter|propriétaire|房东/u },
  lesson: {
    isOnlyOne: true,
    form: /\b(?:lessons?|class|classes|course|training|practice|choir|club|rehearsals?)\b|Kurs|Unterricht|Training|Stunde|Chor|Probe|[Vv]erein|trainiert|spielt|cours|atelier|entraînement|chorale|club|répét|课|训练|班/u,
  },
  schedule: {
    isOnlyOne: true,
    form: /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|(?:周|星期|礼拜)[一二三四五六日天]/iu,
  },
  school: {
    isOnlyOne: true,
    form: /\b(?:nursery|kindergarten|preschool|school|year \d|grade|college)\b|Kita|Kindergarten|[Ss]chule|Klasse|Gymnasium|crèche|maternelle|école|collège|lycée|primaire|幼儿园|小学|初中|高中|年级/iu,
  },
  age: {
    isOnlyOne: true,
    form: /\b(?:\w+ years? old|months old|turned \d+|is (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))\b|Jahre alt|Monate alt|(?<!\p{L})ans(?!\p{L})|岁|个月大/u,
  },
  hobby: {
    isOnlyOne: true,
    form: /\b(?:plays?|learns?|learning|takes? \w+ lessons)\b|spielt|lernt|joue|apprend|fait d[eu] |学|弹|练/u,
  },
  pet: {
    isOnlyOne: true,
    form: /\b(?:cat|dog|puppy|kitten|hamster|rabbit|parrot|budgie|horse)s?\b|Hund|Hündin|Katze|Kater|Hamster|Kaninchen|Wellensittich|(?<!\p{L})(?:chat|chatte|chien|chienne|lapin|perroquet)s?(?!\p{L})|[猫狗]|兔子|鹦鹉|仓鼠/iu,
  },
  /** Dates, which a postponement moves, whatever they are for. */
  date: {
    isOnlyOne: true,
    form: /\b(?:on|by|at|is|until|due) (?:the )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{1,2}(?:st|nd|rd|th)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}* \d)|\d{1,2}\. ?(?:J[aä]n|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|\d{1,2}\.)|le \d{1,2}(?:er)? \p{L}+|月[\d一二三四五六七八九十]{1,3}[号日]|月底|(?:周|星期)[一二三四五六日]/iu,
  },
  study: {
    isOwn: true,
    form: /\b(?:studies|studying|student|majors?|degree|university|college|dorm|campus|State)\b|studiert|Studium|Uni(?!\p{L})|Ausbildung|étudi|université|fac(?!\p{L})|licence|master|念|读|大学|专业/u,
  },
  transport: {
    isOwn: true,
    form: /\b(?:drives?|commutes?|cycles? to|takes? the (?:bus|train|tram|tube|metro)|car)\b|fährt (?!\p{L}*Ski)|[Aa]uto|roule|conduit|prend (?:le|la) (?:bus|train|tram|métro|voiture|RER)|en voiture|开车|坐(?:地铁|公交)|骑车/u,
  },
};

const FORMS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...Object.entries(KINDS),
  ...Object.entries(PRODUCTS).map(([kind, { names, words }]): [string, Kind] => [
    kind,
    {
      form: new RegExp(`(?<![\\p{Script=Latin}\\d])(?:${names})(?![\\p{Script=Latin}])|${words}`, "iu"),
    },
  ]),
]);

/** Forms of a new fact that indicate its kind; products are recognised by their names. */
const NEW: readonly (readonly [kind: FactKind, form: RegExp])[] = [
  [
    "home",
    /^(?!.*(?:from home|homeoffice))(?:\S+ ){1,2}(?:lives (?:in|at|with|on)|is based in|moved (?:back )?(?:to|in)|is (?:now )?in an? (?:flat|house|terrace|cottage|studio|bungalow|apartment)|wohnt|ist .*gezogen|habite|a (?:dé|em)ménagé|vit (?:à|en|dans|chez))|^用户(?:住|搬)/iu,
  ],
  [
    "work",
    /^(?:\S+ ){1,2}(?:works (?:at|for)|started (?:at|with)|starts (?:as .* )?(?:at|with)|joined|is (?:now )?at \p{Lu}|arbeitet .*(?:bei|für) |ist (?:\S+ ){0,3}bei (?:der |dem )?\p{Lu}|travaille (?:\S+ )?chez|bosse (?:\S+ )?chez|est (?:\S+ )?chez \p{Lu}|a rejoint|macht .*Ausbildung zu)|^用户(?:现在)?是[^，]{2,8}(?:员|师|工|手)$|^用户(?:入职|跳槽|在[^，]{1,12}(?:工作|上班))/u,
  ],
  [
    "diet",
    /^(?:\S+ ){1,2}(?:is (?:\S+ )?(?:vegan|vegetarian|pescatarian)|eats? (?:meat|fish)|ist .*(?:vegan|vegetari)|lebt .*(?:vegan|vegetari)|ernährt sich|isst .*(?:vegan|vegetarisch|Fleisch)|est (?:\S+ )?(?:végan|végétari)|mange .*viande)|^用户.*(?:吃素|吃肉)/iu,
  ],
  [
    "exercise",
    /^(?:\S+ ){1,2}(?:goes to the gym|runs |swims|cycles|lifts|does (?:yoga|pilates)|joggt|schwimmt|macht (?:\S+ )?(?:Yoga|Pilates|Kraft)|fait (?:\S+ )?(?:de la natation|du (?:yoga|vélo|sport)))|^用户.*(?:跑步|健身|游泳|瑜伽|骑自行车)/iu,
  ],
  ["drink", /^(?:\S+ ){1,2}(?:drinks|trinkt|boit)|^用户.*喝/iu],
  [
    "hobby",
    /(?:aufs?|auf die|auf das) \p{Lu}\p{L}+ umgestiegen|改[学弹练]|lernt jetzt|s['’]est mise? (?:au |à la |à l)/u,
  ],
  [
    "study",
    /^(?:\S+ ){1,2}(?:studies|is studying|is at .*(?:University|State|College)|studiert|étudie)|^用户.*(?:转专业|改念|改读)/u,
  ],
  ["deadline", /(?:deadline|due|Abgabe|Frist|échéance|rendu|date limite|截止)/u],
  ["dentist", KINDS.dentist.form],
  [
    "doctor",
    /['’]s (?:gp|doctor) is|^(?:Der|Die) (?:Haus)?(?:arzt|ärztin|Arzt|Ärztin)|^Le médecin|的(?:家庭)?医生是/iu,
  ],
  ["landlord", /['’]s landlord|^(?:Der|Die) Vermieter|propriétaire .* est|的房东是/iu],
  [
    "school",
    /(?:goes to|is (?:at|in)|geht (?:in|auf)|est (?:au|à l|en)|entre (?:au|en)|上)[^.]*(?:school|nursery|kindergarten|year \d|Schule|schule|Kita|Klasse|Gymnasium|école|collège|lycée|maternelle|幼儿园|小学|初中|高中|年级)/u,
  ],
];

/** The kind of a new fact, by what it says; undefined if unclear. */
export function kindOfFact({ text }: Pick<KnownFact, "text">): FactKind | undefined {
  const found = NEW.find(([, form]) => form.test(text))?.[0];
  if (found !== undefined) return found;
  return PRODUCT_NAMES.find(([, form]) => form.test(text))?.[0];
}

const PRODUCT_NAMES: readonly (readonly [kind: ProductKind, form: RegExp])[] = PRODUCT_KINDS.map((kind) => [
  kind,
  new RegExp(`(?<![\\p{Script=Latin}\\d])(?:${PRODUCTS[kind].names})(?![\\p{Script=Latin}])`, "u"),
]);

/** All kinds of which a statement may be. */
export const kindsOf = (text: string): string[] =>
  [...FORMS].flatMap(([kind, { form }]) => (form.test(text) ? [kind] : []));

/** Whether the fact that a change of this kind replaces is unambiguous across `files`. */
export const isClear = (kind: FactKind, files: readonly FactFile[]): boolean =>
  FORMS.get(kind)?.isOnlyOne !== true || files.flatMap(({ facts }) => ofKind(kind, facts)).length <= 1;

/** Facts about a relative or a belonging: "The user's car is …", "Die Frau des Nutzers …". */
const OF_OTHERS =
  /^(?:\S+ ){0,2}\S+['’]s? |^(?:Der|Die|Das) [^.]{2,40}? (?:des Nutzers|von \p{Lu})|^(?:(?:Le|La|Les) |L['’])[^.]{2,40}? de (?:l['’]utilisateur|\p{Lu})|^\S{1,8}的/u;

/** The facts of a kind that a change replaces. */
export function ofKind<T extends Pick<KnownFact, "text" | "slot">>(
  kind: FactKind,
  facts: readonly T[],
): readonly T[] {
  const found = FORMS.get(kind);
  if (found === undefined) return [];
  const { form, isOwn, isOnlyOne } = found;
  const matching = facts.filter(
    ({ text, slot }) => (slot === kind || form.test(text)) && !(isOwn && OF_OTHERS.test(text)),
  );
  return isOnlyOne && matching.length > 1 ? [] : matching;
}
