import { itemAt, lastOf, present } from "../../base/expect.ts";
import { sentencesOf } from "../../domain/text/sentences.ts";
import type { Conversation, Fact } from "../facts/fact.ts";
import type { ToolCall, Utterance } from "../utterance.ts";

/** Maximum number of messages between a problem and its solution. */
const MAX_DISTANCE = 30;
const MAX_PROBLEM_LENGTH = 300;
const MAX_RESOLUTION_LENGTH = 600;
const MAX_STEPS = 6;
const MAX_STEP_LENGTH = 160;
const MAX_TOPIC_LENGTH = 60;
/**
 * Maximum characters read at the beginning and end of a long message or output, where problems are stated.
 */
const MAX_READ_LENGTH = 8000;
/** Maximum characters read of a line. */
const MAX_LINE_READ = 2000;
/** Number of latest calls searched for steps. */
const MAX_CALLS_READ = 200;

const PROBLEM =
  /\b(?:errors?|exceptions?|fail(?:s|ed|ing|ure)?|crash(?:es|ed|ing)?|bug|broken|breaks?|(?:does|do|did|is|are|was)(?:n['’]?t| not) (?:work|working|start|starting|build|building|compile|load|loading|connect|connecting|run|running|pass|passing)|can(?:['’]?t|not) (?:connect|start|build|install|open|find|load|run|log in|import)|times? out|timed out|timeout|stack ?trace|traceback|segfault|regression|flaky|stuck|hangs?|denied|undefined is not|problem with|issue with)\b|报错|错误|失败|崩溃|异常|不行|不能|无法|没反应|卡住|超时|打不开|跑不起来|不工作|有问题|出问题/i;
