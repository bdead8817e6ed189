import type { RuleLanguage } from "../rule.ts";

/** Statements about the speaker. */
export const TELLER = /^(?:The user(?!['’]s)|Der Nutzer|L'utilisateur|用户(?!的))/u;
/** Statements that only name somebody's relation to the user. */
export const RELATION = / is the user's |des Nutzers$|de l'utilisateur$|是用户的/u;

/** Pairs of neighbouring Chinese characters. */
const characterPairs = (text: string): string[] =>
  (text.match(/\p{Script=Han}{2,}/gu) ?? []).flatMap((run) =>
    [...run].slice(0, -1).map((one, at) => one + run[at + 1]),
  );

/** The first six letters of words of at least four letters, and pairs of Chinese characters. */
function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{Script=Latin}]{4,}/gu) ?? [];
  return new Set([...words.map((word) => word.slice(0, 6)), ...characterPairs(text)]);
}
const COMMON =
  /^(?:user|nutzer|utilis|used|uses|with|have|that|this|they|jetzt|nicht|mehr|eine|einen|einem|einer|habe|haben|sind|maint|plus|pour|avec|dans|mais|用户|现在|已经|在[\p{Script=Han}])/u;

/** The number of words that two texts share. */
export function sharedWords(a: string, b: string): number {
  const other = wordsOf(b);
  return [...wordsOf(a)].filter((word) => other.has(word) && !COMMON.test(word)).length;
}

/** Words that any statement may contain, so that they identify none. */
const ANY =
  /^(?:the|and|user|nutzer|utilisateur|that|this|them|with|have|job|work|thing|things|time|week|month|year|day|today|company|place|team|jetzt|nicht|mehr|kein|keine|einen|eine|einem|einer|habe|haben|hab|wird|wurde|sind|wir|ich|das|der|die|den|dem|des|von|mit|für|aus|dem|beim|noch|woche|jahr|monat|tag|arbeit|boulot|travail|mois|jour|temps|用户|自己|现在|已经|我们|公司|上个|个月)$/u;

