import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Budget } from "../../src/base/budget.ts";
import { untraced } from "../../src/base/trace.ts";
import { overBudget } from "../../src/domain/errors.ts";
import { sessionDetails } from "../../src/service/session/get-session.ts";
import { BODY_PACE } from "../../src/transport/body-pace.ts";
import { RunningCall } from "../../src/transport/call.ts";
import { planExchange } from "../../src/transport/gateway/exchange-plan.ts";
import { gatewayRoute } from "../../src/transport/gateway/routes.ts";
import { SessionMemory } from "../../src/transport/gateway/session-memory.ts";
import { silentLog } from "../support/silent-log.ts";
import { Actor, House } from "../support/tenant.ts";

const MIB = 1024 * 1024;

let house: House;
beforeEach(async () => {
  house = await House.open();
});
afterEach(() => house.end());

it("the body of a gateway call counts as used memory until its conversation is captured", async () => {
  const ann = new Actor(house, house.as("ann").caller);
  await ann.create("ctx://resources/a.md", "a");
  const bodies = new Budget<string>({ perKey: 64 * MIB, total: 64 * MIB }, overBudget("bodies", "bytes"));
  const call = new RunningCall({
    operation: "Gateway.Messages",
    wire: "gateway",
    requestId: "r",
    started: 0,
    span: untraced.begin("test", "call", undefined),
    memory: bodies,
    bodies,
    pace: BODY_PACE,
  });
  call.caller = ann.call.caller;
  const memory = new SessionMemory({
    deps: house.deps,
    log: silentLog,
    registry: new Registry(),
    recallTokens: 0,
    recallMs: 0,
    commitSeconds: 0,
  });
  const body = Buffer.from(JSON.stringify({ messages: [{ role: "user", content: "x".repeat(MIB / 2) }] }));
  call.holdBody(body.length);
  const route = gatewayRoute("POST", "/gateway/anthropic/v1/messages");
  if (!route) throw new Error("no route");
  const headers = { get: (name: string) => (name === "x-ctxdb-session" ? "s" : undefined), peer: undefined };
  const plan = await planExchange(memory, call, route, headers, body);
  // a large change delays all writers of the account
  let isOver = false;
  const { workspace } = await ann.tenant();
  const large = workspace.transactLarge(
    function* () {
      while (!isOver) yield;
    },
    () => () => undefined,
  );
  await plan.capture?.({ parts: [{ kind: "text", text: "Noted." }] });
  call.end();
  const used = bodies.used();
  isOver = true;
  await large;
  expect(used).toBe(body.length);
  await expect.poll(() => bodies.used()).toBe(0);
  await house.drain();
  expect((await sessionDetails(house.deps, ann.call, "s")).archives).toBe(1);
});
