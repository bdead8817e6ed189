import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ResumeSteps } from "../../../src/app/resume-steps.ts";
import { workspaceId } from "../../../src/domain/ids.ts";

const W = workspaceId(7);
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const failing = (times: number) => {
  const state = { runs: 0 };
  const step = async () => {
    if (state.runs++ < times) throw new Error("the store does not answer");
  };
  return { state, step };
};

it("a resume step that fails is run again until it succeeds", async () => {
  const reported: string[] = [];
  const steps = new ResumeSteps((what) => reported.push(what));
  const { state, step } = failing(2);
  await steps.run(W, "resuming webhooks", step);
  expect(state.runs).toBe(1);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(state.runs).toBe(3);
  expect(reported).toEqual(["resuming webhooks", "resuming webhooks"]);
});

it("a resume step is not run again if its workspace was dropped, even during the step", async () => {
  const steps = new ResumeSteps(() => undefined);
  const { state, step } = failing(9);
  await steps.run(W, "resuming webhooks", step);
  steps.drop(W);
  await steps.run(W, "resuming tasks", async () => {
    state.runs++;
    steps.drop(W);
    throw new Error("lost");
  });
  await vi.advanceTimersByTimeAsync(120_000);
  expect(state.runs).toBe(2);
});

it("no resume step runs after the server has stopped", async () => {
  const stop = new AbortController();
  const steps = new ResumeSteps(() => undefined, stop.signal);
  const { state, step } = failing(9);
  await steps.run("everything", "resuming webhooks", step);
  stop.abort();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(state.runs).toBe(1);
});
