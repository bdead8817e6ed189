export interface MemberLoad {
  readonly number: number;
  readonly isDraining: boolean;
  readonly accounts: number;
}

/** Overload threshold: a multiple of the mean number of accounts per member. */
const TOO_MANY = 1.25;
/** Minimum difference in accounts for a move; below it, two members would only swap ranks. */
const LEAST_DIFFERENCE = 2;

/** Members that may receive accounts, fewest accounts first; among equals, the longest-running first. */
const byFewest = (loads: readonly MemberLoad[]): MemberLoad[] =>
  loads
    .filter(({ isDraining }) => !isDraining)
    .sort((a, b) => a.accounts - b.accounts || a.number - b.number);

/**
 * The members that should receive `count` accounts, one after the other; empty if no member may receive any.
 */
export function spread(loads: readonly MemberLoad[], count: number): number[] {
  let open = byFewest(loads);
  if (open.length === 0) return [];
  return Array.from({ length: count }, () => {
    const [first, ...others] = open;
    if (first) open = byFewest([...others, { ...first, accounts: first.accounts + 1 }]);
    return first?.number ?? 0;
  });
}

/** The member to which an overloaded member should give an account; undefined if it is not overloaded. */
export function lighter(loads: readonly MemberLoad[], self: number): number | undefined {
  const open = byFewest(loads);
  const own = open.find(({ number }) => number === self);
  const [least] = open;
  if (!own || !least || own.accounts - least.accounts < LEAST_DIFFERENCE) return undefined;
  const mean = open.reduce((sum, { accounts }) => sum + accounts, 0) / open.length;
  return own.accounts > TOO_MANY * mean ? least.number : undefined;
}
