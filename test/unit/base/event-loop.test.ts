import { describe, expect, it } from "vitest";
import { EventLoopYielder, YieldBudget } from "../../../src/base/event-loop.ts";

/** Blocks the thread for the given number of ms. */
function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Returns which computation continued in each turn of the loop, while all were running. */
async function turnsOf(
  computations: readonly { readonly name: string; readonly party: number }[],
): Promise<string[][]> {
  const turns: string[][] = [[]];
  let running = computations.length;
  const count = () => {
    turns.push([]);
    if (running > 0) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(
    computations.map(async ({ name, party }) => {
      const yielder = new EventLoopYielder(party);
      for (let step = 0; step < 3; step++) {
        work(10);
        await yielder.yieldIfDue();
        turns.at(-1)!.push(name);
      }
      running--;
    }),
  );
  return turns.filter((turn) => turn.length > 0);
}

describe("long computations", () => {
  it("long computations together take one step per turn of the event loop", async () => {
    const turns = await turnsOf(["a", "b", "c", "d"].map((name) => ({ name, party: 1 })));
    // all begin in the first turn; after that one continues per turn
    for (const turn of turns.slice(1)) expect(turn.length).toBeLessThanOrEqual(1);
  });

  it("many computations of one account do not delay those of another", async () => {
    const many = ["a", "b", "c", "d", "e", "f"].map((name) => ({ name, party: 1 }));
    const turns = (await turnsOf([...many, { name: "other", party: 2 }])).flat();
    // it is done while most of the others still have steps left
    expect(turns.lastIndexOf("other")).toBeLessThan(turns.length / 2);
  });

  it("a long computation with an aborted signal ends when its budget is spent", async () => {
    const ended = new AbortController();
    const budget = new YieldBudget(10, ended.signal);
    expect(budget.spend(9)).toBeUndefined();
    ended.abort(new Error("the caller has left"));
    await expect(budget.spend(1)).rejects.toThrow("the caller has left");
  });
});
