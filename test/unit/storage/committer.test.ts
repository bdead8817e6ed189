import { expect, it, onTestFinished, vi } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import { Committer, LostWorkspaces } from "../../../src/storage/postgres/committer.ts";

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

it.each([
  ["took the account", { turn: 2, version: 2, written: "here", after: null }],
  ["took the account and changed it", { turn: 3, version: 4, written: "there", after: "here" }],
])("a change whose response was lost is reported as written if another server then %s", async (_, row) => {
  const statements: string[] = [];
  const committer = new Committer(async <Row>(text: string) => {
    statements.push(text);
    if (statements.length === 1) throw new Error("the connection broke");
    return [{ incarnation: CHANGE.workspace, ...row }] as Row[];
  });
  await committer.commit([CHANGE]);
  expect(statements).toHaveLength(2);
});

it.each([
  { turn: 2, version: 1, written: "before", after: null },
  { turn: 2, version: 2, written: "there", after: null },
  { turn: 2, version: 3, written: "there", after: "there" },
])("a change that another server prevented is reported as not written", async (row) => {
  let asked = 0;
  const committer = new Committer(async <Row>() => {
    if (asked++ === 0) throw new Error("the connection broke");
    return [{ incarnation: CHANGE.workspace, ...row }] as Row[];
  });
  await expect(committer.commit([CHANGE])).rejects.toThrow(LostWorkspaces);
});
