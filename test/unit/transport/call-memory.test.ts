import { expect, it } from "vitest";
import { Budget } from "../../../src/base/budget.ts";
import { untraced } from "../../../src/base/trace.ts";
import { overBudget } from "../../../src/domain/errors.ts";
import { BODY_PACE } from "../../../src/transport/body-pace.ts";
import { RunningCall } from "../../../src/transport/call.ts";

const budget = () => new Budget({ perKey: 20_000, total: 30_000 }, overBudget("memory of request bodies"));

const callWith = (bodies: Budget<string>) =>
  new RunningCall({
    operation: "ContentService.WriteContent",
    wire: "rest",
    requestId: "1",
    started: 0,
    span: untraced.begin("test", "call", undefined),
    memory: budget(),
    pace: BODY_PACE,
    bodies,
  });

it("the body of a call counts as memory from its arrival until the call ends", () => {
  const bodies = budget();
  const call = callWith(bodies);
  call.holdBody(1000);
  expect(bodies.used()).toBe(0);
  call.holdBody(5000);
  call.holdBody(20_000);
  expect(bodies.used()).toBe(20_000);
  expect(() => call.holdBody(20_001)).toThrow(/memory of request bodies: .*of the account/);
  call.end();
  expect(bodies.used()).toBe(0);
  call.holdBody(5000);
  expect(bodies.used()).toBe(0);
});

it("bodies of several calls of an account share the account's memory limit", () => {
  const bodies = budget();
  const [first, second] = [callWith(bodies), callWith(bodies)];
  first.holdBody(15_000);
  expect(() => second.holdBody(5001)).toThrow(expect.objectContaining({ code: "RESOURCE_EXHAUSTED" }));
  first.end();
  second.holdBody(5001);
  second.end();
  expect(bodies.used()).toBe(0);
});
