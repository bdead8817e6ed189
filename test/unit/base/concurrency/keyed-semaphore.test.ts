import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { KeyedSemaphore } from "../../../../src/base/concurrency/keyed-semaphore.ts";

describe("a keyed semaphore", () => {
  const signal = new AbortController().signal;
  const small = () => new KeyedSemaphore<string>({ perKey: 6, total: 10 });

  it("a keyed semaphore lets what does not fit wait until enough is given back", async () => {
    const semaphore = small();
    const first = await semaphore.take("a", 6, signal);
    await semaphore.take("b", 3, signal);
    let isIn = false;
    const next = semaphore.take("c", 2, signal).then((release) => {
      isIn = true;
      return release;
    });
    await nextTurn();
    expect([isIn, semaphore.waiting]).toEqual([false, 1]);
    first();
    (await next)();
    expect(semaphore.waiting).toBe(0);
  });

  it("a keyed semaphore admits other keys before a key at its limit", async () => {
    const semaphore = small();
    const first = await semaphore.take("a", 6, signal);
    const second = semaphore.take("a", 1, signal);
    (await semaphore.take("b", 4, signal))();
    first();
    (await second)();
  });

  it("a keyed semaphore admits an amount above the limit of a key as that limit", async () => {
    const semaphore = small();
    const release = await semaphore.take("a", 1e9, signal);
    (await semaphore.take("b", 4, signal))();
    release();
    // giving back twice has no effect
    release();
    const whole = await semaphore.take("a", 6, signal);
    await semaphore.take("b", 4, signal);
    const third = semaphore.take("c", 1, signal);
    await nextTurn();
    expect(semaphore.waiting).toBe(1);
    whole();
    (await third)();
  });

  it("a keyed semaphore forgets a caller that leaves, and admits those behind it", async () => {
    const semaphore = small();
    await semaphore.take("a", 6, signal);
    const leaving = new AbortController();
    const large = semaphore.take("b", 5, leaving.signal);
    const behind = semaphore.take("c", 4, signal);
    leaving.abort(new Error("left"));
    await expect(large).rejects.toThrow("left");
    (await behind)();
    await expect(semaphore.take("d", 1, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
    expect(semaphore.waiting).toBe(0);
  });
});
