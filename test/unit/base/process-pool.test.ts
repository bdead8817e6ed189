import { afterEach, describe, expect, it } from "vitest";
import { ChildGone, type ReadAnswer } from "../../../src/base/processes/child-process.ts";
import { type PoolOptions, ProcessPool } from "../../../src/base/processes/process-pool.ts";

const MODULE = new URL("../../support/answering-child.ts", import.meta.url);
const open: ProcessPool[] = [];

const said: ReadAnswer<unknown> = ({ value }) => value;

class Refused extends Error {}

function start(options: Partial<PoolOptions> = {}): { pool: ProcessPool; ends: string[] } {
  const ends: string[] = [];
  const report = (error: Error) => ends.push(error.message);
  const refuse = (why: string) => new Refused(why);
  const maxWaiting = { perGroup: 500, total: 10_000 };
  const pool = new ProcessPool({
    maxWaiting,
    refuse,
    module: MODULE,
    size: 1,
    maxHeapMb: 64,
    maxResidentMb: 1000,
    maxAnswer: { valueBytes: 1000, bytes: 0 },
    limitMs: 60_000,
    report,
    ...options,
  });
  open.push(pool);
  return { pool, ends };
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.close()));
});

describe("a pool of processes", () => {
  it("a process pool passes on any number of bytes unchanged", async () => {
    const { pool } = start();
    for (const length of [0, 1, 3_000_000]) {
      const bytes = Buffer.alloc(length, "quokka");
      expect(await pool.call(1, ["digest"], said, { bytes })).toEqual([
        length,
        Buffer.from(bytes).toString("hex", 0, 12),
      ]);
    }
    expect(pool.running).toBe(1);
  });

  it.each([
    ["die", ["die"], /SIGKILL/],
    ["take too long", ["hang"], /longer than 5000 ms/],
    ["fill their heap", ["fill"], /ended with/],
    ["take memory outside of it", ["hoard"], /more than 300 MB/],
  ])("a process pool fails only the call during which its processes %s", async (_, message, why) => {
    const { pool, ends } = start({ limitMs: message[0] === "hang" ? 5000 : 60_000, maxResidentMb: 300 });
    const calls = [message, ["echo", 1], ["echo", 2]].map((one) => pool.call(1, one, said, {}));
    const [first, ...others] = await Promise.allSettled(calls);
    expect(first).toMatchObject({ status: "rejected", reason: expect.any(ChildGone) });
    expect(others.map((one) => one.status === "fulfilled" && one.value)).toEqual([1, 2]);
    expect(ends).toEqual([expect.stringMatching(why)]);
    expect(pool.deaths).toBe(1);
  });

  it("a process pool serves waiting accounts in turn", async () => {
    const { pool } = start();
    const order: string[] = [];
    const call = (group: number, name: string) =>
      pool.call(group, ["echo", name], said, {}).then(() => order.push(name));
    await Promise.all([call(1, "a1"), call(1, "a2"), call(1, "a3"), call(2, "b1"), call(2, "b2")]);
    expect(order).toEqual(["a1", "a2", "b1", "a3", "b2"]);
    expect(pool.waiting).toBe(0);
  });

  it("a process pool keeps a process for other accounts, however many calls one account makes", async () => {
    const { pool } = start({ size: 2 });
    const stop = new AbortController();
    const poison = Array.from({ length: 4 }, () =>
      pool.call(1, ["hang"], said, { signal: stop.signal }).catch(() => "left"),
    );
    expect(await pool.call(2, ["echo", "b"], said, {})).toBe("b");
    expect(pool.running).toBe(2);
    stop.abort(new Error("enough"));
    expect(await Promise.all(poison)).toEqual(["left", "left", "left", "left"]);
    expect(pool.waiting).toBe(0);
  });

  it("a process pool refuses too many calls of one account and accepts those of others", async () => {
    const { pool } = start({ size: 2 });
    const stop = new AbortController();
    const outcomes = Array.from({ length: 600 }, () =>
      pool.call(1, ["hang"], said, { signal: stop.signal }).catch((error: unknown) => error),
    );
    expect(await pool.call(2, ["echo", "b"], said, {})).toBe("b");
    stop.abort(new Error("enough"));
    const refused = (await Promise.all(outcomes)).filter((outcome) => outcome instanceof Refused);
    expect(refused).toHaveLength(99);
    expect(refused[0]).toMatchObject({ message: "group" });
  });

  it("a process pool ends a call that uses more CPU time than it may, and no call that waits for longer", async () => {
    const { pool, ends } = start();
    await pool.call(1, ["echo", 0], said, {});
    expect(await pool.call(1, ["rest", 600], said, { cpuLimitMs: 300 })).toBe(600);
    await expect(pool.call(1, ["spin"], said, { cpuLimitMs: 300 })).rejects.toThrow(ChildGone);
    expect(ends).toEqual([expect.stringMatching(/longer than 300 ms/)]);
  });

  it("a process pool does not wait for a call whose caller has left", async () => {
    const { pool } = start();
    await pool.call(1, ["echo", 0], said, {});
    const stop = new AbortController();
    const left = pool.call(1, ["hang"], said, { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(left).rejects.toThrow("enough");
    expect(await pool.call(1, ["echo", 1], said, {})).toBe(1);
  });
});
