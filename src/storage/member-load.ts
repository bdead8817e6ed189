/** How much a member of a store has. */
export interface MemberLoad {
  readonly number: number;
  readonly isDraining: boolean;
  readonly accounts: number;
}

/** Multiple of the mean from which a member has too many accounts. */
const TOO_MANY = 1.25;
/** With a difference of one account, two members would only swap their places. */
const LEAST_DIFFERENCE = 2;

/** Members that may be given accounts, those with the fewest first; of equals, the longest running one. */
const byFewest = (loads: readonly MemberLoad[]): MemberLoad[] =>
  loads
    .filter(({ isDraining }) => !isDraining)
    .sort((a, b) => a.accounts - b.accounts || a.number - b.number);

/** The members that `count` accounts go to, one after the other; empty if no member may be given any. */
export function spread(loads: readonly MemberLoad[], count: number): number[] {
  let open = byFewest(loads);
  if (open.length === 0) return [];
  return Array.from({ length: count }, () => {
    const [first, ...others] = open;
    if (first) open = byFewest([...others, { ...first, accounts: first.accounts + 1 }]);
    return first?.number ?? 0;
  });
}

/** The member to which another one that has too many accounts should give one; undefined if it has not. */
export function lighter(loads: readonly MemberLoad[], self: number): number | undefined {
  const open = byFewest(loads);
  const own = open.find(({ number }) => number === self);
  const [least] = open;
  if (!own || !least || own.accounts - least.accounts < LEAST_DIFFERENCE) return undefined;
  const mean = open.reduce((sum, { accounts }) => sum + accounts, 0) / open.length;
  return own.accounts > TOO_MANY * mean ? least.number : undefined;
}
