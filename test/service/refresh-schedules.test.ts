import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAccount } from "../../src/service/account/create-account.ts";
import { registerUser } from "../../src/service/account/register-user.ts";
import { removeUser } from "../../src/service/account/remove-user.ts";
import { deleteRefreshSchedule } from "../../src/service/resource/delete-refresh-schedule.ts";
import { listRefreshSchedules } from "../../src/service/resource/list-refresh-schedules.ts";
import { runRefreshSchedule } from "../../src/service/resource/run-refresh-schedule.ts";
import { scheduleRefresh } from "../../src/service/resource/schedule-refresh.ts";
import type { ScheduleView } from "../../src/service/resource/schedule-view.ts";
import { encodeRecord } from "../../src/storage/record-codec.ts";
import { type Actor, codeOf, House } from "../support/tenant.ts";

const DOCS = "ctx://resources/docs";
const HOUR = 3600;

describe("refresh schedules", () => {
  let house: House;
  let ann: Actor;
  beforeEach(async () => {
    house = await House.open();
    ann = house.as("ann");
    await ann.add("docs", { "a.md": "# One\n\nThe first harbour." });
  });
  afterEach(() => house.end());

  const set = (options: { intervalSeconds?: number; paused?: boolean } = {}, who = ann, uri = DOCS) =>
    scheduleRefresh(house.deps, who.call, { uri, ...options });
  const all = async (uri?: string, who = ann): Promise<ScheduleView[]> =>
    (await listRefreshSchedules(house.deps, who.call, { uri })).schedules;
  const now = async (uri = DOCS): Promise<ScheduleView> => (await all(uri))[0] as ScheduleView;
  /** Waits and also advances the house's clock. */
  const settled = (check: () => Promise<void>) =>
    vi.waitFor(
      () => {
        house.stores.clock.now += 50;
        return check();
      },
      { timeout: 20_000, interval: 20 },
    );
  /** Sets a schedule and waits for its first check of the source. */
  const begin = async (options: { intervalSeconds?: number } = {}): Promise<ScheduleView> => {
    const begun = await set(options);
    await settled(async () => expect((await now()).lastRunAt).toBeDefined());
    return begun;
  };
  /** Runs the schedule and waits for the result after `before`. */
  const run = async (uri = DOCS): Promise<ScheduleView> => {
    const before = (await now(uri)).lastRunAt;
    house.stores.clock.now += 1000;
    await runRefreshSchedule(house.deps, ann.call, { uri });
    await settled(async () => expect((await now(uri)).lastRunAt).not.toBe(before));
    return now(uri);
  };
  const tasks = async () => (await house.keys()).filter((key) => key.includes("/t/ann/")).length;

  it("a scheduled run imports the changes of its source, and creates no task without changes", async () => {
    expect(await begin()).toMatchObject({
      uri: DOCS,
      source: "docs",
      intervalSeconds: HOUR,
      userId: "ann",
      state: "active",
      failedRuns: 0,
    });
    house.sources.set("docs", { "a.md": "# Two\n\nThe second harbour.", "b.md": "new" });
    const updated = await run();
    expect(updated).toMatchObject({ state: "active", lastOutcome: "updated", failedRuns: 0 });
    expect(await ann.read(`${DOCS}/a.md`)).toContain("second harbour");
    expect(await ann.read(`${DOCS}/b.md`)).toBe("new");
    const before = await tasks();
    expect(await run()).toMatchObject({ lastOutcome: "unchanged", lastTaskId: updated.lastTaskId });
    expect(await tasks()).toBe(before);
    house.sources.set("docs", { "a.md": "# Three" });
    expect(await run()).toMatchObject({ lastOutcome: "updated" });
    expect(await codeOf(ann.read(`${DOCS}/b.md`))).toBe("NOT_FOUND");
    expect(house.deps.schedules.counts).toEqual({ updated: 3, unchanged: 1, failed: 0 });
  });

  it("failed runs double the pause, and eight in a row pause the schedule with the error", async () => {
    await begin({ intervalSeconds: 60 });
    house.sources.delete("docs");
    const pauses: number[] = [];
    for (let failed = 1; failed < 8; failed++) {
      const { failedRuns, lastOutcome, nextRunAt, lastRunAt } = await run();
      expect([failedRuns, lastOutcome]).toEqual([failed, "failed"]);
      pauses.push((Date.parse(nextRunAt ?? "") - Date.parse(lastRunAt ?? "")) / 1000);
    }
    expect(pauses).toEqual([60, 120, 240, 480, 960, 1920, 3840]);
    expect(await run()).toMatchObject({
      state: "paused",
      failedRuns: 8,
      pauseReason: expect.stringMatching(/^8 runs in a row failed; the last error: .*docs/),
    });
    expect(await codeOf(runRefreshSchedule(house.deps, ann.call, { uri: DOCS }))).toBe("FAILED_PRECONDITION");
    expect(house.deps.schedules.states).toEqual({ active: 0, paused: 1 });
    house.sources.set("docs", { "a.md": "# Back" });
    await set({ paused: false });
    await settled(async () => expect((await now()).lastOutcome).toBe("updated"));
    expect(await now()).toMatchObject({ state: "active", failedRuns: 0 });
    expect((await now()).lastError).toBeUndefined();
  });

  it("a refresh schedule moves with its resource, pauses in the trash, and ends when it is purged", async () => {
    await begin();
    await ann.mv(DOCS, "ctx://resources/moved");
    expect((await all()).map(({ uri }) => uri)).toEqual(["ctx://resources/moved"]);
    house.sources.set("docs", { "a.md": "# Moved" });
    await run("ctx://resources/moved");
    expect(await ann.read("ctx://resources/moved/a.md")).toBe("# Moved");
    await ann.rm("ctx://resources/moved");
    expect(await all()).toEqual([]);
    await house.drain();
    const { keys } = await house.workspaceOf();
    expect(await house.keys(keys.allSchedules())).toEqual([]);
  });

  it("removing a user removes the user's refresh schedules, and keeps those of others", async () => {
    await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "ann" });
    await registerUser(house.deps, house.root, { accountId: "acme", userId: "bob", role: "user" });
    await house.as("bob").add("more", { "m.md": "more" });
    await set();
    await set({}, house.as("bob", "acme", "user"), "ctx://resources/more");
    expect((await all()).map(({ userId }) => userId)).toEqual(["ann", "bob"]);
    await removeUser(house.deps, house.root, { accountId: "acme", userId: "bob" });
    expect((await all()).map(({ userId }) => userId)).toEqual(["ann"]);
    expect(house.deps.schedules.states).toEqual({ active: 1, paused: 0 });
  });

  it("a refresh schedule requires the root of an import, a valid interval, and room below the limits", async () => {
    await ann.create("ctx://resources/plain.md", "plain");
    const refused = [
      set({}, ann, "ctx://resources/plain.md"),
      set({}, ann, `${DOCS}/a.md`),
      set({}, ann, "ctx://resources/none"),
      set({ intervalSeconds: 59 }),
      set({ intervalSeconds: 2_592_001 }),
      runRefreshSchedule(house.deps, ann.call, { uri: DOCS }),
      deleteRefreshSchedule(house.deps, ann.call, { uri: DOCS }),
    ];
    expect(await Promise.all(refused.map(codeOf))).toEqual([
      "FAILED_PRECONDITION",
      "FAILED_PRECONDITION",
      "NOT_FOUND",
      "INVALID_ARGUMENT",
      "INVALID_ARGUMENT",
      "NOT_FOUND",
      "NOT_FOUND",
    ]);
    const { incarnation: workspace } = await house.workspaceOf();
    for (let node = 0; node < 32; node++)
      house.deps.schedules.enter({ workspace, node: (1000 + node) as never }, "ann");
    expect(await codeOf(set())).toBe("RESOURCE_EXHAUSTED");
    house.deps.schedules.drop(workspace);
    expect(await codeOf(set())).toBe("OK");
  });

  it("a deleted refresh schedule leaves no record, and a new one starts from the beginning", async () => {
    await set({ paused: true });
    expect(await now()).toMatchObject({ state: "paused", pauseReason: "paused by a user" });
    await set({ intervalSeconds: 600 });
    expect(await now()).toMatchObject({ state: "paused", intervalSeconds: 600 });
    await deleteRefreshSchedule(house.deps, ann.call, { uri: DOCS });
    const { keys } = await house.workspaceOf();
    expect(await house.keys(keys.allSchedules())).toEqual([]);
    expect(await set()).toMatchObject({ state: "active", intervalSeconds: HOUR });
  });

  it("after a restart or on another server, refresh schedules continue, including an import in progress", async () => {
    await begin();
    const before = (await now()).lastRunAt;
    house.sources.set("docs", { "a.md": "# Later" });
    const { incarnation } = await house.workspaceOf();
    await runRefreshSchedule(house.deps, ann.call, { uri: DOCS });
    house.deps.schedules.drop(incarnation);
    expect(house.deps.schedules.states).toEqual({ active: 0, paused: 0 });
    await house.deps.schedules.adopt([incarnation]);
    await settled(async () => expect((await now()).lastRunAt).not.toBe(before));
    expect(await ann.read(`${DOCS}/a.md`)).toBe("# Later");
  });

  it("verify reports a schedule of a node that does not exist", async () => {
    await set();
    const { kv, keys } = await house.workspaceOf();
    const [key = ""] = await house.keys(keys.allSchedules());
    const lost = keys.schedule(9999 as never);
    const put = (value: Uint8Array | undefined) =>
      kv.transact(() => ({
        ops: [value === undefined ? { key: lost, value } : { key: lost, value }],
        apply: () => undefined,
      }));
    await put(kv.get(key) ?? encodeRecord({}));
    expect((await house.findings()).map(({ kind, fault }) => [kind, fault])).toEqual([
      ["schedule", "no such node"],
    ]);
    await put(undefined);
  });

  it("the schedule of a resource in the space of a user's agent is listed only to that user", async () => {
    await begin();
    const bob = house.as("bob", "acme", "user");
    expect(await all(undefined, bob)).toMatchObject([{ uri: DOCS }]);
    const own = "ctx://agent/default/docs";
    await ann.mv(DOCS, own);
    expect(await all(undefined, ann)).toMatchObject([{ uri: own }]);
    expect(await all(undefined, bob)).toEqual([]);
  });
});
