import { expect, it } from "vitest";
import type { Caller } from "../../../src/domain/caller.ts";
import { getHealth } from "../../../src/service/observer/get-health.ts";
import { getQueue } from "../../../src/service/observer/get-queue.ts";
import { getSystem } from "../../../src/service/observer/get-system.ts";
import { getVectordb } from "../../../src/service/observer/get-vectordb.ts";
import { getVlm } from "../../../src/service/observer/get-vlm.ts";
import { ramStores } from "../../support/stores.ts";
import { Actor, House } from "../../support/tenant.ts";

const rowsOf = ({ status }: { status: string }) => status.split("\n").map((row) => row.split("\t"));
const states = { storage: "ok", vectors: "ok", queue: "ok" };

it("shows an account its own figures and ROOT those of the server, before and after a restart", async () => {
  const stores = ramStores();
  let house = await House.open(stores);
  let deps = { ...house.deps, ready: () => states };
  await house.as("ann", "acme").create("ctx://resources/a.md", "owls of the north");
  await house.as("bob", "beta").create("ctx://resources/b.md", "elks");
  await house.as("bob", "beta").create("ctx://user/bob/c.md", "emus");
  await house.drain();
  const everything: Caller = { role: "root", account: "default", user: "default", agent: "default", accountNamed: false, keyless: false };
  const root = () => new Actor(house, everything);
  const acme = rowsOf(await getVectordb(deps, house.as("ann", "acme").call));
  const beta = rowsOf(await getVectordb(deps, house.as("ann", "beta").call));
  const all = rowsOf(await getVectordb(deps, root().call));
  const count = (rows: string[][]) => Number(rows.at(-1)![2]);
  expect(acme[0]).toEqual(["Collection", "Index Count", "Vector Count", "Status"]);
  expect(acme.slice(1)).toEqual([
    ["context", "1", acme[1]![2], "exact scan"],
    ["TOTAL", "1", acme[1]![2], "-"],
  ]);
  expect(beta[1]![1]).toBe("2");
  expect([count(acme) > 0, count(all)]).toEqual([true, count(acme) + count(beta)]);
  const queue = rowsOf(await getQueue(deps, house.as("ann", "acme").call));
  expect(queue.map(([label]) => label)).toEqual(["Queue", "Embedding", "Semantic", "TOTAL"]);
  expect(Number(queue[2]![3])).toBeGreaterThan(0);
  expect(Number(rowsOf(await getQueue(deps, root().call))[3]![5])).toBeGreaterThan(Number(queue[3]![5]));
  // in memory it is the same as in the records
  await house.as("ann", "acme").find("owls");
  expect(rowsOf(await getVectordb(deps, house.as("ann", "acme").call))).toEqual(acme);
  await house.stop();
  house = await House.open(stores);
  deps = { ...house.deps, ready: () => states };
  expect(rowsOf(await getVectordb(deps, root().call))).toEqual(all);
  expect(rowsOf(await getQueue(deps, root().call))[3]).toEqual(["TOTAL", "0", "0", "0", "0", "0"]);
  await house.close();
});

it("says what does not work, and knows no model", async () => {
  const house = await House.open();
  const deps = { ...house.deps, ready: () => ({ ...states, queue: "stopped" }) };
  const { call } = house.as("ann");
  expect(rowsOf(getVlm())).toEqual([
    ["Model", "Provider", "Prompt", "Completion", "Total", "Last Updated"],
    ["TOTAL", "-", "0", "0", "0", "-"],
  ]);
  const system = await getSystem(deps, call);
  expect([system.isHealthy, system.errors, system.components.queue.isHealthy]).toEqual([
    false,
    ["The part queue does not work: stopped."],
    false,
  ]);
  expect([getHealth(deps), getHealth({ ready: () => states })]).toEqual([{ healthy: false }, { healthy: true }]);
  await house.close();
});
