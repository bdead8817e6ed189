import { beforeEach, describe, expect, it } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import type { Job, NewJob } from "../../../src/domain/job.ts";
import { jobKey } from "../../../src/domain/job-keys.ts";
import { FairQueue } from "../../../src/jobs/fair-queue.ts";
import { JobQueue } from "../../../src/jobs/queue.ts";
import { Draft } from "../../../src/storage/draft.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";

const job = (payload: string, more: Partial<NewJob> = {}): NewJob => ({
  queue: "semantic",
  class: "interactive",
  kind: "test",
  workspace: workspaceId(1),
  payload,
  origins: [],
  sameAs: undefined,
  ...more,
});
const times = (count: number, make: (i: number) => NewJob): NewJob[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe("jobs of many workspaces", () => {
  let kv: RamKv;
  let queue: JobQueue;
  let now: number;
  beforeEach(async () => {
    kv = new RamKv();
    now = 1_700_000_000_000;
    queue = new JobQueue(kv, () => now);
    await queue.adopt("everything");
  });

  const enqueue = (jobs: readonly NewJob[]) =>
    kv.transact((read) => {
      const draft = new Draft(read);
      for (const made of jobs) queue.enqueue(draft, made);
      return draft.toChange(() => undefined);
    });
  /** Claims jobs, completes each at once, and returns them in the order claimed. */
  async function run(count: number): Promise<string[]> {
    const ran: string[] = [];
    for (let claim = 0; claim < count; claim++) {
      const claimed = await queue.claim("semantic");
      if (!claimed) break;
      ran.push(String(claimed.payload));
      await queue.finish(claimed);
    }
    return ran;
  }

  it.each(["interactive", "bulk"] as const)(
    "a single %s job is delayed by at most one job, whatever another workspace has queued",
    async (name) => {
      await enqueue(times(10_000, (i) => job(`flood ${i}`, { class: name })));
      await run(3);
      await enqueue([job("single", { class: name, workspace: workspaceId(2) })]);
      expect((await run(2)).includes("single")).toBe(true);
    },
  );

  it("workspaces with many jobs take turns", async () => {
    for (const workspace of [1, 2, 3])
      await enqueue(times(100, () => job(`of ${workspace}`, { workspace: workspaceId(workspace) })));
    const ran = await run(60);
    for (const workspace of [1, 2, 3])
      expect(ran.filter((said) => said === `of ${workspace}`)).toHaveLength(20);
  });

  it("delayed jobs of another workspace delay no ready job", async () => {
    await enqueue(times(10_000, (i) => job("later", { dueAt: now + 1 + i })));
    await enqueue([job("now", { workspace: workspaceId(2) })]);
    expect(await run(5)).toEqual(["now"]);
    expect(queue.nextDue("semantic")).toBe(now + 1);
    now += 3;
    expect(await run(5)).toEqual(["later", "later", "later"]);
  });

  it("interactive jobs run first and leave bulk jobs a share", async () => {
    await enqueue(times(100, () => job("bulk", { class: "bulk" })));
    await enqueue(times(100, () => job("interactive", { workspace: workspaceId(2) })));
    const ran = await run(64);
    expect(ran.slice(0, 7)).toEqual(Array(7).fill("interactive"));
    expect(ran.filter((said) => said === "bulk")).toHaveLength(8);
  });

  it("awaited jobs leave interactive and bulk jobs a share", async () => {
    const watch = queue.watch({ origin: "x" });
    await enqueue(times(100, () => job("bulk", { class: "bulk" })));
    await enqueue(times(100, () => job("interactive")));
    await enqueue(times(100, () => job("awaited", { origins: ["x"] })));
    const ran = await run(64);
    expect(ran.slice(0, 3)).toEqual(Array(3).fill("awaited"));
    for (const line of ["interactive", "bulk"]) expect(ran.filter((said) => said === line)).toHaveLength(8);
    watch.release();
  });

  it("awaited jobs run first, however they were queued", async () => {
    await enqueue(times(100, () => job("interactive", { workspace: workspaceId(2) })));
    await enqueue(times(50, () => job("before", { class: "bulk" })));
    await enqueue([job("awaited", { class: "bulk", origins: ["x"] })]);
    const watch = queue.watch({ origin: "x" });
    expect(await run(2)).toContain("awaited");
    await enqueue([job("awaited later", { class: "bulk", workspace: workspaceId(3), origins: ["x"] })]);
    expect(await run(2)).toContain("awaited later");
    watch.release();
  });

  it("the fair queue returns every job once and in turn, in a random model", () => {
    let state = 7;
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state % below;
    };
    const lane = new FairQueue();
    const model = new Map<string, Job>();
    for (let step = 0, time = 0; step < 20_000; step++, time += random(2)) {
      const made = {
        ...job(""),
        workspace: random(5),
        sequence: random(300),
        attempts: 0,
        dueAt: random(3) === 0 ? 0 : time + random(200),
      } as Job;
      const key = jobKey(made);
      if (random(4) === 0) {
        expect(lane.delete(key, made.workspace)).toBe(model.delete(key));
      } else if (random(2) === 0) {
        lane.put(key, made);
        model.set(key, made);
      } else {
        const next = lane.next(time, () => true);
        const due = [...model.values()].filter(({ dueAt }) => dueAt <= time);
        if (!next) expect(due).toEqual([]);
        else {
          expect(due).toContainEqual(next);
          model.delete(jobKey(next));
          lane.delete(jobKey(next), next.workspace);
        }
      }
    }
    const left: string[] = [];
    for (
      let next = lane.next(Number.MAX_SAFE_INTEGER, () => true);
      next;
      next = lane.next(Number.MAX_SAFE_INTEGER, () => true)
    ) {
      left.push(jobKey(next));
      lane.delete(jobKey(next), next.workspace);
    }
    expect(left.sort()).toEqual([...model.keys()].sort());
  });
});

