import { describe, expect, it } from "vitest";
import { loadOnce } from "../../../src/base/load-once.ts";

describe("loadOnce", () => {
  it("loadOnce loads at the first call and shares the value", async () => {
    let loads = 0;
    const get = loadOnce(async () => ++loads);
    expect(loads).toBe(0);
    expect(await Promise.all([get(), get()])).toEqual([1, 1]);
    expect(await get()).toBe(1);
  });

  it("loadOnce loads again after a failure, which every waiting caller gets", async () => {
    let loads = 0;
    const get = loadOnce(async () => {
      if (++loads === 1) throw new Error("too many open files");
      return loads;
    });
    const waiting = await Promise.allSettled([get(), get()]);
    expect(waiting.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await get()).toBe(2);
  });
});
