import { afterEach, describe, expect, it } from "vitest";
import { listVersions } from "../../src/service/content/list-versions.ts";
import { removeNode } from "../../src/service/filesystem/remove-node.ts";
import { tagNode } from "../../src/service/filesystem/tag-node.ts";
import { exportPack } from "../../src/service/pack/export-pack.ts";
import { linkNodes } from "../../src/service/relation/link-nodes.ts";
import { listRelations } from "../../src/service/relation/list-relations.ts";
import { glob as globNodes } from "../../src/service/search/glob.ts";
import { grep as grepContents } from "../../src/service/search/grep.ts";
import { addSkill } from "../../src/service/skill/add-skill.ts";
import { deleteSkill } from "../../src/service/skill/delete-skill.ts";
import { deleteTrash } from "../../src/service/trash/delete-trash.ts";
import { emptyTrash } from "../../src/service/trash/empty-trash.ts";
import { listTrash } from "../../src/service/trash/list-trash.ts";
import { restoreTrash } from "../../src/service/trash/restore-trash.ts";
import type { TrashLimits } from "../../src/workspace/trash/trash-limits.ts";
import { STORES } from "../support/stores.ts";
import { type Actor, codeOf, House } from "../support/tenant.ts";

const DAY_MS = 24 * 3600_000;
const LIMITS: TrashLimits = { items: 100, bytes: 1e9, lifeMs: 30 * DAY_MS };
const LONG = Array.from(
  { length: 30 },
  (_, i) => `# Part ${i}\n\n${`Sentence ${i} about okapis and rivers. `.repeat(12)}\n`,
).join("\n");
const DOCS = "ctx://resources/docs";

