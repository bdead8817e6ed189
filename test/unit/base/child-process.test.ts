import { afterEach, describe, expect, it } from "vitest";
import { ChildFailed, ChildGone, type ChildOptions, ChildProcess } from "../../../src/base/child-process.ts";

const MODULE = new URL("../../support/answering-child.ts", import.meta.url);
const FORGING = new URL("../../support/forging-child.mjs", import.meta.url);
/** Messages of test/support/forging-child.mjs. */
const FORGERIES = [
  "nothing",
  "a text",
  "no id",
  "an id that is no number",
  "the id of no call",
  "an error that is no text",
  "fewer than no bytes",
  "half a byte",
  "bytes without a number",
  "bytes that are no number",
  "bytes without measure",
  "the same answer twice",
  "bytes that are no value",
];
const open: ChildProcess[] = [];

function start(options: Partial<ChildOptions> = {}): { child: ChildProcess; ends: string[] } {
  const ends: string[] = [];
  const report = (error: Error) => ends.push(error.message);
  const child = new ChildProcess({
    module: MODULE,
    maxHeapMb: 64,
    maxCalls: 4,
    callLimitMs: 20_000,
    idleMs: 60_000,
    report,
    ...options,
  });
  open.push(child);
  return { child, ends };
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((child) => child.stop()));
});

describe("ChildProcess", () => {
  it("a child process answers calls with copies, typed arrays included", async () => {
    const { child } = start();
    expect(child.isRunning).toBe(false);
    expect(await child.call(["echo", new Float32Array([0.5, -1])])).toEqual(new Float32Array([0.5, -1]));
    expect(await Promise.all([1, 2, 3].map((n) => child.call(["echo", n])))).toEqual([1, 2, 3]);
    expect(child.starts).toBe(1);
  });

  it("a child process sends large answers in pieces while other answers go between", async () => {
    const { child } = start({ maxHeapMb: 256 });
    const texts = ["", "ä".repeat(3_000_000), "x".repeat(5_000_001), "y"];
    const large = texts.map((text) => child.call(["large", { text }], { bytes: Buffer.from(text) }));
    const answers = await Promise.all(large);
    expect(answers.map((answer) => (answer as { text: string }).text.length)).toEqual(
      texts.map((text) => text.length),
    );
    expect(answers).toEqual(texts.map((text) => ({ text })));
    expect(await child.call(["echo", 1])).toBe(1);
  });

  it("an error of the handler reaches its caller, and the child process lives on", async () => {
    const { child } = start();
    await expect(child.call(["fail", "so"])).rejects.toEqual(new ChildFailed("cannot so"));
    expect(await child.call(["echo", 1])).toBe(1);
    expect(child.starts).toBe(1);
  });

  it.each(["die", "abort"])(
    "a child process that does %s fails its running calls, rests, and starts anew",
    async (end) => {
      const { child, ends } = start();
      await child.call(["echo", 0]);
      const calls = [child.call(["hang"]), child.call([end])];
      for (const outcome of await Promise.allSettled(calls))
        expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(ChildGone) });
      expect(ends).toHaveLength(1);
      expect(ends[0]).toMatch(/answering-child ended with SIG(KILL|ABRT)/);
      await expect(child.call(["echo", 1])).rejects.toThrow("rests");
      await expect.poll(() => child.call(["echo", 2]).catch(() => undefined), { timeout: 20_000 }).toBe(2);
      expect(child.starts).toBe(2);
    },
  );

  it("a child process that hangs is killed at the time limit", async () => {
    const { child, ends } = start({ callLimitMs: 1500 });
    await expect(child.call(["hang"])).rejects.toThrow(ChildGone);
    expect(child.isRunning).toBe(false);
    expect(ends).toHaveLength(1);
  });

  it("a child process refuses calls above its limit and calls after its stop", async () => {
    const { child, ends } = start({ maxCalls: 1 });
    const first = child.call(["echo", 1]);
    await expect(child.call(["echo", 2])).rejects.toThrow("1 calls under way");
    expect(await first).toBe(1);
    await child.stop();
    await expect(child.call(["echo", 3])).rejects.toThrow("stopped");
    expect(ends).toEqual([]);
  });

  it("a call to a child process ends with its signal", async () => {
    const { child } = start();
    await child.call(["echo", 0]);
    const stop = new AbortController();
    const call = child.call(["hang"], { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    expect(await child.call(["echo", 1])).toBe(1);
  });

  it("an idle child process stops, and gets no environment but the given one", async () => {
    const { child, ends } = start({ idleMs: 0, env: { GIVEN: "1" } });
    const environment = (await child.call(["environment"])) as NodeJS.ProcessEnv;
    expect(environment.GIVEN).toBe("1");
    expect(environment.PATH).toBeUndefined();
    await expect.poll(() => child.isRunning).toBe(false);
    expect(await child.call(["echo", 1])).toBe(1);
    expect(ends).toEqual([]);
  });

  it.each(FORGERIES)("a child that answers with %s is killed, and its calls alone fail", async (forgery) => {
    const { child, ends } = start({ module: FORGING });
    expect(await child.call("honest")).toBe("so");
    await expect(child.call(forgery)).rejects.toThrow(ChildGone);
    expect(ends).toEqual([expect.stringMatching(/forging-child\S* sent an answer/)]);
  });
});
