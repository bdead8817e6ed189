import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ServiceError, unavailable } from "../../../src/domain/errors.ts";
import { workspaceId } from "../../../src/domain/ids.ts";
import type { NewJob } from "../../../src/domain/job.ts";
import { ALL_JOBS, deadLettersOf } from "../../../src/domain/job-keys.ts";
import { DEAD_LETTERS, JOBS } from "../../../src/jobs/job-records.ts";
import { JobQueue } from "../../../src/jobs/queue.ts";
import { type JobHandler, Worker } from "../../../src/jobs/worker.ts";
import { Draft } from "../../../src/storage/draft.ts";
import type { Change, KvReader } from "../../../src/storage/kv.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";
import { silentLog } from "../../support/silent-log.ts";

const START = 1_700_000_000_000;
const job = (payload: unknown, more: Partial<NewJob> = {}): NewJob => ({
  queue: "semantic",
  class: "interactive",
  kind: "test",
  workspace: workspaceId(1),
  payload,
  origins: [],
  sameAs: undefined,
  ...more,
});
const never = new AbortController().signal;

/** A store that refuses writes on demand. */
class FailingKv extends RamKv {
  fails = false;
  override transact<T>(decide: (read: KvReader) => Change<T>): Promise<T> {
    return this.fails ? Promise.reject(unavailable("the disk is full")) : super.transact(decide);
  }
}

