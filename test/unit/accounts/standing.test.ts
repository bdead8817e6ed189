import { beforeEach, describe, expect, it } from "vitest";
import type { LostAccess } from "../../../src/accounts/account-changes.ts";
import { accountKeys } from "../../../src/accounts/account-records.ts";
import { authenticator } from "../../../src/accounts/authenticate.ts";
import { Registry } from "../../../src/accounts/registry.ts";
import { sha256 } from "../../../src/base/sha256.ts";
import type { Caller } from "../../../src/domain/caller.ts";
import { accountId, workspaceId } from "../../../src/domain/ids.ts";
import { KvDirectory } from "../../../src/storage/embedded/kv-directory.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";
import { encodeRecord } from "../../../src/storage/record-codec.ts";
import { codeOf } from "../../support/tenant.ts";

const ACME = accountId("acme");

const ROOT_KEY = "root-key";
const ACCOUNT = 1;

describe("whoever acts for a user", () => {
  let kv: RamKv;
  let registry: Registry;
  let ada: string;
  let bob: string;
  beforeEach(async () => {
    kv = new RamKv();
    registry = new Registry(kv, new KvDirectory(kv), () => 0, false);
    ada = (await registry.createAccount(ACME, "ada")).key;
    await registry.registerUser(ACME, "eve", "admin");
    bob = (await registry.registerUser(ACME, "bob", "user")).key;
  });

  const caller = (key: string, user?: string): Caller =>
    authenticator(registry.records, ROOT_KEY, () => 0)({ key, account: "acme", ...(user && { user }) });
  /** Returns whether changes are allowed; called later. */
  const guard = (of: Caller) => {
    const check = registry.guardOf(workspaceId(ACCOUNT), of);
    return () => codeOf((async () => check(kv))());
  };

  it("callers and jobs of a removed user are refused even if the name is registered again", async () => {
    const former = guard(caller(bob));
    const { keyVersion: _, ...withoutKey } = caller(bob);
    const job = guard(withoutKey);
    const root = guard(caller(ROOT_KEY, "bob"));
    const other = guard(caller(ada));
    expect(await Promise.all([former(), job(), root(), other()])).toEqual(["OK", "OK", "OK", "OK"]);
    await registry.removeUser(ACME, "bob");
    const refused = ["UNAUTHENTICATED", "UNAUTHENTICATED", "UNAUTHENTICATED", "OK"];
    expect(await Promise.all([former(), job(), root(), other()])).toEqual(refused);
    const { key } = await registry.registerUser(ACME, "bob", "user");
    expect(await Promise.all([former(), job(), root(), other()])).toEqual(refused);
    expect(await guard(caller(key))()).toBe("OK");
    expect(await guard(caller(ROOT_KEY, "bob"))()).toBe("OK");
  });

  it("a replaced key is refused, and work without a key continues", async () => {
    const former = guard(caller(bob));
    const { keyVersion: _, ...withoutKey } = caller(bob);
    const { key } = await registry.regenerateKey(ACME, "bob");
    expect([await former(), await guard(withoutKey)(), await guard(caller(key))()]).toEqual([
      "UNAUTHENTICATED",
      "OK",
      "OK",
    ]);
  });

  it("ROOT acts for an unregistered name until a user of that name is removed", async () => {
    const former = guard(caller(ROOT_KEY, "zoe"));
    expect(await former()).toBe("OK");
    await registry.registerUser(ACME, "zoe", "user");
    expect(await former()).toBe("OK");
    await registry.removeUser(ACME, "zoe");
    expect(await former()).toBe("UNAUTHENTICATED");
    expect(await guard(caller(ROOT_KEY, "zoe"))()).toBe("OK");
  });

  it("users in records of earlier versions, which have no number, are accepted", async () => {
    const put = (key: string, value: object) =>
      kv.transact(() => ({ ops: [{ key, value: encodeRecord(value) }], apply: () => undefined }));
    const keyHash = sha256("old");
    await put(accountKeys.key(keyHash), { incarnation: ACCOUNT, user: "old" });
    await put(accountKeys.user(workspaceId(ACCOUNT), "old"), { role: "user", createdAt: 0, keyHash });
    expect(caller("old")).toMatchObject({ userIncarnation: 0, keyVersion: 0 });
    const former = guard(caller("old"));
    expect(await former()).toBe("OK");
    await registry.removeUser(ACME, "old");
    expect(await former()).toBe("UNAUTHENTICATED");
    await registry.registerUser(ACME, "old", "user");
    expect(await former()).toBe("UNAUTHENTICATED");
  });

  it("administration is refused after the caller's role, key, user or account is lost", async () => {
    const asked = caller(ada);
    let users = 0;
    const attempts = (by: Caller) =>
      Promise.all([
        codeOf(registry.registerUser(ACME, `user${users++}`, "user", by)),
        codeOf(registry.regenerateKey(ACME, "bob", by)),
        codeOf(registry.removeUser(ACME, `user${users - 1}`, undefined, by)),
      ]);
    expect(await attempts(asked)).toEqual(["OK", "OK", "OK"]);
    await registry.setRole(ACME, "ada", "user");
    expect(new Set(await attempts(asked))).toEqual(new Set(["PERMISSION_DENIED"]));
    await registry.setRole(ACME, "ada", "admin");
    await registry.regenerateKey(ACME, "ada");
    expect(new Set(await attempts(asked))).toEqual(new Set(["UNAUTHENTICATED"]));
    await registry.removeUser(ACME, "ada");
    await registry.registerUser(ACME, "ada", "admin");
    expect(new Set(await attempts(asked))).toEqual(new Set(["UNAUTHENTICATED"]));
    await registry.deleteAccount(ACME);
    await registry.createAccount(ACME, "ada");
    expect(await codeOf(registry.registerUser(ACME, "late", "user", asked))).toBe("UNAUTHENTICATED");
  });

  it("listeners are notified of revoked keys, users and accounts, not of new keys", async () => {
    const heard: LostAccess[] = [];
    registry.onLost((lost) => heard.push(lost));
    await registry.regenerateKey(ACME, "bob");
    await registry.setRole(ACME, "bob", "admin");
    await registry.removeUser(ACME, "bob");
    await registry.deleteAccount(ACME);
    expect(heard).toEqual([
      { what: "key", incarnation: ACCOUNT, user: "bob" },
      { what: "user", incarnation: ACCOUNT, user: "bob" },
      { what: "account", incarnation: ACCOUNT },
    ]);
  });
});
