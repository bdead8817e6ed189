import { afterEach, describe, expect, it } from "vitest";
import { grantAccess } from "../../src/service/access/grant-access.ts";
import { createAccount } from "../../src/service/account/create-account.ts";
import { registerUser } from "../../src/service/account/register-user.ts";
import { removeUser } from "../../src/service/account/remove-user.ts";
import { readContent } from "../../src/service/content/read-content.ts";
import { moveNode } from "../../src/service/filesystem/move-node.ts";
import { removeNode } from "../../src/service/filesystem/remove-node.ts";
import { createSnapshot } from "../../src/service/snapshot/create-snapshot.ts";
import { deleteSnapshot } from "../../src/service/snapshot/delete-snapshot.ts";
import { diffSnapshots } from "../../src/service/snapshot/diff-snapshots.ts";
import { listSnapshotEntries } from "../../src/service/snapshot/list-snapshot-entries.ts";
import { listSnapshots } from "../../src/service/snapshot/list-snapshots.ts";
import { restoreSnapshot } from "../../src/service/snapshot/restore-snapshot.ts";
import { STORES } from "../support/stores.ts";
import { Actor, codeOf, House } from "../support/tenant.ts";

const DAY_MS = 24 * 3600_000;
const DOCS = "ctx://resources/docs";
const LARGE = "a line of a larger file\n".repeat(1000);

