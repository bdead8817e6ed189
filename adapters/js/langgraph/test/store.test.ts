// Compares the store with LangGraph's InMemoryStore over the same operations.

import type { Client } from "@ctxdb/client";
import { InMemoryStore, type Item, type Operation } from "@langchain/langgraph-checkpoint";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CtxdbStore } from "../src/index.ts";
import { newUser } from "./server.ts";

let client: Client;
beforeEach(() => {
  client = newUser();
});
afterEach(() => client.close());

// labels without a colon, which InMemoryStore refuses
const LABELS = ["users", "Ann Lee", "a/b", "~", "100%", "kärnten", "ka\u0308rnten", "漢".repeat(90), "item"];
const KEYS = ["1", "a/b", "", "..", ".hidden", "x.json", "%", "~", "Ω", "k".repeat(600), "item", " "];
const EVERYTHING = 1000;

/** Returns pseudo-random numbers from 0 to 1, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function someOperation(next: () => number, namespaces: readonly string[][]): Operation {
  const one = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
  const namespace = one(namespaces);
  const kind = next();
  if (kind < 0.5) {
    const value = {
      kind: one(["note", "fact", null, 3, true]),
      score: one([0, 2.5, "7", null]),
      text: one(["\0", "漢", "\ud800"]),
    };
    return { namespace, key: one(KEYS), value: next() < 0.2 ? null : value };
  }
  if (kind < 0.7) return { namespace, key: one(KEYS) };
  if (kind < 0.9) {
    const filter = one([
      undefined,
      {},
      { kind: "note" },
      { kind: { $ne: "note" } },
      { score: { $gt: 1 } },
      { kind: { $in: [3, true] } },
    ]);
    return {
      namespacePrefix: namespace.slice(0, Math.floor(next() * (namespace.length + 1))),
      filter,
      limit: EVERYTHING,
    };
  }
  const matchType = one(["prefix", "suffix"] as const);
  return {
    matchConditions: [{ matchType, path: [one([...namespace, "*"])] }],
    maxDepth: one([undefined, 1, 2]),
    limit: EVERYTHING,
    offset: 0,
  };
}

/** Removes the times from a result; lists are sorted, since the two stores promise no common order. */
function told(result: unknown): unknown {
  const item = ({ namespace, key, value }: Item) => JSON.stringify([namespace, key, value]);
  if (Array.isArray(result))
    return result.map((each) => (Array.isArray(each) ? JSON.stringify(each) : item(each))).sort();
  return result ? item(result as Item) : null;
}

/** InMemoryStore continues to list a namespace after its last item was deleted. */
class Expected extends InMemoryStore {
  dropEmpty(): void {
    const data = (this as unknown as { data: Map<string, Map<string, Item>> }).data;
    for (const [namespace, items] of data) if (items.size === 0) data.delete(namespace);
  }
}

test.each([1, 2, 3])(
  "random operations of seed %i return the same as LangGraph's own store",
  async (seed) => {
    const next = numbers(seed);
    const label = () => LABELS[Math.floor(next() * LABELS.length)] as string;
    const namespaces = Array.from({ length: 6 }, () =>
      Array.from({ length: 1 + Math.floor(next() * 3) }, label),
    );
    const memory = new Expected();
    const store = new CtxdbStore(client);
    for (let round = 0; round < 25; round++) {
      const operations = Array.from({ length: 1 + Math.floor(next() * 5) }, () =>
        someOperation(next, namespaces),
      );
      memory.dropEmpty();
      const expected = ((await memory.batch(operations)) as unknown[]).map(told);
      expect(((await store.batch(operations)) as unknown[]).map(told), JSON.stringify(operations)).toEqual(
        expected,
      );
    }
  },
);

test("a search finds new items by meaning, and respects filter, limit and offset", async () => {
  const store = new CtxdbStore(client);
  await store.put(["ann", "memories"], "tea", { text: "Ann drinks green tea in the afternoon" });
  await store.put(["ann", "memories"], "boat", { text: "The harbour was built for herring boats" });
  await store.put(["ann", "memories"], "quiet", { text: "green tea" }, false);
  const found = await store.search(["ann"], { query: "which tea does she like?" });
  expect(found.map((item) => item.key)).toEqual(["tea", "boat"]);
  expect(found[0]?.score).toBeGreaterThan(found[1]?.score ?? 1);
  const second = await store.search(["ann"], { query: "tea", limit: 1, offset: 1 });
  expect(second.map((item) => item.key)).toEqual(["boat"]);
});

test("an update keeps the time of creation, and the last written item comes first", async () => {
  const store = new CtxdbStore(client);
  await store.put(["notes"], "a", { number: 1 });
  const first = await store.get(["notes"], "a");
  await store.put(["notes"], "b", { number: 1 });
  await store.put(["notes"], "a", { number: 2 });
  const second = await store.get(["notes"], "a");
  expect(second?.createdAt).toEqual(first?.createdAt);
  expect(second?.value).toEqual({ number: 2 });
  expect((await store.search(["notes"])).map((item) => item.key)).toEqual(["a", "b"]);
});

test("values that are not JSON and empty namespaces are refused before anything is written", async () => {
  const store = new CtxdbStore(client);
  const operations = [
    { namespace: ["notes"], key: "a", value: { a: 1 } },
    { namespace: ["notes"], key: "b", value: { b: 1n } },
  ];
  await expect(store.batch(operations)).rejects.toThrow(TypeError);
  await expect(store.put([], "a", { a: 1 })).rejects.toThrow();
  expect(await store.search([])).toEqual([]);
});
