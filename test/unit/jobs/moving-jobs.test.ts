import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import type { Job, NewJob } from "../../../src/domain/job.ts";
import { ALL_JOBS } from "../../../src/domain/job-keys.ts";
import { JOBS } from "../../../src/jobs/job-records.ts";
import { JobQueue } from "../../../src/jobs/queue.ts";
import { Worker } from "../../../src/jobs/worker.ts";
import { Draft } from "../../../src/storage/draft.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";
import { silentLog } from "../../support/silent-log.ts";

const [ONE, TWO] = [workspaceId(1), workspaceId(2)];
const GRACE_MS = 60_000;
const never = new AbortController().signal;

const job = (workspace: number, payload: string, more: Partial<NewJob> = {}): NewJob => ({
  queue: "semantic",
  class: "interactive",
  kind: "test",
  workspace: workspaceId(workspace),
  payload,
  origins: [],
  sameAs: undefined,
  ...more,
});

let kv: RamKv;
beforeEach(() => {
  kv = new RamKv();
});
afterEach(() => kv.close());

/** A server of a shared store. Its jobs run until `finish` is called for them or their signal aborts. */
function server(clock = () => 0) {
  const ran: string[] = [];
  const running = new Map<string, () => void>();
  const queue = new JobQueue(kv, clock);
  const handler = async (claimed: Job, signal: AbortSignal) => {
    const name = String(claimed.payload);
    ran.push(name);
    await new Promise<void>((resolve, reject) => {
      running.set(name, resolve);
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  };
  const handlers = new Map([["test", handler]]);
  const worker = new Worker({ queue, handlers, clock, log: silentLog, random: () => 0.5 });
  worker.start();
  onTestFinished(() => worker.stop(0));
  const enqueue = (...jobs: NewJob[]) =>
    Promise.all(
      jobs.map((made) =>
        kv.transact((read) => {
          const draft = new Draft(read);
          queue.enqueue(draft, made);
          return draft.toChange(() => undefined);
        }),
      ),
    );
  return { queue, worker, ran, enqueue, finish: (name: string) => running.get(name)?.() };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}
const stored = async () =>
  (await kv.range({ gte: ALL_JOBS, lt: "q0", limit: 100 })).map(([key, value]) => JOBS.decode(value, key));

describe("jobs of workspaces that come and go", () => {
  it("a queue runs only the jobs of adopted workspaces", async () => {
    const old = server();
    await old.queue.adopt("everything");
    await old.worker.stop(0);
    await old.enqueue(job(1, "one"), job(2, "two"));
    const next = server();
    await settle();
    expect(next.ran).toEqual([]);
    await next.queue.adopt(TWO);
    await settle();
    expect(next.ran).toEqual(["two"]);
    expect([next.queue.backlog.of(ONE).jobs, next.queue.backlog.of(TWO).jobs]).toEqual([0, 1]);
    await next.queue.adopt(ONE);
    await settle();
    expect(next.ran).toEqual(["two", "one"]);
  });

  it("jobs of a cleanly released workspace continue on the next server without counting an attempt", async () => {
    const [from, to] = [server(), server()];
    await from.queue.adopt("everything");
    await from.enqueue(job(1, "one"), job(2, "two"));
    await settle();
    expect(from.ran).toEqual(["one", "two"]);
    await from.worker.giveUp(ONE, GRACE_MS);
    from.queue.drop(ONE);
    expect(await stored()).toMatchObject([
      { workspace: 1, attempts: 0, claimed: false },
      { workspace: 2, attempts: 1, claimed: true },
    ]);
    await settle();
    expect(from.queue.drain.total("semantic")).toMatchObject({ pending: 0, inProgress: 1 });
    await to.queue.adopt(ONE);
    await settle();
    expect(to.ran).toEqual(["one"]);
    to.finish("one");
    from.finish("two");
    await settle();
    expect(await stored()).toEqual([]);
    expect(to.queue.drain.total("semantic")).toMatchObject({ processed: 1, inProgress: 0, errors: 0 });
    expect(from.queue.drain.total("semantic")).toMatchObject({ processed: 1, inProgress: 0, errors: 0 });
  });

  it("a job whose workspace moves to another server writes nothing more, and runs again on that server", async () => {
    const [from, to] = [server(), server()];
    await from.queue.adopt(ONE);
    await from.enqueue(job(1, "one"));
    await settle();
    const before = await stored();
    from.worker.drop(ONE);
    from.queue.drop(ONE);
    from.finish("one");
    await settle();
    expect(await stored()).toEqual(before);
    await to.queue.adopt(ONE);
    await settle();
    expect(to.ran).toEqual(["one"]);
    expect(await stored()).toMatchObject([{ attempts: 2, lost: 1, claimed: true }]);
  });

  it("a job of a dead server waits only briefly for running jobs, and others wait only briefly for that job", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const [from, to] = [server(), server(() => performance.now())];
    await from.queue.adopt(ONE);
    await from.enqueue(job(1, "first suspect"), job(1, "second suspect"));
    await settle();
    from.queue.drop(ONE);
    await to.queue.adopt(TWO);
    await to.enqueue(job(2, "long", { queue: "import" }));
    await settle();
    await to.queue.adopt(ONE);
    await settle();
    const ran = ["long"];
    for (const next of ["first suspect", "second suspect", "other"]) {
      // a change wakes the worker
      await to.enqueue(job(2, "other"));
      await vi.advanceTimersByTimeAsync(9000);
      await settle();
      expect(to.ran).toEqual(ran);
      await vi.advanceTimersByTimeAsync(1000);
      await settle();
      ran.push(next);
      expect(to.ran.slice(0, ran.length)).toEqual(ran);
    }
  });

  it("a job queued by a change does not run here if its workspace was dropped before the change ended", async () => {
    const { queue, enqueue, ran } = server();
    await queue.adopt("everything");
    const queued = enqueue(job(1, "one"), job(2, "two"));
    queue.drop(ONE);
    await queued;
    await settle();
    expect(ran).toEqual(["two"]);
    await queue.adopt(ONE);
    await settle();
    expect(ran).toEqual(["two", "one"]);
  });

  it("waiting for jobs of a dropped workspace ends with the reason, and other waits continue", async () => {
    const { queue, enqueue, finish } = server();
    await queue.adopt("everything");
    const watches = [
      queue.watch({ workspace: ONE }),
      queue.watch({ origin: "request" }),
      queue.watch({ workspace: TWO }),
      queue.watch("everything"),
    ];
    await enqueue(job(1, "one", { origins: ["request"] }), job(1, "more"), job(2, "two"));
    const ends = watches.map((watch) =>
      watch.drained(never).then(
        () => "drained",
        (error: { code?: string }) => error.code,
      ),
    );
    await settle();
    queue.drop(ONE);
    expect(watches.map(({ outstanding }) => outstanding)).toEqual([0, 0, 1, 1]);
    finish("two");
    expect(await Promise.all(ends)).toEqual(["UNAVAILABLE", "UNAVAILABLE", "drained", "drained"]);
  });

  it("job numbers continue where the previous server ended", async () => {
    const [from, to] = [server(), server()];
    await from.queue.adopt(ONE);
    await from.enqueue(job(1, "a"), job(1, "b"));
    await settle();
    await from.worker.giveUp(ONE, GRACE_MS);
    from.queue.drop(ONE);
    await to.queue.adopt(ONE);
    await to.enqueue(job(1, "c"));
    const numbers = (await stored()).map(({ sequence }) => sequence);
    expect(new Set(numbers).size).toBe(3);
  });
});

it("job numbers stay unique after a change that was refused while another server had the workspace", async () => {
  const [one, two] = [server(), server()];
  const late = kv.transact((read) => {
    two.queue.enqueue(new Draft(read), job(1, "late"));
    throw new Error("the account has moved to another server");
  });
  await expect(late).rejects.toThrow("moved");
  // due later, so that none of them runs
  const later = { dueAt: 3600_000 };
  await one.queue.adopt(ONE);
  await one.enqueue(job(1, "a", later), job(1, "b", later), job(1, "c", later));
  one.queue.drop(ONE);
  await two.queue.adopt(ONE);
  await two.enqueue(job(1, "d", later));
  const left = (await kv.range({ gte: "q/", lt: "q0", limit: 10 })).map(([key, value]) =>
    String(JOBS.decode(value, key).payload),
  );
  expect(left.sort()).toEqual(["a", "b", "c", "d"]);
});
