import { itemAt } from "../../base/expect.ts";
import { wish } from "./predicates.ts";
import { thirdOf } from "./readers/english-objects.ts";
import type { Statement } from "./rule.ts";

/** Permanent instructions of the user to the agent. */
const LASTING =
  /(?:^|[,:] |\b(?:please|and|so|but|ok|okay|yes|no|thanks|also) )(?:please )?((?:always|never|from now on|in (?:the )?future|going forward|by default|every time|each time|whenever|in this (?:repo|project|codebase)|for (?:this|our) (?:repo|project|codebase))\b[^.!?\n]{6,160})/i;
const CHOICE =
  /(?:^|[,:] |\b(?:please|and|so|but|ok|okay|also) )(?:please )?((?:use|prefer) [^.!?\n,]{2,60} (?:instead of|rather than|over|not) [^.!?\n,]{2,60})/i;
const MANNER =
  /(?:^|[,:] )(?:please )?((?:answer|reply|respond|write|explain)(?: \w+)? in (?:english|german|french|spanish|italian|portuguese|chinese|japanese|korean|bullet points|short sentences|plain language|markdown)\b[^.!?\n]{0,60}|keep (?:your |the )?(?:answers?|replies|responses|explanations|commits?|functions|diffs?|code) [^.!?\n,]{3,60})/i;
const I_WANT =
  /(?:^|[,:] |\b(?:and|so|but) )I(?:['’]d)? (?:always |really )?(?:(?:want|like|prefer) (?=you\b)|(?:want|like|prefer|need) (?!you\b))(you to [^.!?\n]{6,140}|(?:all|every|each) [^.!?\n]{6,140})/i;
/** Words of an order of steps: such instructions are stored as workflows, others as preferences. */
const STEPS = /\b(?:before|after|first|then|whenever|every time|each time|once|when)\b/i;
const STEP_VERB =
  /\b(?:run|check|test|commit|push|deploy|build|lint|format|review|ask|read|update|verify|merge|rebase|release|migrate|back ?up|open|create|tag|restart|confirm)\b/i;

/** Habits of the user. */
const HABIT =
  /(?:^|[,:] |\b(?:and|so|but) )(?:I|we) (?:(always|usually|never) )([a-z]+ [^.!?\n,]{2,80} (?:before|after|when|whenever|every time|each time|first) ?[^.!?\n,]{0,60})/i;

const LASTING_CHINESE =
  /(?:^|[，。；！\s])(?:请)?((?:以后|今后|从现在起|每次|总是|一律|一直|永远|始终|默认)[^。！？\n]{3,60})/;
const CHOICE_CHINESE =
  /(?:^|[，。；！\s])(?:请)?((?:不要|别(?![提说问管担介怪生急])再?|请勿)用?[^。！？，\n]{2,30}|(?:请)?用[^。！？，\n]{1,20}(?:而不是|代替|回答|回复|写)[^。！？，\n]{0,20}|请用[^。！？，\n]{1,30})/;
const STEPS_CHINESE = /(?:之前|之后|以前|以后要|先.*再|每次|前(?:先|要|都)|后(?:要|都|再))/;

/** Verbs that continue an instruction after "and". */
const GOING_ON =
  /(?<=\band (?:then )?)(?:go|do|have|take|make|get|read|write|walk|drink|eat|run|check|test|commit|push|merge|rebase|review|open|close|ask|update|clean|tag|deploy|format|lint)(?= )/g;

/** Puts an imperative into the third person: "run the tests and push" → "runs the tests and pushes". */
const inThirdPerson = (predicate: string): string =>
  predicate.replace(/^[a-z]+/, thirdOf).replace(GOING_ON, thirdOf);

/** A habit in the third person, with the topic of the corresponding instruction. */
const habitual = (often: string, what: string): Statement => ({
  ...statement(`${often} ${what}`, true, ""),
  about: `${often} ${inThirdPerson(what)}`,
});

/** A permanent instruction in a clause; undefined for a one-time request. */
export function instructionIn(clause: string): Statement | undefined {
  const habit = HABIT.exec(clause);
  if (habit) return habitual(itemAt(habit, 1).toLowerCase(), itemAt(habit, 2).trim());
  const found =
    LASTING.exec(clause)?.[1] ??
    CHOICE.exec(clause)?.[1] ??
    MANNER.exec(clause)?.[1] ??
    I_WANT.exec(clause)?.[1];
  if (found !== undefined) return english(found);
  const chinese = LASTING_CHINESE.exec(clause)?.[1] ?? CHOICE_CHINESE.exec(clause)?.[1];
  return chinese === undefined
    ? undefined
    : statement(chinese.trim(), STEPS_CHINESE.test(chinese.replace(/^(?:以后|今后|从现在起)/, "")), "希望：");
}

function english(raw: string): Statement | undefined {
  const text = raw.replace(/\s+/g, " ").replace(/[\s,;:]+$/, "");
  // "always happy to help" and "and never learned this" are not instructions
  if (
    /^(?:always|never) (?!(?:need|feed|embed|proceed|exceed|speed)\b)\p{L}+ed\b/iu.test(text) ||
    /^(?:always|never) (?:a|an|the|been|be|had|have|in|so|too|good|great|happy|nice|fun|mind|thought|knew|know|felt|seen|heard|loved|liked|wanted|gets?|got|ends?|up|down|there|here|had)\b/i.test(
      text,
    )
  )
    return undefined;
  if (text.split(" ").length < 3) return undefined;
  return statement(text, STEPS.test(text) && STEP_VERB.test(text), "wants: ");
}

function statement(text: string, isWay: boolean, verb: string): Statement {
  const topic = text
    .replace(
      /^(?:please|always|never|from now on|by default|going forward|in future|in the future|you to)[, ]+/i,
      "",
    )
    .replace(/^(?:以后|今后|从现在起|每次|总是|一律|一直|始终|默认|请)(?:都|要)?/, "");
  const short = topic.split(" ").slice(0, 4).join(" ").slice(0, 40);
  const about = `${verb}${text}`;
  if (isWay) return { category: "patterns", topic: short, about };
  return wish(/^\p{Script=Han}/u.test(verb) ? "zh" : "en", short, about);
}
