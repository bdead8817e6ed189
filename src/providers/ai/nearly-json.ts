import { itemAt } from "../../base/expect.ts";

/**
 * The first object in a model's answer: as it is, else without what stands around it, raw line ends in its
 * texts and needless commas, and where it breaks off, up to the last member or item that is whole. undefined
 * where there is none. Takes time proportional to the answer.
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

/** A text, to the end of the answer where it is not ended, or a single character beside texts. */
const TOKENS = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|$)|[^"]/g;

function repaired(answer: string): string {
  const closers: string[] = [];
  const out: string[] = [];
  /** End of the last inner object or list, and the brackets open there. */
  let whole = { length: 0, closers: "" };
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
    whole = { length: out.length, closers: closers.toReversed().join("") };
  }
  return out.slice(0, whole.length).join("") + whole.closers;
}

/** A comma before the end of an object or list. */
function dropComma(out: string[]): void {
  let last = out.length - 1;
  while (last >= 0 && /\s/.test(itemAt(out, last))) last--;
  if (out[last] === ",") out[last] = " ";
}
