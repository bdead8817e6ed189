import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { explainAccess } from "../../src/service/access/explain-access.ts";
import { grantAccess } from "../../src/service/access/grant-access.ts";
import { createAccount } from "../../src/service/account/create-account.ts";
import { registerUser } from "../../src/service/account/register-user.ts";
import type { ViewerAccess } from "../../src/workspace/access/viewer-access.ts";
import { children } from "../../src/workspace/tree/listing.ts";
import { locate } from "../../src/workspace/tree/locate.ts";
import { Actor, codeOf, House } from "../support/tenant.ts";

const TEAM = "ctx://resources/team";

describe("checks of access", () => {
  let house: House;
  let admin: Actor;
  let bob: Actor;

  beforeEach(async () => {
    house = await House.open();
    await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "boss" });
    await registerUser(house.deps, house.root, { accountId: "acme", userId: "bob" });
    const as = (user: string, role: "admin" | "user") =>
      new Actor(house, { ...house.as(user, "acme", role).caller, keyless: false });
    [admin, bob] = [as("boss", "admin"), as("bob", "user")];
  });
  afterEach(() => house.end());

  const grant = (uri: string, granteeId: string, level: string, effect?: string) =>
    grantAccess(house.deps, admin.call, { uri, granteeType: "user", granteeId, level, effect });

  it("children of a folder to which access is denied during a listing are omitted from then on", async () => {
    // more than are read at once
    await Promise.all(Array.from({ length: 1200 }, (_, i) => admin.mkdir(`${TEAM}/${i}`)));
    const { workspace, owner } = await bob.tenant();
    const folder = locate(workspace.kv, workspace.keys, owner, workspace.uris.parse(TEAM));
    if (!folder) throw new Error("no folder");
    let shown = 0;
    for await (const _ of children(workspace, workspace.kv, owner, folder, false))
      if (++shown === 1) await grant(TEAM, "bob", "read", "deny");
    expect(shown).toBeLessThanOrEqual(1024);
  });

  it("the access checks of one call read each entry once at the commit point", async () => {
    await admin.create(`${TEAM}/a/b/c/0.md`, "owl");
    await grant(TEAM, "bob", "write");
    const { workspace, owner } = await bob.tenant();
    for (let i = 0; i < 20; i++) {
      const path = ["resources", "team", "a", "b", "c", `${i}.md`];
      owner.access?.check(path, `${TEAM}/a/b/c/${i}.md`, "write");
    }
    const keys: string[] = [];
    const get = (key: string) => {
      keys.push(key);
      return workspace.kv.get(key);
    };
    (owner.access as ViewerAccess).recheck({ get });
    expect(keys.length).toBeGreaterThan(0);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("changing a folder requires write access to all its content", async () => {
    await admin.create(`${TEAM}/a/closed/1.md`, "owl");
    await admin.create(`${TEAM}/b/2.md`, "owl");
    await grant(`${TEAM}/a/closed`, "bob", "write", "deny");
    const { workspace, owner } = await bob.tenant();
    const check = async (uri: string) => owner.access?.check(workspace.uris.parse(uri), uri, "write");
    expect(await codeOf(check(`${TEAM}/a`))).toBe("PERMISSION_DENIED");
    expect(await codeOf(check(`${TEAM}/b`))).toBe("OK");
    await grant(`${TEAM}/b`, "bob", "write", "deny");
    expect(await codeOf(check(`${TEAM}/b`))).toBe("PERMISSION_DENIED");
  });

  it("the access of an additional key is explained with its own role, for every agent", async () => {
    await admin.create(`${TEAM}/a.md`, "owl");
    const key = new Actor(house, { ...admin.call.caller, role: "user" });
    for (const agentId of [undefined, "other"]) {
      const level = async (by: Actor) =>
        (await explainAccess(house.deps, by.call, { uri: TEAM, agentId })).level;
      expect([await level(admin), await level(key)]).toEqual(["admin", "write"]);
    }
  });
});
