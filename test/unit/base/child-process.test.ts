import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import {
  ChildFailed,
  ChildGone,
  type ChildOptions,
  ChildProcess,
  type ReadAnswer,
  TYPESCRIPT_LOADER,
} from "../../../src/base/processes/child-process.ts";

const MODULE = new URL("../../support/answering-child.ts", import.meta.url);
const FORGING = new URL("../../support/forging-child.mjs", import.meta.url);
/** Messages that test/support/forging-child.mjs accepts. */
const FORGERIES = [
  "a frame of no kind",
  "a call",
  "the id of no call",
  "a value of 4 GiB",
  "a value above its limit",
  "bytes of 4 GiB",
  "bytes above their limit",
  "an error of 4 GiB",
  "an error with bytes",
  "an error that is not text",
  "a value that is not JSON",
  "no value",
  "noise without end",
  "frames without end",
];
/** Opens files until no descriptors are left, calls a child, closes them, and calls it again. */
const EXHAUSTED = new URL("../../support/exhausted-parent.ts", import.meta.url);
const open: ChildProcess[] = [];
const said: ReadAnswer<unknown> = ({ value }) => value;
const sent: ReadAnswer<unknown> = ({ value, bytes }) => [value, bytes?.byteLength, String(bytes).slice(0, 3)];

