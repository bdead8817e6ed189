import { beforeEach, describe, expect, it } from "vitest";
import { AccountCache } from "../../../src/accounts/account-cache.ts";
import { authenticator, type Claims } from "../../../src/accounts/authenticate.ts";
import { Registry } from "../../../src/accounts/registry.ts";
import { accountId } from "../../../src/domain/ids.ts";
import { KvDirectory } from "../../../src/storage/embedded/kv-directory.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";

const ROOT_KEY = "root-key";
const DEFAULTS = { account: "default", user: "default", agent: "default" };

describe("with a root key", () => {
  let kv: RamKv;
  let registry: Registry;
  let bob: string;
  const caller = (claims: Claims) => authenticator(registry.records, ROOT_KEY, () => 0)(claims);
  beforeEach(async () => {
    kv = new RamKv();
    registry = new Registry(kv, new KvDirectory(kv), () => 0, false);
    await registry.createAccount(accountId("acme"), "ada");
    bob = (await registry.registerUser(accountId("acme"), "bob", "user")).key;
    await registry.ensureAccount(accountId("default"));
  });

  it.each([
    {},
    { key: "" },
    { key: "wrong" },
    { key: "root-ke" },
    { key: "k".repeat(6000) },
    { account: "acme" },
  ])("a server with a root key refuses the claims %o", (claims) => {
    expect(() => caller(claims)).toThrow(expect.objectContaining({ code: "UNAUTHENTICATED" }));
  });

  it("ROOT acts as the account and user it names, or else as the default ones", () => {
    expect(caller({ key: ROOT_KEY })).toMatchObject({
      role: "root",
      ...DEFAULTS,
      accountNamed: false,
      keyless: false,
    });
    expect(caller({ key: ROOT_KEY, account: "acme", user: "someone", agent: "coder" })).toMatchObject({
      role: "root",
      account: "acme",
      user: "someone",
      agent: "coder",
      accountNamed: true,
      keyless: false,
    });
  });

  it("ROOT cannot act in an account that was never created", async () => {
    expect(() => caller({ key: ROOT_KEY, account: "none" })).toThrow(
      expect.objectContaining({ code: "NOT_FOUND", details: { resource: "none", type: "account" } }),
    );
    await new Registry(kv, new KvDirectory(kv), () => 0, true).ensureAccount(accountId("sprung"));
    expect(() => caller({ key: ROOT_KEY, account: "sprung" })).toThrow(
      expect.objectContaining({ code: "NOT_FOUND" }),
    );
  });

  it("a user key acts for its own account and user, whatever the headers say", () => {
    for (const claims of [{ account: "default", user: "ada" }, { account: "a/b", user: ".." }, {}]) {
      expect(caller({ key: bob, ...claims })).toMatchObject({
        role: "user",
        account: "acme",
        user: "bob",
        agent: "default",
        accountNamed: true,
        keyless: false,
      });
    }
  });

  it("a malformed agent is refused for every caller, and malformed identity headers for ROOT", () => {
    for (const key of [ROOT_KEY, bob]) {
      for (const agent of ["a/b", "skills", ".x", "x".repeat(65)]) {
        expect(() => caller({ key, agent })).toThrow(
          expect.objectContaining({
            code: "INVALID_ARGUMENT",
            details: expect.objectContaining({ field: "X-Ctx-Agent" }),
          }),
        );
      }
    }
    expect(() => caller({ key: ROOT_KEY, account: "a/b" })).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
    expect(() => caller({ key: ROOT_KEY, user: "_system" })).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
    expect(() => caller({ key: "wrong", agent: "a/b" })).toThrow(
      expect.objectContaining({ code: "UNAUTHENTICATED" }),
    );
  });
});

describe("without a root key", () => {
  const caller = authenticator(new AccountCache(new RamKv()), undefined, () => 0);

  it("a server without a root key treats everybody as ROOT and trusts the identity headers", () => {
    expect(caller({})).toMatchObject({ role: "root", ...DEFAULTS, accountNamed: false, keyless: true });
    expect(caller({ key: "any", account: "new", user: "olga", agent: "a" })).toEqual({
      role: "root",
      account: "new",
      user: "olga",
      agent: "a",
      accountNamed: true,
      keyless: true,
    });
    expect(() => caller({ user: "a b" })).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        details: expect.objectContaining({ field: "X-Ctx-User" }),
      }),
    );
  });
});
