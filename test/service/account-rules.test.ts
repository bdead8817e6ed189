import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "../../src/domain/caller.ts";
import { accountId } from "../../src/domain/ids.ts";
import { ACCOUNT_RULES } from "../../src/service/account/account-rules.ts";
import { createAccount } from "../../src/service/account/create-account.ts";
import { createKey } from "../../src/service/account/create-key.ts";
import { deleteAccount } from "../../src/service/account/delete-account.ts";
import { listAccounts } from "../../src/service/account/list-accounts.ts";
import { listKeys } from "../../src/service/account/list-keys.ts";
import { listUsers } from "../../src/service/account/list-users.ts";
import { regenerateUserKey } from "../../src/service/account/regenerate-user-key.ts";
import { registerUser } from "../../src/service/account/register-user.ts";
import { removeUser } from "../../src/service/account/remove-user.ts";
import { revokeKey } from "../../src/service/account/revoke-key.ts";
import { setQuotas } from "../../src/service/account/set-quotas.ts";
import { setUserRole } from "../../src/service/account/set-user-role.ts";
import type { ServiceCall } from "../../src/service/service-call.ts";
import { codeOf, House } from "../support/tenant.ts";

type Operation = keyof typeof ACCOUNT_RULES;

const BY_ADMINISTRATORS: readonly Operation[] = [
  "registerUser",
  "listUsers",
  "removeUser",
  "regenerateUserKey",
  "createKey",
  "listKeys",
  "revokeKey",
];
const OPERATIONS = Object.keys(ACCOUNT_RULES) as Operation[];

const callerOf = (role: Caller["role"], account: string, keyless = false): Caller => {
  return { role, account: accountId(account), user: "eve", agent: "default", accountNamed: true, keyless };
};

describe("account operations called without any wire", () => {
  let house: House;
  beforeEach(async () => {
    house = await House.open();
    for (const account of ["acme", "other"].map(accountId)) {
      await house.registry.createAccount(account, "ada");
      await house.registry.registerUser(account, "bob", "user");
      await house.registry.keys.create(account, "bob", { name: "phone", access: "write" });
    }
  });
  afterEach(() => house.close());

  function run(operation: Operation, caller: Caller, name?: string): Promise<unknown> {
    const call: ServiceCall = { ...house.root, caller };
    const bob = { accountId: name ?? "acme", userId: "bob" };
    switch (operation) {
      case "createAccount":
        return createAccount(house.deps, call, { accountId: name ?? "new", adminUserId: "ann" });
      case "listAccounts":
        return listAccounts(house.deps, call);
      case "deleteAccount":
        return deleteAccount(house.deps, call, bob);
      case "setUserRole":
        return setUserRole(house.deps, call, { ...bob, role: "admin" });
      case "setQuotas":
        return setQuotas(house.deps, call, { ...bob, nodes: 1000 });
      case "registerUser":
        return registerUser(house.deps, call, { ...bob, userId: "carl" });
      case "listUsers":
        return listUsers(house.deps, call, bob);
      case "removeUser":
        return removeUser(house.deps, call, bob);
      case "regenerateUserKey":
        return regenerateUserKey(house.deps, call, bob);
      case "createKey":
        return createKey(house.deps, call, { ...bob, name: "laptop" });
      case "listKeys":
        return listKeys(house.deps, call, bob);
      case "revokeKey":
        return revokeKey(house.deps, call, { ...bob, name: "phone" });
    }
  }

  it.each(OPERATIONS)(
    "users, other administrators and callers without a root key may not call the account operation %s",
    async (operation) => {
      const before = await house.keys();
      const refused = [
        callerOf("user", "acme"),
        callerOf("user", "other"),
        callerOf("admin", "other"),
        callerOf("root", "acme", true),
        callerOf("admin", "acme", true),
        ...(BY_ADMINISTRATORS.includes(operation) ? [] : [callerOf("admin", "acme")]),
      ];
      for (const caller of refused)
        expect(await codeOf(run(operation, caller)), JSON.stringify(caller)).toBe("PERMISSION_DENIED");
      expect(await house.keys()).toEqual(before);
    },
  );

  it.each(OPERATIONS)("ROOT may call the account operation %s", async (operation) => {
    expect(await codeOf(run(operation, callerOf("root", "default")))).toBe("OK");
  });

  it("an account with a malformed name does not exist and cannot be created", async () => {
    const before = await house.keys();
    for (const name of ["", "a/b", "..", "x".repeat(65)])
      for (const operation of OPERATIONS.filter((one) => one !== "listAccounts"))
        expect(await codeOf(run(operation, callerOf("root", "default"), name)), `${operation} ${name}`).toBe(
          operation === "createAccount" ? "INVALID_ARGUMENT" : "NOT_FOUND",
        );
    expect(await house.keys()).toEqual(before);
  });

  it.each(BY_ADMINISTRATORS)("an administrator of the account may call %s", async (operation) => {
    expect(await codeOf(run(operation, callerOf("admin", "acme")))).toBe("OK");
  });
});
