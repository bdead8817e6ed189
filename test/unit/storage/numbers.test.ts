import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Draft } from "../../../src/storage/draft.ts";
import { Numbers } from "../../../src/storage/numbers.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";

const KEY = "w/1/g/node";

describe("numbers", () => {
  it("numbers are never issued twice, over reservations, settlements and reopening", async () => {
    const step = fc.constantFrom("take", "reserve", "settle", "reopen", "wait");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const kv = new RamKv();
        let numbers = new Numbers(kv, KEY, 16);
        const given: number[] = [];
        let pending: Promise<unknown>[] = [];
        const change = (decide: (draft: Draft) => void) =>
          kv.transact((read) => {
            const draft = new Draft(read);
            decide(draft);
            return draft.toChange(() => undefined);
          });
        for (const one of steps) {
          if (one === "take") pending.push(change((draft) => given.push(numbers.take(draft))));
          else if (one === "reserve") pending.push(numbers.reserve().then((number) => given.push(number)));
          else if (one === "settle") pending.push(change((draft) => numbers.settle(draft)));
          else {
            await Promise.all(pending);
            pending = [];
            if (one === "reopen") numbers = new Numbers(kv, KEY, 16);
          }
        }
        await Promise.all(pending);
        expect(new Set(given).size).toBe(given.length);
        await change((draft) => numbers.settle(draft));
        const { next } = numbers;
        expect(new Numbers(kv, KEY, 16).next).toBe(next);
        expect(next).toBeGreaterThan(Math.max(15, ...given));
      }),
      { numRuns: 200 },
    );
  });
});
