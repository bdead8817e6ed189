import { describe, expect, it } from "vitest";
import { nextTurnIfOver } from "../../../src/base/event-loop.ts";
import { FairScheduler } from "../../../src/transport/fair-scheduler.ts";

const afterTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Holds the main thread. */
function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

/** Starts tasks for the parties in one turn, each holding the thread; what started in each turn of the loop. */
async function started(parties: string, ms: number): Promise<string[]> {
  const turns = new FairScheduler<string>({ ms: 6, started: 16 });
  const begun = [""];
  let left = parties.length;
  for (const party of parties) {
    const task = () => {
      begun.push(`${begun.pop()}${party}`);
      left--;
      work(ms);
    };
    if (turns.isOpen()) task();
    else turns.later(party, task);
  }
  for (; left > 0; begun.push("")) await afterTurn();
  return begun.filter((names) => names !== "");
}

describe("taking turns", () => {
  it("tasks start at once until the turn's time is used, then one by one in further turns", async () => {
    const begun = await started("aaaaaaaa", 10);
    expect(begun.join("")).toBe("aaaaaaaa");
    for (const names of begun) expect(names).toHaveLength(1);
  });

  it("a task of one caller does not wait for all tasks of another caller that has queued many", async () => {
    expect((await started("aaaaaaaab", 10)).join("")).toBe("aabaaaaaa");
  });

  it("the number of tasks in a turn is limited, however short the tasks are", async () => {
    const turns = new FairScheduler<string>({ ms: 6, started: 4 });
    work(1);
    expect(turns.isOpen()).toBe(true);
    const begun: number[] = [];
    let turn = 0;
    for (let i = 0; i < 40; i++) turns.later("a", () => begun.push(turn));
    for (; begun.length < 40; turn++) await afterTurn();
    expect(new Set(begun).size).toBeGreaterThanOrEqual(10);
  });

  it("short work waits for the next turn of the event loop only if the time of this one is used up", async () => {
    await afterTurn();
    expect(nextTurnIfOver()).toBeUndefined();
    work(10);
    let isNext = false;
    setImmediate(() => {
      isNext = true;
    });
    await nextTurnIfOver();
    expect(isNext).toBe(true);
  });
});
