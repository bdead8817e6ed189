import { describe, expect, it } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import type { Job } from "../../../src/domain/job.ts";
import { Drain, MAX_COUNTED } from "../../../src/jobs/drain.ts";

const job = (workspace: number): Job => ({
  queue: "semantic",
  class: "interactive",
  kind: "layers",
  workspace: workspaceId(workspace),
  sequence: workspace,
  payload: {},
  origins: [],
  attempts: 0,
  dueAt: 0,
});

describe("counts of jobs", () => {
  it("job counts forget idle workspaces beyond a limit, and keep waiting jobs and totals", () => {
    const drain = new Drain();
    drain.added(job(0));
    for (let workspace = 1; workspace <= MAX_COUNTED + 9; workspace++) {
      drain.added(job(workspace));
      drain.claimed(job(workspace));
      drain.settled(job(workspace), undefined);
    }
    expect(drain.counts("semantic", workspaceId(0))).toMatchObject({ pending: 1 });
    expect(drain.counts("semantic", workspaceId(1))).toMatchObject({ processed: 0 });
    expect(drain.counts("semantic", workspaceId(MAX_COUNTED + 9))).toMatchObject({ processed: 1 });
    expect(drain.total("semantic")).toEqual({
      pending: 1,
      inProgress: 0,
      processed: MAX_COUNTED + 9,
      errors: 0,
    });
  });
});
