import { afterEach, describe, expect, it } from "vitest";
import { FORGETTING } from "../../src/memory/forget/store-plan.ts";
import { type ForgetReceipt, forget } from "../../src/service/memory/forget.ts";
import { deleteSession } from "../../src/service/session/delete-session.ts";
import { listOwnTasks } from "../../src/service/task/list-tasks.ts";
import { prefixRange } from "../../src/storage/kv.ts";
import { DyingKv } from "../support/dying-kv.ts";
import { ramStores } from "../support/stores.ts";
import { Talk } from "../support/talk.ts";
import { type Actor, codeOf, House } from "../support/tenant.ts";

const SECRET = "Zorbvillage";
const SAID = [
  `The attic was painted on day 5. Remember that the code of the attic is ${SECRET}.`,
  `I live in ${SECRET}. The attic is cold in winter.`,
];
const KEPT = ["The attic was painted on day 5. [forgotten]", "[forgotten] The attic is cold in winter."];

let house: House;
let ann: Actor;

async function open(stores: ReturnType<typeof ramStores>, work: boolean): Promise<void> {
  house = await House.open(stores, work);
  ann = house.as("ann");
}
afterEach(() => house.close());

const forgetSecret = (): Promise<ForgetReceipt> =>
  forget(house.deps, ann.call, { query: SECRET, dryRun: false });

/** Adds messages to a session of a new store and commits it. */
async function talkOn(kv: DyingKv, say: readonly string[]) {
  const stores = ramStores(kv);
  await open(stores, true);
  const talk = await Talk.begin(ann, "talk");
  for (const text of say) await talk.say(text);
  await talk.commit(true);
  await house.drain();
  return stores;
}

/** Starts the next process over the same store. */
async function restart(stores: ReturnType<typeof ramStores>, work: boolean): Promise<void> {
  await house.stop();
  await open(stores, work);
}

const messages = () => new Talk(ann, "talk").said("history/archive_001/");
const listed = async () => (await listOwnTasks(house.deps, ann.call, {})).tasks;
const pairsOf = (kv: DyingKv) => kv.range({ gte: "", lt: "\u{10ffff}", limit: 1_000_000 });
const keysOf = async (kv: DyingKv, end: string): Promise<string[]> =>
  (await pairsOf(kv)).map(([key]) => key).filter((key) => key.endsWith(end));
const holdsSecret = async (kv: DyingKv): Promise<string[]> => {
  const pairs = await pairsOf(kv);
  return pairs.filter(([key, value]) => `${key} ${Buffer.from(value)}`.includes(SECRET)).map(([key]) => key);
};

/**
 * Lets the process crash after every possible number of transactions, until the work finishes before the
 * crash.
 */
async function* deaths(say: readonly string[], work: () => Promise<unknown>) {
  for (let steps = 0, ended = false; !ended; steps++) {
    const kv = new DyingKv();
    const stores = await talkOn(kv, say);
    await restart(stores, false);
    ended = await kv.interrupted(steps, async () => void (await work()));
    await restart(stores, false);
    yield { steps, kv, stores };
    await house.drain();
    await house.expectSound();
    await house.stop();
  }
}

describe("a forget operation whose process dies", () => {
  it("a forget operation that is killed after any transaction removes the same content when repeated", async () => {
    for await (const { steps, kv, stores } of deaths(SAID, forgetSecret)) {
      const receipt = await forgetSecret();
      await restart(stores, true);
      await house.drain();
      expect({ steps, said: await messages() }).toEqual({ steps, said: KEPT });
      expect({ steps, left: await holdsSecret(kv) }).toEqual({ steps, left: [] });
      // the rest of the first request's plan, or nothing if that had removed all of it
      if (receipt.taskId !== undefined) expect(receipt).toMatchObject({ facts: 2, messages: 2 });
    }
  });

  it("the next process carries out a forget operation that was killed after its plan was stored", async () => {
    let resumed = 0;
    for await (const { steps, kv, stores } of deaths(SAID, forgetSecret)) {
      const isPlanned = (await keysOf(kv, "/F/ann/r")).length > 0;
      await restart(stores, true);
      await house.drain();
      const [first] = await messages();
      const isBegun = isPlanned || first !== SAID[0];
      expect({ steps, said: await messages() }).toEqual({ steps, said: isBegun ? KEPT : SAID });
      if (isBegun) expect({ steps, left: await holdsSecret(kv) }).toEqual({ steps, left: [] });
      if (isPlanned) resumed++;
      const stages = (await listed()).map(({ stage }) => stage);
      expect({ steps, stages }).toEqual({ steps, stages: expect.not.arrayContaining([FORGETTING]) });
    }
    expect(resumed).toBeGreaterThan(5);
  });

  it("verify reports a forget plan whose task has ended, and a damaged plan", async () => {
    const kv = new DyingKv();
    const stores = await talkOn(kv, SAID);
    await restart(stores, false);
    await kv.interrupted(4, async () => void (await forgetSecret()));
    await restart(stores, false);
    const { keys } = (await ann.tenant()).workspace;
    const [task] = (await kv.range(prefixRange(keys.allTasks(), 9))).filter(([, value]) =>
      Buffer.from(value).includes(FORGETTING),
    );
    const [key = "", record] = task ?? [];
    await kv.put(key, { ...JSON.parse(Buffer.from(record ?? "").toString()), status: "failed" });
    expect((await house.findings()).map(({ fault }) => fault)).toContain(
      "it has ended, and not all that it forgets is removed",
    );
    await kv.put(keys.forgetPlan("ann"), { agent: 1 });
    expect((await house.findings()).map(({ fault }) => fault)).toContain(
      "its value is not a valid plan of a forget operation",
    );
  });

  it("deleting a session with its memories removes both, whenever the process is killed", async () => {
    const remove = () => deleteSession(house.deps, ann.call, { sessionId: "talk", forget: true });
    for await (const { steps, kv, stores } of deaths(SAID, remove)) {
      const isPlanned = (await keysOf(kv, "/F/ann/r")).length > 0;
      await restart(stores, true);
      await house.drain();
      const isThere = (await codeOf(new Talk(ann, "talk").get())) === "OK";
      expect({ steps, isThere: isThere && isPlanned }).toEqual({ steps, isThere: false });
      if (isPlanned) expect({ steps, left: await holdsSecret(kv) }).toEqual({ steps, left: [] });
    }
  });
});
