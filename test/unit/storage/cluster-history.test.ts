import { describe, expect, it } from "vitest";
import { type Append, check, digestOf, type Read } from "../../cluster/history.ts";

const append = (item: number, start: number, end: number, isAcknowledged = true): Append => ({
  file: "a",
  item,
  isAcknowledged,
  start,
  end,
});
const read = (items: readonly number[], start: number, end: number): Read => ({
  file: "a",
  count: items.length,
  digest: digestOf(items),
  start,
  end,
});

describe("the check of a cluster's history", () => {
  const ends = (...items: number[]) => new Map([["a", items]]);
  const appends = [append(1, 0, 1), append(2, 2, 3), append(3, 2, 9, false)];

  it("a linearizable history has no violations, whether or not unanswered appends took effect", () => {
    const reads = [read([1], 1.5, 4), read([1, 2], 5, 6), read([1, 2, 3], 8, 9)];
    expect(check(ends(1, 2, 3), appends, reads)).toEqual({ lost: [], doubled: [], stale: [] });
    expect(check(ends(1, 2), appends, reads.slice(0, 2))).toEqual({ lost: [], doubled: [], stale: [] });
  });

  it("an acknowledged append that is missing counts as lost, and an append found twice or never made as doubled", () => {
    expect(check(ends(2), appends, []).lost).toEqual(["a: 1"]);
    expect(check(ends(1, 2, 2, 7), appends, []).doubled).toEqual(["a: 2", "a: 7"]);
  });

  it("a read that misses an acknowledged append, or shows one that was never made, is stale", () => {
    expect(check(ends(1, 2), appends, [read([1], 4, 5)]).stale).toHaveLength(1);
    expect(check(ends(1, 2), appends, [read([2], 4, 5)]).stale).toHaveLength(1);
    expect(check(ends(1, 2), appends, [read([1, 2], 0, 1)]).stale).toHaveLength(1);
  });

  it("two appends at positions that contradict the order in which they were made are reported", () => {
    expect(check(ends(2, 1), appends, []).stale).toHaveLength(1);
  });
});
