import { isPlain } from "../clauses.ts";
import { isQuoted } from "../readers/task.ts";
import type { RuleLanguage } from "../rule.ts";
import { typedSentences } from "../typed-sentences.ts";
import { chineseParts, chineseStatement } from "./chinese/segments.ts";
import { englishParts, englishStatement } from "./english/segments.ts";
import { frenchParts, frenchStatement } from "./french/segments.ts";
import { germanParts, germanStatement } from "./german/segments.ts";
import { onlyPerson, withPerson } from "./persons.ts";

/** A main clause of a message, completed to a plain statement: "bin bei McFit" → "ich bin bei McFit". */
export interface MessageSegment {
  readonly text: string;
  readonly language: RuleLanguage;
}

const MAX_SENTENCE_LENGTH = 300;
/** Maximum number of statements read per message; a text with more is a list or a document. */
const MAX_STATEMENTS = 60;
const WORDS: readonly (readonly [language: RuleLanguage, words: RegExp])[] = [
  [
    "de",
    /(?<!\p{L})(?:ich|wir|mein\p{L}*|unser\p{L}*|bin|hab|habe|ist|und|nicht|der|die|das|den|dem|ein|eine|einen|mit|für|auf|bei|seit|kein\p{L}*|im|am|zum|zur|jetzt|mir|mich|uns|wie|wird|noch|nur|auch|sind|statt|ab|unser|\p{L}*[äöüß]\p{L}*|du|dir|kannst|was|von|zu|aus|wir|i hab|hast|man|wohn\p{L}*|arbeit\p{L}*|hei(?:ß|ss)\p{L}*|spiel\p{L}*|geht|gehe|macht|mache|lebt|lebe|fahre|studier\p{L}*|sich|er|sie|es|wurde|dann|weil|beim|vom|ins|nach|trinke|esse|lerne|nehme|schreibe)(?!\p{L})/giu,
  ],
  [
    "fr",
    /(?<!\p{L})(?:je|nous|on|mon|ma|mes|notre|nos|suis|est|et|pas|le|la|les|des|du|une|un|avec|pour|chez|depuis|plus|dans|sur|au|aux|moi|me|mais|c['’]est|qui|que|sont|il|elle|ne|en|habite\p{L}*|travaill\p{L}*|bosse|fais|fait|joue|vais|avons|sommes|ont|cette|ses|sa|leur|tous|toutes|bois|prends|roule|code|\p{L}*[éèêàçùœ]\p{L}*)(?!\p{L})|(?<!\p{L})[jlndcmqs]['’]/giu,
  ],
  [
    "en",
    /(?<!\p{L})(?:i|we|my|our|the|is|are|and|not|a|an|with|for|at|of|to|on|in|since|no|now|me|us|have|has|been|it|im|ive|i['’]m|that|from|was|use|any|so)(?!\p{L})/giu,
  ],
];

export function languageOf(text: string): RuleLanguage {
  if (/\p{Script=Han}{2}/u.test(text)) return "zh";
  let best: RuleLanguage = "en";
  let most = 0;
  for (const [language, words] of WORDS) {
    const count = text.match(words)?.length ?? 0;
    if (count >= most && count > 0) [best, most] = [language, count];
  }
  return best;
}

/** Words of conditions on which the rest of a sentence depends. */
const CONDITIONAL =
  /\b(?:if|unless|whenever|in case|suppose|imagine|pretend)\b(?! (?:possible|necessary)\b)|\bwhen (?!(?:I|we|my|our|the|\p{Lu}\p{L}+)\b.{0,30}\b(?:was|were|came|got|born|died|moved|left|\w+ed)\b)|(?<!\p{L})(?:wenn|falls|sofern|angenommen|stell dir|si(?=(?: je| j['’]| on| nous| tu| vous| mon| ma| la| le))|s['’]ils?|quand|lorsque|imagine|admettons)(?!\p{L})|如果|要是|假如|假设|万一|的话|除非/iu;

const PARTS: Readonly<Record<RuleLanguage, (sentence: string) => string[]>> = {
  en: englishParts,
  de: germanParts,
  fr: frenchParts,
  zh: chineseParts,
};
const STATEMENTS: Readonly<Record<RuleLanguage, (part: string) => string | undefined>> = {
  en: englishStatement,
  de: germanStatement,
  fr: frenchStatement,
  zh: chineseStatement,
};

/** Tag questions: they ask about the statement before them, which is therefore not asserted. */
const TAG =
  /[,，] ?(?:right|correct|isn['’]t it|no|yes|(?:do|are|is|did|have|has)n['’]t (?:I|we|he|she|it|they)|oder|oder nicht|nicht wahr|gell|ne|stimmt['’]?s|non|n['’]est-ce pas|hein|c['’]est ça|对吧|对吗|对不对|是吧|是吗|不是吗|没错吧) ?[?？]+\s*$/iu;

/** Where a question begins after a statement: "I can't have gluten, any ideas for lunch?". */
const QUESTION: Readonly<Record<RuleLanguage, RegExp>> = {
  en: /(?:,|\s[-–—])\s(?=(?:(?:so|and|but|then) )?(?:what|when|where|how|why|who|which|can|could|would|should|do|does|is|are|am|will|any|may)\b)/i,
  de: /(?:,|\s[-–—])\s(?=(?:(?:also|und|aber) )?(?:was|wann|wie|wo|wer|warum|wieso|welche\p{L}*|kann|kannst|darf|soll|sollte|hast|gibt|habt|muss|könntest|irgendeine|ideen)(?!\p{L}))/iu,
  fr: /(?:,|\s[-–—])\s(?=(?:(?:alors|et|mais|donc|du coup) )?(?:quel\p{L}*|quand|comment|où|pourquoi|combien|qu['’]|que (?:faire|puis)|est-ce|une idée|des idées|tu|vous|peux|puis-je|dois-je|c['’]est quoi)(?!\p{L}))/iu,
  zh: /[，,](?=[^，,]*[?？])/u,
};
/**
 * Where a request to the agent begins after a statement, with its verb in the imperative: "I'm left-handed,
 * so recommend me a pair". A verb that may also continue the statement needs an object of the request.
 */
const REQUEST: Readonly<Record<RuleLanguage, RegExp>> = {
  en: /(?:,|\s[-–—])\s(?=(?:(?:so|and|but|then|please|pls|now) )*(?:help|give|write|draft|suggest|recommend|fix|explain|tell|show|make (?:me|it|a|an|the|sure)|find|redo|rewrite|rework|skip|update|list (?:me|the)|keep (?:it|that|this)|put (?:it|that|this)|translate|adapt|correct|check|need (?:a|an|some) (?:\p{Ll}+ )?(?:plan|idea|ideas|recipe|recipes|tips|advice|list))(?!\p{L}))/iu,
  de: /(?:,|\s[-–—])\s(?=(?:(?:also|und|aber|bitte|dann) )*(?:schreibe?|mach (?:mir|mal|uns|das|ne|eine?n?|daraus)|gib|hilf|plane? (?:mir|das|mal)|erkläre?|zeige?|nenne?|formuliere?|empfiehl|stelle? (?:mir|das)|such (?:mir|mal|bitte)|übersetze?|pass (?:das|die|den|bitte)|ändere?|brauche? (?:ideen|tipps|vorschläge|rat|ne idee|eine idee))(?!\p{L}))/iu,
  fr: /(?:,|\s[-–—])\s(?=(?:(?:alors|et|mais|donc|du coup|stp|svp) )*(?:aide|donne|écris|corrige|propose|relis|rédige|explique|trouve|adapte|traduis|montre|prépare|conseille|refais|fais (?:-?moi|un|une|le|la|les)|fais-moi|mets (?:à jour|-?moi)|garde (?:ça|cela)|ne \p{L}+ pas|t['’](?:aurais|as))(?!\p{L}))/iu,
  zh: /[，,](?=(?:就|那|所以|麻烦|请)*(?:帮我?|给我|写[个一份封篇]|求|推荐|按[这那此]|翻译|你[把给按帮])|[^，,]{0,12}(?:怎么|咋|如何|啥|什么|哪)(?![^，,]{0,8}[都也])[^，,]{0,16}$)/u,
};
/** Riddles and exercises, whose statements are no facts. */
const EXERCISE =
  /\bhow (?:many|much|old|far|long)\b.*\b(?:left|remain|total|altogether)\b|wie viele.*(?:bleiben|übrig|insgesamt)|combien .*(?:reste|total)|还剩|一共|总共/iu;

/** Where a question or a request begins at the end of a sentence; -1 if there is none. */
function endOf(sentence: string, form: RegExp): number {
  const at = sentence.search(form);
  return at < MIN_BEFORE ? -1 : at;
}
/** Minimum length in characters of a statement before a question or request. */
const MIN_BEFORE = 6;

/** "I'm Ann, 34, a nurse in Leeds": the parts behind the name are statements of their own. */
const INTRODUCTION: Readonly<
  Record<
    Exclude<RuleLanguage, "zh">,
    { readonly start: RegExp; readonly am: string; readonly age: RegExp; readonly trade: RegExp }
  >
> = {
  en: {
    start:
      /^(?:(?:hi|hey|hello|so|about me|background|me)[,!:]* )?(?:I['’]?m|my name is|name['’]s) \p{Lu}\p{Ll}+, /iu,
    am: "I'm",
    age: /^\d{2}$/,
    trade:
      /^(?:an? |retired |freelance |self-employed )?[\p{Ll}-]+(?: [\p{Ll}-]+){0,2} (?:at|in|for|from|with) /u,
  },
  de: {
    start: /^(?:(?:also|hallo|hi|servus|moin)[,!]* )?ich (?:bin|heiße) (?:der |die )?\p{Lu}\p{Ll}+, /iu,
    am: "ich bin",
    age: /^\d{2}(?: Jahre(?: alt)?)?$/,
    trade: /^\p{Lu}\p{Ll}{3,} (?:bei|in|im|an|am|aus) /u,
  },
  fr: {
    start:
      /^(?:(?:petit portrait|alors|bonjour|salut)[ ,:]* )?(?:moi,? c['’]est |je m['’]appelle |je suis )?\p{Lu}[\p{Ll}-]+(?:-\p{Lu}\p{Ll}+)?, (?=\d{2} ans|\p{Ll}+(?:eur|euse|ier|ière|iste|trice|teur) )/iu,
    am: "je suis",
    age: /^\d{2} ans$/,
    trade: /^\p{Ll}+(?:eur|euse|ier|ière|iste|trice|teur|ien|ienne)(?: \p{Ll}+)? (?:à|en|au|chez|dans) /u,
  },
};

function introductionIn(sentence: string, language: RuleLanguage): string[] {
  if (language === "zh" || !INTRODUCTION[language].start.test(sentence)) return [];
  const { am, age, trade } = INTRODUCTION[language];
  return sentence
    .replace(/[.!]+$/, "")
    .split(", ")
    .slice(1)
    .flatMap((part) => {
      if (age.test(part)) return [language === "fr" ? `j'ai ${part}` : `${am} ${part}`];
      return trade.test(part) ? [`${am} ${part}`] : [];
    });
}

/** Messages about a story, a game or a dream. */
const FICTION =
  /\b(?:in|for|of) (?:my|our|the|a) (?:novel|story|book|game|dream|campaign|screenplay|script|fanfic|short story|film|movie)\b|\bmy (?:main )?(?:character|protagonist|hero|heroine)\b|(?<!\p{L})(?:in|für) (?:meine[mnr]?|unsere[mnr]?|einem|einer|der|dem) (?:Roman|Geschichte|Buch|Spiel|Traum|Drehbuch|Kampagne)(?!\p{L})|(?<!\p{L})(?:dans|pour) (?:mon|ma|notre|un|une|le|la|l['’]) ?(?:roman|histoire|livre|jeu|rêve|scénario|campagne)(?!\p{L})|(?:小说|故事|游戏|梦|剧本)里|主角/iu;

/** What somebody said or wrote, in single quotation marks, with the verb before it: "he wrote 'I never …'". */
const REPORTED =
  /(?<=(?:wrote|writes|said|says|told (?:me|us)|tells (?:me|us)|posted|claims?|asked|tweeted|texted|schrieb|schreibt|sagte?|meinte?|écrit|dit|raconte):? )['‘‚].{8,300}?['’](?=[\s,.!?]|$)/giu;

/**
 * The statements in a text, in order, each once, including those beside questions and requests. Yields
 * between sentences.
 */
export function* segmentsOf(text: string): Generator<undefined, MessageSegment[]> {
  if (FICTION.test(text)) return [];
  const language = languageOf(text);
  const person = onlyPerson(text, language);
  const statements = new Set<string>();
  const sentences = typedSentences(text.replace(REPORTED, ""));
  for (const sentence of new Set(sentences)) {
    yield;
    if (statements.size >= MAX_STATEMENTS) break;
    if (sentence.length > MAX_SENTENCE_LENGTH || isQuoted(sentence) || TAG.test(sentence)) continue;
    for (const part of partsOf(sentence, language)) {
      const statement = STATEMENTS[language](withPerson(part.trim(), language, person));
      if (statement !== undefined && isPlain(statement.replace(/\bused to (?=\p{L})/gu, "")))
        statements.add(statement);
    }
  }
  return [...statements].map((statement) => ({ text: statement, language }));
}

/** Where a question begins in a sentence, -1 for none, and where the first question or request does, infinity for none. */
function askedIn(sentence: string, language: RuleLanguage): { readonly asks: number; readonly at: number } {
  const asks = endOf(sentence, QUESTION[language]);
  const starts = [asks, endOf(sentence, REQUEST[language])].filter((start) => start >= 0);
  return { asks, at: starts.reduce((least, start) => Math.min(least, start), Number.POSITIVE_INFINITY) };
}

/**
 * What a message asserts: its sentences without questions, conditions, and what follows them after a comma.
 * "I've moved to Bath, who do I tell? The car is sold" asserts the move and the sale.
 */
export const assertedIn = (text: string, language: RuleLanguage): string =>
  typedSentences(text)
    .filter((sentence) => sentence.length <= MAX_SENTENCE_LENGTH)
    .map((sentence) => {
      const { at } = askedIn(sentence, language);
      const isAsked = at > sentence.length && IS_QUESTION.test(sentence);
      // without a known beginning, the question is what follows the last comma
      const end = isAsked ? lastComma(sentence) : Math.min(at, sentence.length);
      const said = sentence.slice(0, end);
      return TAG.test(sentence) || CONDITIONAL.test(said) || (isAsked && ASKS.test(said)) ? "" : said;
    })
    .filter((said) => said !== "")
    .join(" ");
const lastComma = (sentence: string): number =>
  Math.max(0, sentence.lastIndexOf(","), sentence.lastIndexOf("，"));
/** Words with which a question begins. */
const ASKS =
  /^(?:is|are|am|do|does|did|can|could|would|should|will|what|when|where|how|why|who|which|any|ist|sind|hast|habt|kannst|könntest|was|wie|wo|wer|wann|warum|welche\p{L}*|soll|darf|est-ce|quel\p{L}*|comment|où|pourquoi|combien|qui|tu|vous|peux)(?!\p{L})|[吗呢]|什么|怎么|如何|哪/iu;
const IS_QUESTION = /[?？]\s*["'”’)]*$/;

/** Splits a sentence into clauses. Of a question, only the clauses before the question itself are read. */
function partsOf(sentence: string, language: RuleLanguage): readonly string[] {
  const isQuestion = IS_QUESTION.test(sentence);
  const isExercise = EXERCISE.test(sentence);
  const { asks, at } = askedIn(sentence, language);
  const split = PARTS[language];
  const introduced = introductionIn(sentence, language);
  if (at < sentence.length && !isExercise && !CONDITIONAL.test(sentence.slice(0, at))) {
    const isKept = !isQuestion && at !== asks && !CONDITIONAL.test(sentence);
    return [...introduced, ...split(sentence.slice(0, at)), ...(isKept ? split(sentence.slice(at + 1)) : [])];
  }
  if (CONDITIONAL.test(sentence) || (isQuestion && isExercise)) return [];
  const parts = [...introduced, ...split(sentence)];
  // a question without an earlier clause asserts nothing
  return isQuestion ? parts.slice(0, -1).filter((part) => !/[?？]/.test(part)) : parts;
}