const SOLVED =
  /\b(?:(?:that|it|this|everything)(?:['’]s| is| has)? ?(?:now )?(?:works?|worked|fixed|solved|resolved|did it|did the trick|done it|passes|passed|green)(?: now| again)?|works? (?:now|again|perfectly|great|fine|like a charm)|(?:all |the )?tests? (?:now )?pass(?:es|ed)?(?: now)?|no (?:more )?errors?(?: now| anymore)?|problem (?:is )?(?:solved|gone|fixed)|(?:fixed|solved|resolved)(?: it)?[,!. ]|builds? (?:now|again|fine))(?!\p{L})|(?:好了|可以了|解决了|搞定|没问题了|正常了|修好了|成功了|通过了|能用了|跑通了|跑起来了)/iu;
const NOT_SOLVED =
  /\b(?:still|not|n['’]t|but|except|another|doesn|isn|didn|never)\b|\?\s*$|还是|仍然|但是|没有|不是|吗[？?]?\s*$/i;
const FAILED_OUTPUT =
  /\b(?:error|exception|failed|failure|fatal|panic|traceback|not found|denied|refused|cannot|can't|undefined|assert)/i;

/** Matches a sentence that states the fix of a problem. */
const FIX =
  /\b(?:fix(?:ed|es)|solv(?:ed|es)|resolv(?:ed|es)|cured|got rid of) (?:it|this|that|the \w+)\b|\bthe (?:fix|solution) (?:is|was)\b|^(?:solution|fix|resolution):|(?:之后|以后|后)(?:就)?(?:好了|解决了|正常了)|解决(?:办法|方法|方案)(?:是|：)/i;

/**
 * Finds problems with their solutions: a problem the user states and later calls solved, or a failed tool
 * call that succeeded in another form. Yields to the event loop between steps.
 */
export function* caseSteps({ utterances }: Conversation): Generator<undefined, Fact[]> {
  const told = yield* toldCases(utterances);
  const covered = new Set(told.flatMap(({ sources }) => sources));
  const ofTools = yield* toolCases(utterances);
  return [...told, ...ofTools.filter(({ sources }) => !sources.every((id) => covered.has(id)))];
}

function* toldCases(utterances: readonly Utterance[]): Generator<undefined, Fact[]> {
  const cases: Fact[] = [];
  let from = 0;
  for (const [at, utterance] of utterances.entries()) {
    if (utterance.isNamed) continue;
    yield;
    const whole = caseInOne(utterance);
    if (whole) {
      cases.push(whole);
      from = at + 1;
      continue;
    }
    if (utterance.role !== "user" || !isSolved(utterance.text)) continue;
    const first = yield* problemBefore(utterances, Math.max(from, at - MAX_DISTANCE), at);
    from = at + 1;
    if (first === undefined) continue;
    const span = utterances.slice(first, at);
    const problem = present(problemIn(itemAt(utterances, first).text), "problem");
    const resolution = [...stepsIn(span), ...lastWords(span)];
    if (resolution.length > 0) cases.push(caseOf(problem, resolution, [...span, utterance]));
  }
  return cases;
}

/** Finds a problem and its fix in one message. */
function caseInOne(utterance: Utterance): Fact | undefined {
  if (utterance.text.length > MAX_RESOLUTION_LENGTH) return undefined;
  const clauses = sentencesOf(utterance.text).flatMap((sentence) => sentence.split(/;\s+|；/));
  const problem = clauses.findIndex(
    (clause) => PROBLEM.test(clause) && !FIX.test(clause) && !/[?？]\s*$/.test(clause),
  );
  const fix = clauses.findIndex(
    (clause, i) => i > problem && FIX.test(clause) && !/[?？]\s*$|\b(?:not|n['’]t)\b/.test(clause),
  );
  return problem < 0 || fix < 0
    ? undefined
    : caseOf(itemAt(clauses, problem), [itemAt(clauses, fix)], [utterance]);
}

const isSolved = (text: string): boolean =>
  sentencesOf(read(text)).some((sentence) => SOLVED.test(`${sentence} `) && !NOT_SOLVED.test(sentence));

const read = (text: string): string =>
  text.length <= MAX_READ_LENGTH
    ? text
    : `${text.slice(0, MAX_READ_LENGTH / 2)}\n${text.slice(-MAX_READ_LENGTH / 2)}`.toWellFormed();

/** Finds the first message that states a problem and that the agent answered. */
function* problemBefore(
  utterances: readonly Utterance[],
  from: number,
  to: number,
): Generator<undefined, number | undefined> {
  for (let at = from; at < to; at++) {
    yield;
    const { role, text } = itemAt(utterances, at);
    if (role !== "user" || problemIn(text) === undefined) continue;
    return utterances.slice(at + 1, to).some((later) => later.role === "assistant") ? at : undefined;
  }
  return undefined;
}

const problemIn = (text: string): string | undefined =>
  sentencesOf(read(text)).find(
    (sentence) => sentence.length <= MAX_PROBLEM_LENGTH && PROBLEM.test(sentence) && !isSolved(sentence),
  );

/** The latest distinct tool calls that succeeded, as steps of a resolution. */
function stepsIn(span: readonly Utterance[]): string[] {
  const steps = span
    .flatMap(({ tools }) => tools.filter((tool) => tool.status === "completed" && tool.input !== ""))
    .slice(-MAX_CALLS_READ)
    .map(stepOf);
  return [...new Set(steps)].slice(-MAX_STEPS);
}

const stepOf = ({ name, input }: ToolCall): string =>
  `${brief(name, MAX_STEP_LENGTH)}: ${brief(input, MAX_STEP_LENGTH)}`;

/** The first sentences of the agent's last message of more than 20 characters. */
function lastWords(span: readonly Utterance[]): string[] {
  const said = span.findLast(({ role, text }) => role === "assistant" && text.trim().length > 20);
  if (!said) return [];
  const plain = read(said.text).replace(/```[\s\S]*?(?:```|$)/g, (code) => (code.length > 200 ? " " : code));
  let words = "";
  for (const sentence of sentencesOf(plain)) {
    if (words.length + sentence.length > MAX_RESOLUTION_LENGTH) break;
    words += `${words === "" ? "" : " "}${sentence}`;
  }
  return words === "" ? [brief(plain, MAX_RESOLUTION_LENGTH)] : [words];
}

/** Finds tools that failed and later succeeded with another input. */
function* toolCases(utterances: readonly Utterance[]): Generator<undefined, Fact[]> {
  const calls = utterances.flatMap((utterance) => utterance.tools.map((tool) => ({ tool, utterance })));
  const cases: Fact[] = [];
  const used = new Set<number>();
  for (const [at, { tool, utterance }] of calls.entries()) {
    yield;
    if (tool.status !== "error" || used.has(at) || !/\S/.test(tool.output)) continue;
    const near = calls.slice(at + 1, at + 1 + MAX_DISTANCE);
    const after =
      at +
      1 +
      near.findIndex(
        (later, i) =>
          later.tool.name === tool.name && later.tool.status === "completed" && !used.has(at + 1 + i),
      );
    if (after === at) continue;
    used.add(after);
    const repaired = itemAt(calls, after);
    const between = calls.slice(at + 1, after).filter((call) => call.tool.status === "completed");
    // without steps in between, the same call only proves that the failure was temporary
    if (repaired.tool.input === tool.input && between.length === 0) continue;
    for (let i = at + 1; i < after; i++) if (itemAt(calls, i).tool.name === tool.name) used.add(i);
    const steps = [...between.map((call) => stepOf(call.tool)), stepOf(repaired.tool)].slice(-MAX_STEPS);
    const span = [...new Set([utterance, ...between.map((call) => call.utterance), repaired.utterance])];
    cases.push(caseOf(`${tool.name} failed: ${failureIn(tool.output)}`, [...new Set(steps)], span));
  }
  return cases;
}

/** Finds the line of a tool's output that states the error. */
function failureIn(output: string): string {
  const lines = read(output)
    .split("\n")
    .filter((line) => line.trim() !== "");
  return brief(
    lines.findLast((line) => FAILED_OUTPUT.test(line)) ?? lines.at(-1) ?? output,
    MAX_PROBLEM_LENGTH,
  );
}

function caseOf(problem: string, resolution: readonly string[], span: readonly Utterance[]): Fact {
  const asked = brief(problem, MAX_PROBLEM_LENGTH);
  return {
    category: "cases",
    topic: brief(asked, MAX_TOPIC_LENGTH),
    text: `Problem: ${asked}\n\nResolution:\n${resolution.map((step) => `- ${step}`).join("\n")}`,
    sources: span.map(({ id }) => id),
    date: lastOf(span).date,
  };
}

const brief = (text: string, max: number): string => {
  const line = text.slice(0, MAX_LINE_READ).replace(/\s+/g, " ").trim();
  return line.length <= max
    ? line
    : `${line
        .slice(0, max - 1)
        .toWellFormed()
        .replaceAll("\ufffd", "")}…`;
};
