import { itemAt } from "../../base/expect.ts";

/**
 * Parses the first JSON object in a model's answer. If that fails, removes surrounding text, raw line breaks
 * in strings and superfluous commas, and closes a truncated object after its last complete member. Undefined
 * if there is no object. Linear time.
 */
export function parseNearlyJson(answer: string): unknown {
  const begin = answer.indexOf("{");
  if (begin < 0) return undefined;
  return parsed(answer) ?? parsed(repaired(answer.slice(begin)));
}

function parsed(text: string): unknown {
  try {
    const tree: unknown = JSON.parse(text);
    return typeof tree === "object" && tree !== null ? tree : undefined;
  } catch {
    return undefined;
  }
}

const RAW: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * A string (up to the end of the answer if unterminated), or a single other character. A string matches from
 * every quote, even before a lone backslash: otherwise each quote would be followed by a search to the end.
 */
const TOKENS = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|[^"]/g;

function repaired(answer: string): string {
  const closers: string[] = [];
  const out: string[] = [];
  // end of the last complete inner object or list, and the number of brackets still open there
  let whole = { length: 0, depth: 0 };
  for (const [token] of answer.matchAll(TOKENS)) {
    if (token === "{" || token === "[") closers.push(token === "{" ? "}" : "]");
    if (token !== "}" && token !== "]") {
      out.push(token.length === 1 ? token : token.replace(/[\n\r\t]/g, (unit) => RAW[unit] ?? unit));
      continue;
    }
    if (closers.pop() !== token) return "";
    dropComma(out);
    out.push(token);
    if (closers.length === 0) return out.join("");
    whole = { length: out.length, depth: closers.length };
  }
  // since then, brackets were only opened
  const open = closers.slice(0, whole.depth).reverse();
  return out.slice(0, whole.length).join("") + open.join("");
}

/** Removes a comma before the end of an object or list. */
function dropComma(out: string[]): void {
  let last = out.length - 1;
  while (last >= 0 && /\s/.test(itemAt(out, last))) last--;
  if (out[last] === ",") out[last] = " ";
}
