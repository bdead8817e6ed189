import { RE2JS } from "re2js";
import { invalidArgument } from "../../src/domain/errors.ts";

const MAX_PATTERN_LENGTH = 1024;
const MAX_BRACE_DEPTH = 8;
const SLASH = 0x2f;

/**
 * Reference implementation for `compileGlob`: converts a glob to an RE2 regular expression that matches whole
 * paths with segments joined by `/`. `*` and `?` stay within a segment; `**` as a whole segment matches any
 * number of segments, including none (at the end: everything below). Also supported: `[abc]`, `[a-z]`,
 * `[!a]`, `{a,b}` (nested too) and `\x` for x itself. Braces become alternations and are never expanded, so
 * the expression stays as small as the pattern. Throws INVALID_ARGUMENT naming `field` for an empty, overlong
 * or unclosed pattern.
 */
export function globPattern(glob: string, field: string): string {
  if (glob === "") throw invalidArgument(field, "the pattern must not be empty");
  if (glob.length > MAX_PATTERN_LENGTH)
    throw invalidArgument(field, `the pattern must have at most ${MAX_PATTERN_LENGTH} characters`);
  const symbols = Array.from(glob);
  let out = "";
  let depth = 0;
  for (let i = 0; i < symbols.length; ) {
    const symbol = symbols[i]!;
    if (symbol === "{" && ++depth > MAX_BRACE_DEPTH)
      throw invalidArgument(field, `the pattern must have at most ${MAX_BRACE_DEPTH} levels of braces`);
    const { pattern, next } = translate(symbols, i, depth, field);
    if (symbol === "}" && depth > 0) depth--;
    out += pattern;
    i = next;
  }
  if (depth > 0) throw invalidArgument(field, "the pattern has a { without a matching }");
  return out;
}

interface Translated {
  readonly pattern: string;
  readonly next: number;
}

function translate(symbols: readonly string[], at: number, depth: number, field: string): Translated {
  const symbol = symbols[at]!;
  const next = at + 1;
  if (symbol === "*") return translateStars(symbols, at, depth);
  if (symbol === "[") return translateClass(symbols, at, field);
  if (symbol === "?") return { pattern: "[^/]", next };
  if (symbol === "{") return { pattern: "(?:", next };
  if (depth > 0 && symbol === "}") return { pattern: ")", next };
  if (depth > 0 && symbol === ",") return { pattern: "|", next };
  if (symbol !== "\\") return { pattern: RE2JS.quote(symbol), next };
  const escaped = symbols[next];
  if (escaped === undefined) throw invalidArgument(field, "the pattern must not end in a backslash");
  return { pattern: RE2JS.quote(escaped), next: next + 1 };
}

/**
 * Matches a run of stars: two or more that fill a segment match any number of segments, all others act as one
 * star.
 */
function translateStars(symbols: readonly string[], from: number, depth: number): Translated {
  let next = from;
  while (symbols[next] === "*") next++;
  const before = symbols[from - 1];
  const after = symbols[next];
  const opens = before === undefined || before === "/" || (depth > 0 && (before === "{" || before === ","));
  if (next - from < 2 || !opens) return { pattern: "[^/]*", next };
  if (after === "/") return { pattern: "(?:[^/]+/)*", next: next + 1 };
  if (after === undefined || (depth > 0 && (after === "," || after === "}"))) return { pattern: ".*", next };
  return { pattern: "[^/]*", next };
}

function translateClass(symbols: readonly string[], from: number, field: string): Translated {
  let i = from + 1;
  const negated = symbols[i] === "!" || symbols[i] === "^";
  if (negated) i++;
  const first = i;
  let members = "";
  while (symbols[i] !== "]" || i === first) {
    const low = classSymbol(symbols, i, field);
    i = low.next;
    if (symbols[i] === "-" && symbols[i + 1] !== undefined && symbols[i + 1] !== "]") {
      const high = classSymbol(symbols, i + 1, field);
      members += classRange(low.code, high.code, field);
      i = high.next;
    } else members += classRange(low.code, low.code, field);
  }
  if (members === "")
    throw invalidArgument(field, "the pattern has brackets that contain only a slash and match nothing");
  return { pattern: negated ? `[^/${members}]` : `[${members}]`, next: i + 1 };
}

function classSymbol(symbols: readonly string[], at: number, field: string): { code: number; next: number } {
  const escaped = symbols[at] === "\\" ? 1 : 0;
  const symbol = symbols[at + escaped];
  if (symbol === undefined) throw invalidArgument(field, "the pattern has a [ without a matching ]");
  return { code: symbol.codePointAt(0)!, next: at + escaped + 1 };
}

/** Removes the slash from a range, since no bracket matches it. */
function classRange(low: number, high: number, field: string): string {
  if (low > high) throw invalidArgument(field, "the pattern has a range in reverse order, such as [z-a]");
  if (low <= SLASH && high >= SLASH) {
    return (
      (low < SLASH ? classRange(low, SLASH - 1, field) : "") +
      (high > SLASH ? classRange(SLASH + 1, high, field) : "")
    );
  }
  const code = (value: number) => `\\x{${value.toString(16)}}`;
  return low === high ? code(low) : `${code(low)}-${code(high)}`;
}