describe("jobs", () => {
  let kv: FailingKv;
  let queue: JobQueue;
  let worker: Worker;
  let ran: string[];
  let handlers: Map<string, JobHandler>;
  beforeEach(async () => {
    vi.useFakeTimers({ now: START, toFake: ["setTimeout", "clearTimeout", "Date"] });
    kv = new FailingKv();
    ran = [];
    handlers = new Map<string, JobHandler>([["test", async ({ payload }) => void ran.push(String(payload))]]);
    await open();
  });
  afterEach(async () => {
    await stop();
    vi.useRealTimers();
  });

  async function open(): Promise<void> {
    queue = new JobQueue(kv, Date.now);
    await queue.adopt("everything");
    worker = new Worker({ queue, handlers, clock: Date.now, log: silentLog, random: () => 0.5 });
  }
  async function stop(): Promise<void> {
    const stopped = worker.stop(10);
    await vi.advanceTimersByTimeAsync(10);
    await stopped;
  }
  /** Writes a change for each workspace. */
  const enqueue = (...jobs: NewJob[]) =>
    Promise.all(
      [...new Set(jobs.map(({ workspace }) => workspace))].map((workspace) =>
        kv.transact((read) => {
          const draft = new Draft(read);
          for (const made of jobs) if (made.workspace === workspace) queue.enqueue(draft, made);
          return draft.toChange(() => undefined);
        }),
      ),
    );
  /** Waits until everything that is due has finished. */
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  async function pass(ms: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms);
    await settle();
  }
  const stored = async () =>
    (await kv.range({ gte: ALL_JOBS, lt: "q0", limit: 1000 })).map(([, value]) => JOBS.decode(value));
  const letters = async (workspace: number) =>
    (
      await kv.range({
        gte: deadLettersOf(workspaceId(workspace)),
        lt: `${deadLettersOf(workspaceId(workspace))}~`,
        limit: 1000,
      })
    ).map(([, value]) => DEAD_LETTERS.decode(value));

  it.each(["semantic", "import"] as const)(
    "long jobs in the %s queue leave slots free for other accounts",
    async (name) => {
      handlers.set(
        "endless",
        (_, signal) => new Promise((_, reject) => signal.addEventListener("abort", reject)),
      );
      await enqueue(...Array.from({ length: 10 }, () => job("slow", { queue: name, kind: "endless" })));
      worker.start();
      await settle();
      await enqueue(job("quick", { queue: name, workspace: workspaceId(2) }));
      await settle();
      expect(ran).toEqual(["quick"]);
    },
  );

  it("jobs run in order: interactive before bulk, workspaces in turn", async () => {
    const many = Array.from({ length: 4 }, (_, i) => job(`a${i}`, { workspace: workspaceId(1) }));
    await enqueue(...many.map((made) => ({ ...made, class: "bulk" as const })));
    await enqueue(
      job("b0", { workspace: workspaceId(2), class: "bulk" }),
      job("b1", { workspace: workspaceId(2), class: "bulk" }),
      job("urgent", { workspace: workspaceId(3) }),
    );
    worker.start();
    await settle();
    expect(ran).toEqual(["urgent", "a0", "b0", "a1", "b1", "a2", "a3"]);
    expect(await stored()).toEqual([]);
  });

  it("a job of a cancelled task neither starts, nor is retried or made a dead letter", async () => {
    const cancel = (origin: string) =>
      kv.transact((read) => {
        const draft = new Draft(read);
        queue.cancelTask(draft, origin, new Set(["test", "failing"]));
        return draft.toChange(() => undefined);
      });
    const watch = queue.watch({ origin: "x" });
    await enqueue(job("waits", { origins: ["x"] }));
    await cancel("x");
    await watch.drained(never);
    // the transaction before the one that claims it removes its record
    await enqueue(job("claimed", { origins: ["x"] }));
    await Promise.all([cancel("x"), queue.claim("semantic")]);
    await watch.drained(never);
    let fail: () => void = () => undefined;
    handlers.set(
      "failing",
      () =>
        new Promise((_, reject) => {
          fail = () => reject(new Error("failed"));
        }),
    );
    await enqueue(job("runs", { origins: ["x"], kind: "failing" }));
    worker.start();
    await settle();
    await cancel("x");
    expect(watch.outstanding).toBe(1);
    fail();
    await pass(600_000);
    expect([watch.outstanding, ran, await stored(), await letters(1)]).toEqual([0, [], [], []]);
  });

  it("equal jobs are merged until one starts, and all their waiters are notified of its end", async () => {
    const first = queue.watch({ origin: "x" });
    const second = queue.watch({ origin: "y" });
    const other = queue.watch({ origin: "z" });
    await enqueue(job("one", { sameAs: "s", origins: ["x"] }));
    await enqueue(
      job("two", { sameAs: "s", origins: ["y"] }),
      job("three", { sameAs: "s", origins: ["x"] }),
      job("four", { sameAs: "t", workspace: workspaceId(2) }),
    );
    expect([first.outstanding, second.outstanding, other.outstanding]).toEqual([1, 1, 0]);
    await other.drained(never);
    worker.start();
    await Promise.all([first.drained(never), second.drained(never)]);
    await settle();
    expect(ran).toEqual(["one", "four"]);
    expect([first.semantic.processed, second.semantic.processed]).toEqual([1, 1]);
  });

  it("a job equal to a running one runs after it", async () => {
    let release: () => void = () => undefined;
    handlers.set("test", async ({ payload }) => {
      ran.push(String(payload));
      if (ran.length === 1) await new Promise<void>((resolve) => (release = resolve));
    });
    await enqueue(job("one", { sameAs: "s", origins: ["x"] }));
    worker.start();
    await settle();
    const late = queue.watch({ origin: "y" });
    await enqueue(job("two", { sameAs: "s", origins: ["y"] }));
    await settle();
    expect([ran, late.outstanding]).toEqual([["one", "two"], 0]);
    release();
    await settle();
    expect(await stored()).toEqual([]);
  });

  it("waiting includes the jobs that a job enqueues", async () => {
    handlers.set("leads", async (made) => {
      await kv.transact((read) => {
        const draft = new Draft(read);
        queue.enqueue(draft, job("led", { origins: made.origins }));
        queue.settle(draft, made);
        return draft.toChange(() => undefined);
      });
    });
    const watch = queue.watch({ origin: "x" });
    await enqueue(job("first", { kind: "leads", origins: ["x"] }));
    worker.start();
    await watch.drained(never);
    expect([ran, watch.semantic.processed]).toEqual([["led"], 2]);
  });

  it("a failing job is retried with growing pauses, then becomes a dead letter with its reason", async () => {
    let tries = 0;
    handlers.set("test", async () => {
      tries++;
      throw tries === 5 ? new ServiceError("INTERNAL", "the scroll is torn") : new TypeError("secret");
    });
    const watch = queue.watch({ workspace: workspaceId(1) });
    await enqueue(job("x"));
    worker.start();
    await settle();
    const counts: number[] = [tries];
    for (const pause of [499, 1, 999, 1, 1999, 1, 3999, 1, 600_000]) {
      await pass(pause);
      counts.push(tries);
    }
    expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    expect(await stored()).toEqual([]);
    expect(await letters(1)).toMatchObject([{ kind: "test", workspace: 1, reason: "the scroll is torn" }]);
    expect(watch.semantic).toEqual({
      processed: 0,
      errorCount: 1,
      errors: [{ message: "the scroll is torn" }],
    });
    await watch.drained(never);
  });

  it("a job with a final failure becomes a dead letter at once, without internal details", async () => {
    handlers.set("final", async () => {
      throw new ServiceError("NOT_FOUND", "resource not found: ctx://resources/x");
    });
    handlers.set("test", async () => {
      throw new TypeError("/etc/passwd");
    });
    await enqueue(job("x", { kind: "final" }), job("y", { kind: "unknown" }), job("z"));
    worker.start();
    await settle();
    for (let attempt = 1; attempt < 5; attempt++) await pass(60_000);
    expect((await letters(1)).map(({ reason }) => reason)).toEqual([
      "resource not found: ctx://resources/x",
      "no handler for jobs of kind unknown",
      "internal error",
    ]);
    await queue.letters.drop(workspaceId(1));
    expect(await letters(1)).toEqual([]);
  });

  it("a workspace keeps the latest thousand dead letters", async () => {
    const over = 3;
    const made = Array.from({ length: 1000 + over }, (_, i) => job(i, { workspace: workspaceId(1) }));
    await enqueue(...made, job("other", { workspace: workspaceId(2) }));
    for (let claimed = await queue.claim("semantic"); claimed; claimed = await queue.claim("semantic"))
      await queue.deadLetter(claimed, String(claimed.payload));
    const kept = await letters(1);
    expect([kept.length, kept[0]!.reason, kept.at(-1)!.reason]).toEqual([
      1000,
      String(over),
      String(999 + over),
    ]);
    expect([(await letters(2)).length, queue.letters.dropped]).toEqual([1, over]);
  });

  it("a job that was running during ten crashes of the process becomes a dead letter", async () => {
    handlers.set("test", () => new Promise<void>(() => undefined));
    handlers.set("innocent", async () => undefined);
    await enqueue(job("poison"));
    for (let death = 0; death < 10; death++) {
      // the process dies without notice while the job is running
      await open();
      worker.start();
      await settle();
      expect(await letters(1)).toEqual([]);
    }
    await open();
    await enqueue(job("innocent", { kind: "innocent" }));
    worker.start();
    await settle();
    expect(await stored()).toEqual([]);
    expect((await letters(1)).map(({ reason }) => reason)).toEqual([
      "the server stopped 10 times while this job was running; it is not retried",
    ]);
  });

  it("jobs that were running when the process crashed run alone until the faulty one is found", async () => {
    const started: unknown[] = [];
    handlers.set("test", (one) => {
      started.push(one.payload);
      return new Promise<void>(() => undefined);
    });
    await enqueue(job("poison"), job("innocent"), job("third"));
    await open();
    worker.start();
    await settle();
    expect(started).toEqual(["poison", "innocent"]);
    await open();
    worker.start();
    await settle();
    expect(started).toEqual(["poison", "innocent", "poison"]);
  });

  it("a job that is running when the server stops cleanly is not counted as failed", async () => {
    handlers.set("test", () => new Promise<void>(() => undefined));
    await enqueue(job("slow"));
    for (let round = 0; round < 4; round++) {
      await open();
      worker.start();
      await settle();
      await stop();
    }
    await open();
    expect(await stored()).toMatchObject([{ attempts: 0, claimed: false }]);
    expect((await stored())[0]?.lost).toBeUndefined();
  });

  it("a job keeps its attempts after the server was killed", async () => {
    handlers.set("test", () => new Promise<void>(() => undefined));
    await enqueue(job("innocent"));
    await open();
    worker.start();
    await settle();
    let failures = 0;
    handlers.set("test", () => Promise.reject(new Error(`failure ${++failures}`)));
    await open();
    worker.start();
    await settle();
    expect(await stored()).toMatchObject([{ attempts: 2, failures: 1, lost: 1 }]);
    for (let minute = 0; minute < 5; minute++) await pass(60_000);
    expect(failures).toBe(5);
    expect((await letters(1))[0]!.reason).toBe("internal error");
  });

  it("a stop of the server does not count as an attempt of a job", async () => {
    handlers.set(
      "test",
      (_, signal) =>
        new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    await enqueue(job("x"));
    for (let start = 0; start < 8; start++) {
      await open();
      worker.start();
      await settle();
      await stop();
    }
    await settle();
    expect(await stored()).toMatchObject([{ attempts: 0 }]);
    expect(await letters(1)).toEqual([]);
  });

  it("jobs wait while the store cannot be written, and then continue", async () => {
    await enqueue(job("x"));
    kv.fails = true;
    worker.start();
    await settle();
    for (let second = 0; second < 10; second++) await pass(1000);
    expect(ran).toEqual([]);
    kv.fails = false;
    await pass(1000);
    expect(ran).toEqual(["x"]);
    expect(await stored()).toEqual([]);
  });

  it("waiting for jobs ends when the waiter's signal is aborted", async () => {
    handlers.set("test", () => new Promise<void>(() => undefined));
    const watch = queue.watch("everything");
    await watch.drained(never);
    await enqueue(job("x"), job("y", { queue: "purge" }));
    expect(watch.outstanding).toBe(1);
    const controller = new AbortController();
    const waiting = watch.drained(controller.signal);
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await expect(watch.drained(controller.signal)).rejects.toThrow("enough");
    watch.release();
    await enqueue(job("z"));
    expect(watch.outstanding).toBe(1);
  });

  it("jobs of a deleted workspace are cancelled, and those of others run", async () => {
    const watch = queue.watch({ workspace: workspaceId(1) });
    await enqueue(
      job("a"),
      job("b", { dueAt: START + 5000 }),
      job("c", { workspace: workspaceId(2) }),
      job("d", { queue: "purge" }),
    );
    await queue.cancel(workspaceId(1));
    await watch.drained(never);
    worker.start();
    await settle();
    await pass(10_000);
    expect(ran.sort()).toEqual(["c"]);
    expect(await stored()).toEqual([]);
  });

  it("jobs are counted by queue and workspace", async () => {
    handlers.set("bad", async () => {
      throw new ServiceError("NOT_FOUND", "gone");
    });
    await enqueue(job("a"), job("b"), job("c", { kind: "bad" }), job("d", { workspace: workspaceId(2) }));
    expect(queue.drain.counts("semantic", workspaceId(1))).toEqual({
      pending: 3,
      inProgress: 0,
      processed: 0,
      errors: 0,
    });
    worker.start();
    await settle();
    expect(queue.drain.counts("semantic", workspaceId(1))).toEqual({
      pending: 0,
      inProgress: 0,
      processed: 2,
      errors: 1,
    });
    expect(queue.drain.total("semantic")).toEqual({ pending: 0, inProgress: 0, processed: 3, errors: 1 });
  });
});
