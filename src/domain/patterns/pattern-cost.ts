/** Maximum repetitions accepted by RE2, including nested ones. */
const MAX_REPEAT = 1000;
/** Estimated ranges of a Unicode class such as `\p{L}`. */
const NAMED_CLASS = 20;
const GROUP = 8;
/** Cost of a character range in case-insensitive mode, in which RE2 visits every character of it. */
const FOLDED_RANGE = 1000;

/** Maximum cost of a pattern that is compiled on the main thread. */
export const MAX_COMPILE_COST = 4000;

/**
 * Upper bound of RE2's work to compile a pattern, before its real size is known: instructions of expanded
 * repetitions, and ranges of character classes. Linear and safe for any input: misparsed syntax only
 * increases the estimate.
 */
export function compileCost(pattern: string, caseInsensitive: boolean): number {
  let [atoms, groups, extra] = [pattern.length, 1, 0];
  for (const found of pattern.matchAll(/\{(\d*),?(\d*)\}/g)) {
    const count = Math.min(MAX_REPEAT, Math.max(1, Number(found[1]), Number(found[2])));
    // an optional repetition takes two instructions
    if (isOfAtom(pattern, found.index)) atoms += 2 * count;
    else groups = Math.min(MAX_REPEAT, groups * 2 * count);
  }
  const folds = caseInsensitive || pattern.includes("(?");
  const isWide = folds && /[^\0-\x7f]|\\[xpP0-7]/.test(pattern);
  for (let i = 0; i < pattern.length; i++) {
    const symbol = pattern[i];
    if (symbol === "\\" && (pattern[i + 1] === "p" || pattern[i + 1] === "P")) extra += NAMED_CLASS;
    else if (symbol === "(") extra += GROUP;
    else if (symbol === "-" && isWide) extra += FOLDED_RANGE;
  }
  return atoms * groups + extra;
}

/**
 * Whether a repetition applies to one character or class. Anything else is treated as a group, which is
 * repeated as a whole.
 */
function isOfAtom(pattern: string, at: number): boolean {
  const before = pattern[at - 1];
  return before !== undefined && !")}*+?".includes(before) && pattern.slice(at - 2, at) !== "\\E";
}
