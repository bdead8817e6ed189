import { MAX_ABSTRACT_LENGTH } from "./layers.ts";
import { normalised, shorten } from "./shorten.ts";

const CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/** Whether a text contains all words of another, ignoring endings. */
export function says(text: string, words: string): boolean {
  const found = normalised(text);
  return normalised(words)
    .trim()
    .split(" ")
    .every((word) =>
      found.includes(
        CJK.test(word)
          ? word
          : word.length < 4
            ? ` ${word} `
            : ` ${word.slice(0, Math.max(4, word.length - 2))}`,
      ),
    );
}

/**
 * Ends a text like a sentence; if it is still too long after shortening, cuts it after a word without an
 * ellipsis.
 */
export function sentence(text: string): string {
  const whole = text.length <= MAX_ABSTRACT_LENGTH ? text : cutAtClause(text);
  const plain = withoutSigns(whole)
    .replace(/(?:\s*(?:…|\.{3}))+$/, "")
    .replace(/[\s,;:–—-]+$/, "");
  if (/[.!?。！？]["'”’)\]」』]?$/.test(plain)) return plain;
  return `${plain}${CJK.test(plain.slice(-2)) ? "。" : "."}`;
}

/** Cuts a text that is too long before a clause or bracket, otherwise after a word. */
function cutAtClause(text: string): string {
  const head = text.slice(0, MAX_ABSTRACT_LENGTH);
  const ends = [", ", "; ", " (", ": ", " – ", " — "].map((mark) => head.lastIndexOf(mark));
  const end = ends.reduce((last, at) => Math.max(last, at), -1);
  return end > MAX_ABSTRACT_LENGTH / 2
    ? head.slice(0, end)
    : shorten(text, MAX_ABSTRACT_LENGTH - 1).replace(/…$/, "");
}

/** With a capital first letter, but not the name npm. */
export const capitalized = (text: string): string =>
  text.replace(/^(?!npm\b)\p{Ll}/u, (letter) => letter.toUpperCase());

/** Removes pictographs; replaces a tag by its name. */
export const withoutSigns = (text: string): string =>
  text
    .replace(/<\/?([a-zA-Z][\w.-]{0,40})(?:\s[^<>]{0,200})?\/?>/g, "$1")
    .replace(/(?![©®™#*\d])\p{Extended_Pictographic}[\u200d\ufe0f]*/gu, "")
    .replace(/ {2,}/g, " ")
    .replace(/ (?=[,;]|[.:](?:\s|$))/g, "")
    .trim();

const ENGLISH = /(?<!\p{L})(?:the|of|and|to|for|with|is|are|by|from|or|as|that|this)(?!\p{L})/iu;
/** Auxiliary verbs, and pronouns that are subjects of a verb. */
const AUXILIARY =
  /\b(?:is|are|was|were|am|has|have|had|does|do|did|will|would|can|cannot|could|should|shall|must|may|might|needs?|we|you|they|i|let)\b|n['’]t\b|\b(?:it|that|there|here|what|who|he|she)['’]s\b|['’](?:re|ve|ll|d)\b/i;
/** Third person of frequent verbs of technical texts whose form is seldom a plural noun. */
const VERB_FORM =
  /\b(?:accept|achiev|add|allow|appear|appli|ask|assum|attempt|avoid|becom|behav|belong|bring|build|choos|collect|com|combin|compar|compil|comput|connect|consist|contain|continu|conver|convert|correspond|cover|creat|defin|delet|deliver|depend|deriv|describ|detect|determin|differ|disabl|emit|enabl|encod|ensur|enter|evaluat|execut|exist|expect|explain|expos|extend|fail|fetch|fill|find|follow|generat|get|giv|goe|grow|guarante|handl|happen|help|hold|identifi|ignor|implement|impli|improv|includ|indicat|inherit|initializ|integrat|introduc|invok|involv|keep|know|leav|let|liv|load|maintain|mak|manag|mean|modifi|need|offer|open|operat|overrid|pars|perform|prefer|prepar|preserv|prevent|produc|protect|prov|provid|read|receiv|recogniz|reduc|refer|reflect|register|reject|relat|reli|remain|remov|render|represent|requir|resid|resolv|respond|restor|restrict|retain|retriev|return|run|sav|say|see|seem|select|send|serv|set|show|simplifi|solv|speak|specifi|stand|start|stor|submit|suggest|suppli|support|tak|tell|throw|translat|tri|us|vari|verifi|want|warn|work|wrap|writ|yield)e?s\b/i;
/** A word with the ending of the third person before its object: a plural noun is seldom followed by one. */
const BEFORE_OBJECT =
  /\p{L}s (?:the|an?|each|every|all|its|their|this|these|no|one|two|more|several|any|your|you|it|them|itself)(?!\p{L})/iu;
/** Irregular forms, and plain forms after a plural. */
const OTHER_FORM =
  /\b(?:became|began|came|chose|fell|felt|gave|got|grew|knew|meant|met|ran|said|stood|took|told|went|won|wrote)\b|\b\p{L}{3,}s (?:\w+ly |also |often |always |never |then |still )?(?:allow|apply|belong|come|consist|contain|cover|define|depend|describe|differ|exist|expect|follow|form|give|go|have|help|hold|include|inherit|keep|live|look|make|mean|need|offer|provide|refer|rely|remain|represent|require|return|run|serve|show|specify|start|support|take|tell|tend|use|vary|want|work|write)\b/iu;
/** Beginnings of instructions. */
const INSTRUCTION =
  /^(?:\p{L}+ly,? )?(?:add|adjust|allow|answer|append|apply|ask|assign|attach|avoid|begin|bind|build|call|change|check|choose|clear|close|collect|combine|compare|compute|configure|connect|consider|convert|copy|create|declare|decode|define|delete|describe|disable|display|do|enable|encode|ensure|enter|escape|exclude|execute|expand|export|extract|fetch|filter|find|force|format|generate|get|give|handle|ignore|implement|import|include|increase|indicate|initialize|insert|inspect|install|invoke|keep|leave|list|load|log|make|manage|map|mark|match|merge|move|open|override|parse|pass|perform|pick|place|prefer|prepare|press|prevent|print|process|produce|provide|put|read|receive|record|register|remove|rename|render|replace|report|represent|request|require|reset|resolve|restore|restrict|retrieve|return|run|save|search|select|send|separate|serialize|set|show|skip|sort|specify|split|start|stop|store|submit|supply|support|take|test|transform|translate|treat|turn|type|undo|unset|update|use|validate|verify|wait|wrap|write)\b/iu;

/** Whether a sentence has an end, and closed brackets and quotation marks. */
export const isClosed = (text: string): boolean =>
  /[.!?。！？]["'”’)\]」』]?$/.test(text) &&
  !/ \| |^[("“]| (?:NOTE|WARNING):/.test(text) &&
  count(text, "(") === count(text, ")") &&
  count(text, '"') % 2 === 0 &&
  count(text, "“") === count(text, "”");

const count = (text: string, sign: string): number => text.split(sign).length - 1;

/** Whether a sentence has a verb; only an English one can be without. */
export const hasVerb = (text: string): boolean =>
  !ENGLISH.test(text) ||
  [AUXILIARY, VERB_FORM, BEFORE_OBJECT, OTHER_FORM, INSTRUCTION].some((form) => form.test(mainClause(text)));

/** The beginning of a sentence, up to a clause that may only describe a noun. */
const mainClause = (text: string): string =>
  text
    .replace(/\([^()]{0,200}\)/g, "")
    .split(/(?<=[\p{L}\d`"'”])\s(?:that|which|whose?|where|when|if)\s/u, 1)[0] ?? "";
