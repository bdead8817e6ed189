import { kindsOf } from "../../facts/facts-of-kind.ts";
import { PRODUCT_KINDS } from "../../facts/product-names.ts";
import { simplified } from "../passing/traditional.ts";

/**
 * The subject matter of a statement, coarser than its slot: if a message changes an attribute, it replaces
 * the known statement about this attribute even if the words differ.
 */
export type Attribute =
  | "home"
  | "occupation"
  | "partner"
  | "when"
  | "role"
  | "travel"
  | "vehicle"
  | "household"
  | "activity"
  | "food"
  | "drink"
  | "smoking"
  | "pet"
  | "tool"
  | "device"
  | "medicine"
  | "subscription"
  | "bank"
  | "name"
  | "count"
  | "glasses"
  | "state";

/**
 * Attributes of which a person has one at a time: for these, a word such as "now" is enough to mark a change.
 */
export const EXCLUSIVE: ReadonlySet<Attribute> = new Set([
  "home",
  "occupation",
  "partner",
  "when",
  "role",
  "travel",
  "household",
  "name",
]);

const FORMS: readonly (readonly [Attribute, RegExp])[] = [
  [
    "home",
    /\b(?:lives?|living|rents?|renting|moved (?:to|in|into|out)|based|resides?|settled|flat|apartment|bedsit|house in|terrace|cottage|dorm|home is|unit in)\b|wohnt|Wohnung|WG(?!\p{L})|Haus in|gezogen|lebt (?:in|auf|bei)|Zimmer in|zu Hause in|daheim in|habite|vit (?:à|en|au|dans|chez)|vivre (?:à|en|au)|(?<!\p{L})(?:studio|appart\w*|maison) (?:à|en|dans)|installée?s? (?:à|en|au|dans)|emménag|déménag|loge|住|租|搬|迁|定居|房子在/iu,
  ],
  [
    "occupation",
    /\b(?:works?|working|employed|job|career|teach(?:es|ing)|stud(?:ies|ying|ent)|apprentice\w*|retrain\w*|train(?:s|ing) (?:as|to)|degree|university|college|uni|school|nursery|year \d+|grade|retired|redundant|runs? (?:a|an|the|their) (?:\w+ )?(?:shop|caf[eé]|business|company|bakery|farm|stall|studio|restaurant|pub)|opened an?|starts? (?:as|at|with)|started (?:as|at|with)|joined|is at \p{Lu}|driving \p{L}+ for|drives? (?:\w+ )?(?:for \p{Lu}|trams|buses|lorries|trucks|taxis|trains))\b|\bis (?:now )?an? (?:[\p{L}-]+ ){1,4}?(?:at|for|with) (?:the )?\p{Lu}|\bis (?:now )?an? (?:[\p{L}-]+ ){0,4}?\p{L}*(?:er|or|ist|ian|nurse|cook|chef|clerk|assistant|barista|pilot|vet|guard|student|apprentice|temp|carer|postie|intern|electrician|plumber|mechanic)\b|arbeitet|angestellt|Ausbildung|Lehre(?!\p{L})|Umschulung|Azubi|studiert|Studium|Schule|schule|Klasse|Kita|Kindergarten|Gymnasium|geht (?:in|auf) (?:die|den|das)|(?:ist|als) (?:\S+ ){0,3}\p{Lu}\p{Ll}+(?:er|erin|in|ist|istin|mann|frau|kraft|wart|hilfe)(?!\p{L})|bei (?:der |dem )?\p{Lu}\p{L}+ (?:angestellt|beschäftigt)|Job(?!\p{L})|Stelle|Rente|pensioniert|eröffnet|leitet|travaille|bosse|étudi|(?<!\p{L})est (?:\p{Ll}+ )?(?:un |une )?\p{L}*(?:eur|euse|ier|ière|iste|trice|ien|ienne|commis|apprentie?|prof|interne|instit\w*|comptable|médecin|chef\w*|vendeu\w+|cadre|ouvrière?|gérante?)(?!\p{L})|apprenti|formation|(?<!\p{L})se forme|école|collège|lycée|maternelle|crèche|fac(?!\p{L})|université|thèse|en (?:CP|CE\d|CM\d|sixième|cinquième|quatrième|troisième|seconde|première|terminale)|retraitée?|a (?:ouvert|rejoint|intégré|repris)|chez \p{Lu}|工作|上班|打工|任职|入职|当[^，]{1,8}|调[到去]|辞职|做[^，]{1,8}|教书|读[研博本]|研[一二三]|[大高初][一二三四]|年级|小学|初中|高中|大学|幼儿园|大班|中班|小班|读[\p{Script=Han}]{1,6}|学徒|专业|开[了着]?\p{Script=Han}{0,4}[店馆摊厂]|盘了|摊|退休|是[^，]{1,8}(?:师|员|生|工|手|士|警|医|厨)$|是老师|老师$|学护理|转行/u,
  ],
  [
    "partner",
    /\b(?:girlfriend|boyfriend|partner|wife|husband|fianc[eé]e?|married|engaged|single|divorced|separated|dating|seeing someone|together with|split up)\b|(?<!\p{L})(?:Freund(?:in)? (?:des|von)|Frau (?:des|von)|Mann (?:des|von)|Partner(?:in)?|verheiratet|verlobt|geschieden|getrennt|Single|liiert)(?!\p{L})|zusammen$|mit \p{Lu}\p{L}+ zusammen|copine|copain|compagne?|conjointe?|fiancée?|mariée?|célibataire|divorcée?|séparée?|rompu|en couple|est avec \p{Lu}|sort avec|chum|blonde|男朋友|女朋友|男友|女友|对象|老公|老婆|单身|分手|恋爱|结婚|离婚|已婚|未婚|在一起|同居|订婚|脱单/iu,
  ],
  [
    "when",
    /\b(?:deadline|due|appointment|lesson|class|practice|exam|launch|release|meeting|wedding|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|\d{1,2}\. ?\p{L}|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|le \d{1,2}(?:er)? \p{L}|(?:周|星期|礼拜)[一二三四五六日天末]|月[\d一二三四五六七八九十]{1,3}[号日]|\b\d{1,2}(?:st|nd|rd|th)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/iu,
  ],
  [
    "role",
    /\b(?:boss|manager|doctor|gp|dentist|physio\w*|therapist|landlord|landlady|teacher|tutor|coach|trainer|supervisor|hairdresser|lawyer|vet|counsell?or|psychiatrist|midwife|mentor|team lead)\b|(?<!\p{L})(?:Chef|Chefin|Arzt|Ärztin|\p{L}*[äa]rzt(?:in)?|Therapeut(?:in)?|Vermieter(?:in)?|Lehrer(?:in)? des|Trainer(?:in)?|Betreuer(?:in)?|Hebamme|Physio\p{L}*)(?!\p{L})|(?<!\p{L})(?:chef|cheffe|patron|patronne|médecin|dentiste|kiné|psy|propriétaire|coach|prof de \p{L}+ de|dermato\p{L}*|gynéco\p{L}*)(?!\p{L})|领导|老板|经理|主管|医生|医师|牙医|房东|老师|导师|教练|上司|管我们|管用户/iu,
  ],
  [
    "travel",
    /\b(?:commutes?|(?:fully|works?|working) remote(?:ly)?|is (?:fully )?remote|(?:works?|working) from home|to work|to the office|(?:by|the|a) (?:bus|train|tram|tube|metro|bike|car)|red line|cycles?|bikes?|walks? to|drives? (?:in|everywhere|instead|to))\b|zur Arbeit|[Hh]omeoffice|Home-?[Oo]ffice|pendelt|ins Büro|mit (?:dem|der) (?:Bus|Bahn|Auto|Rad|Zug|Tram|Fahrrad)|fährt (?:jetzt |nun )?(?:Rad|Fahrrad|Bahn|Bus|Auto)|télétravail|au travail|au boulot|en (?:train|bus|métro|voiture|tram)|à vélo|prend (?:le|la) (?:bus|train|tram|métro|voiture|RER)|上班|在家办公|居家办公|远程办公|坐(?:地铁|公交)|开车|骑车|走路/iu,
  ],
  [
    "vehicle",
    /\b(?:drives? an?|car|van|bike|scooter|motorbike|rides? an?)\b|(?<!\p{L})(?:Auto|Velo|Rad|E-Bike|Fahrrad|Roller|Motorrad|fährt (?:jetzt |nun )?(?:eine?n?))(?!\p{L})|roule en|conduit une|voiture|vélo|moto|scooter|开的?是?(?!店|了家|会)|车/iu,
  ],
  [
    "household",
    /\blives? (?:with|alone|together)\b|(?:wohnt|lebt) (?:bei|mit|allein)|(?:vit|habite) (?:avec|chez|seule?)|(?:跟|和)[^，]{1,6}(?:住|合租|同居)|一个人住|独居|养老院|Heim|maison de retraite|care home|\bin a home\b/iu,
  ],
  [
    "activity",
    /\b(?:plays?|learn(?:s|ing)?|does|practi[sc]es|runs|running|swims?|swimming|cycling|climbs?|jogs?|gym|yoga|pilates|karate|judo|boxing|rowing|rows|dances?|dancing|sings?|paints?|lessons?|class|choir|club|takes? up|took up|trains|lifts|knits?|rugby|football|tennis|cello|piano|guitar|banjo|violin)\b|spielt|lernt|joggt|läuft|schwimmt|Schwimmen|klettert|rudert|reitet|tanzt|singt|malt|macht (?:\p{L}+ )?(?:Yoga|Judo|Karate|Pilates|Ballett)|(?:ins|in den|in die|zum|zur) (?:\p{L}*(?:klub|club|verein|studio|chor|kurs|sauna|training)|Judo|Karate|Ballett|Fitness|Yoga|Tennis|Reiten|Schwimmen|Turnen)|Sauna|geht (?:\p{L}+ )*(?:joggen|laufen|schwimmen|klettern|tanzen|reiten)|umgestiegen|joue|apprend|fait d[eu]|nage|court(?!\p{L})|s['’]est mise?|danse|chante|peint|pratique|cours de|aviron|rugby|学(?!护理|徒)|弹|练|打\p{Script=Han}{1,3}球|踢|跑|游泳|健身|瑜伽|跳舞|唱|画|油画|课|下棋|锻炼|击剑/iu,
  ],
  [
    "food",
    /\b(?:vegan|vegetarian|pescatarian|keto|diet|eats?|meat|dairy|gluten|sugar|fasts?)\b|vegan|vegetari|isst|Fleisch|Zucker|Diät|Süßstoff|végan|végétari|mange|viande|bœuf|sucre|régime|吃(?!药)|素|肉|糖|饭/iu,
  ],
  [
    "drink",
    /\b(?:drinks?|coffee|tea|beers?|wine|alcohol|booze|pints?|matcha|takes? (?:their|his|her) (?:coffee|tea))\b|trinkt|Kaffee|(?<!\p{L})Tee(?!\p{L})|Bier|Wein|Alkohol|boit|café|(?<!\p{L})thé(?!\p{L})|bière|vin(?!\p{L})|verres? de|alcool|喝|咖啡|酒|奶茶|滴酒/iu,
  ],
  ["smoking", /\b(?:smok\w+|cigarettes?|vapes?|ten a day)\b|rauch|Zigaretten|fume|cigarettes?|clope|抽|烟/iu],
  [
    "pet",
    /\b(?:cat|dog|puppy|kitten|hamster|rabbit|parrot|budgie|horse|pets?)s?\b|Hund|Hündin|Katze|Kater|Welpe|Hamster|Haustier|(?<!\p{L})(?:chat|chatte|chien|chienne|lapin|chaton|chiot)s?(?!\p{L})|[猫狗]|宠物|兔子|鹦鹉/iu,
  ],
  [
    "tool",
    /\b(?:uses?|using|with|in|on|deploys?|writes?|codes?|tracks?|stud(?:ies) with) (?:\p{L}+ ){0,2}\p{Lu}|nutzt|benutzt|verwendet|(?:mit|in|auf|über|bei) (?:\p{L}+ )?\p{Lu}\p{L}*[A-Z]?|utilise|(?:avec|sur|en|dans|chez|passée?s? (?:à|chez)|de l['’]|du) ?\p{Lu}|(?:用|在|到|成|是)[A-Za-z]|用/u,
  ],
  [
    "device",
    /\b(?:phone|fitbit|garmin|watch|laptop|computer|tablet|wrist|kindle|camera)\b|Handy|Uhr|Laptop|Rechner|Tablet|téléphone|portable|ordi\p{L}*|montre|tablette|手机|电脑|手表|平板/iu,
  ],
  [
    "medicine",
    /\btakes? [a-z]{5,}\b|\bis on [a-z]{6,}\b|nimmt \p{Lu}\p{Ll}{4,}|prend d[eu]|服用|吃[^，]{2,8}[林平汀片药]/u,
  ],
  [
    "subscription",
    /\b(?:subscription|membership|subscribes?|member|gym is)\b|Abo(?!\p{L})|abonn|Mitglied|会员|订阅|订了/iu,
  ],
  ["bank", /\bbanks? with\b|\baccount\b|Konto|compte|工资卡|银行/iu],
  ["name", /\bis (?:called|named)\b|['’]s name is|heißt|heisst|s['’]appelle|surnomm|被称为|名叫|叫/u],
  [
    "glasses",
    /\b(?:contact lenses|contacts|glasses)\b|Kontaktlinsen|Brille|lentilles|lunettes|隐形眼镜|眼镜|近视/iu,
  ],
];

const FROM_KINDS: ReadonlyMap<string, Attribute> = new Map([
  ["home", "home"],
  ["work", "occupation"],
  ["study", "occupation"],
  ["school", "occupation"],
  ["partner", "partner"],
  ["diet", "food"],
  ["transport", "travel"],
  ["car", "vehicle"],
  ["phone", "device"],
  ["computer", "device"],
  ["bank", "bank"],
  ...PRODUCT_KINDS.filter((kind) => !/^(?:car|phone|computer|bank)$/.test(kind)).map(
    (kind): [string, Attribute] => [kind, "tool"],
  ),
]);

/** Cached per statement, because each statement is compared with many messages. */
const known = new WeakMap<{ readonly text: string }, ReadonlySet<Attribute>>();

/** The attributes that a statement may be about, cached. */
export function attributesOf(statement: { readonly text: string }): ReadonlySet<Attribute> {
  const found = known.get(statement) ?? attributesIn(simplified(statement.text).text);
  known.set(statement, found);
  return found;
}

function attributesIn(text: string): ReadonlySet<Attribute> {
  const plain = text.replace(/^(?:The user|Der Nutzer|L'utilisateur|用户)(?!['’]s)/u, "");
  const found = new Set(FORMS.flatMap(([attribute, form]) => (form.test(plain) ? [attribute] : [])));
  for (const kind of kindsOf(text)) {
    const attribute = FROM_KINDS.get(kind);
    if (attribute !== undefined) found.add(attribute);
  }
  return found;
}
