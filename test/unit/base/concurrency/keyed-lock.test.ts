import { describe, expect, it } from "vitest";
import { KeyedLock } from "../../../../src/base/concurrency/keyed-lock.ts";

describe("a keyed lock", () => {
  const gate = () => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { open, opened };
  };

  it("a keyed lock runs shared tasks side by side and an exclusive one alone", async () => {
    const lock = new KeyedLock();
    const order: string[] = [];
    const [first, second] = [gate(), gate()];
    const shared = [first, second].map((one, i) =>
      lock.share("key", async () => {
        order.push(`begin ${i}`);
        await one.opened;
        order.push(`end ${i}`);
      }),
    );
    const alone = lock.run("key", async () => void order.push("alone"));
    const late = lock.share("key", async () => void order.push("late"));
    const other = lock.share("other", async () => void order.push("other"));
    await other;
    second.open();
    await shared[1];
    first.open();
    await Promise.all([...shared, alone, late]);
    expect(order).toEqual(["begin 0", "begin 1", "other", "end 1", "end 0", "alone", "late"]);
  });

  it("a keyed lock continues after tasks that fail, shared or exclusive", async () => {
    const lock = new KeyedLock();
    const failing = async () => {
      throw new Error("broken");
    };
    const ended = await Promise.allSettled([
      lock.share("key", failing),
      lock.run("key", failing),
      lock.share("key", async () => "shared"),
      lock.run("key", async () => "alone"),
    ]);
    expect(ended.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled", "fulfilled"]);
  });
});
