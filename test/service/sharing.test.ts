import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addGroupMember } from "../../src/service/access/add-group-member.ts";
import { createGroup } from "../../src/service/access/create-group.ts";
import { deleteGroup } from "../../src/service/access/delete-group.ts";
import { explainAccess } from "../../src/service/access/explain-access.ts";
import { grantAccess } from "../../src/service/access/grant-access.ts";
import { listGrants } from "../../src/service/access/list-grants.ts";
import { listGroups } from "../../src/service/access/list-groups.ts";
import { removeGroupMember } from "../../src/service/access/remove-group-member.ts";
import { revokeAccess } from "../../src/service/access/revoke-access.ts";
import { whoAmI } from "../../src/service/access/who-am-i.ts";
import { createAccount } from "../../src/service/account/create-account.ts";
import { registerUser } from "../../src/service/account/register-user.ts";
import { removeUser } from "../../src/service/account/remove-user.ts";
import { listChanges } from "../../src/service/change/list-changes.ts";
import { getLayer } from "../../src/service/content/get-layer.ts";
import { copyNode } from "../../src/service/filesystem/copy-node.ts";
import { linkNodes } from "../../src/service/relation/link-nodes.ts";
import { glob } from "../../src/service/search/glob.ts";
import { grep } from "../../src/service/search/grep.ts";
import { SHARING_LIMITS } from "../../src/workspace/access/grants-and-groups.ts";
import { newStores, type Stores } from "../support/stores.ts";
import { Actor, codeOf, House } from "../support/tenant.ts";

const PLAN = "ctx://user/ann/plans/plan.md";
const PLANS = "ctx://user/ann/plans";
const TEAM = "ctx://resources/team";

