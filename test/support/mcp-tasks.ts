import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

/** A tool call. */
export interface Call {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A typical request to an agent, a correct tool call for it, and equally correct alternatives. */
export interface AgentTask extends Call {
  readonly task: string;
  readonly or?: readonly Call[];
}

export const TASKS: readonly AgentTask[] = JSON.parse(
  readFileSync(new URL("../fixtures/mcp-tasks.json", import.meta.url), "utf8"),
);

/** Free-text arguments: they must be present, with any wording. */
const FREE = ["query", "content", "statement", "messages", "reason", "description", "pattern", "include"];
/** Arguments that do not change the result or only its length. */
const HARMLESS = ["max_tokens", "limit", "reason", "description", "wait_seconds", "session_id", "commit"];
const TIMES = ["as_of", "since", "until"];
const DAY_MS = 86_400_000;

/** Whether an answer calls the right tool with the right relevant arguments. */
export const isRight = (task: AgentTask, answer: Call | undefined): boolean =>
  [task, ...(task.or ?? [])].some((right) => answer?.tool === right.tool && isAsRight(right, answer));

function isAsRight({ arguments: right }: Call, { arguments: given }: Call): boolean {
  const hasAll = Object.entries(right).every(([name, value]) => isSame(name, value, given[name]));
  // false and 0 are the same as a missing argument
  const isMore = (name: string) => !(name in right) && !HARMLESS.includes(name) && Boolean(given[name]);
  return hasAll && !Object.keys(given).some(isMore);
}

function isSame(name: string, right: unknown, given: unknown): boolean {
  if (FREE.includes(name)) return given !== undefined && given !== "";
  if (TIMES.includes(name)) return Math.abs(Date.parse(String(right)) - Date.parse(String(given))) <= DAY_MS;
  // line numbers may start at 0 or 1
  if (name === "offset") return Math.abs(Number(right) - Number(given)) <= 1;
  return isDeepStrictEqual(right, given);
}