/** The words of a text that can identify a statement; Chinese words are pairs of characters. */
export function identifying(text: string): string[] {
  const words =
    text.toLowerCase().match(/[\p{Script=Latin}\d][\p{Script=Latin}\d.+#-]*[\p{Script=Latin}\d+#]/gu) ?? [];
  return [...words, ...characterPairs(text)]
    .filter((word) => !ANY.test(word) && (word.length > 2 || !/\p{Script=Latin}/u.test(word)))
    .map((word) => word.replace(/s$/, ""));
}

/** The subject of a statement: "" for the speaker, otherwise a person or thing in lower case. */
export function subjectOf(text: string): string {
  if (TELLER.test(text)) return "";
  const found =
    /^The user's (?:new )?([\p{L}' -]+?) (?:is|are|was|has|have|had|lives|works|\p{Ll}+s|\p{Ll}+ed|quit|left) /u.exec(
      text,
    ) ??
    /^(?:Der|Die|Das) (?:neue )?(.+?) des Nutzers/u.exec(text) ??
    /^(?:Le |La |Les |L['’])(.+?) de l['’]utilisateur/u.exec(text) ??
    /^用户的(.+?)(?=在|是|上|读|学|有|住|做|当|打|踢|弹|练|叫|用|定|姓|换|不|升|调|辞|开|搬|转|改)/u.exec(
      text,
    ) ??
    /^(\p{Lu}[\p{L}'’-]+)/u.exec(text);
  const subject = found?.[1]?.toLowerCase() ?? text;
  return OWNED.test(subject) ? "" : subject;
}

/** Belongings whose statements count as statements about the speaker: "The user's phone is a Pixel". */
const OWNED =
  /^(?:.* )?(?:phone|car|van|bike|flat|house|home|place|apartment|laptop|computer|editor|browser|bank|gym|watch|wohnung|zuhause|handy|auto|velo|rad|fahrrad|laptop|rechner|bank|téléphone|voiture|vélo|appartement|appart|ordi|ordinateur|banque)$|^(?:手机|车|車|电脑|工资卡|房子|家|笔记本)/u;

/** Clauses about other people. */
const OTHERS: Readonly<Record<RuleLanguage, RegExp>> = {
  en: /^\s*(?:(?:and|but|so|because|well|sadly|apparently) )*(?:(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Tt]he) (?:\p{Ll}+ )?(?:mum|mom|mother|dad|father|brother|sister|son|daughter|wife|husband|partner|girlfriend|boyfriend|friend|mate|neighbou?r|boss|colleague|cousin|uncle|aunt|gran|nan|flatmate|roommate|kid|kids|teacher|competitors?|customers?|client)|(?:[Hh]e|[Ss]he|[Tt]hey|[Yy]ou|[Ss]omeone|somebody|people|everyone)(?!['’]s taken)|(?!Just|Finally|Already|Recently|Have|Never|Sadly)\p{Lu}\p{Ll}+(?= (?:has|is|was|says|left|quit|sold|gave|stopped|moved|lost|broke) ))(?:['’]s)? /u,
  de: /^\s*(?:(?:und|aber|denn|weil|leider) )*(?:(?:bei )?(?:mein|unser|sein|ihr|de|di)(?:e?[rnm]?|e) (?:\p{Ll}+ )?(?:Mutter|Vater|Bruder|Schwester|Sohn|Tochter|Frau|Mann|Freundin|Freund|Kumpel|Nachbarin|Nachbar|Kollegin|Kollege|Chefin|Chef|Cousine|Cousin|Onkel|Tante|Oma|Opa|Konkurrent\p{Ll}*|Kund\p{Ll}+)(?!\p{L})|(?:bei|in|im|am|an) .{2,25} (?:ist|sind|wurde|wurden|wird|gibt es) (?:der|die|das|eine?) |(?:du|ihr|man|jemand|alle) )/iu,
  fr: /^\s*(?:(?:et|mais|car|donc) )*(?:(?:mon|ma|notre|son|sa|leur|le|la|les) (?:\p{Ll}+ )?(?:concurrent\p{Ll}*|clients?|mère|père|frère|sœur|soeur|fils|fille|femme|mari|copine|copain|amie?|voisine?|collègue|chef|cheffe|cousine?|oncle|tante|pote)(?!\p{L})|(?:tu|vous|quelqu['’]un) )/iu,
  zh: /^\s*(?:但|因为|所以)*我?的?(?:妈|爸|哥|姐|弟|妹|儿子|女儿|老婆|老公|妻子|丈夫|朋友|邻居|同事|女朋友|男朋友|对象|闺蜜|室友|老板|领导)[^，]|^\s*(?:客户|顾客|甲方|对手)|^\s*(?:你|大家|有人|别人)/u,
};

/** Removes the clauses about other people from a message. */
export const ownClauses = (text: string, language: RuleLanguage): string =>
  text
    .split(/(?<=[.!?;…,，。！；:])/u)
    .filter((clause) => !OTHERS[language].test(clause))
    .join("");

/** A possessive of somebody else: "the dog's dose". */
export const OF_OTHERS =
  /['’]s |(?<!\p{L})bei (?:mein|ihr|sein)e[rm] |(?:^|\s)(?:my|his|her|their|son|sa|leur|seine?[rnm]?|ihre?[rnm]?) (?:\p{Ll}+ )?(?:mum|mom|dad|mother|father|brother|sister|wife|husband|son|daughter|friend|neighbour|neighbor|colleague|cousin)\b|de (?:mon|ma|mes|son|sa) |mein\p{L}* (?:Bruder|Schwester|Mutter|Vater|Freund\p{L}*|Nachbar\p{L}*|Koll\p{L}*)/u;