describe("sharing", () => {
  let house: House;
  let stores: Stores;
  let admin: Actor;
  let ann: Actor;
  let bob: Actor;

  beforeEach(async () => {
    stores = await newStores();
    house = await House.open(stores);
    await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "boss" });
    for (const userId of ["ann", "bob", "eve"]) await register(userId);
    refresh();
    await ann.create(PLAN, "The heron plans to wait by the river.");
    await ann.create("ctx://user/ann/secret.md", "The heron hides a secret by the river.");
    await admin.create(`${TEAM}/open/a.md`, "The owl of the team is open.");
    await admin.create(`${TEAM}/closed/b.md`, "The owl of the team is closed.");
    await house.drain();
  });
  afterEach(() => house.end());

  const register = (userId: string) => registerUser(house.deps, house.root, { accountId: "acme", userId });
  function refresh(): void {
    const as = (user: string, role: "admin" | "user") =>
      new Actor(house, { ...house.as(user, "acme", role).caller, keyless: false });
    [admin, ann, bob] = [as("boss", "admin"), as("ann", "user"), as("bob", "user")];
  }
  const grant = (by: Actor, uri: string, to: string, level: string, effect?: string) => {
    const [granteeType = "", granteeId = ""] = to.split(":");
    return grantAccess(house.deps, by.call, { uri, granteeType, granteeId, level, effect });
  };
  const revoke = (by: Actor, uri: string, to: string) => {
    const [granteeType = "", granteeId = ""] = to.split(":");
    return revokeAccess(house.deps, by.call, { uri, granteeType, granteeId });
  };
  const levelOf = async (who: Actor, uri: string, userId?: string) =>
    (await explainAccess(house.deps, who.call, { uri, userId })).level;
  const group = async (groupId: string, ...members: string[]) => {
    await createGroup(house.deps, admin.call, { accountId: "acme", groupId });
    for (const userId of members)
      await addGroupMember(house.deps, admin.call, { accountId: "acme", groupId, userId });
  };

  it("a granted folder can be read, listed, searched and found, but nothing outside it", async () => {
    expect(await codeOf(bob.read(PLAN))).toBe("NOT_FOUND");
    expect((await bob.found("heron river")).join()).not.toContain("user/ann");
    await grant(ann, PLANS, "user:bob", "read");
    expect(await bob.read(PLAN)).toContain("heron");
    expect(await bob.tree("ctx://user")).toEqual(
      expect.arrayContaining(["ctx://user/ann", PLANS, PLAN, "ctx://user/bob"]),
    );
    expect((await bob.tree("ctx://user")).join()).not.toContain("secret");
    expect(await codeOf(bob.read("ctx://user/ann/secret.md"))).toBe("NOT_FOUND");
    for (const target of [undefined, "ctx://user/ann", PLANS, "ctx://user"]) {
      const found = (await bob.found("heron river", target)).filter((uri) => !uri.endsWith("view.md"));
      expect(found, target).toContain(PLAN);
      expect(found.join(), target).not.toContain("secret");
    }
    const matches = await grep(house.deps, bob.call, {
      uri: "ctx://",
      pattern: "heron",
      caseInsensitive: false,
    });
    expect(matches.matches.map(({ uri }) => uri)).toEqual([PLAN]);
    expect((await glob(house.deps, bob.call, { pattern: "user/ann/**/*.md" })).matches).toEqual([PLAN]);
    expect((await bob.stat("ctx://user/ann")).count).toBe(2);
  });

  it("a read grant permits no changes, but a write grant does, and access ends with the grant", async () => {
    await grant(ann, PLANS, "user:bob", "read");
    expect(await codeOf(bob.replace(PLAN, "Bob was here."))).toBe("PERMISSION_DENIED");
    expect(await codeOf(bob.create(`${PLANS}/new.md`, "x"))).toBe("PERMISSION_DENIED");
    expect(await codeOf(bob.rm(PLAN))).toBe("PERMISSION_DENIED");
    expect(await codeOf(bob.mv(PLAN, "ctx://user/bob/stolen.md"))).toBe("PERMISSION_DENIED");
    await grant(ann, PLANS, "user:bob", "write");
    await bob.replace(PLAN, "Bob plans with the heron.");
    await bob.create(`${PLANS}/new.md`, "A new plan.");
    await house.drain();
    expect(await ann.read(PLAN)).toBe("Bob plans with the heron.");
    expect(await ann.found("a new plan")).toContain(`${PLANS}/new.md`);
    // the folder itself is an entry of a folder that he may not write to
    expect(await codeOf(bob.rm(PLANS))).toBe("PERMISSION_DENIED");
    await bob.rm(`${PLANS}/new.md`);
    await revoke(ann, PLANS, "user:bob");
    expect(await codeOf(bob.read(PLAN))).toBe("NOT_FOUND");
    expect((await bob.found("heron")).join()).not.toContain("user/ann");
  });

  it("the scores of a search do not depend on content that its caller may not see", async () => {
    const scores = async (who: Actor) =>
      (await who.find("heron river owl team")).map(({ uri, score }) => [uri, score]);
    // what he can see of a space and a folder, and what he cannot
    await grant(ann, PLANS, "user:bob", "read");
    await grant(admin, `${TEAM}/closed`, "everyone", "read", "deny");
    await house.drain();
    const shared = await scores(bob);
    expect(shared.join()).toContain(PLAN);
    for (let i = 0; i < 20; i++) {
      await ann.create(`ctx://user/ann/private/${i}.md`, `A heron, a river and an owl ${i}.`);
      await admin.create(`${TEAM}/closed/more-${i}.md`, `The owl of the team by the river ${i}.`);
    }
    await house.drain();
    expect(await scores(bob)).toEqual(shared);
    await revoke(ann, PLANS, "user:bob");
    await revoke(admin, `${TEAM}/closed`, "everyone");
    await house.drain();
    const before = await scores(bob);
    for (let i = 0; i < 20; i++) await ann.create(`ctx://user/ann/more/${i}.md`, `A heron and an owl ${i}.`);
    await admin.create(`${TEAM}/hidden/c.md`, "The owl of the team and the heron of the river.");
    await grant(admin, `${TEAM}/hidden`, "everyone", "read", "deny");
    await house.drain();
    // the layers above mention the hidden folder, so they are withheld
    const own = ([uri]: (string | number)[]) =>
      String(uri).endsWith("/a.md") || String(uri).endsWith("/b.md");
    expect((await scores(bob)).filter(own).map(([uri]) => uri)).toEqual(
      before.filter(own).map(([uri]) => uri),
    );
    expect((await scores(bob)).map(String).join()).not.toContain("hidden");
    expect((await scores(admin)).map(String).join()).toContain("hidden");
  });

  it("a denied folder looks like a missing one, and no layer or count above reveals it", async () => {
    const count = (await bob.stat(TEAM)).count;
    await grant(admin, `${TEAM}/closed`, "everyone", "read", "deny");
    for (const uri of [`${TEAM}/closed`, `${TEAM}/closed/b.md`]) {
      expect(await codeOf(bob.stat(uri))).toBe("NOT_FOUND");
      expect(await codeOf(bob.replace(uri, "x"))).toBe("NOT_FOUND");
    }
    expect((await bob.tree(TEAM, true)).join()).not.toContain("closed");
    expect((await bob.stat(TEAM)).count).toBe(count! - 2);
    expect(await getLayer(house.deps, bob.call, 1, { uri: TEAM })).not.toContain("closed");
    expect(await getLayer(house.deps, admin.call, 1, { uri: TEAM })).toContain("closed");
    expect((await bob.found("owl team closed")).join()).not.toContain("closed");
    expect(await codeOf(bob.rm(TEAM))).toBe("PERMISSION_DENIED");
    expect(await codeOf(bob.mv(TEAM, "ctx://resources/other"))).toBe("PERMISSION_DENIED");
    const copied = copyNode(house.deps, bob.call, {
      fromUri: TEAM,
      toUri: "ctx://user/bob/team",
      wait: true,
    });
    expect(await codeOf(copied)).toBe("PERMISSION_DENIED");
    expect(await admin.read(`${TEAM}/closed/b.md`)).toContain("closed");
  });

  it("the nearest rule decides: users over groups, groups over everyone, deny over allow", async () => {
    await group("readers", "bob");
    await group("writers", "bob");
    await grant(admin, TEAM, "everyone", "write", "deny");
    expect(await levelOf(bob, `${TEAM}/open`)).toBe("read");
    await grant(admin, TEAM, "group:writers", "write");
    expect(await levelOf(bob, `${TEAM}/open`)).toBe("write");
    await grant(admin, TEAM, "group:readers", "write", "deny");
    expect(await levelOf(bob, `${TEAM}/open`)).toBe("read");
    await grant(admin, TEAM, "user:bob", "admin");
    expect(await levelOf(bob, `${TEAM}/open`)).toBe("admin");
    await grant(admin, `${TEAM}/open`, "everyone", "read", "deny");
    expect(await codeOf(bob.stat(`${TEAM}/open`))).toBe("NOT_FOUND");
    expect(await levelOf(admin, `${TEAM}/open`, "bob")).toBe("none");
    await grant(admin, `${TEAM}/open/a.md`, "user:bob", "read");
    expect(await levelOf(bob, `${TEAM}/open`)).toBe("pass");
    expect(await bob.tree(TEAM)).toEqual([
      `${TEAM}/closed`,
      `${TEAM}/closed/b.md`,
      `${TEAM}/open`,
      `${TEAM}/open/a.md`,
    ]);
    const { steps } = await explainAccess(house.deps, bob.call, { uri: `${TEAM}/open/a.md` });
    expect(
      steps.map(({ source, grant: one, level }) => [source, one?.granteeType, one?.effect, level]),
    ).toEqual([
      ["scope", undefined, undefined, "write"],
      ["grant", "everyone", "deny", "read"],
      ["grant", "group", "allow", "write"],
      ["grant", "group", "deny", "read"],
      ["grant", "user", "allow", "admin"],
      ["grant", "everyone", "deny", "none"],
      ["grant", "user", "allow", "read"],
    ]);
  });

  it("an owner and the administrators of shared folders are never locked out", async () => {
    await grant(ann, PLANS, "user:bob", "admin");
    await grant(bob, PLANS, "user:ann", "read", "deny");
    expect(await levelOf(ann, PLAN)).toBe("admin");
    await grant(admin, TEAM, "user:bob", "admin");
    await grant(bob, TEAM, "user:boss", "read", "deny");
    expect(await levelOf(admin, TEAM)).toBe("admin");
  });

  it("the spaces of users stay private, even from administrators", async () => {
    expect(await codeOf(admin.read(PLAN))).toBe("NOT_FOUND");
    expect(await codeOf(grant(admin, PLANS, "user:boss", "read"))).toBe("NOT_FOUND");
    expect(await codeOf(grant(bob, TEAM, "user:bob", "admin"))).toBe("PERMISSION_DENIED");
    await grant(ann, PLANS, "user:bob", "write");
    expect(await codeOf(grant(bob, PLANS, "everyone", "read"))).toBe("PERMISSION_DENIED");
    expect(await codeOf(listGrants(house.deps, bob.call, { uri: PLANS }))).toBe("PERMISSION_DENIED");
  });

  it("a grant moves with its file or folder, but not into another user's space", async () => {
    await grant(ann, PLANS, "user:bob", "write");
    await ann.mv(PLANS, "ctx://user/ann/moved");
    expect(await bob.read("ctx://user/ann/moved/plan.md")).toContain("heron");
    await grant(bob, "ctx://user/bob", "user:ann", "write");
    await ann.mv("ctx://user/ann/moved", "ctx://user/bob/from-ann");
    expect((await listGrants(house.deps, bob.call, {})).grants.map(({ uri }) => uri)).toEqual([
      "ctx://user/bob",
    ]);
    expect(await bob.found("heron river")).toContain("ctx://user/bob/from-ann/plan.md");
  });

  it("a copy has the grants of its destination, not of its source", async () => {
    await grant(ann, PLANS, "user:bob", "read");
    await copyNode(house.deps, bob.call, { fromUri: PLANS, toUri: "ctx://user/bob/copy", wait: true });
    expect(await bob.read("ctx://user/bob/copy/plan.md")).toContain("heron");
    expect(await codeOf(ann.read("ctx://user/bob/copy/plan.md"))).toBe("NOT_FOUND");
    expect((await listGrants(house.deps, ann.call, {})).grants).toHaveLength(1);
  });

  it("removing a node removes its grants, and a new node of the same name has none", async () => {
    await grant(ann, PLANS, "user:bob", "write");
    await ann.rm(PLANS);
    await ann.create(PLAN, "A new plan.");
    expect(await codeOf(bob.read(PLAN))).toBe("NOT_FOUND");
    await house.drain();
    expect(await house.keys(`${(await house.workspaceOf()).keys.allGrants()}`)).toEqual([]);
  });

  it("a user registered under the name of a removed user inherits neither grants nor groups", async () => {
    await group("team", "bob");
    await grant(ann, PLANS, "user:bob", "write");
    await grant(ann, "ctx://user/ann/secret.md", "group:team", "read");
    await removeUser(house.deps, house.root, { accountId: "acme", userId: "bob" });
    await register("bob");
    refresh();
    expect(await codeOf(bob.read(PLAN))).toBe("NOT_FOUND");
    expect(await codeOf(bob.read("ctx://user/ann/secret.md"))).toBe("NOT_FOUND");
    expect((await whoAmI(house.deps, bob.call)).groups).toEqual([]);
    expect((await listGroups(house.deps, admin.call, { accountId: "acme" }))[0]?.members).toEqual([]);
  });

  it("removing the owner of a shared folder ends all shared access to the folder", async () => {
    await grant(ann, PLANS, "user:bob", "write");
    await removeUser(house.deps, house.root, { accountId: "acme", userId: "ann" });
    expect(await codeOf(bob.read(PLAN))).toBe("NOT_FOUND");
    expect(await codeOf(bob.create(PLAN, "x"))).toBe("NOT_FOUND");
    await house.drain();
    expect((await listGrants(house.deps, bob.call, {})).grants).toEqual([]);
  });

  it("groups and grants are the same after a restart", async () => {
    await group("team", "bob");
    await grant(ann, PLANS, "group:team", "read");
    await house.drain();
    await house.stop();
    house = await House.open(stores);
    refresh();
    expect(await bob.read(PLAN)).toContain("heron");
    await deleteGroup(house.deps, admin.call, { accountId: "acme", groupId: "team" });
    expect(await codeOf(bob.read(PLAN))).toBe("NOT_FOUND");
    expect((await listGrants(house.deps, ann.call, {})).grants).toEqual([]);
  });

  it("leaving a group ends the access that it gave", async () => {
    await group("team", "bob");
    await grant(ann, PLANS, "group:team", "read");
    expect(await levelOf(bob, PLAN)).toBe("read");
    await removeGroupMember(house.deps, admin.call, { accountId: "acme", groupId: "team", userId: "bob" });
    expect(await codeOf(bob.read(PLAN))).toBe("NOT_FOUND");
  });

  it("the change stream shows granted content from the next page on, and never denied content", async () => {
    const seen = async (who: Actor) =>
      (await listChanges(house.deps, who.call, { kinds: [], begin: "oldest" })).changes.map(({ uri }) => uri);
    expect((await seen(bob)).join()).not.toContain("user/ann");
    await grant(ann, PLANS, "user:bob", "read");
    expect(await seen(bob)).toContain(PLAN);
    expect((await seen(bob)).join()).not.toContain("secret");
    await grant(admin, `${TEAM}/closed`, "everyone", "read", "deny");
    expect((await seen(bob)).join()).not.toContain("closed");
    await admin.rm(`${TEAM}/closed`);
    expect((await seen(bob)).join()).not.toContain("closed");
    await house.drain();
    // purged: the log has a gap there
    expect(await codeOf(seen(admin))).toBe("OK");
    expect((await seen(bob)).join()).not.toContain("closed");
  });

  it("a relation needs write access at its start and is shown only if both ends are visible", async () => {
    await grant(ann, PLANS, "user:bob", "read");
    const link = (fromUri: string, toUri: string) =>
      linkNodes(house.deps, bob.call, { fromUri, toUris: [toUri], reason: "" });
    await bob.create("ctx://user/bob/note.md", "A note.");
    await link("ctx://user/bob/note.md", PLAN);
    expect(await codeOf(link(PLAN, "ctx://user/bob/note.md"))).toBe("PERMISSION_DENIED");
  });

  it("grants and groups have limits, and their users, groups and URIs must exist", async () => {
    for (const [attempt, code] of [
      [() => grant(ann, PLANS, "user:nobody", "read"), "NOT_FOUND"],
      [() => grant(ann, PLANS, "group:none", "read"), "NOT_FOUND"],
      [() => grant(ann, PLANS, "agent:skills", "read"), "INVALID_ARGUMENT"],
      [() => grant(ann, PLANS, "robot:x", "read"), "INVALID_ARGUMENT"],
      [() => grant(ann, PLANS, "everyone:x", "read"), "INVALID_ARGUMENT"],
      [() => grant(ann, PLANS, "user", "read"), "INVALID_ARGUMENT"],
      [() => grant(ann, PLANS, "user:bob", "own"), "INVALID_ARGUMENT"],
      [() => grant(ann, PLANS, "user:bob", "read", "maybe"), "INVALID_ARGUMENT"],
      [() => grant(ann, "ctx://user/ann/none", "user:bob", "read"), "NOT_FOUND"],
      [() => grant(ann, "ctx://session/ann", "user:bob", "read"), "INVALID_ARGUMENT"],
      [() => grant(ann, "ctx://agent/default", "user:bob", "read"), "INVALID_ARGUMENT"],
      [() => grant(ann, "ctx://", "user:bob", "read"), "INVALID_ARGUMENT"],
      [() => createGroup(house.deps, ann.call, { accountId: "acme", groupId: "x" }), "PERMISSION_DENIED"],
      [() => createGroup(house.deps, admin.call, { accountId: "acme", groupId: "a/b" }), "INVALID_ARGUMENT"],
      [() => deleteGroup(house.deps, admin.call, { accountId: "acme", groupId: "none" }), "NOT_FOUND"],
      [() => listGroups(house.deps, admin.call, { accountId: "other" }), "PERMISSION_DENIED"],
    ] as const)
      expect(await codeOf(attempt())).toBe(code);
    for (let i = 0; i < SHARING_LIMITS.groups; i++) await group(`g${i}`);
    expect(await codeOf(group("one-more"))).toBe("RESOURCE_EXHAUSTED");
  });

  it("one user cannot use up the grants of all others, nor users those of the administrators", async () => {
    const { grants, grantsOfUser, grantsOfAdministrators } = SHARING_LIMITS;
    const given = async (user: string, count: number) => {
      if (user !== "ann") await register(user).catch(() => undefined);
      const by = new Actor(house, { ...house.as(user, "acme", "user").caller, keyless: false });
      const uri = `ctx://user/${user}/shared`;
      await by.mkdir(uri);
      for (let i = 0; i < count; i++) await grant(by, uri, `agent:a${i}`, "read");
      return codeOf(grant(by, uri, "agent:more", "read"));
    };
    expect(await given("ann", grantsOfUser)).toBe("RESOURCE_EXHAUSTED");
    expect(await codeOf(grant(ann, "ctx://user/ann/shared", "agent:a0", "write"))).toBe("OK");
    expect(await given("bob", 1)).toBe("OK");
    expect(await given("eve", grantsOfUser)).toBe("RESOURCE_EXHAUSTED");
    expect(await given("dan", grantsOfUser)).toBe("RESOURCE_EXHAUSTED");
    const left = grants - grantsOfAdministrators - 3 * grantsOfUser - 2;
    expect(await given("fay", left)).toBe("RESOURCE_EXHAUSTED");
    expect(await codeOf(grant(admin, TEAM, "user:bob", "read", "deny"))).toBe("OK");
  });

  it("files directly below ctx://resources are hidden from users to whom ctx://resources is denied", async () => {
    const all = "ctx://resources";
    await admin.create(`${all}/plan.md`, "The owl of the directors is secret.");
    await house.drain();
    await grant(admin, all, "everyone", "read", "deny");
    await grant(admin, `${TEAM}/open`, "user:bob", "read");
    expect(await codeOf(bob.read(`${all}/plan.md`))).toBe("NOT_FOUND");
    expect(await bob.tree(all)).toEqual([TEAM, `${TEAM}/open`, `${TEAM}/open/a.md`]);
    const { matches } = await grep(house.deps, bob.call, {
      uri: all,
      pattern: "owl",
      caseInsensitive: false,
    });
    expect(matches.map(({ uri }) => uri)).toEqual([`${TEAM}/open/a.md`]);
    expect((await glob(house.deps, bob.call, { pattern: "resources/*" })).matches).toEqual([TEAM]);
    expect((await bob.stat(all)).count).toBe(3);
    for (const level of [0, 1] as const)
      expect(await getLayer(house.deps, bob.call, level, { uri: all })).not.toContain("plan");
  });
});
