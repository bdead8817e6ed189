import { expect, it } from "vitest";
import { Closers } from "../../../src/base/closers.ts";
import { before } from "../../../src/base/deadline.ts";

it("closes in reverse order, passing over what fails or hangs, and only once", async () => {
  const closers = new Closers(20);
  const closed: string[] = [];
  closers.add("first", () => void closed.push("first"));
  closers.add("hangs", () => new Promise(() => undefined));
  closers.add("fails", () => {
    throw new Error("cannot");
  });
  closers.add("last", async () => void closed.push("last"));
  const failures = await closers.close();
  expect(closed).toEqual(["last", "first"]);
  expect(failures.map((error) => error.message)).toEqual(["fails: cannot", "hangs: not closed within 20 ms"]);
  expect(await closers.close()).toEqual([]);
});

it("ends a wait with the reason of the signal, before it or during it", async () => {
  const limit = new AbortController();
  const never = before(limit.signal, new Promise(() => undefined));
  limit.abort(new Error("too late"));
  await expect(never).rejects.toThrow("too late");
  await expect(before(limit.signal, Promise.reject(new Error("unheard")))).rejects.toThrow("too late");
  expect(await before(new AbortController().signal, Promise.resolve(3))).toBe(3);
});
