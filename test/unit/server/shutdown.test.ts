import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChild } from "../../support/child.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

describe("a process that is told to stop", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder.remove());

  async function stopped(what: string) {
    const child = startChild("stopping-child.ts", [what, join(folder.path, what)]);
    await child.said((output) => output.includes("open\n"));
    child.process.kill("SIGTERM");
    const { status } = await child.ended;
    const lines = (await child.said(() => true)).split("\n").filter((line) => line.startsWith("{"));
    return {
      status,
      signal: child.process.signalCode,
      fatal: lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 60),
    };
  }

  it("a stopped process ends with its status after everything is closed", async () => {
    expect(await stopped("nothing")).toEqual({ status: 7, signal: null, fatal: [] });
  });

  it("a stopped process ends even if a component never closes, and its log names that component", async () => {
    const { signal, fatal } = await stopped("close");
    expect(signal).toBe("SIGKILL");
    expect(fatal).toMatchObject([{ open: ["model of a peer that hangs"] }]);
  });

  it("a stopped process ends at its time limit if closing hangs, and its log names what is still open", async () => {
    const { signal, fatal } = await stopped("all");
    expect(signal).toBe("SIGKILL");
    expect(fatal).toMatchObject([
      { open: ["store"], msg: expect.stringContaining("not stopped within 500 ms") },
    ]);
  });

  it("a stopped process ends at its limit even if a thread hangs", async () => {
    const { signal, fatal } = await stopped("thread");
    expect(signal).toBe("SIGKILL");
    expect(fatal).toMatchObject([{ open: [], requests: ["FSReqCallback"] }]);
  });
});
