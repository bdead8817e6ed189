import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { unauthenticated } from "../../../src/accounts/standing.ts";
import { Budget } from "../../../src/base/budget.ts";
import { untraced } from "../../../src/base/trace.ts";
import type { Caller } from "../../../src/domain/caller.ts";
import { overBudget } from "../../../src/domain/errors.ts";
import { accountId, userIncarnation, workspaceId } from "../../../src/domain/ids.ts";
import { BODY_PACE } from "../../../src/transport/body-pace.ts";
import { RunningCall } from "../../../src/transport/call.ts";
import { Authentication } from "../../../src/transport/pipeline/authentication.ts";

const budget = () => new Budget({ perKey: 20_000, total: 30_000 }, overBudget("memory"));
const running = () =>
  new RunningCall({
    operation: "SystemService.WaitProcessed",
    wire: "rest",
    requestId: "1",
    started: 0,
    span: untraced.begin("test", "call", undefined),
    memory: budget(),
    bodies: budget(),
    pace: BODY_PACE,
  });
const caller = (account: string, incarnation: number): Caller => ({
  role: "user",
  account: accountId(account),
  user: "ann",
  agent: "default",
  accountIncarnation: workspaceId(incarnation),
  userIncarnation: userIncarnation(1),
  accountNamed: true,
  keyless: false,
});
const turn = () => new Promise((resolve) => setImmediate(resolve));

it("after a loss of access, equal callers are authenticated once, and those of other accounts not at all", () => {
  let identified = 0;
  const authentication = new Authentication({
    authenticate: ({ key }) => {
      identified++;
      return key === "a" ? caller("acme", 1) : caller("beta", 2);
    },
    registry: new Registry(),
  });
  const callOf = (key: string) => {
    const call = running();
    const headers = { get: (name: string) => (name === "x-api-key" ? key : undefined) };
    call.admitted = { headers, isAdministration: false };
    call.caller = authentication.identify(headers);
    return call;
  };
  const calls = Array.from({ length: 100 }, (_, i) => callOf(i % 2 === 0 ? "a" : "b"));
  identified = 0;
  const reasonOf = authentication.afterLoss({ what: "user", incarnation: workspaceId(1), user: "ann" });
  const reasons = calls.map(reasonOf);
  expect(reasons.filter((reason) => reason?.code === "UNAUTHENTICATED")).toHaveLength(50);
  expect(identified).toBe(1);
});

it("calls that lose access end over several event-loop turns, but none may send anything from the start", async () => {
  const reason = unauthenticated("the key was replaced");
  let ended = 0;
  const calls = Array.from({ length: 200 }, () => {
    const call = running();
    call.signal.addEventListener("abort", () => {
      ended++;
      // as long as the continuations of a call take
      const until = performance.now() + 0.5;
      while (performance.now() < until);
    });
    return call;
  });
  for (const call of calls) call.revoke(reason);
  expect(ended).toBeLessThan(calls.length);
  for (const call of calls) expect(() => call.throwIfRevoked()).toThrow(reason);
  for (let turns = 0; turns < 2000 && ended < calls.length; turns++) await turn();
  expect(ended).toBe(calls.length);
});
