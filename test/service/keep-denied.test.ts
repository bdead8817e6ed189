import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NO_NODE } from "../../src/domain/node.ts";
import { grantAccess } from "../../src/service/access/grant-access.ts";
import { createAccount } from "../../src/service/account/create-account.ts";
import { registerUser } from "../../src/service/account/register-user.ts";
import { createSnapshot } from "../../src/service/snapshot/create-snapshot.ts";
import { restoreSnapshot } from "../../src/service/snapshot/restore-snapshot.ts";
import { restoreTrash } from "../../src/service/trash/restore-trash.ts";
import { locate } from "../../src/workspace/tree/locate.ts";
import { granteeFields } from "../support/access-model.ts";
import { Actor, codeOf, House } from "../support/tenant.ts";

const TEAM = "ctx://resources/team";
const CLOSED = `${TEAM}/closed`;
const FILE = `${CLOSED}/b.md`;
const TRASH = { items: 100, bytes: 1e9, lifeMs: 30 * 24 * 3600_000 };

describe("denied paths", () => {
  let house: House;
  let admin: Actor;
  let bob: Actor;

  beforeEach(async () => {
    house = await House.open(undefined, true, [], undefined, undefined, { trash: TRASH });
    await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "boss" });
    await registerUser(house.deps, house.root, { accountId: "acme", userId: "bob" });
    const as = (user: string, role: "admin" | "user") =>
      new Actor(house, { ...house.as(user, "acme", role).caller, keyless: false });
    [admin, bob] = [as("boss", "admin"), as("bob", "user")];
    await admin.create(`${TEAM}/open.md`, "The owl is open.");
    await admin.create(FILE, "The owl is closed.");
  });
  afterEach(() => house.end());

  const deny = (uri: string, to = "user:bob") =>
    grantAccess(house.deps, admin.call, { uri, ...granteeFields(to), level: "read", effect: "deny" });
  const take = (name: string, uri: string) => createSnapshot(house.deps, admin.call, { name, uri });
  const restore = (name: string) =>
    restoreSnapshot(house.deps, admin.call, { name, keepAdded: false, dryRun: false, wait: true });
  const isClosed = async (uri = FILE, content = "The owl is closed.") => {
    expect(await admin.read(uri)).toBe(content);
    expect(await codeOf(bob.read(uri))).toBe("NOT_FOUND");
    await house.drain();
    expect(await house.findings()).toEqual([]);
  };

  it("restoring a snapshot hides a folder that a user created at the path of a hidden one", async () => {
    await deny(CLOSED);
    await take("all", TEAM);
    await admin.rm(CLOSED);
    await bob.mkdir(CLOSED);
    await restore("all");
    await isClosed();
  });

  it("restoring a snapshot hides a file that a user created at the path of a hidden one", async () => {
    await deny(FILE);
    await take("all", TEAM);
    await admin.rm(FILE);
    await bob.create(FILE, "The owl is mine.");
    await restore("all");
    await isClosed();
  });

  it("restoring a snapshot below a deleted hidden folder hides that folder again", async () => {
    await admin.create(`${CLOSED}/inner/c.md`, "The owl is inside.");
    await deny(CLOSED, "everyone");
    await take("inner", `${CLOSED}/inner`);
    await admin.rm(CLOSED);
    await restore("inner");
    await isClosed(`${CLOSED}/inner/c.md`, "The owl is inside.");
  });

  it.each([
    ["when the folder is gone", async () => undefined],
    ["when a user made another folder at its path", () => bob.mkdir(CLOSED)],
  ])("restoring a file from the trash hides its formerly hidden folder again %s", async (_, remake) => {
    await admin.create(`${CLOSED}/d.md`, "The owl stays.");
    await deny(CLOSED);
    const { trashId = "" } = await admin.rm(FILE);
    await admin.rm(CLOSED);
    await remake();
    expect((await restoreTrash(house.deps, admin.call, { trashId })).uri).toBe(FILE);
    await isClosed();
  });

  it("a file or folder that is moved over a hidden one is hidden, too", async () => {
    await deny(FILE);
    await admin.create(`${TEAM}/b.md.tmp`, "The owl is saved.");
    await admin.mv(`${TEAM}/b.md.tmp`, FILE);
    await isClosed(FILE, "The owl is saved.");
    await admin.create(`${TEAM}/next/b.md`, "The owl is next.");
    await admin.mv(`${TEAM}/next`, CLOSED);
    await isClosed(FILE, "The owl is next.");
  });

  it("replacing a folder reads no records of nodes with grants elsewhere", async () => {
    await deny(FILE);
    await admin.create("ctx://resources/other/a.md", "owl");
    await deny("ctx://resources/other/a.md");
    const { workspace, owner } = await admin.tenant();
    const nodeAt = (...path: string[]) => locate(workspace.kv, workspace.keys, owner, path)?.node ?? NO_NODE;
    const other = nodeAt("resources", "other");
    const reads = await workspace.transact((draft) => {
      const node = vi.spyOn(draft, "node");
      workspace.sharing.carryOver(draft, other, other, workspace.table);
      return () => node.mock.calls.map(([read]) => read);
    });
    expect(reads).toEqual([nodeAt("resources", "other", "a.md")]);
  });
});
