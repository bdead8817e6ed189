import { expect, it } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import type { Job } from "../../../src/domain/job.ts";
import { Drain } from "../../../src/jobs/drain.ts";
import { Watch } from "../../../src/jobs/job-watch.ts";

const never = () => new AbortController().signal;
const watched = () => {
  const watch = new Watch({ workspace: workspaceId(1) }, { patient: false }, () => undefined);
  watch.inProgress = 1;
  return watch;
};

it("many waits for jobs end over several turns of the event loop, in order and exactly once", async () => {
  const watch = watched();
  const ended: number[] = [];
  const waits = Array.from({ length: 2000 }, (_, i) => watch.drained(never()).then(() => ended.push(i)));
  watch.inProgress = 0;
  watch.check();
  watch.check();
  await Promise.resolve();
  expect(ended.length).toBeLessThanOrEqual(256);
  // a further job does not take back what has ended
  watch.inProgress = 1;
  await Promise.all(waits);
  expect(ended).toEqual([...Array(2000).keys()]);
});

it("a wait cancelled after its workspace was lost rejects with the cancellation, others with the loss", async () => {
  const watch = watched();
  const stop = new AbortController();
  const first = Array.from({ length: 600 }, () => watch.drained(never()));
  const last = watch.drained(stop.signal);
  watch.lose(new Error("moved"));
  stop.abort(new Error("cancelled"));
  const [cancelled, ...others] = await Promise.allSettled([last, ...first]);
  expect(cancelled).toMatchObject({ reason: { message: "cancelled" } });
  expect(others.every((wait) => wait.status === "rejected" && wait.reason.message === "moved")).toBe(true);
  await expect(watch.drained(never())).rejects.toThrow("moved");
});

it("a wait for a workspace that moves gets one error for all its jobs", async () => {
  const drain = new Drain();
  const jobs = Array.from(
    { length: 3 },
    (_, sequence): Job => ({
      queue: "semantic",
      class: "interactive",
      kind: "layers",
      workspace: workspaceId(1),
      sequence,
      payload: {},
      origins: [],
      attempts: 0,
      dueAt: 0,
    }),
  );
  for (const job of jobs) drain.added(job);
  const [one, two] = [0, 1].map(() => drain.watch({ workspace: workspaceId(1) }, jobs, false));
  const waits = [one, two].map((watch) => watch?.drained(never()));
  drain.dropped(workspaceId(1), jobs);
  const [first, second] = await Promise.all(waits.map((wait) => wait?.catch((error: unknown) => error)));
  expect(first).toMatchObject({ code: "UNAVAILABLE" });
  expect(second).toBe(first);
  expect(drain.total("semantic").pending).toBe(0);
});
