import { productKind } from "../../facts/product-names.ts";

/** Kinds of values that a correction or a postponement may replace in a known statement. */
export type ValueKind = "day" | "number" | "amount" | "shift" | "bearer" | "name" | "product";

const MONTH =
  "(?:[Jj]an(?:uary|vier|uar)?|[Jj]änner|[Ff]eb(?:ruary|ruar)?|[Ff]évrier|[Mm]ar(?:ch|s)|[Mm]ärz|[Aa]pr(?:il)?|[Aa]vril|[Mm]a[yi]|[Jj]un[ei]?|[Jj]uin|[Jj]ul[yi]?|[Jj]uillet|[Aa]ug(?:ust)?|[Aa]oût|[Ss]ep(?:t|tember|tembre)?|[Oo]ct(?:ober|obre)?|[Oo]kt(?:ober)?|[Nn]ov(?:ember|embre)?|[Dd]ec(?:ember)?|[Dd]ez(?:ember)?|[Dd]écembre)(?!\\p{Ll})";
const WEEKDAY =
  "(?:(?:[Mm]on|[Tt]ues|[Ww]ednes|[Tt]hurs|[Ff]ri|[Ss]atur|[Ss]un)days?|(?:[Mm]on|[Dd]iens|[Dd]onners|[Ff]rei|[Ss]ams|[Ss]onn)tags?|[Mm]ittwochs?|[Ll]undis?|[Mm]ardis?|[Mm]ercredis?|[Jj]eudis?|[Vv]endredis?|[Ss]amedis?|[Dd]imanches?)(?!\\p{Ll})";
const DATE = `(?:\\d{1,2}(?:st|nd|rd|th|er)?\\.? (?:of )?${MONTH}|${MONTH} \\d{1,2}(?:st|nd|rd|th)?(?!\\d)|\\d{1,2}\\.\\d{1,2}\\.|(?:the )?\\d{1,2}(?:st|nd|rd|th)(?!\\p{L}))`;
const PART = "(?: (?:morning|afternoon|evening|matin|soir|midi|après-midi|früh|abend)s?)?";
const CLOCK =
  "(?: at (?:half )?(?:past )?[\\p{L}\\d:.∶]{1,7}(?: ?[ap]m)?| um [\\d:.∶]{1,5}(?: Uhr)?| à [\\d]{1,2} ?h(?:\\d\\d)?)?";
const CHINESE_NUMBER = "[\\d一二两三四五六七八九十]{1,3}";
const CHINESE_DAY = `(?:(?:${CHINESE_NUMBER}月(?:份)?(?:${CHINESE_NUMBER}[号日]|底|初|中旬|上旬|下旬)?|(?:周|星期|礼拜)[一二三四五六日天末])(?:上午|下午|早上|晚上)?|${CHINESE_NUMBER}[号日](?!线))`;
const DAY = new RegExp(
  `(?<![\\p{L}\\d])(?:${WEEKDAY}(?:,? (?:the |den |le )?${DATE})?${PART}${CLOCK}|${DATE}${CLOCK})|${CHINESE_DAY}`,
  "gu",
);

const COUNT =
  "(?:\\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze)";
const NUMBER = new RegExp(
  `(?<![\\p{L}\\d.:])${COUNT}(?![\\p{L}\\d.:%])|[\\d一二两三四五六七八九十]{1,3}(?=[只个岁条人匹头年])`,
  "giu",
);

/** Numbers with a unit; the group is the unit. */
const AMOUNT =
  /(?<![\p{Script=Latin}\d.,])\d+(?:[.,]\d+)? ?(mg|mcg|ml|g|kg|km|k|miles?|pounds?|quid|dollars?|euros?|Euro|hours?|Stunden|heures?|minutes?|Minuten|lengths|pages|percent|Prozent|%|€|毫克|毫升|公斤|公里|元|块|小时|分钟)(?![\p{Script=Latin}\d])|([£$€])\d[\d.,]*/gu;
const unitOf = (amount: string): string => amount.replace(/[\d.,\s]/gu, "").replace(/s$/, "");

/** When somebody works, in a statement or after the preposition of a change. */
const SHIFT =
  /(?<=\b(?:on|to|onto|works?|working|doing|does) (?:the )?)(?:nights|days|earlies|lates|(?:night|day|early|late) shifts?)\b|(?:Früh|Spät|Nacht|Tag)(?:schicht|dienst)|(?<= )de (?:nuit|jour|matin|soir)(?!\p{L})|[早中晚夜白]班/gu;

