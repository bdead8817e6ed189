import { afterEach, describe, expect, it } from "vitest";
import { diffVersions } from "../../src/service/content/diff-versions.ts";
import { listVersions } from "../../src/service/content/list-versions.ts";
import { readContent } from "../../src/service/content/read-content.ts";
import { restoreVersion } from "../../src/service/content/restore-version.ts";
import { BLOB_GRACE_MS } from "../../src/workspace/tree/contents.ts";
import { STORES } from "../support/stores.ts";
import { type Actor, codeOf, House } from "../support/tenant.ts";

const FILE = "ctx://resources/notes/plan.md";
const DAY_MS = 24 * 3600_000;
const LARGE = "a line of a larger file\n".repeat(1000);

type Limits = NonNullable<Parameters<typeof House.open>[5]>;

describe.each(STORES)("versions of files over %s", (_, stores) => {
  let house: House;
  let ann: Actor;
  const open = async (limits: Limits = {}) => {
    house = await House.open(await stores(), true, [], undefined, undefined, limits);
    ann = house.as("ann");
  };
  afterEach(() => house.end());

  const history = (uri = FILE, actor = ann, more: { limit?: number; cursor?: string } = {}) =>
    listVersions(house.deps, actor.call, { uri, ...more });
  const numbers = async (uri = FILE) => (await history(uri)).versions.map(({ version }) => version);
  const at = (version: number, uri = FILE) =>
    readContent(house.deps, ann.call, { uri, version }).then(({ content }) => content);
  const restore = (version: number, more: { ifMatch?: string[] } = {}, uri = FILE) =>
    restoreVersion(house.deps, { ...ann.call, ...more }, { uri, version, wait: false });
  const write = async (contents: readonly string[], uri = FILE) => {
    const [first = "", ...others] = contents;
    await ann.create(uri, first);
    for (const content of others) await ann.replace(uri, content);
  };
  const later = async (ms: number) => {
    house.stores.clock.now += ms;
    // makes the worker read the clock again
    house.worker.start();
    await house.drain();
  };
  const records = async (kind: string) => (await house.keys("w/")).filter((key) => key.includes(`/${kind}/`));

  it("every replaced content of a file is stored as a version with its author and kind of change", async () => {
    await open();
    await write(["one\n"]);
    await house.as("bob").append(FILE, "two\n");
    await ann.add("source", { "a.md": "of a source" }, { to: "ctx://resources/imported" });
    await ann.add("source", { "a.md": "changed there" }, { to: "ctx://resources/imported" });
    expect((await restore(1)).version).toBe(3);
    const { versions, total } = await history();
    expect(
      versions.map(({ version, user, change, isCurrent }) => [version, user, change, isCurrent]),
    ).toEqual([
      [3, "ann", "restore", true],
      [2, "bob", "append", false],
      [1, "ann", "write", false],
    ]);
    expect([total, versions[0]?.etag, versions[2]?.size]).toEqual([3, versions[2]?.etag, 4]);
    expect([await at(1), await at(2), await at(3)]).toEqual(["one\n", "one\ntwo\n", "one\n"]);
    const imported = await history("ctx://resources/imported/a.md");
    expect(imported.versions.map(({ version, change }) => [version, change])).toEqual([
      [2, "import"],
      [1, "import"],
    ]);
    expect(await at(1, "ctx://resources/imported/a.md")).toBe("of a source");
  });

  it("writing or restoring the same content creates no new version", async () => {
    await open();
    await write(["one", "two", "two"]);
    expect(await numbers()).toEqual([2, 1]);
    expect((await restore(2)).version).toBe(2);
    expect((await history()).versions[0]).toMatchObject({ version: 2, change: "write" });
  });

  it("the history of a file is paged, and its cursors are refused for other files", async () => {
    await open();
    await write(Array.from({ length: 7 }, (_, i) => `content ${i}`));
    const first = await history(FILE, ann, { limit: 3 });
    expect([first.versions.length, first.total]).toEqual([3, 7]);
    const second = await history(FILE, ann, { limit: 4, cursor: first.nextCursor ?? "" });
    expect(second.versions.map(({ version }) => version)).toEqual([4, 3, 2, 1]);
    expect(second.nextCursor).toBeUndefined();
    await ann.create("ctx://resources/other.md", "x");
    const others = history("ctx://resources/other.md", ann, { cursor: first.nextCursor ?? "" });
    expect(await codeOf(others)).toBe("INVALID_ARGUMENT");
    expect(await codeOf(history(FILE, ann, { limit: 0 }))).toBe("INVALID_ARGUMENT");
  });

  it("versions follow a file that is moved alone or with its folder, and are deleted with the file", async () => {
    await open();
    await write([LARGE, `${LARGE}two`, "three"]);
    await ann.mv(FILE, "ctx://resources/notes/other.md");
    await ann.mv("ctx://resources/notes", "ctx://resources/moved");
    const uri = "ctx://resources/moved/other.md";
    expect(await numbers(uri)).toEqual([3, 2, 1]);
    expect(await at(1, uri)).toBe(LARGE);
    expect(await codeOf(history())).toBe("NOT_FOUND");
    await ann.rm("ctx://resources/moved");
    await house.drain();
    await later(BLOB_GRACE_MS + 1);
    expect([await records("y"), await records("c"), await records("b")]).toEqual([[], [], []]);
    await write(["anew"], uri);
    expect(await numbers(uri)).toEqual([1]);
  });

  it("versions in a user's space cannot be read by other users, and are deleted with their file", async () => {
    await open();
    const uri = "ctx://user/ann/notes.md";
    await write(["one", "two", "three"], uri);
    await house.workspaceOf();
    expect(await records("y")).toHaveLength(2);
    expect(await codeOf(history(uri, house.as("bob")))).toBe("NOT_FOUND");
    await ann.rm(uri);
    await house.drain();
    expect(await records("y")).toEqual([]);
  });

  it("versions of a file are limited in number and bytes", async () => {
    await open({ versions: { perFile: 3, bytesPerFile: 100 } });
    await write(["1", "2", "3", "4", "5", "6"]);
    expect(await numbers()).toEqual([6, 5, 4, 3]);
    expect(await codeOf(at(2))).toBe("NOT_FOUND");
    await ann.replace(FILE, "7".repeat(99));
    expect(await numbers()).toEqual([7, 6, 5, 4]);
    await ann.replace(FILE, "8");
    expect(await numbers()).toEqual([8, 7, 6]);
    await ann.replace(FILE, "9".repeat(101));
    await ann.replace(FILE, "10");
    expect(await numbers()).toEqual([10]);
    await house.drain();
    expect(await records("y")).toEqual([]);
  });

  it("a version expires a fixed time after it was replaced", async () => {
    await open({ versions: { lifeMs: 30 * DAY_MS } });
    await write(["one"]);
    await later(100 * DAY_MS);
    await ann.replace(FILE, "two");
    await house.drain();
    house.stores.clock.now += 29 * DAY_MS;
    await ann.replace(FILE, "three");
    await house.drain();
    expect(await numbers()).toEqual([3, 2, 1]);
    await later(2 * DAY_MS);
    expect(await numbers()).toEqual([3, 2]);
    await later(30 * DAY_MS);
    expect(await numbers()).toEqual([3]);
    expect([...house.queue.jobs()]).toEqual([]);
  });

  it("versions of a workspace are limited in bytes, and the oldest are deleted first", async () => {
    await open({ versions: { bytes: 2500 } });
    const [one, two] = ["ctx://resources/1.md", "ctx://resources/2.md"] as const;
    await write(["a".repeat(1000), "b"], one);
    house.stores.clock.now += DAY_MS;
    await write(["c".repeat(1000), "d".repeat(1000), "e"], two);
    await house.drain();
    expect([await numbers(one), await numbers(two)]).toEqual([[2], [3, 2, 1]]);
  });

  it("versions are deleted to make room if a write would exceed the quota", async () => {
    await open({ maxStoredBytes: 30_000 });
    for (let i = 0; i < 12; i++) {
      if (i === 0) await ann.create(FILE, `${i}`.repeat(8000));
      else await ann.replace(FILE, `${i}`.repeat(8000 / `${i}`.length));
      // data derived from the earlier content
      await house.drain();
    }
    expect((await numbers())[0]).toBe(12);
    expect(await codeOf(ann.replace(FILE, "x".repeat(40_000)))).toBe("RESOURCE_EXHAUSTED");
  });

  it("a memory file has no versions, and a file moved into memories loses its versions", async () => {
    await open();
    const memory = "ctx://user/ann/memories/preferences/tea.md";
    await write(["likes green tea", "likes black tea"], memory);
    expect(await numbers(memory)).toEqual([2]);
    await write(["one", "two"]);
    await ann.mv(FILE, "ctx://user/ann/memories/notes.md");
    await ann.replace("ctx://user/ann/memories/notes.md", "three");
    expect(await numbers("ctx://user/ann/memories/notes.md")).toEqual([3]);
    await house.drain();
    expect(await records("y")).toEqual([]);
  });

  it("versions with the same large content share one blob", async () => {
    await open();
    await write([LARGE, "small", LARGE, "small again", LARGE]);
    const blobs = await records("b");
    expect(blobs).toHaveLength(1);
    await restore(2);
    expect([await ann.read(FILE), await at(1), await at(5)]).toEqual(["small", LARGE, LARGE]);
  });

  it("a version record needs at most 100 bytes in addition to its content", async () => {
    await open();
    const user = "somebody.with.a.name@example.org";
    const actor = house.as(user);
    await actor.create(FILE, "0");
    for (let i = 1; i <= 40; i++) await actor.replace(FILE, `content number ${i}`);
    const kept = await records("y");
    expect(kept).toHaveLength(40);
    for (const key of kept)
      expect(key.length + (house.stores.kv.get(key)?.byteLength ?? 0)).toBeLessThanOrEqual(100);
  });

  it("changing a hundred files at once stores a version of each", async () => {
    await open();
    const files = (text: string) =>
      Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}.md`, `${text} ${i}`]));
    await ann.add("many", files("before"), { to: "ctx://resources/many" });
    await ann.add("many", files("after"), { to: "ctx://resources/many" });
    await house.drain();
    expect(await at(1, "ctx://resources/many/f99.md")).toBe("before 99");
    expect(await records("y")).toHaveLength(100);
    await ann.rm("ctx://resources/many");
    await house.drain();
    expect([await records("y"), await records("c")]).toEqual([[], []]);
  });

  it("a version is restored only if the content matches If-Match, and never after it was deleted", async () => {
    await open();
    await write(["one", "two"]);
    const etag = (await history()).versions[0]?.etag ?? "";
    expect(await codeOf(restore(1, { ifMatch: ["0".repeat(64)] }))).toBe("FAILED_PRECONDITION");
    expect((await restore(1, { ifMatch: [etag] })).version).toBe(3);
    for (const version of [9, 2 ** 32 - 1]) expect(await codeOf(restore(version))).toBe("NOT_FOUND");
    expect(await codeOf(restore(0))).toBe("INVALID_ARGUMENT");
    expect(await codeOf(restore(1, {}, "ctx://resources/notes"))).toBe("INVALID_ARGUMENT");
    expect(await codeOf(history("ctx://resources/notes/.abstract.md"))).not.toBe("OK");
    await expect(at(9)).rejects.toThrow(/version not found: 9 of ctx:.*plan\.md, which has versions 1 to 3/);
  });

  it("two versions of a file are compared as texts", async () => {
    await open();
    await write(["one\ntwo\n", "one\n2\n", "one\n2\nthree\n"]);
    const diff = (more: { fromVersion?: number; toVersion?: number; context?: number } = {}) =>
      diffVersions(house.deps, ann.call, { uri: FILE, ...more });
    expect(await diff()).toEqual({
      uri: FILE,
      fromVersion: 2,
      toVersion: 3,
      diff: `--- ${FILE}\tversion 2\n+++ ${FILE}\tversion 3\n@@ -1,2 +1,3 @@\n one\n 2\n+three\n`,
      added: 1,
      removed: 0,
      isCoarse: false,
    });
    expect(await diff({ fromVersion: 1, context: 0 })).toMatchObject({ added: 2, removed: 1 });
    expect(await diff({ fromVersion: 2, toVersion: 2 })).toMatchObject({ diff: "", added: 0, removed: 0 });
    expect(await codeOf(diff({ toVersion: 1 }))).toBe("INVALID_ARGUMENT");
    expect(await codeOf(diff({ fromVersion: 0 }))).toBe("INVALID_ARGUMENT");
    expect(await codeOf(diff({ toVersion: 12 }))).toBe("NOT_FOUND");
    expect(await codeOf(diff({ context: 101 }))).toBe("INVALID_ARGUMENT");
    await ann.replace(FILE, "x".repeat(1024 * 1024 + 1));
    expect(await codeOf(diff())).toBe("RESOURCE_EXHAUSTED");
    await ann.add("bytes", { "a.bin": new Uint8Array([0, 1, 2]) }, { to: "ctx://resources/bytes" });
    await ann.add("bytes", { "a.bin": new Uint8Array([0, 1, 3]) }, { to: "ctx://resources/bytes" });
    const binary = diffVersions(house.deps, ann.call, { uri: "ctx://resources/bytes/a.bin" });
    expect(await codeOf(binary)).toBe("INVALID_ARGUMENT");
  });
});
