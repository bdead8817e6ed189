import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ServiceError } from "../../../src/domain/errors.ts";
import { workspaceId } from "../../../src/domain/ids.ts";
import type { Job, NewJob } from "../../../src/domain/job.ts";
import type { Watch } from "../../../src/jobs/job-watch.ts";
import { JobQueue } from "../../../src/jobs/queue.ts";
import { Worker } from "../../../src/jobs/worker.ts";
import { Draft } from "../../../src/storage/draft.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";
import { silentLog } from "../../support/silent-log.ts";

const ONE = workspaceId(1);
const LATER = 3600_000;
const job = (payload: unknown, more: Partial<NewJob> = {}): NewJob => ({
  queue: "semantic",
  class: "interactive",
  kind: "test",
  workspace: ONE,
  payload,
  origins: [],
  sameAs: undefined,
  ...more,
});
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("jobs that callers wait for", () => {
  let kv: RamKv;
  let queue: JobQueue;
  beforeEach(async () => {
    kv = new RamKv();
    queue = new JobQueue(kv, () => 0);
    await queue.adopt("everything");
    onTestFinished(() => kv.close());
  });

  const enqueue = (...jobs: NewJob[]) =>
    kv.transact((read) => {
      const draft = new Draft(read);
      for (const made of jobs) queue.enqueue(draft, made);
      return draft.toChange(() => undefined);
    });
  const delayed = (count: number, from = 0) =>
    enqueue(...Array.from({ length: count }, (_, i) => job(from + i, { dueAt: LATER })));
  async function claimReady(): Promise<Job[]> {
    const ready: Job[] = [];
    while (queue.nextDue("semantic") === 0) {
      const claimed = await queue.claim("semantic");
      if (!claimed) break;
      ready.push(claimed);
    }
    return ready;
  }

  it("waiting for very many delayed jobs makes all of them ready, a part in each turn of the event loop", async () => {
    const COUNT = 3500;
    await delayed(COUNT);
    const watch = queue.watch({ workspace: ONE });
    expect(watch.pending).toBe(COUNT);
    const first = (await claimReady()).length;
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(COUNT);
    let ready = first;
    for (let turns = 0; turns < 100 && ready < COUNT; turns++) {
      await turn();
      ready += (await claimReady()).length;
    }
    expect(ready).toBe(COUNT);
    watch.release();
  });

  it("a wait that begins while the jobs of a cancelled wait are made ready makes all of them ready", async () => {
    const COUNT = 4500;
    await delayed(COUNT);
    queue.watch({ workspace: ONE }).release();
    await turn();
    const watch = queue.watch({ workspace: ONE });
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(await claimReady()).toHaveLength(COUNT);
    watch.release();
  });

  it("a caller who waits for a workspace does not get the errors of other users' jobs", async () => {
    const handlers = new Map([
      [
        "bad",
        async ({ payload }: Job) => {
          throw new ServiceError("NOT_FOUND", `ctx://user/${String(payload)}/secret.md is gone`);
        },
      ],
    ]);
    const worker = new Worker({ queue, handlers, clock: () => 0, log: silentLog, random: () => 0.5 });
    onTestFinished(() => worker.stop(0));
    const bob = queue.watch({ workspace: ONE, errorsFor: "bob" });
    const all = queue.watch({ workspace: ONE });
    const bad = (user: string) => job(user, { kind: "bad", owner: { user } });
    await enqueue(bad("ann"), bad("bob"));
    worker.start();
    await vi.waitFor(() => expect(all.semantic.errorCount).toBe(2));
    const told = ({ semantic }: Watch) => semantic.errors.map(({ message }) => message).sort();
    expect(bob.semantic.errorCount).toBe(2);
    expect(told(bob)).toEqual(["a job of another user failed", "ctx://user/bob/secret.md is gone"]);
    expect(told(all)).toEqual(["ctx://user/ann/secret.md is gone", "ctx://user/bob/secret.md is gone"]);
    bob.release();
    all.release();
  });
});
