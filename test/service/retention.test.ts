import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { retentionMs } from "../../src/accounts/quotas.ts";
import { accountId, workspaceId } from "../../src/domain/ids.ts";
import { setQuotas } from "../../src/service/account/set-quotas.ts";
import { listVersions } from "../../src/service/content/list-versions.ts";
import { AuditTrail } from "../../src/service/observer/audit-trail.ts";
import { getUsage } from "../../src/service/system/get-usage.ts";
import { listOwnTasks } from "../../src/service/task/list-tasks.ts";
import { listTrash } from "../../src/service/trash/list-trash.ts";
import { ramStores, STORES } from "../support/stores.ts";
import { Talk } from "../support/talk.ts";
import { type Actor, codeOf, House } from "../support/tenant.ts";

const DAY_MS = 24 * 3600_000;
const FILE = "ctx://resources/plan.md";
const TRASH = { items: 100, bytes: 1e9, lifeMs: 30 * DAY_MS };

const usageDeps = (house: House) => ({
  ...house.deps,
  requestCounts: { used: () => 0, resetsAt: 0 },
  modelTokensPerDay: undefined,
});

describe.each(STORES)("the retention of an account over %s", (_, stores) => {
  let house: House;
  let ann: Actor;
  beforeEach(async () => {
    house = await House.open(await stores(), true, [], undefined, undefined, { trash: TRASH });
    for (const account of ["acme", "other"]) await house.registry.createAccount(accountId(account), "ada");
    ann = house.as("ann");
  });
  afterEach(() => house.end());

  const set = (days: Record<string, number>, accountId = "acme") =>
    setQuotas(house.deps, house.root, { accountId, ...days });
  const later = async (ms: number) => {
    house.stores.clock.now += ms;
    // the worker looks at the clock anew
    house.worker.start();
    await house.drain();
  };
  const versions = async (actor = ann) =>
    (await listVersions(house.deps, actor.call, { uri: FILE })).versions.length;
  const trash = async (actor = ann) => (await listTrash(house.deps, actor.call, {})).items;
  const tasks = async () =>
    (await listOwnTasks(house.deps, ann.call, { limit: 10 })).tasks.map(({ status }) => status);
  const ready = async (actor: Actor) => {
    await actor.create(FILE, "one");
    await actor.replace(FILE, "two");
    await actor.create("ctx://resources/gone.md", "gone");
    await actor.rm("ctx://resources/gone.md");
  };

  it("a shorter retention at once removes versions and trash of its own account only", async () => {
    const other = house.as("ann", "other");
    for (const actor of [ann, other]) await ready(actor);
    await later(3 * DAY_MS);
    await set({ versionDays: 2, trashDays: 2 });
    await house.drain();
    expect([await versions(), await trash()]).toEqual([1, []]);
    expect([await versions(other), (await trash(other)).length]).toEqual([2, 1]);
    await house.expectSound("other");
  });

  it("versions and trash with unlimited retention outlive the server's limits until these apply again", async () => {
    await ready(ann);
    await set({ versionDays: 0, trashDays: 0 });
    await later(300 * DAY_MS);
    expect(await versions()).toBe(2);
    expect((await trash()).map(({ expiresAt }) => expiresAt)).toEqual([""]);
    await set({});
    await house.drain();
    expect([await versions(), await trash()]).toEqual([1, []]);
  });

  it("sessions without recent changes are removed with their archives, and recently used ones stay", async () => {
    await set({ sessionDays: 10 });
    const [idle, used] = [await Talk.begin(ann, "idle"), await Talk.begin(ann, "used")];
    for (const talk of [idle, used]) {
      await talk.say("I live in Lisbon.");
      await talk.commit();
    }
    await house.drain();
    const memories = await ann.tree("ctx://user/ann/memories");
    expect(memories.length).toBeGreaterThan(0);
    await later(6 * DAY_MS);
    await used.say("more");
    await later(5 * DAY_MS);
    expect(await codeOf(idle.get())).toBe("NOT_FOUND");
    expect((await used.get()).messageCount).toBe(1);
    expect((await used.archives()).length).toBe(1);
    expect(await ann.tree("ctx://user/ann/memories")).toEqual(memories);
    await set({});
    await later(100 * DAY_MS);
    expect((await used.get()).messageCount).toBe(1);
  });

  it("finished tasks are removed a day after their end", async () => {
    await set({ taskDays: 1 });
    await ann.add("source", { "a.md": "text" }, { to: "ctx://resources/imported" });
    await house.drain();
    await expect.poll(tasks).toEqual(["completed"]);
    await later(DAY_MS + 1);
    await later(DAY_MS);
    expect(await tasks()).toEqual([]);
  });

  it("GetUsage returns the retention of an account, which is at most a century", async () => {
    await set({ versionDays: 7, trashDays: 0, taskDays: 36_500, nodes: 5 });
    const { retention } = await getUsage(usageDeps(house), house.root, { accountId: "acme" });
    expect(retention).toEqual([
      { kind: "version_days", days: 7, source: "quota" },
      { kind: "trash_days", source: "quota" },
      { kind: "task_days", days: 36_500, source: "quota" },
      { kind: "session_days", source: "server" },
      { kind: "audit_days", source: "server" },
    ]);
    for (const wrong of [36_501, -1, 0.5, Number.NaN])
      expect(await codeOf(set({ auditDays: wrong }))).toBe("INVALID_ARGUMENT");
  });
});

describe("the retention of audited calls", () => {
  it("audited calls are shown and stored no longer than the retention of their account", async () => {
    const { kv } = ramStores();
    let now = 0;
    let days: number | undefined = 2;
    const failing = (what: string, error: unknown): void => {
      throw new Error(what, { cause: error });
    };
    const lifeOf = (workspace: number) => (workspace === 1 ? retentionMs(days) : undefined);
    const trail = await AuditTrail.open({ kv, clock: () => now, lifeOf, report: failing });
    const call = { wire: "rest", code: "OK", request_id: "1", peer: "", user: "ann", role: "admin" };
    const add = (operation: string, of: number) =>
      trail.add({ ...call, operation, account: accountId("acme"), subject: undefined }, workspaceId(of));
    const shown = () => trail.list("everything", 10).map(({ operation }) => operation);
    add("first", 1);
    add("other", 2);
    now += 2 * DAY_MS;
    expect(shown()).toEqual(["other"]);
    days = undefined;
    expect(shown()).toEqual(["other", "first"]);
    days = 1;
    add("second", 1);
    days = 0;
    expect(shown()).toEqual(["second", "other"]);
    await trail.close();
    const again = await AuditTrail.open({ kv, clock: () => now, report: failing });
    expect(again.list("everything", 10).map(({ operation }) => operation)).toEqual(["second", "other"]);
    await again.close();
  });
});