const TITLED =
  /(?<!\p{L})(?:(?:Dr|Mr|Mrs|Ms|Prof|M|Mme|Pr|Dre)\.?|Herrn?|Frau|Miss|Monsieur|Madame|Maître|(?:Herrn?|Frau) Dr\.) \p{Lu}[\p{L}'’-]+|(?<=[是叫找跟和]|^.{0,2}|看的是)\p{Script=Han}(?:医生|医师|大夫|老师|教授|经理|总|姐|哥|工|主任|律师|教练|先生|女士|师傅)|[老小]\p{Script=Han}(?!\p{Script=Han}{0,1}(?:师|板))/gu;

export interface Value {
  readonly text: string;
  readonly at: number;
}

/** Names after the subject of a statement. German nouns have capitals too, so WORD is used for them. */
const PRODUCT =
  /(?<=^(?:The user|L'utilisateur)(?:'s)? .{2,60}?)(?<![\p{L}\d'’])\p{Lu}[\p{L}\d.+#-]*(?: [\p{Lu}\d][\p{L}\d.+#-]*){0,2}|(?<=用户.{0,12}?)[A-Za-z][\w.+#-]*(?: [A-Z]\w*)?|[\p{Script=Han}]{2}银行/gu;
const WORD = /(?<![\p{L}\d])[\p{Lu}\d][\p{L}\d.+#-]*(?: [\p{Lu}\d][\p{L}\d.+#-]*){0,2}/gu;

/** The name in a statement such as "The user's app is called Nimbus" or "Max is the user's dog". */
const NAME =
  /(?<=\b(?:called|named) |(?<!\p{L})heißt |s['’]appelle )[\p{L}\d].*$|(?<=叫).{2,12}$|^\p{Lu}[\p{L}-]+(?= is the user's | ist (?:der|die|das) .{2,20} des Nutzers$| est (?:le |la |l['’]).{2,20} de l['’]utilisateur$)|^[\p{Script=Han}]{2,3}(?=是用户的)/gu;

const FORMS: Readonly<Record<Exclude<ValueKind, "product">, RegExp>> = {
  day: DAY,
  number: NUMBER,
  amount: AMOUNT,
  shift: SHIFT,
  bearer: TITLED,
  name: NAME,
};

/** The values of one kind in a text, in the order of their positions. */
export function valuesIn(text: string, kind: ValueKind): Value[] {
  if (kind === "product") return productsIn(text);
  return [...text.matchAll(FORMS[kind])].map((found) => ({ text: found[0].trim(), at: found.index }));
}

/** The products that a known statement says are in use. */
function productsIn(text: string): Value[] {
  if (!USE.test(text)) return [];
  const isGerman = text.startsWith("Der Nutzer") || / des Nutzers /u.test(text);
  return [...text.matchAll(isGerman ? WORD : PRODUCT)]
    .map((found) => ({ text: found[0], at: found.index }))
    .filter((found) => !isGerman || productKind(found.text) !== undefined);
}
const USE =
  /^The user (?:uses|deploys|writes|codes|tracks|keeps|hosts|runs|stud(?:ies) with|banks with|is with|builds|chats|designs|plans)\b|^The user's (?:favourite |favorite )?(?:editor|browser|bank|phone|laptop|server|host|provider|stack|backend|frontend|database|app|site|project|tracker|CI|IDE)\b|nutzt|benutzt|verwendet|deployt|arbeitet mit|schreibt|läuft|hostet|speichert|utilise|déploie|code (?:avec|en)|tourne|écrit (?:avec|dans|en)|héberge|用|工资卡|部署/u;

/**
 * Replaces the only value of a kind in a known statement; undefined if it has none or several, or the same
 * value.
 */
export function withValue(known: string, kind: ValueKind, value: string): string | undefined {
  const values = valuesIn(known, kind).filter(
    ({ text }) => kind !== "amount" || unitOf(text) === unitOf(value),
  );
  const [found, ...more] = values.length === 0 && kind === "bearer" ? bearersIn(known) : values;
  if (found === undefined || more.length > 0) return undefined;
  const fitted = kind === "day" ? asIn(found.text, value) : value;
  if (fitted.toLowerCase() === found.text.toLowerCase()) return undefined;
  const end = found.at + found.text.length;
  return `${known.slice(0, found.at)}${fitted}${known.slice(end)}`;
}

/** The bearer of a role in a statement without a title: "The user's manager is Steve". */
const bearersIn = (known: string): Value[] =>
  ROLE.test(known) ? [...known.matchAll(BEARER)].map((found) => ({ text: found[0], at: found.index })) : [];
const ROLE =
  /(?:boss|manager|doctor|gp|dentist|physio|therapist|landlord|landlady|tutor|coach|trainer|supervisor|lead|head|teacher|client|Leiter(?:in)?|Lehrer(?:in)?|Chef(?:in)?|[Aa]rzt|[Ää]rztin|Vermieter(?:in)?|Trainer(?:in)?|Betreuer(?:in)?|chef|cheffe|patron|patronne|médecin|dentiste|kiné|propriétaire|entraîneuse?|prof|coach|组长|班主任|医生|领导|老板|经理|主管|导师|教练|房东)/u;
const BEARER =
  /^\p{Lu}[\p{L}'’-]+(?= is the user's \p{L}+$)|(?<= (?:is|ist|est|heißt|s['’]appelle) )\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?$|(?<=[是叫])\p{Script=Han}{2,3}$/gu;

/**
 * Gives a German day the form of the one it replaces: "Sonntag" becomes "sonntags" in the place of
 * "freitags".
 */
function asIn(known: string, value: string): string {
  const isHabit = /^\p{Ll}\p{L}+(?:tags|wochs)$/u.test(known);
  if (isHabit && /^\p{Lu}\p{L}+(?:tag|woch)$/u.test(value)) return `${value.toLowerCase()}s`;
  if (/^\p{Lu}\p{L}+(?:tag|woch)$/u.test(known) && /^\p{Ll}\p{L}+(?:tags|wochs)$/u.test(value))
    return `${value[0]?.toUpperCase()}${value.slice(1, -1)}`;
  return value;
}
