import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FORGET } from "../../src/domain/forget.ts";
import { createAccount } from "../../src/service/account/create-account.ts";
import { forget } from "../../src/service/memory/forget.ts";
import { recall } from "../../src/service/search/recall.ts";
import { pairPages, prefixRange } from "../../src/storage/kv.ts";
import { bucketOf } from "../../src/workspace/tree/contents.ts";
import { levelStores, type Stores } from "../support/stores.ts";
import { Talk } from "../support/talk.ts";
import { type Actor, House } from "../support/tenant.ts";

/** Number of chunks after which a mutable segment is sealed: low, so that messages get into files. */
const SEAL_DOCS = 8;

/** A promise and the function that resolves it. */
function signal(): [promise: Promise<void>, resolve: () => void] {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((resolved) => {
    resolve = resolved;
  });
  return [promise, resolve];
}

describe("forgetting what is in files of the index", () => {
  let stores: Stores;
  let house: House;
  let ada: Actor;
  beforeEach(async () => {
    stores = await levelStores();
    house = await House.open(stores, true, [], SEAL_DOCS);
    await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "ada" });
    ada = house.as("ada");
  });
  afterEach(() => house.end());

  async function filesWith(word: string): Promise<number> {
    const bucket = bucketOf((await house.workspaceOf()).incarnation);
    let count = 0;
    for (const files of [stores.index, stores.blobs])
      for await (const { hash } of files.list(bucket))
        if (Buffer.from(await files.get(bucket, hash)).includes(word)) count++;
    return count;
  }

  /** Jobs that wait for others are retried later, but the test's clock stands still. */
  async function cleared(): Promise<void> {
    const isForgetting = () => [...house.queue.jobs()].some(({ kind }) => kind === FORGET);
    for (let second = 0; second < 20 && isForgetting(); second++) {
      stores.clock.now += 1000;
      await house.drain().catch((error: Error) => expect(error.message).toContain(FORGET));
    }
    expect(isForgetting()).toBe(false);
  }

  it("forgetting rewrites a sealed segment even if few of its chunks are dead", async () => {
    const talk = await Talk.begin(ada, "long");
    const filler = (n: number) => `Message ${n} tells of owls, rivers and mills. `.repeat(12);
    for (let n = 0; n < 30; n++) await talk.say(n === 7 ? "The password is zanzibartle." : filler(n));
    await talk.commit();
    await ada.find("owls and rivers");
    await house.lane.idle();
    expect(await filesWith("zanzibartl")).toBeGreaterThan(0);

    const receipt = await forget(house.deps, ada.call, { query: "zanzibartle", dryRun: false });
    expect(receipt.messages).toBe(1);
    await cleared();
    expect(await filesWith("zanzibartl")).toBe(0);
    expect((await ada.find("owls and rivers")).length).toBeGreaterThan(0);
    await house.expectSound();
  });

  it("forgetting leaves no trace of content that a running recall has read before", async () => {
    const talk = await Talk.begin(ada, "long");
    // the episode stays, without the sentence
    await talk.say("The password is zanzibartle. The river has risen by two metres since the rain.");
    await talk.commit();
    const other = await Talk.begin(ada, "other");
    await other.say("The password of the garden gate is in the kitchen.");
    await other.commit();
    const next = await Talk.begin(ada, "next");
    await next.say("What was the password?");
    const [hasRead, tellRead] = signal();
    const [goesOn, goOn] = signal();
    const reranker = {
      relevance: async (_: string, texts: readonly string[]) => {
        if (texts.some((text) => text.includes("zanzibartle"))) tellRead();
        await goesOn;
        return texts.map(() => 1);
      },
    };
    const recalling = recall({ ...house.deps, reranker }, ada.call, { sessionId: "next", targetUris: [] });
    await hasRead;
    await forget(house.deps, ada.call, { query: "zanzibartle", dryRun: false });
    goOn();
    expect((await recalling).text).not.toContain("zanzibartle");
    await cleared();
    const { kv, keys } = await house.workspaceOf();
    for await (const page of pairPages(kv, prefixRange(keys.allRecalled(), 100)))
      for (const [, value] of page) expect(Buffer.from(value).toString()).not.toContain("zanzibartle");
  });
});
