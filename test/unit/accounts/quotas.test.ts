import { beforeEach, describe, expect, it } from "vitest";
import { Registry } from "../../../src/accounts/registry.ts";
import { RequestCounts } from "../../../src/accounts/request-counts.ts";
import { accountId } from "../../../src/domain/ids.ts";
import { KvDirectory } from "../../../src/storage/embedded/kv-directory.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";
import { codeOf } from "../../support/tenant.ts";

const ACME = accountId("acme");

describe("quotas of accounts", () => {
  let kv: RamKv;
  let registry: Registry;
  let now: number;
  beforeEach(async () => {
    now = 60_000 * 28_000_000;
    kv = new RamKv();
    registry = new Registry(kv, new KvDirectory(kv), () => now, false);
    await registry.createAccount(ACME, "ada");
  });

  it("quotas replace earlier ones, survive a restart, and end with their account", async () => {
    const again = () => new Registry(kv, new KvDirectory(kv), () => now, false).quotas;
    expect(registry.quotas.ofAccount(ACME)).toEqual({});
    await registry.quotas.set(ACME, { nodes: 5, storedBytes: 0 });
    for (const quotas of [registry.quotas, again()])
      expect(quotas.ofAccount(ACME)).toEqual({ nodes: 5, storedBytes: 0 });
    await registry.quotas.set(ACME, { chunks: 7 });
    for (const quotas of [registry.quotas, again()]) expect(quotas.ofAccount(ACME)).toEqual({ chunks: 7 });
    await registry.deleteAccount(ACME);
    expect(await codeOf(registry.quotas.set(ACME, { nodes: 5 }))).toBe("NOT_FOUND");
    await registry.createAccount(ACME, "ada");
    expect(registry.quotas.ofAccount(ACME)).toEqual({});
  });

  it("requests are counted per account and minute, and refused above the quota until the minute ends", async () => {
    const counts = new RequestCounts(registry.quotas, () => now);
    const take = async (account: string) => counts.take({ account: accountId(account) });
    await registry.quotas.set(ACME, { requestsPerMinute: 2 });
    now += 20_000;
    const codes = [];
    for (let i = 0; i < 4; i++) codes.push(await codeOf(take("acme")));
    expect(codes).toEqual(["OK", "OK", "RESOURCE_EXHAUSTED", "RESOURCE_EXHAUSTED"]);
    await expect(take("acme")).rejects.toMatchObject({ details: { used: 2, limit: 2, retry_after: 40 } });
    expect(await codeOf(take("other"))).toBe("OK");
    expect([counts.used(ACME), counts.used(accountId("other")), counts.resetsAt - now]).toEqual([
      2, 1, 40_000,
    ]);
    now += 40_000;
    expect([counts.used(ACME), await codeOf(take("acme"))]).toEqual([0, "OK"]);
  });

  it("counting requests needs no more memory for more than 10,000 accounts in a minute", () => {
    const counts = new RequestCounts(registry.quotas, () => now);
    for (let i = 0; i <= 10_000; i++) counts.take({ account: accountId(`a${i}`) });
    expect([
      counts.used(accountId("a0")),
      counts.used(accountId("a1")),
      counts.used(accountId("a10000")),
    ]).toEqual([0, 1, 1]);
  });
});
