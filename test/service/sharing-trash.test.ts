import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { grantAccess } from "../../src/service/access/grant-access.ts";
import { createAccount } from "../../src/service/account/create-account.ts";
import { registerUser } from "../../src/service/account/register-user.ts";
import { listChanges } from "../../src/service/change/list-changes.ts";
import { removeNode } from "../../src/service/filesystem/remove-node.ts";
import { deleteTrash } from "../../src/service/trash/delete-trash.ts";
import { emptyTrash } from "../../src/service/trash/empty-trash.ts";
import { listTrash } from "../../src/service/trash/list-trash.ts";
import { restoreTrash } from "../../src/service/trash/restore-trash.ts";
import { granteeFields } from "../support/access-model.ts";
import { Actor, codeOf, House } from "../support/tenant.ts";

const TEAM = "ctx://resources/team";
const CLOSED = `${TEAM}/closed`;
const PLANS = "ctx://user/ann/plans";
const TRASH = { items: 100, bytes: 1e9, lifeMs: 30 * 24 * 3600_000 };

describe("the trash of what is shared", () => {
  let house: House;
  let admin: Actor;
  let ann: Actor;
  let bob: Actor;

  beforeEach(async () => {
    house = await House.open(undefined, true, [], undefined, undefined, { trash: TRASH });
    await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "boss" });
    for (const userId of ["ann", "bob"])
      await registerUser(house.deps, house.root, { accountId: "acme", userId });
    const as = (user: string, role: "admin" | "user") =>
      new Actor(house, { ...house.as(user, "acme", role).caller, keyless: false });
    [admin, ann, bob] = [as("boss", "admin"), as("ann", "user"), as("bob", "user")];
    await admin.create(`${TEAM}/open.md`, "The owl is open.");
    await admin.create(`${CLOSED}/b.md`, "The owl is closed.");
    await ann.create(`${PLANS}/plan.md`, "The heron plans to wait.");
  });
  afterEach(() => house.end());

  const grant = (by: Actor, uri: string, to: string, level: string, effect?: string) =>
    grantAccess(house.deps, by.call, { uri, ...granteeFields(to), level, effect });
  const items = async (by: Actor) => (await listTrash(house.deps, by.call, {})).items.map(({ uri }) => uri);
  const restore = (by: Actor, trashId: string, toUri?: string) =>
    restoreTrash(house.deps, by.call, { trashId, toUri });
  const removed = async (by: Actor, uri: string) => (await by.rm(uri)).trashId ?? "nothing";

  it("a folder hidden from a user stays hidden in the trash, and its name is in no list", async () => {
    await grant(admin, CLOSED, "user:bob", "read", "deny");
    const id = await removed(admin, CLOSED);
    expect(await items(admin)).toEqual([CLOSED]);
    expect(await items(bob)).toEqual([]);
    expect(await codeOf(restore(bob, id))).toBe("NOT_FOUND");
    expect(await codeOf(restore(bob, id, "ctx://user/bob/mine"))).toBe("NOT_FOUND");
    expect(await codeOf(deleteTrash(house.deps, bob.call, { trashId: id }))).toBe("NOT_FOUND");
    expect(await emptyTrash(house.deps, bob.call, { all: true })).toEqual({ deleted: 0 });
    const { changes } = await listChanges(house.deps, bob.call, { begin: "oldest", kinds: [] });
    expect(JSON.stringify(changes)).not.toContain("closed");
    await restore(admin, id);
    expect(await codeOf(bob.read(`${CLOSED}/b.md`))).toBe("NOT_FOUND");
    expect(await admin.read(`${CLOSED}/b.md`)).toBe("The owl is closed.");
  });

  it("a user can neither restore nor delete an item that contains files the user may not write", async () => {
    await grant(admin, CLOSED, "user:bob", "write", "deny");
    const id = await removed(admin, TEAM);
    expect(await items(bob)).toEqual([TEAM]);
    expect(await codeOf(restore(bob, id))).toBe("PERMISSION_DENIED");
    expect(await codeOf(deleteTrash(house.deps, bob.call, { trashId: id }))).toBe("PERMISSION_DENIED");
    expect(await emptyTrash(house.deps, bob.call, { all: true })).toEqual({ deleted: 0 });
    expect((await restore(admin, id)).uri).toBe(TEAM);
  });

  it("an item removed from a shared space can be restored by its owner and by the user who removed it", async () => {
    await grant(ann, PLANS, "user:bob", "write");
    const id = await removed(bob, `${PLANS}/plan.md`);
    expect(await items(ann)).toEqual([`${PLANS}/plan.md`]);
    expect(await items(bob)).toEqual([`${PLANS}/plan.md`]);
    await restore(bob, id);
    expect(await ann.read(`${PLANS}/plan.md`)).toBe("The heron plans to wait.");
    const again = await removed(bob, `${PLANS}/plan.md`);
    await ann.rm(PLANS);
    expect(await codeOf(restore(bob, again))).toBe("NOT_FOUND");
    await restore(ann, again);
    expect(await ann.read(`${PLANS}/plan.md`)).toBe("The heron plans to wait.");
  });

  /** How a hidden folder gets another path, or none. */
  const LEAVING: readonly [how: string, leave: () => Promise<unknown>][] = [
    ["is renamed", () => admin.mv(CLOSED, `${TEAM}/closed-2`)],
    ["is moved to a private space", () => admin.mv(CLOSED, "ctx://user/boss/closed")],
    ["is in the trash itself", () => removed(admin, CLOSED)],
    ["was deleted for good", () => rmForGood(CLOSED)],
    ["was deleted for good from above", () => rmForGood(TEAM)],
  ];
  const rmForGood = (uri: string) =>
    removeNode(house.deps, admin.call, { uri, recursive: true, permanent: true });

  it.each(LEAVING)(
    "nodes that were removed from a hidden folder stay hidden after the folder %s",
    async (_, leave) => {
      await admin.create(`${CLOSED}/inner/c.md`, "The owl is closed inside.");
      await admin.create(`${CLOSED}/d.md`, "The owl stays.");
      const early = await removed(admin, `${CLOSED}/inner/c.md`);
      await grant(admin, CLOSED, "everyone", "read", "deny");
      const ids = [early, await removed(admin, `${CLOSED}/b.md`)];
      const isHidden = async () => {
        expect(await items(bob)).toEqual([]);
        for (const id of ids) expect(await codeOf(restore(bob, id, "ctx://user/bob/mine"))).toBe("NOT_FOUND");
        expect(await emptyTrash(house.deps, bob.call, { all: true })).toEqual({ deleted: 0 });
        const { changes } = await listChanges(house.deps, bob.call, { begin: "oldest", kinds: [] });
        expect(JSON.stringify(changes)).not.toMatch(/[bcd]\.md|inner/);
      };
      await isHidden();
      await leave();
      await isHidden();
      await house.drain();
      await isHidden();
      expect(await items(admin)).toEqual(expect.arrayContaining([`${CLOSED}/b.md`, `${CLOSED}/inner/c.md`]));
      await restore(admin, ids[1]!, "ctx://user/boss/found.md");
      expect(await admin.read("ctx://user/boss/found.md")).toBe("The owl is closed.");
      expect(await house.findings()).toEqual([]);
    },
  );

  it("renaming a folder without rules does not hide nodes that were removed from it earlier", async () => {
    await admin.create(`${CLOSED}/d.md`, "The owl stays.");
    await removed(admin, `${CLOSED}/b.md`);
    await admin.mv(CLOSED, `${TEAM}/open`);
    expect(await items(bob)).toEqual([`${CLOSED}/b.md`]);
    await rmForGood(`${TEAM}/open`);
    await house.drain();
    expect(await items(bob)).toEqual([`${CLOSED}/b.md`]);
  });

  it("nodes that an import removes from a hidden folder are hidden from users who see the rest", async () => {
    const source = (more: object) => ({ "open/a.md": "The owl is open.", "shut/keep.md": "k", ...more });
    const first = source({ "shut/deep/b.md": "The owl is closed.", "open/c.md": "gone" });
    const { rootUri } = await admin.add("owls", first);
    await grant(admin, `${rootUri}/shut`, "everyone", "read", "deny");
    await admin.add("owls", source({}));
    expect(await items(admin)).toEqual(expect.arrayContaining([rootUri, `${rootUri}/shut`]));
    expect(await items(bob)).toEqual([rootUri]);
    const { items: listed } = await listTrash(house.deps, bob.call, {});
    expect(await codeOf(restore(bob, listed[0]!.trashId, "ctx://user/bob/mine"))).toBe("PERMISSION_DENIED");
    const [item] = (await listTrash(house.deps, admin.call, {})).items.filter(({ uri }) => uri === rootUri);
    await restore(admin, item!.trashId, "ctx://resources/given");
    expect((await bob.tree("ctx://resources/given")).join()).not.toMatch(/deep|b\.md/);
    const { items: both } = await listTrash(house.deps, admin.call, {});
    await restore(admin, both[0]!.trashId);
    expect(await admin.read(`${rootUri}/shut/deep/b.md`)).toBe("The owl is closed.");
    expect(await house.findings()).toEqual([]);
  });

  it("the trash counts of a removed folder exclude nodes and bytes that are hidden from the user", async () => {
    await grant(admin, CLOSED, "user:bob", "read", "deny");
    await removed(admin, TEAM);
    // the bytes of a folder are counted by a job
    await house.drain();
    const { items: all, bytes: everything } = await listTrash(house.deps, admin.call, {});
    const { items: seen, bytes } = await listTrash(house.deps, bob.call, {});
    expect(all[0]?.nodes).toBe(4);
    expect(everything).toBeGreaterThan(0);
    expect(seen.map(({ uri }) => uri)).toEqual([TEAM]);
    expect(seen[0]?.nodes).toBe(1);
    expect(seen[0]?.bytes).toBeUndefined();
    expect(bytes).toBe(0);
  });
});
