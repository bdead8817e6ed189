import { expect, it } from "vitest";
import { Closers, NotClosed } from "../../../src/base/closers.ts";
import { before } from "../../../src/base/deadline.ts";

const never = () => new Promise<void>(() => undefined);

it("parts of the server close stage by stage and only once, even if some fail or hang", async () => {
  const closers = new Closers({ eachMs: 20, totalMs: 1000 });
  const closed: string[] = [];
  closers.add("store", "storage", () => void closed.push("store"));
  closers.add("hangs", "state", never);
  closers.add("fails", "work", () => {
    throw new Error("cannot");
  });
  closers.add("port", "intake", async () => void closed.push("port"));
  const failures = await closers.close();
  expect(closed).toEqual(["port", "store"]);
  expect(failures.map((error) => error.message)).toEqual(["fails: cannot", "hangs: not closed within 20 ms"]);
  expect(failures.map((error) => error instanceof NotClosed)).toEqual([false, true]);
  expect(closers.open).toEqual(["hangs"]);
});

it("parts of one stage close at the same time, starting in reverse order of opening", async () => {
  const closers = new Closers({ eachMs: 1000, totalMs: 1000 });
  const begun: string[] = [];
  let meet: () => void = () => undefined;
  const met = new Promise<void>((resolve) => {
    meet = resolve;
  });
  closers.add("first", "work", () => {
    begun.push("first");
    meet();
  });
  // waits for a part whose closing begins after it
  closers.add("second", "work", () => {
    begun.push("second");
    return met;
  });
  expect(await closers.close()).toEqual([]);
  expect(begun).toEqual(["second", "first"]);
  expect(closers.open).toEqual([]);
});

it("after the overall limit, closing starts to close the remaining parts without waiting for them", async () => {
  const closers = new Closers({ eachMs: 1000, totalMs: 0 });
  const begun: string[] = [];
  for (const stage of ["storage", "state", "work"] as const)
    closers.add(stage, stage, () => {
      begun.push(stage);
      return never();
    });
  const failures = await closers.close();
  expect(begun).toEqual(["work", "state", "storage"]);
  expect(failures.map((error) => error.message)).toEqual([
    "work: not closed within 0 ms",
    "state: not closed within 0 ms",
    "storage: not closed within 0 ms",
  ]);
});

it("waiting for a promise ends with the reason of an aborted signal", async () => {
  const limit = new AbortController();
  const waiting = before(limit.signal, never());
  limit.abort(new Error("too late"));
  await expect(waiting).rejects.toThrow("too late");
  await expect(before(limit.signal, Promise.reject(new Error("unheard")))).rejects.toThrow("too late");
  expect(await before(new AbortController().signal, Promise.resolve(3))).toBe(3);
});
