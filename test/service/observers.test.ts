import { expect, it } from "vitest";
import type { Caller } from "../../src/domain/caller.ts";
import { accountId } from "../../src/domain/ids.ts";
import { getHealth } from "../../src/service/observer/get-health.ts";
import { getQueue } from "../../src/service/observer/get-queue.ts";
import { getSystem } from "../../src/service/observer/get-system.ts";
import { getVectordb } from "../../src/service/observer/get-vectordb.ts";
import { getVlm } from "../../src/service/observer/get-vlm.ts";
import { newStores } from "../support/stores.ts";
import { Actor, House } from "../support/tenant.ts";

const rowsOf = ({ status }: { status: string }) => status.split("\n").map((row) => row.split("\t"));
const states = { storage: "ok", vectors: "ok", queue: "ok" };

it("observers show an account its own figures and ROOT those of the server, even after a restart", async () => {
  const stores = await newStores();
  let house = await House.open(stores);
  let deps = { ...house.deps, ready: () => states };
  await house.as("ann", "acme").create("ctx://resources/a.md", "owls of the north");
  await house.as("bob", "beta").create("ctx://resources/b.md", "elks");
  await house.as("bob", "beta").create("ctx://user/bob/c.md", "emus");
  await house.drain();
  const everything: Caller = {
    role: "root",
    account: accountId("default"),
    user: "default",
    agent: "default",
    accountNamed: false,
    keyless: false,
  };
  const root = () => new Actor(house, everything);
  const acme = rowsOf(await getVectordb(deps, house.as("ann", "acme").call));
  const beta = rowsOf(await getVectordb(deps, house.as("ann", "beta").call));
  const all = rowsOf(await getVectordb(deps, root().call));
  const count = (rows: string[][]) => Number(rows.at(-1)![2]);
  expect(acme[0]).toEqual(["Collection", "Index Count", "Vector Count", "Status"]);
  expect(acme.slice(1)).toEqual([
    ["context", "1", acme[1]![2], "scan"],
    ["TOTAL", "1", acme[1]![2], "-"],
  ]);
  expect(beta[1]![1]).toBe("2");
  expect([count(acme) > 0, count(all)]).toEqual([true, count(acme) + count(beta)]);
  const queue = rowsOf(await getQueue(deps, house.as("ann", "acme").call));
  expect(queue.map(([label]) => label)).toEqual(["Queue", "Embedding", "Semantic", "TOTAL"]);
  expect(Number(queue[2]![3])).toBeGreaterThan(0);
  expect(Number(rowsOf(await getQueue(deps, root().call))[3]![5])).toBeGreaterThan(Number(queue[3]![5]));
  // the memory agrees with the records
  await house.as("ann", "acme").find("owls");
  expect(rowsOf(await getVectordb(deps, house.as("ann", "acme").call))).toEqual(acme);
  await house.stop();
  house = await House.open(stores);
  deps = { ...house.deps, ready: () => states };
  expect(rowsOf(await getVectordb(deps, root().call))).toEqual(all);
  expect(rowsOf(await getQueue(deps, root().call))[3]).toEqual(["TOTAL", "0", "0", "0", "0", "0"]);
  await house.close();
});

it("the system observer names the component that does not work", async () => {
  const house = await House.open();
  const deps = { ...house.deps, ready: () => ({ ...states, queue: "stopped" }) };
  const { call } = house.as("ann");
  const system = await getSystem(deps, call);
  expect([system.isHealthy, system.errors, system.components.queue.isHealthy]).toEqual([
    false,
    ["The component queue does not work: stopped."],
    false,
  ]);
  expect([getHealth(deps), getHealth({ ready: () => states })]).toEqual([
    { healthy: false },
    { healthy: true },
  ]);
  await house.close();
});

it("model costs are summed per account and server, across restarts and deletions", async () => {
  const stores = await newStores();
  let house = await House.open(stores);
  const HEAD = ["Model", "Provider", "Prompt", "Completion", "Total", "Last Updated"];
  const vlm = async (caller: Partial<Caller>) =>
    rowsOf(await getVlm(house.deps, new Actor(house, { ...house.as("ann").caller, ...caller }).call)).map(
      (row) => row.slice(0, 5),
    );
  const server = { account: accountId("default"), accountNamed: false };
  expect(await vlm({})).toEqual([HEAD.slice(0, 5), ["TOTAL", "-", "0", "0", "0"]]);
  for (const account of ["acme", "beta"])
    await house.as("ann", account).create("ctx://resources/a.md", "owls");
  const [acme, beta] = await Promise.all(
    ["acme", "beta"].map(async (name) => (await house.workspaceOf(name)).incarnation),
  );
  const use = { provider: "openai", model: "small", kind: "language", prompt: 10, completion: 2 } as const;
  house.ledger.count(acme!, use);
  house.ledger.count(acme!, { ...use, model: "vectors", kind: "embedding", completion: 0 });
  await house.ledger.flush();
  house.ledger.count(acme!, use);
  house.ledger.count(beta!, use);
  expect([house.ledger.spentToday(acme!), house.ledger.spentToday(beta!)]).toEqual([24, 12]);
  const rows = [
    ["small", "openai", "20", "4", "24"],
    ["vectors", "openai", "10", "0", "10"],
    ["TOTAL", "-", "30", "4", "34"],
  ];
  const all = [
    ["small", "openai", "30", "6", "36"],
    ["vectors", "openai", "10", "0", "10"],
    ["TOTAL", "-", "40", "6", "46"],
  ];
  for (const _ of ["before a restart", "after it"]) {
    expect((await vlm({})).slice(1)).toEqual(rows);
    expect((await vlm(server)).slice(1)).toEqual(all);
    await house.drain();
    await house.stop();
    house = await House.open(stores);
  }
  await house.registry.createAccount(accountId("acme"), "ann");
  const { incarnation } = await house.registry.deleteAccount(accountId("acme"));
  house.ledger.count(incarnation, use);
  await house.ledger.flush();
  await house.registry.finishDeletion(incarnation);
  expect(house.ledger.models(incarnation)).toEqual([]);
  expect((await vlm(server))[1]).toEqual(["small", "openai", "40", "8", "48"]);
  stores.clock.now += 86_400_000;
  expect(house.ledger.spentToday(beta!)).toBe(0);
  await house.close();
});
