import { CommanderError } from "commander";
import type { CtxdbError } from "../../clients/typescript/src/errors.ts";
import { printable } from "../base/printable.ts";
import { StartError } from "../base/start-error.ts";
import { LocalError, UsageError } from "./cli-errors.ts";
import { EXIT, exitCodeOf } from "./exit-code.ts";

/** Error line and exit code of a failure; no line if everything is already reported. */
export interface Failure {
  readonly exitCode: number;
  readonly line?: string;
  /** Error code and details, if the server returned the error. */
  readonly code?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** What the user can do, printed below the error. */
  readonly hint?: string;
}

/** Target and operation of a call, used in hints. */
export interface Attempt {
  readonly address: string;
  readonly command: string;
}

export function failureOf(error: unknown, attempt: Attempt): Failure {
  if (error instanceof CommanderError) return ofCommander(error, attempt);
  if (error instanceof UsageError)
    return { exitCode: EXIT.usage, line: error.message, hint: `see \`ctxdb help ${attempt.command}\`` };
  if (error instanceof LocalError) return { exitCode: error.exitCode, line: error.message };
  if (error instanceof StartError)
    return { exitCode: EXIT.error, line: error.message, hint: "run `ctxdb doctor` for a full check" };
  if (isOfServer(error)) return ofServer(error, attempt);
  return { exitCode: EXIT.error, line: oneLine(error instanceof Error ? localReason(error) : String(error)) };
}

/** Compares the name: importing the class would load the client. */
const isOfServer = (error: unknown): error is CtxdbError =>
  error instanceof Error && error.name === "CtxdbError";

/**
 * Converts an error of commander, which also throws after printing help or the version. Its messages start
 * with "error: " and may end in a full stop.
 */
function ofCommander({ exitCode, message }: CommanderError, { command }: Attempt): Failure {
  if (exitCode === 0) return { exitCode: EXIT.ok };
  const line = oneLine(message.replace(/^error: /, "").replace(/\.$/, ""));
  return {
    exitCode: EXIT.usage,
    line,
    hint: `see \`ctxdb help${command === "" ? "" : ` ${command}`}\``,
  };
}

function ofServer(error: CtxdbError, attempt: Attempt): Failure {
  const exitCode = exitCodeOf(error.code);
  if (exitCode === EXIT.interrupted) return { exitCode, line: "interrupted" };
  const isUnreached = error.code === "UNAVAILABLE" && error.requestId === undefined;
  const { code, details } = error;
  if (code === "FAILED_PRECONDITION" && attempt.command === "rm" && isNotEmpty(details)) {
    return {
      exitCode,
      code,
      details,
      line: `${oneLine(String(details.resource ?? error.message))} is a folder and not empty`,
      hint: "use --recursive to delete it with everything below it",
    };
  }
  const what = isUnreached ? `no answer from ${attempt.address}: ${error.message}` : error.message;
  const hint = isUnreached
    ? "start a server with `ctxdb serve`, or choose another server with --address"
    : hintFor(error);
  return { exitCode, code, details, line: `${oneLine(what)} (${code})`, ...(hint !== undefined && { hint }) };
}

const isNotEmpty = ({ reason }: CtxdbError["details"]): boolean => String(reason).includes("not empty");

/** Hints for resources that were not found: the command that lists this type. */
const LISTS: Readonly<Record<string, string>> = {
  resource: "list all files and folders with `ctxdb tree`",
  skill: "list all with `ctxdb skill list`",
  session: "list yours with `ctxdb session list`",
  memory: "list yours with `ctxdb memory ls`",
  snapshot: "list all with `ctxdb snapshot ls`",
  "trash item": "list all with `ctxdb trash ls`",
  task: "list yours with `ctxdb tasks`",
  webhook: "list yours with `ctxdb webhook ls`",
  "refresh schedule": "list all with `ctxdb schedule ls`",
  backup: "list all with `ctxdb backup list`",
  account: "list all with `ctxdb admin accounts list`",
  user: "list all with `ctxdb admin users list`",
  group: "list all with `ctxdb group ls`",
  server: "list all with `ctxdb cluster ls`",
};

function hintFor({ code, details }: CtxdbError): string | undefined {
  switch (code) {
    case "UNAUTHENTICATED":
      return "save a key with `ctxdb login`, or pass it with --key or CTXDB_API_KEY";
    case "NOT_FOUND":
      return LISTS[String(details.type)];
    case "INVALID_URI":
      return "example of a valid URI: ctx://resources/docs/start.md";
    case "DEADLINE_EXCEEDED":
      return "work that was started continues on the server: see `ctxdb tasks`";
    default:
      return undefined;
  }
}

/** Describes a file system error by its code and path, without the system call. */
function localReason(error: Error): string {
  const { code, path }: NodeJS.ErrnoException = error;
  const known: Readonly<Record<string, string>> = {
    ENOENT: "does not exist",
    EACCES: "cannot be read or written: permission denied",
    EISDIR: "is a folder",
  };
  const reason = code === undefined ? undefined : known[code];
  return reason !== undefined && path !== undefined ? `${path} ${reason}` : error.message;
}

const oneLine = (text: string): string => printable(text).trim();