describe.each(STORES)("the trash over %s", (_, stores) => {
  let house: House;
  let ann: Actor;
  let bob: Actor;
  const open = async (trash: Partial<TrashLimits> = {}, maxStoredBytes = 0, work = true) => {
    const kept = { trash: { ...LIMITS, ...trash }, ...(maxStoredBytes > 0 && { maxStoredBytes }) };
    house = await House.open(await stores(), work, [], undefined, undefined, kept);
    ann = house.as("ann");
    bob = house.as("bob");
  };
  afterEach(() => house.end());

  const list = (actor = ann, more: { limit?: number; cursor?: string } = {}) =>
    listTrash(house.deps, actor.call, more);
  const items = async (actor = ann) => (await list(actor)).items;
  const restore = (trashId: string, toUri?: string, actor = ann) =>
    restoreTrash(house.deps, actor.call, { trashId, toUri });
  const removed = async (uri: string, actor = ann) => (await actor.rm(uri)).trashId ?? "nothing";
  const later = async (ms: number) => {
    house.stores.clock.now += ms;
    // makes the worker read the clock again
    house.worker.start();
    await house.drain();
  };
  const ofNodes = async () => (await house.keys("w/")).filter((key) => /^w\/\w+\/[ceny]\//.test(key));

  it("a removed folder is not found until it is restored", async () => {
    await open();
    await ann.create(`${DOCS}/okapi.md`, LONG);
    await ann.create(`${DOCS}/deep/er/note.md`, "the okapi sleeps");
    await house.drain();
    const before = await ann.tree("ctx://resources");
    const found = await ann.found("okapis and rivers");
    const node = await ann.node(`${DOCS}/okapi.md`);
    const { deleted, trashId = "" } = await ann.rm(DOCS);
    expect(deleted).toBe((await items())[0]?.nodes);
    await house.drain();
    expect(await ann.tree("ctx://resources")).toEqual([]);
    expect(await ann.found("okapis and rivers")).toEqual([]);
    const grep = await grepContents(house.deps, ann.call, {
      uri: "ctx://resources",
      pattern: "okapi",
      caseInsensitive: false,
    });
    expect(grep.matches).toEqual([]);
    const glob = await globNodes(house.deps, ann.call, { uri: "ctx://", pattern: "**/*.md", tags: [] });
    expect(glob.matches).toEqual([]);
    for (const uri of [`${DOCS}/okapi.md`, `${DOCS}/deep`])
      expect(await codeOf(ann.stat(uri))).toBe("NOT_FOUND");
    expect(await codeOf(exportPack(house.deps, ann.call, { uri: DOCS, includeVectors: true }))).toBe(
      "NOT_FOUND",
    );
    await house.expectSound();
    expect(await restore(trashId)).toMatchObject({ uri: DOCS, restored: deleted, renamed: false });
    await house.drain();
    expect(await ann.tree("ctx://resources")).toEqual(before);
    expect(await ann.found("okapis and rivers")).toEqual(found);
    expect(await ann.node(`${DOCS}/okapi.md`)).toBe(node);
    expect(await items()).toEqual([]);
  });

  it("relations, versions, tags and derived sections are restored with a file", async () => {
    await open();
    const uri = `${DOCS}/long.md`;
    await ann.create(uri, LONG);
    await ann.replace(uri, `${LONG}\nmore`);
    await ann.create("ctx://resources/other.md", "other");
    await tagNode(house.deps, ann.call, { uri, add: ["draft"], remove: [], replace: false });
    await linkNodes(house.deps, ann.call, {
      fromUri: uri,
      toUris: ["ctx://resources/other.md"],
      reason: "why",
    });
    await linkNodes(house.deps, ann.call, {
      fromUri: "ctx://resources/other.md",
      toUris: [uri],
      reason: "back",
    });
    await house.drain();
    const tree = await ann.tree("ctx://resources", true);
    const id = await removed(uri);
    const of = async (one: string) => await listRelations(house.deps, ann.call, { uri: one });
    expect(await of("ctx://resources/other.md")).toHaveLength(1);
    await restore(id);
    expect(await ann.tree("ctx://resources", true)).toEqual(tree);
    expect(await of(uri)).toHaveLength(1);
    await restore(await removed(uri), "ctx://resources/elsewhere/renamed.md");
    expect(await of("ctx://resources/elsewhere/renamed.md")).toHaveLength(1);
    expect(await of(uri)).toEqual([]);
    const history = { uri: "ctx://resources/elsewhere/renamed.md" };
    expect((await listVersions(house.deps, ann.call, history)).total).toBe(2);
    expect((await ann.stat("ctx://resources/elsewhere/renamed.md")).tags).toEqual(["draft"]);
  });

  it("layers and vectors that are missing when a file is removed are completed in the trash", async () => {
    await open({}, 0, false);
    await ann.create(`${DOCS}/fresh.md`, "The quagga is extinct.");
    const id = await removed(DOCS);
    house.worker.start();
    await house.drain();
    await restore(id);
    expect((await ann.stat(`${DOCS}/fresh.md`)).size).toBe(22);
    await house.drain();
    expect(await ann.found("quagga")).toContain(`${DOCS}/fresh.md`);
    expect(await ann.tree(DOCS, true)).toContain(`${DOCS}/.overview.md`);
  });

  it("a restore uses a free name if the original URI is taken, and refuses a requested URI that is taken", async () => {
    await open();
    await ann.create(`${DOCS}/report.md`, "first");
    const first = await removed(`${DOCS}/report.md`);
    await ann.create(`${DOCS}/report.md`, "second");
    expect(await codeOf(restore(first, `${DOCS}/report.md`))).toBe("ALREADY_EXISTS");
    expect(await codeOf(restore(first, "ctx://resources"))).toBe("PERMISSION_DENIED");
    expect(await codeOf(restore(first, `${DOCS}/report.md/in-a-file.md`))).toBe("FAILED_PRECONDITION");
    expect(await codeOf(restore(first, "ctx://user/bob/mine.md"))).toBe("NOT_FOUND");
    expect(await restore(first)).toEqual({
      trashId: first,
      uri: `${DOCS}/report_1.md`,
      restored: 1,
      renamed: true,
    });
    expect(await ann.read(`${DOCS}/report_1.md`)).toBe("first");
    expect(await codeOf(restore(first))).toBe("NOT_FOUND");
    for (const forged of [
      "",
      "0",
      "../x",
      "zzzzzzz",
      "ZZZZZZZZZZZZZZ",
      "zzzzzzzzzzzzzz",
      "000000g/00000x",
      first.slice(7),
    ])
      expect(await codeOf(restore(forged))).toBe("NOT_FOUND");
  });

  it("a restore creates missing folders again, and is refused if a file has replaced one", async () => {
    await open();
    await ann.create(`${DOCS}/a/b/deep.md`, "deep");
    const inner = await removed(`${DOCS}/a/b/deep.md`);
    await ann.rm(DOCS);
    expect(await restore(inner)).toMatchObject({ uri: `${DOCS}/a/b/deep.md` });
    const again = await removed(`${DOCS}/a/b/deep.md`);
    await ann.rm(`${DOCS}/a`);
    await ann.create(`${DOCS}/a`, "a file now");
    expect(await codeOf(restore(again))).toBe("FAILED_PRECONDITION");
    expect((await items())[1]).toMatchObject({ trashId: again });
  });

  it("users do not see trash items of another user's space, but see who removed shared items", async () => {
    await open();
    await ann.create("ctx://user/ann/secret.md", "own");
    await ann.create("ctx://agent/helper/plan.md", "own agent");
    await ann.create(`${DOCS}/shared.md`, "shared");
    const own = await removed("ctx://user/ann/secret.md");
    const ofAgent = await removed("ctx://agent/helper/plan.md");
    const shared = await removed(`${DOCS}/shared.md`);
    expect((await items(bob)).map(({ trashId, userId }) => [trashId, userId])).toEqual([[shared, "ann"]]);
    for (const id of [own, ofAgent]) {
      expect(await codeOf(restore(id, undefined, bob))).toBe("NOT_FOUND");
      expect(await codeOf(deleteTrash(house.deps, bob.call, { trashId: id }))).toBe("NOT_FOUND");
    }
    const other = house.as("ann", "other");
    expect(await codeOf(restoreTrash(house.deps, other.call, { trashId: shared }))).toBe("NOT_FOUND");
    expect(await emptyTrash(house.deps, bob.call, { all: false })).toEqual({ deleted: 0 });
    expect(await restore(shared, "ctx://user/bob/taken.md", bob)).toMatchObject({ restored: 1 });
    expect(await codeOf(ann.read("ctx://user/bob/taken.md"))).toBe("NOT_FOUND");
    expect(await bob.found("shared")).toEqual(["ctx://user/bob/taken.md"]);
    expect((await items()).map(({ uri }) => uri)).toEqual([
      "ctx://agent/helper/plan.md",
      "ctx://user/ann/secret.md",
    ]);
  });

  it("emptying the trash deletes the caller's items, and with all=true everybody's items of shared folders", async () => {
    await open();
    for (const actor of [ann, bob]) {
      const { user } = actor.caller;
      await actor.create(`${DOCS}/${user}.md`, user);
      await actor.create(`ctx://user/${user}/own.md`, user);
      await actor.rm(`${DOCS}/${user}.md`);
      await actor.rm(`ctx://user/${user}/own.md`);
    }
    expect(await emptyTrash(house.deps, ann.call, { all: false })).toEqual({ deleted: 2 });
    expect((await items()).map(({ uri }) => uri)).toEqual([`${DOCS}/bob.md`]);
    expect(await emptyTrash(house.deps, ann.call, { all: true })).toEqual({ deleted: 1 });
    expect((await items(bob)).map(({ uri }) => uri)).toEqual(["ctx://user/bob/own.md"]);
    await house.drain();
    expect((await ofNodes()).filter((key) => key.includes("/c/"))).toHaveLength(1);
  });

  it("one item can be deleted for good, with its contents and versions", async () => {
    await open();
    await ann.create(`${DOCS}/x/one.md`, "one");
    await ann.replace(`${DOCS}/x/one.md`, LONG);
    const id = await removed(`${DOCS}/x`);
    await house.drain();
    expect((await items())[0]).toMatchObject({ bytes: LONG.length + 3 + (await sectionBytes(id)) });
    expect(await deleteTrash(house.deps, ann.call, { trashId: id })).toEqual({ trashId: id });
    expect(await codeOf(deleteTrash(house.deps, ann.call, { trashId: id }))).toBe("NOT_FOUND");
    await house.drain();
    expect((await ofNodes()).filter((key) => /\/[cy]\//.test(key))).toEqual([]);
  });
  /** What the sections of the long file contain. */
  const sectionBytes = async (id: string) =>
    ((await items()).find((one) => one.trashId === id)?.bytes ?? 0) - LONG.length - 3;

  it("permanent removals, removed memories and servers without a trash leave nothing behind", async () => {
    await open();
    const gone = async (uri: string, permanent: boolean) => {
      await ann.create(uri, "x");
      return removeNode(house.deps, ann.call, { uri, recursive: true, permanent });
    };
    expect(await gone(`${DOCS}/a.md`, true)).toEqual({ uri: `${DOCS}/a.md`, deleted: 1 });
    for (const uri of ["ctx://user/ann/memories/entities/x.md", "ctx://agent/helper/memories/x.md"])
      expect((await gone(uri, false)).trashId).toBeUndefined();
    expect(await items()).toEqual([]);
    expect((await gone("ctx://agent/skills/x.md", false)).trashId).toBeDefined();
    await house.end();
    await open({ items: 0 });
    expect((await gone(`${DOCS}/a.md`, false)).trashId).toBeUndefined();
    await house.drain();
    expect((await ofNodes()).filter((key) => key.includes("/c/"))).toEqual([]);
  });

  it("a deleted skill and files replaced by a move go to the trash", async () => {
    await open();
    await ann.create(`${DOCS}/old.md`, "old");
    await ann.create(`${DOCS}/new.md`, "new");
    await ann.mv(`${DOCS}/new.md`, `${DOCS}/old.md`);
    expect(await ann.read(`${DOCS}/old.md`)).toBe("new");
    const [replaced] = await items();
    expect(replaced).toMatchObject({ uri: `${DOCS}/old.md`, cause: "replace", nodes: 1, bytes: 3 });
    expect(await restore(replaced?.trashId ?? "")).toMatchObject({ uri: `${DOCS}/old_1.md` });
    const data = { name: "walk", description: "walks", content: "# Walk\n\nStep by step." };
    await addSkill(house.deps, ann.call, { data, wait: true });
    const { trashId = "" } = await deleteSkill(house.deps, ann.call, { name: "walk" });
    expect(await restore(trashId)).toMatchObject({ uri: "ctx://agent/skills/walk" });
  });

  it("files that an import no longer finds are restored one by one to their original URIs", async () => {
    await open();
    const to = "ctx://resources/site";
    await ann.add("source", { "a.md": "a", "sub/b.md": "b", "sub/c.md": "c", "gone/d.md": "d" }, { to });
    const before = await ann.tree(to);
    await ann.add("source", { "a.md": "a", "sub/c.md": "c" }, { to });
    expect(await items()).toMatchObject([{ uri: to, cause: "import", nodes: 4, type: "directory" }]);
    await ann.create(`${to}/gone/d.md`, "another d");
    const [item] = await items();
    expect(await restore(item?.trashId ?? "")).toEqual({
      trashId: item?.trashId,
      uri: to,
      restored: 3,
      renamed: true,
    });
    await house.drain();
    expect(await ann.tree(to)).toEqual([...before, `${to}/gone_1`, `${to}/gone_1/d.md`].sort());
    expect(await ann.read(`${to}/sub/b.md`)).toBe("b");
    await ann.add("source", { "a.md": "a" }, { to });
    const [second] = await items();
    expect(await restore(second?.trashId ?? "", "ctx://resources/kept")).toMatchObject({ renamed: false });
    expect(await ann.read("ctx://resources/kept/sub/b.md")).toBe("b");
  });

  it("the trash of a large import is restored in steps", async () => {
    await open();
    const to = "ctx://resources/many";
    const files = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`f${i}.md`, `number ${i}`]));
    await ann.add("source", { ...files, "kept.md": "k" }, { to });
    const before = await ann.tree(to);
    await ann.add("source", { "kept.md": "k" }, { to });
    const [item] = await items();
    expect(item?.nodes).toBe(90);
    expect(await restore(item?.trashId ?? "")).toMatchObject({ restored: 90, renamed: false });
    expect(await ann.tree(to)).toEqual(before);
  });

  it("the trash is limited by age, items and bytes, and the oldest items are deleted first", async () => {
    await open({ items: 3, bytes: 1000, lifeMs: 10 * DAY_MS });
    const drop = async (name: string, content = name) => {
      await ann.create(`${DOCS}/${name}`, content);
      await ann.rm(`${DOCS}/${name}`);
    };
    const names = async () => (await items()).map(({ uri }) => uri.slice(DOCS.length + 1));
    for (const name of ["a", "b", "c", "d", "e"]) await drop(name);
    await house.drain();
    expect(await names()).toEqual(["e", "d", "c"]);
    await later(2 * 3600_000);
    await drop("f", "f".repeat(600));
    await later(2 * 3600_000);
    await drop("g", "g".repeat(600));
    await house.drain();
    await later(2 * DAY_MS);
    expect(await names()).toEqual(["g"]);
    await later(9 * DAY_MS);
    expect(await names()).toEqual([]);
    expect((await ofNodes()).filter((key) => key.includes("/c/"))).toEqual([]);
  });

  it("bytes in the trash count as stored, and are freed when the account comes close to its quota", async () => {
    await open({}, 80_000);
    const write = (name: string) => ann.create(`ctx://user/ann/${name}`, "x".repeat(8000));
    for (const name of ["a", "b", "c", "d"]) await write(name);
    expect(await codeOf(write("e"))).toBe("RESOURCE_EXHAUSTED");
    await ann.rm("ctx://user/ann/a");
    await ann.rm("ctx://user/ann/b");
    await house.drain();
    expect((await list()).bytes).toBeLessThanOrEqual(20_000);
    await write("e");
    await house.drain();
  });

  it("the trash is listed in pages whose cursors are refused to other callers", async () => {
    await open();
    for (const name of ["a", "b", "c", "d", "e"]) {
      await ann.create(`${DOCS}/${name}.md`, name);
      await ann.rm(`${DOCS}/${name}.md`);
    }
    const first = await list(ann, { limit: 3 });
    expect([first.items.length, first.total, first.bytes]).toEqual([3, 5, 5]);
    const second = await list(ann, { limit: 3, cursor: first.nextCursor ?? "" });
    expect(second.items.map(({ uri }) => uri)).toEqual([`${DOCS}/b.md`, `${DOCS}/a.md`]);
    expect(second.nextCursor).toBeUndefined();
    expect(await codeOf(list(bob, { cursor: first.nextCursor ?? "" }))).toBe("INVALID_ARGUMENT");
    expect(await codeOf(list(ann, { limit: 0 }))).toBe("INVALID_ARGUMENT");
  });

  it("removed items can be restored after a restart", async () => {
    await open();
    await ann.create(`${DOCS}/a/okapi.md`, LONG);
    await house.drain();
    const id = await removed(DOCS);
    const { stores: kept } = house;
    await house.drain();
    await house.stop();
    house = await House.open(kept, true, [], undefined, undefined, { trash: LIMITS });
    ann = house.as("ann");
    expect(await ann.found("okapis")).toEqual([]);
    expect(await restore(id)).toMatchObject({ uri: DOCS });
    expect(await ann.found("okapis")).not.toEqual([]);
  });

  it("two simultaneous restores of one item restore it once", async () => {
    await open();
    await ann.create(`${DOCS}/a.md`, "a");
    const id = await removed(`${DOCS}/a.md`);
    const codes = await Promise.all([
      codeOf(restore(id)),
      codeOf(restore(id)),
      codeOf(restore(id, `${DOCS}/b.md`)),
    ]);
    expect(codes.sort()).toEqual(["NOT_FOUND", "NOT_FOUND", "OK"]);
    expect((await ann.tree(DOCS)).length).toBe(1);
  });
});
