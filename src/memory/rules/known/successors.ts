import type { RuleLanguage } from "../rule.ts";

/** Who a message says has a role from now on, and the role if it names it. */
export interface Successor {
  readonly name: string;
  readonly role: string | undefined;
}

const EN = "(?<name>(?:(?:Dr|Mr|Mrs|Ms|Prof)\\.? )?\\p{Lu}[\\p{L}'-]+(?: \\p{Lu}[\\p{L}'-]+)?)";
const DE = "(?<name>(?:(?:Herrn?|Frau|Dr\\.|Prof\\.) ){0,2}\\p{Lu}[\\p{L}-]+)";
const FR = "(?<name>(?:(?:M\\.|Mme|Dre?|Pr) )?\\p{Lu}[\\p{L}-]+)";
const ZH_ROLE = "(?<role>组长|领导|老板|经理|主管|导师|教练|房东|医生|老师|班主任)";
const ZH = "(?<name>\\p{Script=Han}{2,3}(?:医生|老师|教授)?)";
const forms = (...sources: readonly string[]): readonly RegExp[] =>
  sources.map((source) => new RegExp(source, "u"));
const FORMS: Readonly<Record<RuleLanguage, readonly RegExp[]>> = {
  en: forms(
    `(?<!\\p{L})${EN}(?:['’]s| is)(?: now)? (?:my|our|the) (?:new )?(?<role>\\p{Ll}+(?: \\p{Ll}+)?)(?= (?:now|from|as of|instead)|$|[,.!])`,
    `(?:my|our) (?:new )?(?<role>\\p{Ll}+(?: \\p{Ll}+)?)(?:['’]s| is)(?: now)?(?: called)? (?:an? )?${EN}`,
    `(?<!\\p{L})${EN} (?:runs|leads|manages|heads|coaches|trains|teaches|looks after|supervises) (?:the|our|my|us|me)(?!\\p{L})`,
    `(?:we|I)(?:['’]re|['’]m| am| are)? (?:now )?(?:see|seeing|with|under|go to|going to|report to) ${EN}(?= now| instead|$|[,.!])`,
    `it['’]s(?: now)? ${EN}(?= now| from| instead)`,
    `(?<!\\p{L})${EN}(?:['’]s| has)? (?:taken over|took over|replaced (?:him|her)|stepped in)`,
    `(?:it['’]s|now it['’]s|i see|i['’]m with|i have|called) (?<name>(?:(?:Dr|Mr|Mrs|Ms|Prof)\\.? )\\p{Lu}[\\p{L}-]+)`,
  ),
  de: forms(
    `(?<!\\p{L})${DE} (?:ist|wird)(?: jetzt| nun| ab \\p{L}+)? (?:[Mm]ein|[Uu]nser)e? (?:neue[rn]? )?(?<role>\\p{Lu}\\p{Ll}+)`,
    `(?:[Mm]ein|[Uu]nser)e? (?:neuer? )?(?<role>\\p{Lu}\\p{Ll}+) (?:ist|heißt)(?: jetzt| nun| ab \\p{L}+)? ${DE}`,
    `(?<!\\p{L})${DE} (?:leitet|trainiert|führt|betreut|unterrichtet)(?: jetzt| nun| ab \\p{L}+)? (?:uns|mich|das Team|die Gruppe)`,
    `(?:geh|gehe|bin|gehen|sind|hab|habe|haben)(?: ich| wir)? (?:jetzt|nun|inzwischen) (?:bei |zu |zum |zur )?${DE}`,
    `(?:leitet (?:uns|mich)|(?:er|sie|das) (?:heißt|heisst|ist)|jetzt (?:ist (?:es|das)|betreut mich|hab ich)|bin (?:jetzt )?bei)(?: jetzt| nun)? (?<name>(?:Herrn?|Frau|Dr\\.) (?:Dr\\. )?\\p{Lu}[\\p{L}-]+)`,
  ),
  fr: forms(
    `(?<!\\p{L})${FR} (?:est|sera)(?: maintenant| désormais)? (?:mon|ma|notre) (?:nouveau |nouvelle )?(?<role>\\p{Ll}+)`,
    `(?:[Mm]on|[Mm]a|[Nn]otre) (?:nouveau |nouvelle )?(?<role>\\p{Ll}+),? (?:est|c['’]est|s['’]appelle)(?: maintenant| désormais)? (?:le |la )?${FR}`,
    `(?:je vais|on va|je suis|on est)(?: maintenant| désormais)? (?:chez|avec|suivie? par) (?:le |la )?${FR}`,
    `(?<!\\p{L})${FR} (?:nous|m['’]) ?(?:dirige|gère|entraîne|coache|encadre)`,
    `(?:c['’]est|(?:je suis|suivie?) (?:par|chez)|remplacée? par|maintenant) (?:le |la )?(?<name>(?:Dre?|M|Mme|Pr)\\.? \\p{Lu}[\\p{L}-]+)`,
  ),
  zh: forms(
    `(?:现在|新的?|如今)的?(?:我们?的?)?${ZH_ROLE}(?:是|叫|换成了?)${ZH}`,
    `${ZH_ROLE}换成了?${ZH}`,
    `(?:现在(?:是|看的是|换成)|换成|改成|是)(?<name>\\p{Script=Han}{1,2}(?:医生|医师|大夫|老师|教授|经理|总|姐|哥|工|主任|律师|教练|先生|女士))`,
  ),
};
/** Capitalized words that are no names. */
const NO_NAME =
  /^(?:I|It|This|That|What|Who|He|She|They|We|There|Here|The|My|Our|And|But|So|Das|Es|Er|Sie|Der|Die|Was|Wer|Ce|Il|Elle|On|Qui|Mon|Ma|Le|La)(?!\p{L})/u;

/** Who a message says has a role from now on; undefined for nobody. */
export function successorIn(text: string, language: RuleLanguage): Successor | undefined {
  for (const form of FORMS[language]) {
    const { name, role } = form.exec(text)?.groups ?? {};
    if (name !== undefined && !NO_NAME.test(name)) return { name, role };
  }
  return undefined;
}

const LEADER = /boss|manager|lead|head|supervisor|chef|patron|领导|老板|经理|主管|组长/iu;
const TITLE =
  /^(?:Dr|Mr|Mrs|Ms|Prof|M|Mme|Dre|Pr|Herr|Frau)(?!\p{L})|(?:医生|医师|大夫|老师|教授|经理|总|姐|哥|工|主任|律师|教练|先生|女士)$/u;

const TAKEN_OVER = /\b(?:taken over|took over|replaced (?:him|her)|stepped in)\b/u;

/** Whether a known statement about the bearer of a role is about the role of the successor. */
export function succeeds({ name, role }: Successor, known: string, message: string): boolean {
  if (role !== undefined)
    return (
      known.toLowerCase().includes(role.toLowerCase().slice(0, 4)) ||
      (LEADER.test(role) && LEADER.test(known))
    );
  const bearer = /(\p{Lu}[\p{L}-]+)$|^(\p{Lu}[\p{L}-]+) is |(\p{Script=Han}{2,3})$/u.exec(known);
  const last = bearer?.[1] ?? bearer?.[2] ?? bearer?.[3];
  return TITLE.test(name) || TAKEN_OVER.test(message) || (last !== undefined && message.includes(last));
}
