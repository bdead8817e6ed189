import { expect, it } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import { sweepJob } from "../../../src/domain/job.ts";
import { JobQueue } from "../../../src/jobs/queue.ts";
import { Draft } from "../../../src/storage/draft.ts";
import { JOBS } from "../../../src/storage/migrations/jobs.ts";
import { RamBlobs } from "../../../src/storage/ram/ram-blobs.ts";
import { DyingKv } from "../../support/dying-kv.ts";

const blobs = new RamBlobs(() => 0);
const ALL = { gte: "a", lt: "z", limit: 99 };
const job = (queue: string, workspace: number, sequence: number) => ({
  ...{ queue, class: "bulk", kind: "sweep", workspace, sequence, payload: null, origins: [] },
  ...{ attempts: 0, dueAt: 0 },
});

it("a migration keeps every job and never reuses its number, interrupted at any step", async () => {
  for (let steps = 0, ended = false; !ended; steps++) {
    const kv = new DyingKv();
    await kv.put("q/purge/bulk/0000001/0000000007", job("purge", 1, 7));
    await kv.put("q/semantic/bulk/0000001/0000000008", job("semantic", 1, 8));
    await kv.put("q/semantic/bulk/0000002/0000000009", job("semantic", 2, 9));
    await kv.put("qx/0000003/0000000005", { queue: "semantic", workspace: 3, sequence: 5 });
    await kv.put("qn", 4096);
    ended = await kv.interrupted(steps, () => JOBS.run({ kv, blobs }));
    await JOBS.run({ kv, blobs });
    expect(await kv.keys(ALL)).toEqual([
      "q/0000001/purge/bulk/0000000007",
      "q/0000001/semantic/bulk/0000000008",
      "q/0000002/semantic/bulk/0000000009",
      ...["qn/0000001", "qn/0000002", "qn/0000003"],
      "qx/0000003/0000000005",
    ]);
    const queue = new JobQueue(kv, () => 0);
    await queue.adopt("everything");
    expect([...queue.jobs()].map(({ sequence }) => sequence)).toEqual([7, 8, 9]);
    for (const workspace of [1, 3, 4])
      await kv.transact((read) => {
        const draft = new Draft(read);
        queue.enqueue(draft, sweepJob(workspaceId(workspace), 0));
        return draft.toChange(() => undefined);
      });
    const added = [...queue.jobs()].slice(3).map(({ sequence }) => sequence);
    expect(added).toEqual([4096, 4096, 1]);
  }
});

it("a migration of a data directory that never had a job writes nothing", async () => {
  const kv = new DyingKv();
  await JOBS.run({ kv, blobs });
  expect(await kv.keys(ALL)).toEqual([]);
});