describe.each(STORES)("snapshots over %s", (_, stores) => {
  let house: House;
  let ann: Actor;
  let bob: Actor;
  const open = async (kept: Parameters<typeof House.open>[5] = {}) => {
    const trash = { items: 100, bytes: 1e9, lifeMs: 30 * DAY_MS };
    house = await House.open(await stores(), true, [], undefined, undefined, { trash, ...kept });
    ann = house.as("ann");
    bob = house.as("bob", "acme", "user");
  };
  afterEach(() => house.end());

  /** `uri` is "" for the whole workspace. */
  const take = (name: string, uri = DOCS, actor = ann, more = {}) =>
    createSnapshot(house.deps, actor.call, { name, ...(uri !== "" && { uri }), ...more });
  const all = async (name: string, uri = DOCS, actor = ann) => {
    const uris: string[] = [];
    let cursor: string | undefined;
    do {
      const input = { name, uri, recursive: true, limit: 2, cursor };
      const page = await listSnapshotEntries(house.deps, actor.call, input);
      for (const entry of page.entries) uris.push(entry.uri);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return uris.map((one) => one.slice(uri.length));
  };
  const diff = async (name: string, to?: string, uri?: string, actor = ann) => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await diffSnapshots(house.deps, actor.call, {
        name,
        toSnapshot: to,
        uri,
        limit: 2,
        cursor,
      });
      for (const { kind, uri: at, movedFrom } of page.differences)
        found.push(
          [kind, at, ...(movedFrom === undefined ? [] : ["from", movedFrom])]
            .map((part) => part.replace(DOCS, ""))
            .join(" "),
        );
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return found;
  };
  const read = async (uri: string, snapshot?: string, actor = ann) =>
    (await readContent(house.deps, actor.call, { uri, snapshot })).content;
  const restore = (name: string, more = {}, actor = ann) =>
    restoreSnapshot(house.deps, actor.call, {
      name,
      keepAdded: false,
      dryRun: false,
      wait: true,
      ...more,
    });
  const drop = (name: string, actor = ann) => deleteSnapshot(house.deps, actor.call, { name });
  const mv = (fromUri: string, toUri: string, actor = ann) =>
    moveNode(house.deps, actor.call, { fromUri, toUri });
  const rmForGood = (uri: string) =>
    removeNode(house.deps, ann.call, { uri, recursive: true, permanent: true });
  const kept = async () => (await house.keys("w/")).filter((key) => /^w\/\w+\/S\/[en]\//.test(key));
  const sound = async () => {
    await house.drain();
    expect(await house.findings()).toEqual([]);
  };
  const fill = async () => {
    await ann.create(`${DOCS}/a.md`, "one");
    await ann.create(`${DOCS}/large.txt`, LARGE);
    await ann.create(`${DOCS}/deep/er/note.md`, "the okapi sleeps");
    await ann.create(`${DOCS}/deep/other.md`, "other");
    await house.drain();
  };

  it("a snapshot shows the former files and folders after changes, moves and permanent removals", async () => {
    await open({ versions: { perFile: 0 } });
    await fill();
    const before = await all("now").catch(() => []);
    expect(before).toEqual([]);
    await take("first");
    const tree = await all("first");
    expect(tree).toEqual(["/a.md", "/deep", "/deep/er", "/deep/er/note.md", "/deep/other.md", "/large.txt"]);
    expect(await kept()).toEqual([]);
    await ann.replace(`${DOCS}/a.md`, "two");
    await ann.replace(`${DOCS}/large.txt`, "short");
    await mv(`${DOCS}/deep/er`, "ctx://resources/elsewhere");
    await ann.replace("ctx://resources/elsewhere/note.md", "the okapi wakes");
    await ann.create("ctx://resources/elsewhere/new.md", "not in the snapshot");
    await rmForGood(`${DOCS}/deep`);
    await ann.create(`${DOCS}/deep/other.md`, "a new one");
    await house.drain();
    expect(await all("first")).toEqual(tree);
    expect(await read(`${DOCS}/a.md`, "first")).toBe("one");
    expect(await read(`${DOCS}/large.txt`, "first")).toBe(LARGE);
    expect(await read(`${DOCS}/deep/er/note.md`, "first")).toBe("the okapi sleeps");
    expect(await read(`${DOCS}/deep/other.md`, "first")).toBe("other");
    expect(await codeOf(read("ctx://resources/elsewhere/note.md", "first"))).toBe("NOT_FOUND");
    expect(await diff("first")).toEqual([
      "changed /a.md",
      "removed /deep/er",
      "changed /deep/other.md",
      "changed /large.txt",
    ]);
    await sound();
  });

  it("successive snapshots each keep their own state, whichever is deleted first", async () => {
    await open({ versions: { perFile: 0 } });
    await ann.create(`${DOCS}/a.md`, "1");
    await ann.create(`${DOCS}/b.md`, "same");
    for (const [name, next] of [
      ["s1", "2"],
      ["s2", "3"],
      ["s3", "4"],
    ] as const) {
      await take(name);
      await ann.replace(`${DOCS}/a.md`, next);
    }
    const states = () => Promise.all(["s1", "s2", "s3"].map((name) => read(`${DOCS}/a.md`, name)));
    expect(await states()).toEqual(["1", "2", "3"]);
    expect(await diff("s1", "s3")).toEqual(["changed /a.md"]);
    await drop("s3");
    await house.drain();
    await ann.replace(`${DOCS}/a.md`, "5");
    expect(await read(`${DOCS}/a.md`, "s2")).toBe("2");
    await drop("s1");
    await house.drain();
    expect(await read(`${DOCS}/a.md`, "s2")).toBe("2");
    await sound();
    await drop("s2");
    await house.drain();
    expect(await kept()).toEqual([]);
    expect((await house.keys("w/")).filter((key) => /^w\/\w+\/c\//.test(key))).toHaveLength(2);
    await sound();
  });

  it("a comparison lists a moved node once, with its former URI, followed by changes inside it", async () => {
    await open();
    await fill();
    for (const name of ["kept", "changed", "removed"]) await ann.create(`${DOCS}/old/${name}.md`, name);
    await ann.create(`${DOCS}/old/inner/x.md`, "x");
    await ann.create(`${DOCS}/log`, "the latest");
    await ann.create(`${DOCS}/log.1`, "the one before");
    await take("first");
    await mv(`${DOCS}/old`, `${DOCS}/new`);
    await ann.replace(`${DOCS}/new/changed.md`, "another text");
    await ann.rm(`${DOCS}/new/removed.md`);
    await ann.create(`${DOCS}/new/added.md`, "added");
    await mv(`${DOCS}/new/inner/x.md`, `${DOCS}/a/folder/of/its/own.md`);
    await mv(`${DOCS}/log.1`, `${DOCS}/log.2`);
    await mv(`${DOCS}/log`, `${DOCS}/log.1`);
    await ann.create(`${DOCS}/log`, "the next one");
    await mv(`${DOCS}/a.md`, `${DOCS}/b.md`);
    await ann.replace(`${DOCS}/b.md`, "moved and changed");
    const found = [
      "added /a",
      "moved /a/folder/of/its/own.md from /old/inner/x.md",
      "changed /b.md from /a.md",
      "added /log",
      "moved /log.1 from /log",
      "moved /log.2 from /log.1",
      "moved /new from /old",
      "added /new/added.md",
      "changed /new/changed.md from /old/changed.md",
      "removed /old/removed.md",
    ];
    expect(await diff("first")).toEqual(found);
    await take("second");
    await mv(`${DOCS}/new`, `${DOCS}/newer`);
    await ann.rm(`${DOCS}/log.1`);
    await ann.rm(`${DOCS}/b.md`);
    expect(await diff("first", "second")).toEqual(found);
    expect(await diff("second")).toEqual(["removed /b.md", "removed /log.1", "moved /newer from /new"]);
    await sound();
  });

  it("a comparison lists nodes that swapped names as moved, and compares a node with the one it replaced", async () => {
    await open();
    for (const name of ["a", "b", "c", "d"]) await ann.create(`${DOCS}/${name}.md`, name);
    for (const name of ["e", "one", "two"]) await ann.create(`${DOCS}/${name}/x.md`, name);
    await take("first");
    await mv(`${DOCS}/a.md`, `${DOCS}/aside.md`);
    await mv(`${DOCS}/b.md`, `${DOCS}/a.md`);
    await mv(`${DOCS}/aside.md`, `${DOCS}/b.md`);
    await ann.rm(`${DOCS}/c.md`);
    await mv(`${DOCS}/d.md`, `${DOCS}/c.md`);
    await mv(`${DOCS}/e`, `${DOCS}/aside`);
    await mv(`${DOCS}/aside`, `${DOCS}/e/archive`);
    await mv(`${DOCS}/one`, `${DOCS}/aside`);
    await mv(`${DOCS}/two`, `${DOCS}/one`);
    await ann.create(`${DOCS}/two/x.md`, "new");
    await mv(`${DOCS}/aside`, `${DOCS}/two/z`);
    expect(await diff("first")).toEqual([
      "moved /a.md from /b.md",
      "moved /b.md from /a.md",
      "changed /c.md",
      "removed /d.md",
      "added /e",
      "moved /e/archive from /e",
      "moved /one from /two",
      "added /two",
      "moved /two/z from /one",
    ]);
    await sound();
  });

  it("a comparison lists nodes moved across its boundary or hidden as added or removed", async () => {
    await open();
    await fill();
    await ann.create(`${DOCS}/open/file.md`, "open");
    await ann.create(`${DOCS}/closed/file.md`, "closed");
    await ann.create(`${DOCS}/closed/other.md`, "other");
    await take("first");
    await mv(`${DOCS}/deep/other.md`, `${DOCS}/open/other.md`);
    await mv(`${DOCS}/open/file.md`, `${DOCS}/closed/moved.md`);
    await mv(`${DOCS}/closed/file.md`, `${DOCS}/open/came.md`);
    await grantAccess(house.deps, ann.call, {
      uri: `${DOCS}/closed`,
      granteeType: "everyone",
      granteeId: "",
      level: "read",
      effect: "deny",
    });
    expect(await diff("first", undefined, `${DOCS}/open`)).toEqual([
      "added /open/came.md",
      "removed /open/file.md",
      "added /open/other.md",
    ]);
    expect(await diff("first")).toEqual([
      "moved /closed/moved.md from /open/file.md",
      "moved /open/came.md from /closed/file.md",
      "moved /open/other.md from /deep/other.md",
    ]);
    expect(await diff("first", undefined, undefined, bob)).toEqual([
      "added /open/came.md",
      "moved /open/other.md from /deep/other.md",
    ]);
  });

  it("a restore brings back changed and removed files, and moves added ones to the trash", async () => {
    await open();
    await fill();
    await take("first");
    await ann.replace(`${DOCS}/a.md`, "two");
    await ann.rm(`${DOCS}/deep`);
    await ann.create(`${DOCS}/added/x.md`, "x");
    await ann.create(`${DOCS}/deep`, "a file in the way");
    await house.drain();
    const planned = await restore("first", { dryRun: true });
    expect(planned).toEqual({ name: "first", uri: DOCS, restored: 5, trashed: 2, lost: 0 });
    expect(await restore("first")).toEqual(planned);
    expect(await diff("first")).toEqual([]);
    expect(await read(`${DOCS}/deep/er/note.md`)).toBe("the okapi sleeps");
    expect((await readContent(house.deps, ann.call, { uri: `${DOCS}/a.md`, version: 2 })).content).toBe(
      "two",
    );
    await sound();
    expect(await ann.found("okapi sleeps")).toContain(`${DOCS}/deep/er/note.md`);
  });

  it("restoring a part of a snapshot changes nothing else, and keeps added files on request", async () => {
    await open();
    await fill();
    await take("first");
    await ann.replace(`${DOCS}/a.md`, "two");
    await ann.replace(`${DOCS}/deep/other.md`, "two");
    await ann.create(`${DOCS}/deep/added.md`, "added");
    expect(await restore("first", { uri: `${DOCS}/deep`, keepAdded: true })).toMatchObject({
      restored: 1,
      trashed: 0,
    });
    expect(await diff("first")).toEqual(["changed /a.md", "added /deep/added.md"]);
    expect(await restore("first", { uri: `${DOCS}/a.md` })).toMatchObject({ restored: 1, trashed: 0 });
    expect(await diff("first")).toEqual(["added /deep/added.md"]);
    await sound();
  });

  it("many changes are restored by a task, and the restoring call waits for the task", async () => {
    await open();
    const files = Object.fromEntries(Array.from({ length: 230 }, (_, i) => [`f${i}.md`, `text ${i}`]));
    await ann.add("source", files, { to: DOCS });
    await house.drain();
    await take("many", "ctx://resources");
    await ann.rm(DOCS);
    const { taskId, ...done } = await restore("many");
    expect(taskId).toBeDefined();
    expect(done).toEqual({ name: "many", uri: "ctx://resources", restored: 231, trashed: 0, lost: 0 });
    expect(await diff("many")).toEqual([]);
    await sound();
  });

  it("a workspace snapshot shows shared folders to everyone, and private spaces only to its creator", async () => {
    await open();
    await fill();
    await ann.create("ctx://user/ann/diary.md", "private");
    await ann.create("ctx://user/ann/memories/fact.md", "nobody keeps this");
    await bob.create("ctx://user/bob/own.md", "of bob");
    await take("whole", "");
    await ann.replace("ctx://user/ann/diary.md", "changed");
    await bob.replace("ctx://user/bob/own.md", "changed");
    await ann.replace("ctx://user/ann/memories/fact.md", "changed");
    expect(await read("ctx://user/ann/diary.md", "whole")).toBe("private");
    for (const uri of ["ctx://user/ann/diary.md", "ctx://user/bob/own.md", "ctx://user/ann/memories/fact.md"])
      expect(await codeOf(read(uri, "whole", bob))).toBe("NOT_FOUND");
    expect(await codeOf(read("ctx://user/ann/memories/fact.md", "whole"))).toBe("NOT_FOUND");
    expect(await read(`${DOCS}/a.md`, "whole", bob)).toBe("one");
    expect((await all("whole", "ctx://")).join(" ")).not.toContain("memories");
    await take("mine", "ctx://user/ann");
    expect((await listSnapshots(house.deps, bob.call, {})).snapshots.map(({ name }) => name)).toEqual([
      "whole",
    ]);
    expect(await codeOf(all("mine", "ctx://user/ann", bob))).toBe("NOT_FOUND");
    expect(await codeOf(drop("whole", bob))).toBe("PERMISSION_DENIED");
    await sound();
  });

  it("content that was moved into a private space or hidden later cannot be read in a snapshot", async () => {
    await open();
    await fill();
    await take("first");
    await mv(`${DOCS}/deep/er`, "ctx://user/ann/er");
    const rule = { granteeType: "everyone", granteeId: "", effect: "deny", level: "read" };
    await grantAccess(house.deps, ann.call, { uri: `${DOCS}/large.txt`, ...rule });
    expect(await all("first", DOCS, bob)).toEqual(["/a.md", "/deep", "/deep/other.md"]);
    expect(await codeOf(read(`${DOCS}/deep/er/note.md`, "first", bob))).toBe("NOT_FOUND");
    await rmForGood(`${DOCS}/large.txt`);
    await house.drain();
    expect(await all("first", DOCS, bob)).toEqual(["/a.md", "/deep", "/deep/other.md"]);
    expect(await codeOf(read(`${DOCS}/large.txt`, "first", bob))).toBe("NOT_FOUND");
    expect(await read(`${DOCS}/large.txt`, "first")).toBe(LARGE);
    await sound();
    await drop("first");
    await sound();
  });

  it("a file that was moved into memories and deleted there is in no snapshot", async () => {
    await open();
    await ann.create(`${DOCS}/a.md`, "one");
    await ann.create(`${DOCS}/deep/er/note.md`, "the okapi sleeps");
    await ann.create(`${DOCS}/stays.md`, "other");
    await take("first");
    await mv(`${DOCS}/a.md`, "ctx://user/ann/memories/a.md");
    await mv(`${DOCS}/deep`, "ctx://user/ann/memories/deep");
    expect(await all("first")).toEqual(["/stays.md"]);
    await ann.rm("ctx://user/ann/memories/a.md");
    await ann.rm("ctx://user/ann/memories/deep");
    await house.drain();
    expect(await codeOf(read(`${DOCS}/a.md`, "first"))).toBe("NOT_FOUND");
    expect((await house.keys("w/")).filter((key) => /^w\/\w+\/c\//.test(key))).toHaveLength(1);
    expect(await restore("first", { dryRun: true })).toMatchObject({ lost: 1 });
    await sound();
  });

  it("removing a user removes their snapshots and kept content of their spaces, but no shared content", async () => {
    await open();
    await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "ann" });
    await fill();
    await registerUser(house.deps, house.root, { accountId: "acme", userId: "eve", role: "user" });
    const eve = house.as("eve", "acme", "user");
    await eve.create("ctx://user/eve/diary.md", "private");
    await take("mine", "ctx://user/eve", eve);
    await take("whole", "", eve);
    await eve.replace("ctx://user/eve/diary.md", "changed");
    await eve.replace(`${DOCS}/a.md`, "two");
    await removeUser(house.deps, house.root, { accountId: "acme", userId: "eve" });
    await house.drain();
    const left = (await listSnapshots(house.deps, ann.call, {})).snapshots;
    expect(left.map(({ name, userId }) => [name, userId])).toEqual([["whole", undefined]]);
    expect(await read(`${DOCS}/a.md`, "whole")).toBe("one");
    expect((await kept()).filter((key) => key.includes("diary"))).toEqual([]);
    await sound();
  });

  it("an expired snapshot is unavailable at once, and the next job removes its kept content", async () => {
    await open();
    await fill();
    await take("short", DOCS, ann, { expiresInSeconds: 60 });
    await rmForGood(`${DOCS}/deep`);
    await house.drain();
    expect((await kept()).length).toBeGreaterThan(0);
    house.stores.clock.now += 60_000;
    expect(await codeOf(all("short"))).toBe("NOT_FOUND");
    house.worker.start();
    await house.drain();
    expect(await kept()).toEqual([]);
    await sound();
  });

  it("a snapshot is refused for an invalid name or URI, and above the maximum number", async () => {
    await open({ snapshots: 2 });
    await fill();
    expect(await codeOf(take("no/name"))).toBe("INVALID_ARGUMENT");
    expect(await codeOf(take("x", `${DOCS}/none`))).toBe("NOT_FOUND");
    expect(await codeOf(take("x", `${DOCS}/a.md`))).toBe("FAILED_PRECONDITION");
    expect(await codeOf(take("x", "ctx://session/ann"))).toBe("FAILED_PRECONDITION");
    expect(await codeOf(take("x", "ctx://user/ann/memories"))).toBe("FAILED_PRECONDITION");
    expect(await codeOf(take("x", "ctx://user/bob"))).not.toBe("nothing");
    await take("one");
    expect(await codeOf(take("one"))).toBe("ALREADY_EXISTS");
    await take("two");
    expect(await codeOf(take("three"))).toBe("RESOURCE_EXHAUSTED");
    expect(await codeOf(diff("none"))).toBe("NOT_FOUND");
    expect(await codeOf(diff("one", undefined, "ctx://resources/other"))).toBe("NOT_FOUND");
  });

  it.each([
    ["is renamed", () => mv("ctx://resources/shut", "ctx://resources/shut-2")],
    ["was deleted for good", () => rmForGood("ctx://resources/shut")],
  ])("a snapshot in a hidden folder stays hidden after the folder %s", async (_, leave) => {
    await open();
    await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "ann" });
    await registerUser(house.deps, house.root, { accountId: "acme", userId: "bob" });
    ann = house.as("ann", "acme", "admin");
    bob = house.as("bob", "acme", "user");
    const inner = "ctx://resources/shut/inner";
    await ann.create(`${inner}/a.md`, "the okapi is hidden");
    await grantAccess(house.deps, ann.call, {
      uri: "ctx://resources/shut",
      granteeType: "everyone",
      granteeId: "",
      level: "read",
      effect: "deny",
    });
    await take("hidden", inner);
    const isHidden = async () => {
      expect((await listSnapshots(house.deps, bob.call, {})).snapshots).toEqual([]);
      expect(await codeOf(all("hidden", inner, bob))).toBe("NOT_FOUND");
      expect(await codeOf(read(`${inner}/a.md`, "hidden", bob))).toBe("NOT_FOUND");
      expect(await codeOf(restore("hidden", {}, bob))).toBe("NOT_FOUND");
      expect(await codeOf(drop("hidden", bob))).toBe("NOT_FOUND");
    };
    await isHidden();
    await leave();
    await house.drain();
    await isHidden();
    expect(await all("hidden", inner)).toEqual(["/a.md"]);
    await sound();
  });

  it("denied content stays denied after its snapshot is restored", async () => {
    await open();
    await fill();
    await createAccount(house.deps, house.root, { accountId: "team", adminUserId: "boss" });
    await registerUser(house.deps, house.root, { accountId: "team", userId: "eve" });
    const as = (user: string, role: "admin" | "user") =>
      new Actor(house, { ...house.as(user, "team", role).caller, keyless: false });
    const [boss, eve] = [as("boss", "admin"), as("eve", "user")];
    await boss.create(`${DOCS}/closed/b.md`, "closed");
    const denied = { granteeType: "user", granteeId: "eve", level: "read", effect: "deny" };
    await grantAccess(house.deps, boss.call, { uri: `${DOCS}/closed`, ...denied });
    await take("monday", DOCS, boss);
    await boss.rm(`${DOCS}/closed`);
    await restore("monday", {}, boss);
    expect(await boss.read(`${DOCS}/closed/b.md`)).toBe("closed");
    expect(await codeOf(eve.read(`${DOCS}/closed/b.md`))).toBe("NOT_FOUND");
    // the folder is created again for one file
    await boss.rm(`${DOCS}/closed`);
    await restore("monday", { uri: `${DOCS}/closed/b.md` }, boss);
    expect(await boss.read(`${DOCS}/closed/b.md`)).toBe("closed");
    expect(await codeOf(eve.read(`${DOCS}/closed/b.md`))).toBe("NOT_FOUND");
  });
});
