import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FirstAnswers } from "../../src/service/first-answers.ts";
import { createMemory } from "../../src/service/memory/create-memory.ts";
import { forget } from "../../src/service/memory/forget.ts";
import type { Draft } from "../../src/storage/draft.ts";
import { FIRST_ANSWER_LIFE_MS, putFirstAnswer } from "../../src/workspace/requests/first-answers.ts";
import { newStores, type Stores } from "../support/stores.ts";
import { Actor, House } from "../support/tenant.ts";

describe("calls under an Idempotency-Key", () => {
  let stores: Stores;
  let house: House;
  let ann: Actor;
  let answers: FirstAnswers;
  beforeEach(async () => {
    stores = await newStores();
    await open();
  });
  afterEach(() => house.close());

  async function open(): Promise<void> {
    house = await House.open(stores);
    ann = house.as("ann");
    answers = new FirstAnswers(house.tenants, house.queue);
  }

  /** Runs `work` as the transports do. */
  async function call(
    work: () => Promise<string>,
    { by = ann, operation = "Op", key = "k", body = "b" } = {},
  ): Promise<string> {
    const begun = await answers.begin(by.caller, operation, key, body);
    if ("answer" in begun) return `again: ${Buffer.from(begun.answer.message)}`;
    let answer: { message: Uint8Array; etag: string } | undefined;
    try {
      const said = await work();
      answer = { message: Buffer.from(said), etag: "e" };
      return said;
    } finally {
      await begun.finish(answer);
    }
  }
  const say = (text: string) => async () => text;

  it("an Idempotency-Key repeats a stored response only for the same caller, operation and body", async () => {
    expect(await call(say("one"))).toBe("one");
    expect(await call(say("two"))).toBe("again: one");
    expect(await answers.begin(ann.caller, "Op", "k", "b")).toMatchObject({ answer: { etag: "e" } });
    await expect(call(say("three"), { body: "other" })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      details: { field: "idempotency_key" },
    });
    expect(await call(say("four"), { by: house.as("bob") })).toBe("four");
    expect(await call(say("five"), { by: house.as("ann", "other") })).toBe("five");
    expect(await call(say("six"), { operation: "Other" })).toBe("six");
    expect(await call(say("seven"), { key: "l" })).toBe("seven");
    // the answer to the main key may contain what its additional keys must not see
    const key = { name: "ci", hash: "0".repeat(64), access: "write" } as const;
    const keyed = new Actor(house, { ...ann.caller, key });
    expect(await call(say("eight"), { by: keyed })).toBe("eight");
    expect(await call(say("nine"), { by: keyed })).toBe("again: eight");
    expect(await call(say("ten"))).toBe("again: one");
  });

  it("simultaneous calls with one Idempotency-Key run once", async () => {
    let runs = 0;
    const work = async () => {
      runs++;
      await new Promise((resolve) => setImmediate(resolve));
      return `run ${runs}`;
    };
    const said = await Promise.all(Array.from({ length: 30 }, () => call(work)));
    expect(runs).toBe(1);
    expect(said.sort()).toEqual([...Array(29).fill("again: run 1"), "run 1"]);
  });

  it("a call with an Idempotency-Key runs again after a failure", async () => {
    const failing = async () => {
      throw new Error("no");
    };
    const attempts = await Promise.allSettled([call(failing), call(say("one")), call(say("two"))]);
    expect(attempts.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    expect(await call(say("three"))).toBe("again: one");
  });

  it("the response under an Idempotency-Key is stored with its change, and survives a restart", async () => {
    const begun = await answers.begin(ann.caller, "Op", "k", "b");
    if (!("keep" in begun)) throw new Error("the key is fresh");
    const { workspace } = await ann.tenant();
    await workspace.transact((draft) => {
      begun.keep(draft, { message: Buffer.from("one") });
      return () => undefined;
    });
    await house.stop();
    await open();
    expect(await call(say("two"))).toBe("again: one");
  });

  it("an Idempotency-Key is forgotten after a day", async () => {
    await call(say("one"));
    stores.clock.now += FIRST_ANSWER_LIFE_MS - 1;
    expect(await call(say("two"))).toBe("again: one");
    stores.clock.now += 1;
    const { workspace } = await ann.tenant();
    await house.stop();
    await open();
    await ann.tenant();
    expect(await house.keys(workspace.keys.allFirstAnswers())).toEqual([]);
    expect(await call(say("three"))).toBe("three");
  });

  it("expired idempotency keys are removed by a job while their workspace is open", async () => {
    const { workspace } = await ann.tenant();
    const kept = () => house.keys(workspace.keys.allFirstAnswers());
    await call(say("one"));
    stores.clock.now += FIRST_ANSWER_LIFE_MS / 2;
    await call(say("two"), { key: "l" });
    for (const left of [1, 0]) {
      stores.clock.now += FIRST_ANSWER_LIFE_MS / 2;
      // the test's clock does not wake the worker, further work does
      await ann.create(`ctx://resources/left-${left}.md`, "work");
      await house.drain();
      expect(await kept()).toHaveLength(left);
    }
  });

  it("any number of expired idempotency keys is removed when a workspace opens", async () => {
    const { workspace } = await ann.tenant();
    const record = { bodyHash: "", message: "", at: stores.clock.now };
    // together their keys exceed the size of one transaction
    for (const half of ["a", "b"]) {
      await workspace.transact((draft) => {
        for (let i = 0; i < 2500; i++)
          putFirstAnswer(draft, workspace, "ann", `${half.repeat(1000)}${i}`, record);
        return () => undefined;
      });
    }
    stores.clock.now += FIRST_ANSWER_LIFE_MS;
    await house.stop();
    await open();
    await ann.tenant();
    expect(await house.keys(workspace.keys.allFirstAnswers())).toEqual([]);
  });

  it("a forgotten response is not stored again when its call ends", async () => {
    const begun = await answers.begin(ann.caller, "Op", "k", "b");
    if (!("keep" in begun)) throw new Error("the key is fresh");
    const encoded = (answer: object) => ({ message: Buffer.from(JSON.stringify(answer)) });
    const keeping = {
      ...ann.call,
      keepAnswer: (draft: Draft, answer: object) => begun.keep(draft, encoded(answer)),
    };
    const statement = { statement: "The zirconium otter lives in the harbour", subject: "otter" };
    const made = await createMemory(house.deps, keeping, statement);
    const { workspace } = await ann.tenant();
    expect(await house.keys(workspace.keys.allFirstAnswers())).toHaveLength(1);
    await forget(house.deps, ann.call, { subject: "otter", dryRun: false });
    await house.drain();
    await begun.finish(encoded(made));
    expect(await house.keys(workspace.keys.allFirstAnswers())).toEqual([]);
    expect(await call(say("two"))).toBe("two");
  });
});