function start(options: Partial<ChildOptions> = {}): { child: ChildProcess; ends: string[] } {
  const ends: string[] = [];
  const report = (error: Error) => ends.push(error.message);
  const child = new ChildProcess({
    module: MODULE,
    maxHeapMb: 64,
    maxCalls: 4,
    maxAnswer: { valueBytes: 1000, bytes: 8_000_000 },
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
  it("a child process answers calls with JSON", async () => {
    const { child } = start();
    expect(child.isRunning).toBe(false);
    const { buffer } = new Float32Array([0.5, -1]);
    expect(await child.call(["echo", { a: [1, "ä\ud800"] }], said)).toEqual({ a: [1, "ä\ud800"] });
    expect(await child.call(["echo", undefined], said)).toBe(null);
    const bytes = await child.call(["bytes"], (answer) => answer.bytes, { bytes: new Uint8Array(buffer) });
    expect(new Float32Array(bytes!.buffer)).toEqual(new Float32Array([0.5, -1]));
    expect(await Promise.all([1, 2, 3].map((n) => child.call(["echo", n], said)))).toEqual([1, 2, 3]);
    expect(child.starts).toBe(1);
  });

  it("a child process sends large binary data with its answers, each with its own call", async () => {
    const { child } = start({ maxHeapMb: 256 });
    const texts = ["", "ä".repeat(3_000_000), "x".repeat(5_000_001), "y"];
    const large = texts.map((text, i) => child.call(["bytes", i], sent, { bytes: Buffer.from(text) }));
    expect(await Promise.all(large)).toEqual([
      [0, 0, ""],
      [1, 6_000_000, "äää"],
      [2, 5_000_001, "xxx"],
      [3, 1, "y"],
    ]);
    expect(await child.call(["echo", 1], said)).toBe(1);
  });

  it("an error of the handler reaches its caller, and the child process continues", async () => {
    const { child } = start();
    await expect(child.call(["fail", "so"], said)).rejects.toEqual(new ChildFailed("cannot so"));
    expect(await child.call(["echo", 1], said)).toBe(1);
    expect(child.starts).toBe(1);
  });

  it.each(["die", "abort"])(
    "a child process that does %s fails its running calls, pauses, and starts again",
    async (end) => {
      const { child, ends } = start();
      await child.call(["echo", 0], said);
      const calls = [child.call(["hang"], said), child.call([end], said)];
      for (const outcome of await Promise.allSettled(calls))
        expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(ChildGone) });
      expect(ends).toHaveLength(1);
      expect(ends[0]).toMatch(/answering-child ended with SIG(KILL|ABRT)/);
      await expect(child.call(["echo", 1], said)).rejects.toThrow("rests");
      await expect
        .poll(() => child.call(["echo", 2], said).catch(() => undefined), { timeout: 20_000 })
        .toBe(2);
      expect(child.starts).toBe(2);
    },
  );

  it("a child process that hangs is killed at the time limit", async () => {
    const { child, ends } = start({ callLimitMs: 1500 });
    await expect(child.call(["hang"], said)).rejects.toThrow(ChildGone);
    expect(child.isRunning).toBe(false);
    expect(ends).toHaveLength(1);
  });

  it("a child process refuses calls above its limit and calls after it was stopped", async () => {
    const { child, ends } = start({ maxCalls: 1 });
    const first = child.call(["echo", 1], said);
    await expect(child.call(["echo", 2], said)).rejects.toThrow("1 calls under way");
    expect(await first).toBe(1);
    await child.stop();
    await expect(child.call(["echo", 3], said)).rejects.toThrow("stopped");
    expect(ends).toEqual([]);
  });

  it("a call to a child process ends when its signal is aborted", async () => {
    const { child } = start();
    await child.call(["echo", 0], said);
    const stop = new AbortController();
    const call = child.call(["hang"], said, { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    expect(await child.call(["echo", 1], said)).toBe(1);
  });

  it("an idle child process stops, and gets only the given environment", async () => {
    const { child, ends } = start({ idleMs: 0, env: { GIVEN: "1" } });
    const environment = (await child.call(["environment"], said)) as NodeJS.ProcessEnv;
    expect(environment.GIVEN).toBe("1");
    expect(environment.PATH).toBeUndefined();
    await expect.poll(() => child.isRunning).toBe(false);
    expect(await child.call(["echo", 1], said)).toBe(1);
    expect(ends).toEqual([]);
  });

  it.each(FORGERIES)("a child that answers with %s is killed, and only its calls fail", async (forgery) => {
    const { child, ends } = start({ module: FORGING });
    expect(await child.call("honest", said)).toBe("so");
    const before = process.memoryUsage().rss;
    await expect(child.call(forgery, said)).rejects.toThrow(ChildGone);
    expect(ends).toEqual([expect.stringMatching(/forging-child\S* sent an answer/)]);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
    await expect.poll(() => child.call("honest", said).catch(() => undefined)).toBe("so");
  });

  it("a child whose answer is rejected by its reader is killed, and the call fails", async () => {
    const { child, ends } = start();
    const refuse = () => {
      throw new Error("no such answer");
    };
    await expect(child.call(["echo", 1], refuse)).rejects.toThrow(ChildGone);
    expect(ends).toEqual([expect.stringMatching(/sent an answer of a wrong shape: no such answer/)]);
  });

  it("a child that answers a call twice while its first answer is being read is killed", async () => {
    const { child, ends } = start({ module: FORGING });
    await expect(child.call("the same answer twice", () => new Promise(() => undefined))).rejects.toThrow(
      ChildGone,
    );
    expect(ends).toEqual([expect.stringMatching(/sent an answer to no call/)]);
  });

  it("a child that announces bytes and sends none is killed at the time limit", async () => {
    const { child, ends } = start({ module: FORGING, callLimitMs: 3000 });
    await child.call("honest", said);
    await expect(child.call("bytes that never come", said)).rejects.toThrow(ChildGone);
    expect(ends).toEqual([expect.stringMatching(/took longer/)]);
  });

  it("a child that sends messages without a call is killed, and no later call gets its answer", async () => {
    const { child, ends } = start({ module: FORGING });
    await child.call("honest, then more", said).catch(() => undefined);
    await expect.poll(() => ends).toEqual([expect.stringMatching(/sent an answer/)]);
    expect(child.isRunning).toBe(false);
  });

  it("a child that floods its standard error is killed, but one that writes a few lines is not", async () => {
    const { child, ends } = start();
    for (let i = 0; i < 3; i++) expect(await child.call(["complain", 2_000_000], said)).toBe(2_000_000);
    await expect(
      Promise.all([child.call(["complain", 6_000_000], said), child.call(["hang"], said)]),
    ).rejects.toThrow(ChildGone);
    expect(ends).toEqual([expect.stringMatching(/wrote too much to its standard error/)]);
  });

  it("a child that cannot be started for lack of file descriptors fails only its call", () => {
    const { status, stdout, stderr } = spawnSync(
      "/bin/sh",
      [
        "-c",
        `ulimit -n 64; exec "$@"`,
        "sh",
        process.execPath,
        ...TYPESCRIPT_LOADER,
        fileURLToPath(EXHAUSTED),
      ],
      { encoding: "utf8" },
    );
    expect(stderr).toBe("");
    expect([status, stdout]).toEqual([0, "ChildGone, then 1\n"]);
  });
});
