/** RE2 rejects more repetitions, nested ones included. */
const MAX_REPEAT = 1000;
/** A Unicode class such as `\p{L}` has hundreds of ranges. */
const NAMED_CLASS = 20;
const GROUP = 8;
/** Without case, RE2 visits each character of a range: up to 125,000. */
const FOLDED_RANGE = 1000;

/** Largest pattern compiled on the main thread: under 20 ms. */
export const MAX_COMPILE_COST = 4000;

/**
 * An upper bound of RE2's work on a pattern before it knows the pattern's size: the instructions of its
 * written-out repeats, and the ranges of its classes. Linear, and safe for any input: misread syntax only
 * raises the estimate.
 */
export function compileCost(pattern: string, caseInsensitive: boolean): number {
  let [atoms, groups, extra] = [pattern.length, 1, 0];
  for (const found of pattern.matchAll(/\{(\d*),?(\d*)\}/g)) {
    const count = Math.min(MAX_REPEAT, Math.max(1, Number(found[1]), Number(found[2])));
    // an optional copy is two instructions
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
 * Whether a repeat belongs to one character or class. Anything else may be a group, which is repeated as a
 * whole.
 */
function isOfAtom(pattern: string, at: number): boolean {
  const before = pattern[at - 1];
  return before !== undefined && !")}*+?".includes(before) && pattern.slice(at - 2, at) !== "\\E";
}
