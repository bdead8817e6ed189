import { itemAt, present } from "../../base/expect.ts";
import { invalidArgument } from "../errors.ts";
import {
  type CodePointRange,
  GlobMatcher,
  type GlobProgram,
  ProgramBuilder,
  type ProgramWork,
} from "./glob-program.ts";

export const MAX_GLOB_LENGTH = 1024;
const MAX_BRACE_DEPTH = 8;
const SLASH = 0x2f;
/** Special characters; globs without them are compared as plain strings. */
const SPECIAL = /[*?[\]{}\\]/;

/** Whether a path (segments joined with `/`) matches. */
export type Glob = (path: string) => boolean;

/** Accumulates the cost of matching: visited states of compiled globs; 1 per path for plain ones. */
export type GlobWork = ProgramWork;

/**
 * Compiles a glob for whole paths. `*` and `?` match within a segment; `**` as a whole segment matches any
 * number of segments (including none; at the end, everything below); `[abc]`, `[a-z]`, `[!a]`, `{a,b}` (may
 * be nested); `\x` is a literal x. Braces become alternatives without being expanded, so the program has the
 * size of the pattern. Matching costs at most states × characters, counted in `work`; callers that match many
 * paths use the count to yield and stop. Throws INVALID_ARGUMENT naming `field` for an empty, overlong or
 * unclosed pattern.
 */
export function compileGlob(glob: string, field: string, work: GlobWork = { steps: 0 }): Glob {
  if (glob === "") throw invalidArgument(field, "the pattern must not be empty");
  if (glob.length > MAX_GLOB_LENGTH)
    throw invalidArgument(field, `the pattern must have at most ${MAX_GLOB_LENGTH} characters`);
  if (!SPECIAL.test(glob)) {
    return (path) => {
      work.steps++;
      return path === glob;
    };
  }
  const matcher = new GlobMatcher(compile(Array.from(glob), field), work);
  const end = plainEnd(glob);
  return (path) => {
    work.steps++;
    return path.endsWith(end) && matcher.matches(path);
  };
}

/**
 * Literal suffix of every match, used to reject most paths quickly. A slash after stars may match nothing.
 */
function plainEnd(glob: string): string {
  let from = glob.length;
  while (from > 0 && !SPECIAL.test(glob.charAt(from - 1))) from--;
  return glob.slice(glob[from] === "/" ? from + 1 : from);
}

const codeOf = (symbol: string): number => present(symbol.codePointAt(0), "character");

function compile(symbols: readonly string[], field: string): GlobProgram {
  const program = new ProgramBuilder();
  for (let i = 0; i < symbols.length; ) i = compileSymbol(symbols, i, program, field);
  if (program.depth > 0) throw invalidArgument(field, "the pattern has a { without a matching }");
  return program.end();
}

/** Compiles the symbol at a position; returns the position after it. */
function compileSymbol(
  symbols: readonly string[],
  at: number,
  program: ProgramBuilder,
  field: string,
): number {
  const symbol = itemAt(symbols, at);
  const isInBraces = program.depth > 0;
  if (symbol === "*") return compileStars(symbols, at, program);
  if (symbol === "[") return compileClass(symbols, at, program, field);
  if (symbol === "?") program.any();
  else if (symbol === "{") {
    if (program.depth === MAX_BRACE_DEPTH)
      throw invalidArgument(field, `the pattern must have at most ${MAX_BRACE_DEPTH} levels of braces`);
    program.open();
  } else if (isInBraces && symbol === "}") program.close();
  else if (isInBraces && symbol === ",") program.alternative();
  else if (symbol === "\\") {
    const escaped = symbols[at + 1];
    if (escaped === undefined) throw invalidArgument(field, "the pattern must not end in a backslash");
    program.character(codeOf(escaped));
    return at + 2;
  } else program.character(codeOf(symbol));
  return at + 1;
}

/** Compiles a run of stars: two or more alone between slashes match segments; otherwise they are one star. */
function compileStars(symbols: readonly string[], from: number, program: ProgramBuilder): number {
  let next = from;
  while (symbols[next] === "*") next++;
  const before = symbols[from - 1];
  const after = symbols[next];
  const isInBraces = program.depth > 0;
  const opens = before === undefined || before === "/" || (isInBraces && (before === "{" || before === ","));
  if (next - from >= 2 && opens) {
    if (after === "/") {
      program.segments();
      return next + 1;
    }
    if (after === undefined || (isInBraces && (after === "," || after === "}"))) {
      program.anything();
      return next;
    }
  }
  program.star();
  return next;
}

function compileClass(
  symbols: readonly string[],
  from: number,
  program: ProgramBuilder,
  field: string,
): number {
  let i = from + 1;
  const isNegated = symbols[i] === "!" || symbols[i] === "^";
  if (isNegated) i++;
  const first = i;
  const members: CodePointRange[] = [];
  while (symbols[i] !== "]" || i === first) {
    const low = classSymbol(symbols, i, field);
    let high = low;
    if (symbols[low.next] === "-" && symbols[low.next + 1] !== undefined && symbols[low.next + 1] !== "]")
      high = classSymbol(symbols, low.next + 1, field);
    if (low.code > high.code)
      throw invalidArgument(field, "the pattern has a range in reverse order, such as [z-a]");
    members.push([low.code, high.code]);
    i = high.next;
  }
  if (members.every(([low, high]) => low === SLASH && high === SLASH))
    throw invalidArgument(field, "the pattern has brackets that contain only a slash and match nothing");
  program.class(members, isNegated);
  return i + 1;
}

function classSymbol(symbols: readonly string[], at: number, field: string): { code: number; next: number } {
  const escaped = symbols[at] === "\\" ? 1 : 0;
  const symbol = symbols[at + escaped];
  if (symbol === undefined) throw invalidArgument(field, "the pattern has a [ without a matching ]");
  return { code: codeOf(symbol), next: at + escaped + 1 };
}
