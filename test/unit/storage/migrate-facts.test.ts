import { expect, it } from "vitest";
import { cursorKey } from "../../../src/accounts/cursor-key.ts";
import { TokenLedger } from "../../../src/accounts/token-ledger.ts";
import { KvFacts } from "../../../src/storage/embedded/kv-facts.ts";
import { FACTS } from "../../../src/storage/migrations/facts.ts";
import { RamBlobs } from "../../../src/storage/ram/ram-blobs.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";
import { DyingKv } from "../../support/dying-kv.ts";

const blobs = new RamBlobs(() => 0);
const CURSOR_KEY = Buffer.alloc(32, "c");
const MODELS = [
  { provider: "openai", model: "small", prompt: 10, completion: 2, updatedAt: 7 },
  { provider: "voyage", model: "a b/c", prompt: 5, completion: 0, updatedAt: 9 },
];

it("a migration keeps the server's token counts and its cursor key, interrupted at any step", async () => {
  for (let steps = 0; steps <= 4; steps++) {
    const kv = new DyingKv();
    await kv.put("at/0000000", { models: MODELS, day: 3, spent: 4 });
    await kv.put("at/0000001", { models: MODELS.slice(0, 1), day: 3, spent: 4 });
    await kv.transact(() => ({ ops: [{ key: "s/cursor", value: CURSOR_KEY }], apply: () => undefined }));
    await kv.interrupted(steps, () => FACTS.run({ kv, blobs }));
    await FACTS.run({ kv, blobs });
    const facts = new KvFacts(kv);
    expect(await cursorKey(facts)).toEqual(CURSOR_KEY);
    const ledger = await TokenLedger.open({ kv, facts, clock: () => 0, report: () => undefined });
    expect(ledger.models("server")).toEqual(MODELS);
    expect(await kv.keys({ gte: "a", lt: "z", limit: 9 })).toEqual(["at/0000001", "m/cursor", "m/tokens"]);
  }
});

it("a migration of a data directory without token counts and cursors writes nothing", async () => {
  const kv = new RamKv();
  await FACTS.run({ kv, blobs });
  expect(await kv.keys({ gte: "a", lt: "z", limit: 9 })).toEqual([]);
});
