import { expect, it, onTestFinished } from "vitest";
import type { Caller } from "../../src/domain/caller.ts";
import { jobOwner } from "../../src/domain/job.ts";
import { isReadable } from "../../src/domain/scope.ts";
import { grantAccess } from "../../src/service/access/grant-access.ts";
import { createAccount } from "../../src/service/account/create-account.ts";
import { granteeFields } from "../support/access-model.ts";
import { Actor, House } from "../support/tenant.ts";

it("a job that was begun with an additional key has no administrative access", async () => {
  const house = await House.open();
  onTestFinished(() => house.end());
  await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "boss" });
  const boss = new Actor(house, { ...house.as("boss", "acme", "admin").caller, keyless: false });
  await boss.create("ctx://resources/board/minutes.md", "The owl resigns.");
  await grantAccess(house.deps, boss.call, {
    uri: "ctx://resources/board",
    ...granteeFields("everyone"),
    level: "read",
    effect: "deny",
  });
  const { workspace } = await boss.tenant();
  const isReadFor = async (caller: Caller) => {
    const job = { workspace: workspace.incarnation, owner: jobOwner(caller) };
    const tenant = await house.tenants.openForJob(job, { user: "boss", agent: "default" });
    return tenant && isReadable(tenant.owner, ["resources", "board", "minutes.md"]);
  };
  expect(await isReadFor(boss.caller)).toBe(true);
  const key: NonNullable<Caller["key"]> = { name: "agent", hash: "k1", access: "write" };
  expect(await isReadFor({ ...boss.caller, role: "user", key })).toBe(false);
});
