import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ACCOUNT_RECORDS, accountKeys } from "../../../src/accounts/account-records.ts";
import { authenticator } from "../../../src/accounts/authenticate.ts";
import { checkRole, Registry } from "../../../src/accounts/registry.ts";
import { accountId } from "../../../src/domain/ids.ts";
import { KvDirectory } from "../../../src/storage/embedded/kv-directory.ts";
import type { Kv } from "../../../src/storage/kv.ts";
import { LevelKv } from "../../../src/storage/level/level-kv.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";
import { encodeRecord } from "../../../src/storage/record-codec.ts";
import { silentLog } from "../../support/silent-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const ACME = accountId("acme");

const ROOT_KEY = "root-key";
const keysOf = (kv: Kv) => kv.keys({ gte: "", lt: "~", limit: 10_000 });

async function levelKv() {
  const folder = await temporaryFolder();
  const kv = await LevelKv.open(join(folder.path, "kv"), silentLog);
  return { kv, dispose: () => kv.close().then(folder.remove) };
}

const STORES: [string, () => Promise<{ kv: Kv; dispose: () => Promise<void> }>][] = [
  ["memory", async () => ({ kv: new RamKv(), dispose: async () => undefined })],
  ["LevelDB", levelKv],
];

describe.each(STORES)("the registry over %s", (_, open) => {
  let kv: Kv;
  let dispose: () => Promise<void>;
  let registry: Registry;
  let now: number;
  beforeEach(async () => {
    now = 1_700_000_000_000;
    ({ kv, dispose } = await open());
    registry = new Registry(kv, new KvDirectory(kv), () => now, false);
  });
  afterEach(() => dispose());

  const whoHas = (key: string) => authenticator(registry.records, ROOT_KEY, () => now)({ key });
  const listed = async (account: string) =>
    (await registry.listUsers(accountId(account))).map(({ user, role }) => `${user} ${role}`);

  it("a new account has an administrator, and accounts are listed by id", async () => {
    const { key } = await registry.createAccount(ACME, "ada");
    now += 1000;
    await registry.createAccount(accountId("Zeta"), "zoe");
    await registry.registerUser(ACME, "bob", "user");
    expect(key).toMatch(/^ctx_[A-Za-z0-9_-]{43}$/);
    expect(await registry.listAccounts()).toEqual([
      { account: "Zeta", createdAt: 1_700_000_001_000, users: 1 },
      { account: "acme", createdAt: 1_700_000_000_000, users: 2 },
    ]);
    expect(await listed("acme")).toEqual(["ada admin", "bob user"]);
    expect(whoHas(key)).toMatchObject({ role: "admin", account: "acme", user: "ada" });
  });

  it("the registry returns a changed role, key or user at once", async () => {
    const { key } = await registry.createAccount(ACME, "ada");
    const { key: first } = await registry.registerUser(ACME, "bob", "user");
    const rootAsBob = () =>
      authenticator(registry.records, ROOT_KEY, () => now)({ key: ROOT_KEY, account: "acme", user: "bob" });
    expect([whoHas(first).role, rootAsBob().userIncarnation]).toEqual(["user", 2]);
    await registry.setRole(ACME, "bob", "admin");
    expect(whoHas(first).role).toBe("admin");
    const { key: second } = await registry.regenerateKey(ACME, "bob");
    expect(() => whoHas(first)).toThrow("not valid");
    expect(whoHas(second).keyVersion).toBe(1);
    await registry.removeUser(ACME, "bob");
    expect(() => whoHas(second)).toThrow("not valid");
    expect(rootAsBob().userIncarnation).toBeUndefined();
    const { key: third } = await registry.registerUser(ACME, "bob", "user");
    expect([whoHas(third).userIncarnation, rootAsBob().userIncarnation]).toEqual([3, 3]);
    await registry.deleteAccount(ACME);
    for (const gone of [key, third]) expect(() => whoHas(gone)).toThrow("not valid");
    expect(rootAsBob).toThrow("acme");
    expect(registry.incarnationOf(ACME)).toBeUndefined();
  });

  it("the registry stores no key in plain text", async () => {
    const { key } = await registry.createAccount(ACME, "ada");
    const stored = await kv.range({ gte: "", lt: "~", limit: 100 });
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.map(([name, value]) => name + Buffer.from(value).toString()).join()).not.toContain(key);
  });

  it("the registry refuses duplicates, unknown accounts and malformed user names, and changes nothing", async () => {
    await registry.createAccount(ACME, "ada");
    const before = await keysOf(kv);
    await expect(registry.createAccount(ACME, "eve")).rejects.toMatchObject({
      code: "ALREADY_EXISTS",
      details: { type: "account", resource: "acme" },
    });
    await expect(registry.registerUser(ACME, "ada", "user")).rejects.toMatchObject({
      code: "ALREADY_EXISTS",
      details: { type: "user" },
    });
    for (const unknown of [
      registry.deleteAccount(accountId("none")),
      registry.registerUser(accountId("none"), "x", "user"),
      registry.listUsers(accountId("none")),
      registry.removeUser(ACME, "nobody"),
      registry.setRole(ACME, "nobody", "admin"),
      registry.regenerateKey(ACME, "nobody"),
    ]) {
      await expect(unknown).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    const malformed = (field: string) =>
      expect.objectContaining({ code: "INVALID_ARGUMENT", details: expect.objectContaining({ field }) });
    await expect(registry.createAccount(accountId("ok"), "..")).rejects.toEqual(malformed("admin_user_id"));
    await expect(registry.registerUser(ACME, "", "user")).rejects.toEqual(malformed("user_id"));
    expect(() => checkRole("root")).toThrow(malformed("role"));
    expect(await keysOf(kv)).toEqual(before);
  });

  it("an account has at most 100,000 users", async () => {
    await registry.createAccount(ACME, "ada");
    const key = accountKeys.account(ACME);
    const record = ACCOUNT_RECORDS.read(kv, key);
    const fill = (users: number) =>
      kv.transact(() => ({
        ops: [{ key, value: encodeRecord({ ...record, users }) }],
        apply: () => undefined,
      }));
    await fill(100_000);
    await expect(registry.registerUser(ACME, "one", "user")).rejects.toMatchObject({
      code: "RESOURCE_EXHAUSTED",
    });
    await fill(99_999);
    await registry.registerUser(ACME, "one", "user");
    expect(await listed(ACME)).toEqual(["ada admin", "one user"]);
  });

  it("only one of many simultaneous creations of an account succeeds", async () => {
    const made = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => registry.createAccount(ACME, `u${i}`)),
    );
    expect(made.filter((one) => one.status === "fulfilled")).toHaveLength(1);
    expect(await registry.listUsers(ACME)).toHaveLength(1);
  });

  it("an account keeps one administrator when two of them remove or demote each other simultaneously", async () => {
    const removal = (user: string) => registry.removeUser(ACME, user);
    const demotion = (user: string) => registry.setRole(ACME, user, "user");
    for (const [first, second] of [
      [removal, removal],
      [demotion, removal],
      [demotion, demotion],
    ] as const) {
      await registry.createAccount(ACME, "ada");
      await registry.registerUser(ACME, "zoe", "admin");
      const outcomes = await Promise.allSettled([first("ada"), second("zoe")]);
      expect(outcomes.map((one) => one.status)).toEqual(["fulfilled", "rejected"]);
      expect((outcomes[1] as PromiseRejectedResult).reason).toMatchObject({ code: "FAILED_PRECONDITION" });
      expect((await listed("acme")).filter((line) => line.endsWith("admin"))).toEqual(["zoe admin"]);
      await registry.deleteAccount(ACME);
    }
  });

  it("the last administrator of an account cannot be demoted, after any changes of role", async () => {
    await registry.createAccount(ACME, "ada");
    await registry.setRole(ACME, "ada", "admin");
    await registry.registerUser(ACME, "bob", "user");
    await registry.setRole(ACME, "bob", "admin");
    await registry.setRole(ACME, "bob", "admin");
    await registry.setRole(ACME, "ada", "user");
    await expect(registry.setRole(ACME, "bob", "user")).rejects.toMatchObject({
      code: "FAILED_PRECONDITION",
    });
    await registry.removeUser(ACME, "ada");
    await expect(registry.removeUser(ACME, "bob")).rejects.toMatchObject({ code: "FAILED_PRECONDITION" });
    expect((await registry.listAccounts())[0]?.users).toBe(1);
  });

  it("a key becomes invalid when it is replaced, its user is removed or its account is deleted", async () => {
    const ada = await registry.createAccount(ACME, "ada");
    const bob = await registry.registerUser(ACME, "bob", "user");
    const fresh = await registry.regenerateKey(ACME, "bob");
    expect(() => whoHas(bob.key)).toThrow(/not valid/);
    expect(whoHas(fresh.key).user).toBe("bob");
    await registry.removeUser(ACME, "bob");
    expect(() => whoHas(fresh.key)).toThrow(/not valid/);
    await registry.deleteAccount(ACME);
    expect(() => whoHas(ada.key)).toThrow(/not valid/);
  });

  it("the name of a deleted account is free at once, and its old records are purged later", async () => {
    await registry.createAccount(ACME, "ada");
    await registry.registerUser(ACME, "bob", "user");
    const old = registry.incarnationOf(ACME)!.incarnation;
    expect(
      await registry.deleteAccount(ACME, (draft, incarnation) =>
        draft.put("w/0000001/job", Buffer.from(`${incarnation}`)),
      ),
    ).toEqual({
      incarnation: old,
    });
    expect(Buffer.from(kv.get("w/0000001/job")!).toString()).toBe(`${old}`);
    expect([registry.incarnationOf(ACME), registry.accountOf(old)]).toEqual([undefined, undefined]);
    const again = await registry.createAccount(ACME, "ada");
    const place = registry.incarnationOf(ACME)!;
    expect(place.incarnation).toBeGreaterThan(old);
    expect(registry.accountOf(place.incarnation)).toEqual({ account: "acme", ...place });
    expect(await registry.deletions("everything")).toEqual([old]);
    await registry.finishDeletion(old);
    await registry.finishDeletion(old);
    expect(await registry.deletions("everything")).toEqual([]);
    expect(whoHas(again.key).user).toBe("ada");
    await expect(registry.finishDeletion(place.incarnation)).rejects.toThrow(/not deleted/);
    const { incarnation } = await registry.deleteAccount(ACME);
    await registry.finishDeletion(incarnation);
    expect(await keysOf(kv)).toEqual(["an", "w/0000001/job"]);
  });

  it("a write passed to the removal of a user is committed with the removal or not at all", async () => {
    await registry.createAccount(ACME, "ada");
    await registry.registerUser(ACME, "bob", "user");
    const along = (draft: { put: (key: string, value: Uint8Array) => void }) =>
      draft.put("w/0000001/erase", Buffer.from("bob"));
    await expect(registry.removeUser(ACME, "ada", along)).rejects.toMatchObject({
      code: "FAILED_PRECONDITION",
    });
    expect(kv.get("w/0000001/erase")).toBeUndefined();
    await registry.removeUser(ACME, "bob", along);
    expect(kv.get("w/0000001/erase")).toBeDefined();
  });

  it("the default account can be written before its creation, which lists it and keeps its data", async () => {
    const place = await registry.ensureAccount(accountId("default"));
    expect(await registry.ensureAccount(accountId("default"))).toEqual(place);
    expect(await registry.listAccounts()).toEqual([]);
    await expect(registry.registerUser(accountId("default"), "bob", "user")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await registry.createAccount(accountId("default"), "ada");
    expect(registry.incarnationOf(accountId("default"))?.incarnation).toBe(place.incarnation);
    expect((await registry.listAccounts()).map((one) => one.account)).toEqual(["default"]);
    await expect(registry.ensureAccount(accountId("other"))).rejects.toMatchObject({
      code: "NOT_FOUND",
      details: { type: "account" },
    });
  });

  it("a registry without keys creates an account once, at its first write", async () => {
    const open = new Registry(kv, new KvDirectory(kv), () => now, true);
    const places = await Promise.all(
      Array.from({ length: 10 }, () => open.ensureAccount(accountId("fresh"))),
    );
    expect(new Set(places.map((place) => place.incarnation)).size).toBe(1);
  });

  it("the registry lists more users than fit into one page and purges them", async () => {
    await registry.createAccount(ACME, "ada");
    await Promise.all(Array.from({ length: 1100 }, (_, i) => registry.registerUser(ACME, `u${i}`, "user")));
    expect(await registry.listUsers(ACME)).toHaveLength(1101);
    const { incarnation } = await registry.deleteAccount(ACME);
    await registry.finishDeletion(incarnation);
    expect(await keysOf(kv)).toEqual(["an"]);
  });

  it("an account whose users have many keys can be erased", async () => {
    await registry.createAccount(ACME, "ada");
    const { incarnation } = registry.incarnationOf(ACME)!;
    const keys = Array.from({ length: 50 }, (_, i) => ({
      name: `k${i}`,
      hash: "0".repeat(64),
      access: "write",
      createdAt: now,
    }));
    for (let at = 0; at < 1200; at += 100)
      await kv.transact(() => ({
        ops: Array.from({ length: 100 }, (_, i) => {
          const user = `user-with-a-long-name-${at + i}`;
          const own = keys.map((key, k) => ({ ...key, hash: `${at + i}-${k}`.padStart(64, "0") }));
          const record = { role: "user", createdAt: now, keyHash: "1".repeat(64), incarnation: 9, keys: own };
          return { key: accountKeys.user(incarnation, user), value: encodeRecord(record) };
        }),
        apply: () => undefined,
      }));
    await registry.deleteAccount(ACME);
    await registry.finishDeletion(incarnation);
    expect(await kv.keys({ gte: "au/", lt: "au0", limit: 1 })).toEqual([]);
    expect(await registry.deletions("everything")).toEqual([]);
  });
});
