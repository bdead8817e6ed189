import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { COMMIT_SESSION } from "../../src/domain/job.ts";
import {
  captureMessages,
  ensureSession,
  passOverMessages,
} from "../../src/service/session/capture-messages.ts";
import { latestSession } from "../../src/service/session/latest-session.ts";
import { STORES } from "../support/stores.ts";
import { Talk } from "../support/talk.ts";
import { type Actor, codeOf, House } from "../support/tenant.ts";

const HOUR = 3_600_000;

describe.each(STORES)("captured sessions over %s", (_, stores) => {
  let house: House;
  let ann: Actor;
  const deps = () => ({ ...house.deps, openSessions: true });
  const message = (id: string, text = id) => ({ id, role: "user", parts: [{ type: "text", text }] });
  const capture = (sessionId: string, ids: readonly string[], commitAfterMs = 60_000) =>
    captureMessages(deps(), ann.call, { sessionId, messages: ids.map((id) => message(id)), commitAfterMs });
  const latest = (begins: boolean) =>
    latestSession(house.deps, ann.call, { name: "talk", begins, renewAfterMs: HOUR });
  const commits = () => [...house.queue.jobs()].filter(({ kind }) => kind === COMMIT_SESSION);
  beforeEach(async () => {
    // a worker's timers use another clock, so it starts when its jobs are due
    house = await House.open(await stores(), false);
    ann = house.as("ann");
  });
  afterEach(() => house.end());

  it("a captured session contains each message once, and is committed in time", async () => {
    await passOverMessages(deps(), ann.call, { sessionId: "talk", ids: ["b"] });
    await capture("talk", ["a", "b", "c"]);
    await capture("talk", ["a", "b", "c", "d"], 120_000);
    const talk = new Talk(ann, "talk");
    expect((await talk.get()).messageCount).toBe(3);
    expect(commits().map(({ dueAt }) => dueAt)).toEqual([house.stores.clock.now + 60_000]);
    house.stores.clock.now += 60_000;
    house.worker.start();
    await house.drain();
    expect((await talk.get()).messageCount).toBe(0);
    expect((await talk.commit()).stats).toMatchObject({ totalTurns: 3, compressionCount: 1 });
    expect(await house.findings()).toEqual([]);
  });

  it("a captured session is committed at once when it is long, and not created again after deletion", async () => {
    const ids = Array.from({ length: 60 }, (_, i) => `m${i}`);
    await capture("talk", ids, HOUR);
    house.worker.start();
    await house.drain();
    expect((await new Talk(ann, "talk").get()).messageCount).toBe(0);
    await new Talk(ann, "talk").delete();
    expect(await ensureSession(deps(), ann.call, "talk")).toBe(false);
    expect(await codeOf(capture("talk", ["new"]))).toBe("SESSION_EXPIRED");
    expect(await codeOf(passOverMessages(deps(), ann.call, { sessionId: "talk", ids: ["x"] }))).toBe(
      "SESSION_EXPIRED",
    );
  });

  it("a conversation that begins like an idle one gets a session with a number", async () => {
    expect(await latest(true)).toBe("talk");
    for (let number = 1; number <= 9; number++) {
      const name = number === 1 ? "talk" : `talk-${number}`;
      expect(await latest(true)).toBe(name);
      await capture(name, ["a"]);
      // the same applies to a retry and to later messages, however late they arrive
      expect(await latest(true)).toBe(name);
      house.stores.clock.now += HOUR;
      expect(await latest(false)).toBe(name);
    }
    await new Talk(ann, "talk-9").delete();
    expect(await latest(true)).toBe("talk-9");
    house.worker.start();
  });
});
