import { describe, expect, it } from "vitest";
import { lighter, type MemberLoad, spread } from "../../../src/storage/member-load.ts";

const loads = (...accounts: readonly number[]): MemberLoad[] =>
  accounts.map((count, i) => ({ number: i + 1, isDraining: false, accounts: count }));

/** Moves accounts until no member has too many; returns the number of moves. */
function balance(members: MemberLoad[]): { readonly moves: number; readonly accounts: readonly number[] } {
  let state = members;
  for (let moves = 0; moves < 10_000; moves++) {
    const from = state.find(({ number }) => lighter(state, number) !== undefined)?.number;
    if (from === undefined) return { moves, accounts: state.map(({ accounts }) => accounts) };
    const to = lighter(state, from);
    state = state.map((member) => {
      if (member.number === from) return { ...member, accounts: member.accounts - 1 };
      return member.number === to ? { ...member, accounts: member.accounts + 1 } : member;
    });
  }
  throw new Error("balancing does not end");
}

describe("the number of accounts of each server", () => {
  it("accounts without a server go to the servers with the fewest accounts", () => {
    expect(spread(loads(5, 0, 3), 6)).toEqual([2, 2, 2, 2, 3, 2]);
    expect(spread([], 3)).toEqual([]);
  });

  it("a draining server receives no accounts, even if all servers are draining", () => {
    const draining = loads(0, 9).map((one, i) => ({ ...one, isDraining: i === 0 }));
    expect(spread(draining, 2)).toEqual([2, 2]);
    expect(spread([{ number: 1, isDraining: true, accounts: 0 }], 2)).toEqual([]);
    expect(lighter(draining, 2)).toBeUndefined();
  });

  it("a server that joins receives its share, and balancing ends once the surplus accounts are moved", () => {
    expect(balance(loads(30, 0, 0))).toEqual({ moves: 18, accounts: [12, 9, 9] });
    expect(balance(loads(2, 0))).toEqual({ moves: 1, accounts: [1, 1] });
  });

  it("servers with nearly equal numbers of accounts keep theirs", () => {
    for (const even of [loads(1, 0), loads(5, 3), loads(100, 90, 95), loads(0, 0), loads(7)])
      expect(balance(even).moves).toBe(0);
  });
});
