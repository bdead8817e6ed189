import { describe, expect, it } from "vitest";
import { Budget, type Refusal } from "../../../src/base/budget.ts";

class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.of);
    this.refusal = refusal;
  }
}

const budgetOf = (perKey: number, total: number) =>
  new Budget({ perKey, total }, (refusal) => new Refused(refusal));

function refusalOf(run: () => unknown): Refusal {
  try {
    run();
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("a budget", () => {
  it("a budget refuses a key more than its share, and reports the amount in use", () => {
    const budget = budgetOf(10, 100);
    budget.take("a", 7);
    expect(refusalOf(() => budget.take("a", 4))).toEqual({ of: "key", used: 7, more: 4, limit: 10 });
    budget.take("a", 3);
    expect(budget.used("a")).toBe(10);
  });

  it("a budget refuses amounts above its total, for any key", () => {
    const budget = budgetOf(20, 15);
    expect(refusalOf(() => budget.take("a", 16))).toEqual({ of: "all", used: 0, more: 16, limit: 15 });
    budget.take("a", 15);
    expect(refusalOf(() => budget.take("b", 1))).toEqual({ of: "all", used: 15, more: 1, limit: 15 });
  });

  it("a few keys cannot use up a budget, because each may hold at most as much as it leaves free", () => {
    const budget = budgetOf(25, 100);
    const filled = (key: string) => {
      for (;;)
        try {
          budget.take(key, 1);
        } catch {
          return budget.used(key);
        }
    };
    expect(["a", "b", "c", "d", "e", "f"].map(filled)).toEqual([25, 25, 25, 12, 6, 3]);
    expect(refusalOf(() => budget.take("f", 1))).toEqual({ of: "all", used: 96, more: 1, limit: 96 });
    expect(() => budget.take("newcomer", 1)).not.toThrow();
  });

  it("a budget does not count refused amounts", () => {
    const budget = budgetOf(10, 15);
    refusalOf(() => budget.take("a", 11));
    expect([budget.used("a"), budget.used(), budget.keys]).toEqual([0, 0, 0]);
  });

  it("a budget gets an amount back once, even if its lease is released several times", () => {
    const budget = budgetOf(10, 15);
    const first = budget.take("a", 4);
    budget.take("a", 4);
    first.release();
    first.release();
    expect([budget.used("a"), budget.used()]).toEqual([4, 4]);
  });

  it("a lease grows up to its limit and shrinks, and a refused growth changes nothing", () => {
    const budget = budgetOf(10, 15);
    const lease = budget.take("a", 0);
    lease.resize(9);
    expect(refusalOf(() => lease.resize(11))).toEqual({ of: "key", used: 9, more: 2, limit: 10 });
    expect([lease.amount, budget.used("a")]).toEqual([9, 9]);
    lease.resize(2);
    expect(budget.used()).toBe(2);
    lease.release();
    expect(budget.used()).toBe(0);
    expect(() => lease.resize(1)).toThrow("released");
  });

  it("a budget forgets keys that use nothing of it", () => {
    const budget = budgetOf(10, 15);
    for (let i = 0; i < 1000; i++) budget.take(`key ${i}`, 5).release();
    budget.take("nothing", 0);
    expect(budget.keys).toBe(0);
  });

  it("a budget refuses amounts that are not finite", () => {
    const budget = budgetOf(10, 15);
    expect(() => budget.take("a", Number.NaN)).toThrow("NaN");
    expect(() => budget.take("a", Number.POSITIVE_INFINITY)).toThrow("Infinity");
    expect(budget.used()).toBe(0);
  });
});
