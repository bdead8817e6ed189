import { expect, it, onTestFinished, vi } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import { Committer } from "../../../src/storage/postgres/committer.ts";

const CHANGE = {
  workspace: workspaceId(1),
  turn: 1,
  version: 2,
  written: "here",
  after: "",
  ops: [],
  named: [],
};

it("a commit makes no further attempt after a minute, because other writes wait for it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const statements: string[] = [];
  const committer = new Committer(async (text) => {
    statements.push(text);
    vi.advanceTimersByTime(40_000);
    throw new Error("the connection broke");
  });
  const committed = committer.commit([CHANGE]).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await committed).toMatchObject({ code: "UNAVAILABLE" });
  // the second one asks whether the first one was written
  expect(statements).toHaveLength(2);
});
