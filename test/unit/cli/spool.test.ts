import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lockFile } from "../../../src/cli/agents/file-lock.ts";
import { HookQueue, MAX_RECORDS, SpoolFull } from "../../../src/cli/agents/spool.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let time: number;
beforeEach(async () => {
  folder = await temporaryFolder();
  time = Date.UTC(2026, 10, 25);
});
afterEach(() => folder.remove());
const open = () => new HookQueue(folder.path, () => time);
const record = (session: string) => ({ agent: "claude-code", session, work: { kind: "commit" } as const });

describe("the queue of hooks", () => {
  it("the hook spool returns records in the order in which any process added them", () => {
    const [one, other] = [open(), open()];
    one.add(record("a"));
    one.add(record("b"));
    time += 5;
    other.add(record("c"));
    expect(
      open()
        .names()
        .map((name) => open().read(name)?.session),
    ).toEqual(["a", "b", "c"]);
  });

  it("the hook spool refuses a record above its limits", async () => {
    const spool = open();
    const text = "x".repeat(2 * 1024 * 1024);
    const big = { id: "m", role: "user" as const, parts: [{ type: "text" as const, text }] };
    expect(() =>
      spool.add({ agent: "opencode", session: "s", work: { kind: "messages", messages: [big] } }),
    ).toThrow(SpoolFull);
    spool.add(record("a"));
    const [name = ""] = spool.names();
    const rest = Array.from({ length: MAX_RECORDS - 1 }, (_, at) => at);
    for (const at of rest)
      await writeFile(
        join(folder.path, "spool", name.replace(/-[0-9a-f]{12}-/, `-${at.toString(16).padStart(12, "0")}-`)),
        "{}",
      );
    expect(() => spool.add(record("b"))).toThrow(`the queue holds ${MAX_RECORDS} records`);
  });

  it("the hook spool sets an unreadable record aside", async () => {
    const spool = open();
    spool.add(record("a"));
    const [name = ""] = spool.names();
    await writeFile(
      join(folder.path, "spool", name),
      '{"agent":"claude-code","session":"s","work":{"kind":"other"}}',
    );
    expect(spool.read(name)).toBeUndefined();
    expect(spool.names()).toEqual([]);
  });
});

describe("a lock file", () => {
  it("a lock file has one holder, and can be taken over if that process has ended or hangs", async () => {
    const path = join(folder.path, "lock");
    const now = () => Date.now();
    const unlock = lockFile(path, now, 60_000);
    expect(unlock).toBeDefined();
    expect(lockFile(path, now, 60_000)).toBeUndefined();
    unlock?.();
    await writeFile(path, "999999999");
    const second = lockFile(path, now, 60_000);
    expect(second).toBeDefined();
    await utimes(path, new Date(0), new Date(0));
    expect(lockFile(path, now, 60_000)).toBeDefined();
  });
});
