import { frenchInThirdPerson } from "./readers/french-objects.ts";
import { THIRD as FRENCH_VERBS } from "./readers/french-words.ts";
import { germanSubordinate } from "./readers/german-objects.ts";
import type { Statement } from "./rule.ts";

/** A habit and the condition under which it holds: "I take the train" and "when it snows". */
export interface Conditional {
  readonly main: string;
  readonly condition: string;
  /** Chinese conditions precede the predicate. */
  readonly isFirst?: boolean;
}

/** Words that show that a condition concerns a single occasion, another person or a supposition. */
const ONCE =
  /["“”«»?,]|(?<!\p{L})(?:you|your|he|she|they|this|that|these|those|today|tonight|tomorrow|next|would|could|should|might|had|was|were|will|ever|wish|so|live|win|lose|find|pass|fail|finish|du|dir|dich|dein\p{Ll}*|Sie|sie|er|mir|mich|wir|uns|wohne|lebe|heute|morgen|nächste\p{Ll}*|dies\p{Ll}*|wäre\p{Ll}*|hätte\p{Ll}*|würde\p{Ll}*|könnte\p{Ll}*|sollte\p{Ll}*|war|hatte|bekomme|kriege|gewinne|verliere|finde|tu|vous|ton|ta|votre|elle|ils|elles|ce|cet|cette|ces|demain|aujourd['’]hui|prochaine?|étai\p{Ll}+|avai\p{Ll}+|serai\p{Ll}*|pouvai\p{Ll}+|habite|vis|gagne|perds|trouve|réussis|obtiens)(?!\p{L})|['’](?:d|ll)\b|\bI \w+ed\b/iu;
/** Words that show that a main clause is a plan, an event or an offer, not a habit. */
const PLANNED =
  /["“”«»?]|(?<!\p{L})(?:you|your|will|would|could|should|might|may|let|want|going to|please|du|dir|dich|Sie|bitte|würde\p{Ll}*|möchte\p{Ll}*|werden?|ziehe|kaufe|kündige|heirate|tu|vous|vais \p{L}+(?:er|ir|re)|voudrais|aimerais|déménage|achète|quitte)(?!\p{L})|['’](?:d|ll)\b|(?:\bam|\bare|['’](?:m|re)) \w+ing\b/iu;

const ENGLISH_SELF = "(?:I|[Ww]e|[Mm]y|[Oo]ur)\\b";
const ENGLISH_IF = "(?:(?:except|only|even|but not|not|but only) )?(?:when|whenever|if|unless|as long as)";
const ENGLISH_TRAILING = new RegExp(`^(${ENGLISH_SELF}.{4,}?),? (${ENGLISH_IF} [^,]+)$`, "u");
const ENGLISH_LEADING = new RegExp(`^(${ENGLISH_IF} [^,]+?),? (?:then )?(${ENGLISH_SELF}.+)$`, "iu");
/** Subjects of conditions that recur: the weather, circumstances, the speaker. */
const ENGLISH_RECURS =
  /^(?:\w+ )?\w+(?: long as)? (?:it(?:['’]s| is| gets| rains| snows| pours| freezes)|there(?:['’]s| is| are)|the (?:weather|sun|wind|roads?|traffic|trains?|buses|kids|children|temperature|office|house|days)\b|(?:I|we)(?:['’]m|['’]re|['’]ve| am| are| have| eat| drink| work| travel| sleep| skip| sit| stand| run| drive| cook| read| need| feel| don['’]t| can['’]t| cannot)|my (?!boss says)\w+|our \w+|someone|people|\w+ing )/i;

const GERMAN_IF = "(?:(?:außer|nur|aber nur|aber nicht|auch|selbst|immer) )?(?:wenn|falls|sobald|solange)";
const GERMAN_TRAILING = new RegExp(
  `^((?:ich|wir|mein\\p{L}*|unser\\p{L}*|(?:\\p{L}+ ){1,3}(?:ich|wir)) .{2,}?), (${GERMAN_IF} [^,]+|es sei denn, [^,]+)$`,
  "iu",
);
const GERMAN_LEADING = new RegExp(`^(${GERMAN_IF} [^,]+), (?:dann )?(\\p{Ll}+) (ich|wir) (.+)$`, "iu");

const FRENCH_IF =
  "(?:(?:sauf|même|seulement|surtout|mais pas|uniquement) )?(?:quand |lorsque |lorsqu['’]|dès que |dès qu['’]|tant que |tant qu['’]|si |s['’](?=ils? ))";
const FRENCH_TRAILING = new RegExp(
  `^((?:je |j['’]|nous |on |mon |ma |mes |notre |nos ).{4,}?),? (${FRENCH_IF}[^,]+)$`,
  "iu",
);
const FRENCH_LEADING = new RegExp(
  `^(${FRENCH_IF}[^,]+), ((?:je |j['’]|nous |on |mon |ma |mes |notre ).+)$`,
  "iu",
);

/** Weather, seasons and states, as Chinese conditions of habits. */
const CHINESE_WHEN =
  "(?:下(?:大)?[雨雪]|刮(?:大)?风|起雾|打雷|堵车|放假|出差|加班|天气(?:很|太)?(?:好|不好|冷|热|晴朗)|天[冷热晴黑]|晴天|雨天|雪天|阴天|下[雨雪]天|[春夏秋冬]天|周末|(?:我)?(?:心情不好|累了?|压力大|生病|紧张|无聊))";
const CHINESE_LEADING = new RegExp(
  `^(除非|只要|如果|要是|每当|一到)?(${CHINESE_WHEN})(的时候|的话|时)?[，,]?我们?(?!就?[会要想]|.*[了过]$)(?:就)?([^，,]{2,30})$`,
  "u",
);
const CHINESE_TRAILING = new RegExp(
  `^((?:我|我们)[^，,]{2,30})[，,](?:除非|除了)(${CHINESE_WHEN})(的时候|时)?$`,
  "u",
);

/** Conjunctions of conditions; most clauses have none. */
const CONDITIONAL = new RegExp(
  `\\b(?:when|whenever|if|unless|as long as|wenn|falls|sobald|solange|sei denn|quand|lorsqu|tant qu|si)\\b|s['’]ils? |dès qu|除|^(?:le|les|tous les|chaque|en) [\\p{L}-]+(?: [\\p{L}-]+)?, |${CHINESE_WHEN}`,
  "iu",
);
const SMALL_TALK = /(?<![.!。！,\s])(?:[.!。！,\s]|\s(?:lol|haha|tbh|though|btw|please|honestly|mdr))+$/iu;

/** A habit with its condition; undefined for other clauses, and for conditions of single events. */
export function conditionIn(clause: string): Conditional | undefined {
  if (!CONDITIONAL.test(clause)) return undefined;
  const plain = clause.replace(SMALL_TALK, "");
  const found = /^\p{Script=Han}/u.test(plain)
    ? chinese(plain)
    : (english(plain) ?? german(plain) ?? french(plain));
  if (found === undefined || PLANNED.test(found.main)) return undefined;
  return found;
}

function english(clause: string): Conditional | undefined {
  const trailing = ENGLISH_TRAILING.exec(clause);
  const leading = trailing ? null : ENGLISH_LEADING.exec(clause);
  const main = trailing?.[1] ?? leading?.[2];
  const condition = trailing?.[2] ?? leading?.[1];
  if (main === undefined || condition === undefined) return undefined;
  const isKnown = ENGLISH_RECURS.test(condition) && condition.split(" ").length <= 9 && !ONCE.test(condition);
  return isKnown ? { main, condition: lowered(condition) } : undefined;
}

function german(clause: string): Conditional | undefined {
  const trailing = GERMAN_TRAILING.exec(clause);
  const [, before, verb, self, rest] = (trailing ? null : GERMAN_LEADING.exec(clause)) ?? [];
  const main = trailing?.[1] ?? (self && `${self} ${verb} ${rest}`);
  const condition = trailing?.[2] ?? before;
  if (main === undefined || condition === undefined) return undefined;
  if (ONCE.test(condition.replace(/^es sei denn, /, ""))) return undefined;
  return { main, condition: `, ${germanSubordinate(lowered(condition))}` };
}

/** A recurring time before the main clause: "Le dimanche, …". */
const FRENCH_TIME =
  /^((?:le|les|tous les|chaque|en) (?:lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?|matins?|soirs?|midis?|week-ends?|été|hiver|automne|semaine)(?: (?:matin|soir|après-midi))?), ((?:je |j['’]|nous |on ).+)$/iu;

function french(clause: string): Conditional | undefined {
  const timed = FRENCH_TIME.exec(clause);
  if (timed) return { main: timed[2] ?? "", condition: lowered(timed[1] ?? "") };
  const trailing = FRENCH_TRAILING.exec(clause);
  const leading = trailing ? null : FRENCH_LEADING.exec(clause);
  const main = trailing?.[1] ?? leading?.[2];
  const condition = trailing?.[2] ?? leading?.[1];
  if (main === undefined || condition === undefined || ONCE.test(condition)) return undefined;
  // the first person of a verb without a known third person cannot be converted
  const verb = /(?<!\p{L})(?:je |j['’])(?:ne |n['’]|me |m['’])*(\p{L}+)/iu.exec(condition)?.[1];
  if (verb !== undefined && !FRENCH_VERBS.has(verb.toLowerCase())) return undefined;
  const about = frenchInThirdPerson(lowered(condition)).replace(/(?<!\p{L})si il /u, "s'il ");
  return { main, condition: /^(?:sauf|même|mais)/.test(about) ? `, ${about}` : about };
}

function chinese(clause: string): Conditional | undefined {
  const [leading, given = "", when = "", after = "", rest = ""] = CHINESE_LEADING.exec(clause) ?? [];
  if (leading !== undefined) {
    const condition = /^(?:除非)$/u.test(given)
      ? `除非${when}，否则`
      : `${given}${when.replace(/^我/u, "")}${after}${/^(?:只要|如果|要是)$/u.test(given) ? "就" : ""}`;
    return { main: `我${rest}`, condition, isFirst: true };
  }
  const [trailing, main = "", unless = ""] = CHINESE_TRAILING.exec(clause) ?? [];
  return trailing === undefined ? undefined : { main, condition: `，除非${unless}` };
}

const lowered = (text: string): string => `${text[0]?.toLowerCase()}${text.slice(1)}`;

/**
 * Adds the condition to the predicate and the slot of the habit, so that a habit for snowy days does not
 * supersede another one. If several statements could depend on the condition, all of them are dropped.
 */
export function underCondition(
  statements: readonly Statement[],
  { condition, isFirst }: Conditional,
  isUnconditional: (statement: Statement) => boolean,
): Statement[] {
  if (statements.filter((one) => !isUnconditional(one)).length !== 1)
    return statements.filter(isUnconditional);
  return statements.map((one) => {
    if (isUnconditional(one)) return one;
    const gap = /^[,，]/.test(condition) ? "" : " ";
    const about = isFirst ? `${condition}${one.about}` : `${one.about}${gap}${condition}`;
    return { ...one, about, ...(one.slot !== undefined && { slot: `${one.slot} ${condition}` }) };
  });
}