describe("limits on the waiting work of an account", () => {
  let kv: RamKv;
  let queue: JobQueue;
  const UPLOADED = 50;
  const open = async () => {
    const held = (workspace: number) => (workspace === 1 ? UPLOADED : 0);
    const opened = new JobQueue(kv, () => 0, { maxBytes: 1000, held });
    await opened.adopt("everything");
    return opened;
  };
  beforeEach(async () => {
    kv = new RamKv();
    queue = await open();
  });

  const admitted = (...jobs: NewJob[]) =>
    kv.transact((read) => {
      const draft = new Draft(read);
      for (const made of jobs) queue.enqueue(draft, made);
      for (const workspace of new Set(jobs.map((made) => made.workspace))) queue.admit(draft, workspace);
      return draft.toChange(() => undefined);
    });
  /** A job whose payload has this many bytes, including two quotes and ten characters. */
  const sized = (bytes: number, more: Partial<NewJob> = {}) =>
    job("x".repeat(10), { waitingBytes: bytes - 12, ...more });

  it("the waiting work of an account is limited, with figures in the error and without effect on others", async () => {
    await admitted(sized(600));
    await expect(admitted(sized(351))).rejects.toMatchObject({
      code: "RESOURCE_EXHAUSTED",
      details: { unit: "bytes", queued: 650, more: 351, limit: 1000 },
    });
    await admitted(sized(950, { workspace: workspaceId(2) }));
    await admitted(sized(350));
    await queue.finish((await queue.claim("semantic"))!);
    await admitted(sized(351));
    expect([queue.backlog.of(workspaceId(1)).bytes, queue.backlog.of(workspaceId(2)).bytes]).toEqual([
      701, 950,
    ]);
  });

  it("the waiting work of an account is limited exactly, even for simultaneous callers", async () => {
    const settled = await Promise.allSettled(Array.from({ length: 50 }, () => admitted(sized(100))));
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(9);
    expect(queue.backlog.of(workspaceId(1))).toEqual({ jobs: 9, bytes: 900 });
  });

  it("the waiting bytes of an account are the same after a kill", async () => {
    await admitted(sized(100), sized(100), sized(100, { sameAs: "s" }));
    await admitted(
      sized(100, { sameAs: "s", origins: ["y"] }),
      sized(70, { queue: "embedding" }),
      sized(900, { queue: "purge" }),
    );
    await queue.retry((await queue.claim("semantic"))!, 5);
    await queue.claim("semantic");
    const before = queue.backlog.of(workspaceId(1));
    expect(before).toEqual({ jobs: 4, bytes: 370 });
    queue = await open();
    expect(queue.backlog.of(workspaceId(1))).toEqual(before);
    await queue.deadLetter((await queue.claim("semantic"))!, "no");
    await queue.cancel(workspaceId(1));
    expect([queue.backlog.of(workspaceId(1)), queue.backlog.bytes]).toEqual([{ jobs: 0, bytes: 0 }, 0]);
  });
});
