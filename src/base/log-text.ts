import { prettyFactory } from "pino-pretty";
import { printable, printableLines } from "./printable.ts";

/** Log line of one call, written by `transport/call.ts`. */
interface CallLine {
  readonly msg: "call";
  readonly operation: string;
  readonly wire: string;
  readonly code: string;
  readonly ms: number;
}

const COMMON = { translateTime: "SYS:HH:MM:ss", ignore: "pid,hostname", singleLine: true } as const;

/**
 * Formats JSON log lines as readable text, several at a time. Other lines are passed through. Removes control
 * characters: messages and stacks contain callers' input, which could control an operator's terminal.
 */
export function logText(colorize: boolean): (lines: string) => string {
  const general = prettyFactory({ ...COMMON, colorize });
  const ofCall = prettyFactory({ ...COMMON, colorize, hideObject: true });
  const render = (line: string): string => {
    const entry = parsed(line);
    if (entry === undefined) return printableLines(line);
    return isCall(entry) ? ofCall({ ...entry, msg: callText(entry) }) : general(entry);
  };
  return (lines) =>
    lines
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => `${render(line).trimEnd()}\n`)
      .join("");
}

function parsed(line: string): object | undefined {
  try {
    const entry: unknown = JSON.parse(line, withoutControls);
    return typeof entry === "object" && entry !== null ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** Only stacks keep line breaks; elsewhere they would let a caller forge log lines. */
const withoutControls = (name: string, value: unknown): unknown =>
  typeof value !== "string" ? value : name === "stack" ? printableLines(value) : printable(value);

const isCall = (entry: object): entry is CallLine =>
  "msg" in entry && entry.msg === "call" && "operation" in entry;

function callText({ operation, wire, code, ms }: CallLine): string {
  return `${operation} over ${wire}: ${code} in ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
