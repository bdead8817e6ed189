import { afterEach, describe, expect, it } from "vitest";
import { listVersions } from "../../src/service/content/list-versions.ts";
import { copyNode } from "../../src/service/filesystem/copy-node.ts";
import { setProperties } from "../../src/service/filesystem/set-properties.ts";
import { linkNodes } from "../../src/service/relation/link-nodes.ts";
import { listRelations } from "../../src/service/relation/list-relations.ts";
import { getTaskById } from "../../src/service/task/get-task.ts";
import { RamKv } from "../../src/storage/ram/ram-kv.ts";
import { BLOB_GRACE_MS } from "../../src/workspace/tree/contents.ts";
import { propertiesOf } from "../../src/workspace/tree/node-properties.ts";
import { InterruptedKv } from "../support/interrupted-kv.ts";
import { ScriptedEmbedder } from "../support/scripted-embedder.ts";
import { ramStores, STORES } from "../support/stores.ts";
import { type Actor, codeOf, type Files, House } from "../support/tenant.ts";

const FROM = "ctx://resources/from";
const TO = "ctx://resources/copies/to";
const LARGE = "a line of a larger file\n".repeat(1000);
const LONG = Array.from(
  { length: 30 },
  (_, i) => `## Part ${i}\n\n${`The heron of part${i} waits. `.repeat(20)}\n`,
);
const SOURCE: Files = {
  "birds/owl.md": "# Owl\n\nThe owl flies by night.\n",
  "birds/.hidden.md": "nobody counts it",
  "large.txt": LARGE,
  "long.md": `# Long\n\n${LONG.join("\n")}`,
};

/** Bytes that have no text and therefore no sections. */
const binary = (size: number, first: number) => {
  const bytes = Buffer.alloc(size);
  bytes[0] = first;
  return bytes;
};

describe.each(STORES)("copies over %s", (_, stores) => {
  let house: House;
  let ann: Actor;
  const main = new ScriptedEmbedder("main");
  const open = async (limits: Parameters<typeof House.open>[5] = {}) => {
    house = await House.open(await stores(), true, [main], undefined, undefined, limits);
    ann = house.as("ann");
  };
  afterEach(() => house.end());

  const cp = (fromUri: string, toUri: string, actor = ann, more = {}) =>
    copyNode(house.deps, actor.call, { fromUri, toUri, wait: true, ...more });
  const below = async (uri: string) =>
    (await ann.tree(uri, true))
      .filter((line) => !line.endsWith(".meta.json"))
      .map((line) => line.slice(uri.length));
  const records = async (kind: string) =>
    (await house.keys("w/")).filter((key) => key.split("/")[2] === kind);

  it("a copy contains all of its source, embeds nothing, and stores large contents only once", async () => {
    await open();
    await ann.add("source", SOURCE, { to: FROM });
    await house.drain();
    const [texts, jobs] = [main.texts.length, await records("b")];
    const { from, to, copied, taskId } = await cp(FROM, TO);
    expect([from, to, taskId]).toEqual([FROM, TO, undefined]);
    expect(copied).toBe(1 + (await ann.stat(FROM)).count!);
    expect(await below(TO)).toEqual(await below(FROM));
    for (const file of [...Object.keys(SOURCE), ".overview.md", "birds/.abstract.md"])
      expect(await ann.read(`${TO}/${file}`), file).toBe(await ann.read(`${FROM}/${file}`));
    await house.drain();
    // only the layers of the new parent change, which list the copy
    const ofContents = main.texts.slice(texts).filter((text) => /heron|owl flies/.test(text));
    expect(ofContents.every((text) => text.includes("- to/: "))).toBe(true);
    expect(await records("b")).toEqual(jobs);
    expect((await ann.found("the owl flies by night", TO))[0]).toBe(`${TO}/birds/owl.md`);
    expect((await records("d")).length).toBe((await records("v")).length);
  });

  it("a copy and its source can be changed and removed independently", async () => {
    await open();
    await ann.add("source", SOURCE, { to: FROM });
    await house.drain();
    await cp(FROM, TO);
    await ann.replace(`${TO}/birds/owl.md`, "The kiwi walks.");
    expect(await ann.read(`${FROM}/birds/owl.md`)).toContain("owl flies");
    await ann.rm(FROM);
    await house.drain();
    house.stores.clock.now += BLOB_GRACE_MS + 1;
    house.worker.start();
    await house.drain();
    expect(await ann.read(`${TO}/large.txt`)).toBe(LARGE);
    expect(await ann.found("the heron of part7", TO)).not.toEqual([]);
    await ann.rm("ctx://resources/copies");
    await house.drain();
    for (const kind of ["d", "v", "c", "e", "n", "l"]) expect(await records(kind), kind).toEqual([]);
  });

  it("a copy of a file includes its derived files, under free names, but not its history", async () => {
    await open();
    await ann.create(`${FROM}/a.md`, "before");
    await ann.replace(`${FROM}/a.md`, String(SOURCE["long.md"]));
    await house.drain();
    await ann.create("ctx://resources/other/b/there.md", "b is taken");
    await cp(`${FROM}/a.md`, "ctx://resources/other/b.md", house.as("bob"));
    const copy = "ctx://resources/other/b.md";
    const sections = (await below("ctx://resources/other")).filter((line) => /^\/b[^/.]+$/.test(line));
    expect(sections).toHaveLength(1);
    expect((await ann.stat(`ctx://resources/other${sections[0]}`)).source).toBe(copy);
    const { versions } = await listVersions(house.deps, ann.call, { uri: copy });
    expect(versions.map(({ version, user, change }) => [version, user, change])).toEqual([
      [1, "bob", "copy"],
    ]);
  });

  it("copies are possible only within and between shared resources and the caller's own spaces", async () => {
    await open();
    await ann.create(`${FROM}/a.md`, "the ibis of ann");
    await cp(FROM, "ctx://user/ann/memories/kept");
    expect(await ann.found("ibis", "ctx://user/ann")).toContain("ctx://user/ann/memories/kept/a.md");
    const bob = house.as("bob");
    expect(await codeOf(cp("ctx://user/ann/memories/kept", "ctx://resources/x", bob))).toBe("NOT_FOUND");
    expect(await codeOf(cp(FROM, "ctx://user/ann/memories/more", bob))).toBe("NOT_FOUND");
    expect(await bob.found("ibis", "ctx://user/ann").catch(() => [])).toEqual([]);
  });

  it("a copy is refused wherever a move would be refused, and never replaces anything", async () => {
    await open();
    await ann.add("source", SOURCE, { to: FROM });
    await ann.mkdir("ctx://resources/there");
    await house.drain();
    const refused = async (from: string, to: string) => codeOf(cp(from, to));
    expect(await refused(`${FROM}/none`, TO)).toBe("NOT_FOUND");
    expect(await refused(FROM, "ctx://resources/there")).toBe("ALREADY_EXISTS");
    expect(await refused(FROM, FROM)).toBe("ALREADY_EXISTS");
    expect(await refused(FROM, `${FROM}/birds/in`)).toBe("INVALID_ARGUMENT");
    expect(await refused(`${FROM}/birds`, FROM)).toBe("INVALID_ARGUMENT");
    expect(await refused(FROM, `${FROM}/large.txt/in`)).toBe("INVALID_ARGUMENT");
    expect(await refused(`${FROM}/birds`, `${FROM}/large.txt/in`)).toBe("FAILED_PRECONDITION");
    expect(await refused("ctx://resources", TO)).toBe("PERMISSION_DENIED");
    expect(await refused(FROM, "ctx://session/ann/x")).toBe("PERMISSION_DENIED");
    expect(await refused(FROM, `${TO}/.abstract.md`)).toBe("INVALID_ARGUMENT");
    expect(await refused(`${FROM}/large.txt`, "ctx://user/ann/memories")).toBe("FAILED_PRECONDITION");
    expect(await refused("ctx://user/ann/memories", TO)).toBe("FAILED_PRECONDITION");
    const [section = ""] = (await ann.tree(`${FROM}/long`)).filter((line) => line.endsWith(".md"));
    expect(await refused(section, `${TO}.md`)).toBe("FAILED_PRECONDITION");
    expect(await refused(`${FROM}/large.txt`, section.replace(/\/[^/]*$/, "/x.md"))).toBe(
      "FAILED_PRECONDITION",
    );
    const deep = `ctx://resources/${Array.from({ length: 62 }, () => "d").join("/")}`;
    expect(await refused(FROM, deep)).toBe("INVALID_ARGUMENT");
    expect(await codeOf(ann.stat(deep))).toBe("NOT_FOUND");
  });

  it("a copy has the properties of its source, but only those relations that are inside the source", async () => {
    await open();
    await ann.add("source", SOURCE, { to: FROM });
    await ann.create("ctx://resources/else.md", "outside");
    const toUris = [`${FROM}/birds/owl.md`, "ctx://resources/else.md"];
    await linkNodes(house.deps, ann.call, { fromUri: `${FROM}/large.txt`, toUris, reason: "both" });
    const [namespace, name, value] = ["urn:x", "colour", "<x>blue</x>"];
    const changes = [{ namespace, name, value }];
    await setProperties(house.deps, ann.call, { uri: `${FROM}/birds`, changes });
    await cp(FROM, TO);
    const { workspace } = await ann.tenant();
    const copied = await ann.node(`${TO}/birds`);
    expect(propertiesOf(workspace.kv, workspace.keys, copied)).toEqual(changes);
    const of = async (uri: string) => listRelations(house.deps, ann.call, { uri });
    expect((await of(`${TO}/large.txt`)).map(({ toUri, reason }) => [toUri, reason])).toEqual([
      [`${TO}/birds/owl.md`, "both"],
    ]);
    expect(await of(`${FROM}/large.txt`)).toHaveLength(2);
  });

  it("copies count as stored bytes, shared contents only once, and copies above the quota are refused", async () => {
    await open({ maxStoredBytes: 130_000 });
    // none of them has a text that is cut into sections
    const small = Object.fromEntries([1, 2, 3, 4].map((i) => [`small-${i}.bin`, binary(8000, i)]));
    await ann.add("source", { ...small, "large.bin": binary(24_000, 9) }, { to: FROM, buildIndex: false });
    await house.drain();
    for (let i = 0; i < 10; i++) await cp(`${FROM}/large.bin`, `ctx://resources/large/${i}.bin`);
    await cp(FROM, TO);
    expect(await codeOf(cp(FROM, `${TO}-again`))).toBe("RESOURCE_EXHAUSTED");
    expect(await codeOf(ann.stat(`${TO}-again`))).toBe("NOT_FOUND");
  });
});

describe("large copies", () => {
  let house: House;
  afterEach(() => house.end());

  it("large copies are made by a task, whose failure changes nothing", async () => {
    house = await House.open();
    const ann = house.as("ann");
    const cp = (toUri: string, wait = true) => copyNode(house.deps, ann.call, { fromUri: FROM, toUri, wait });
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`f${i}.txt`, `the wren ${i}`]));
    await ann.add("many", many, { to: FROM, buildIndex: false });
    await house.drain();
    const asked = await cp(TO, false);
    expect(asked.copied).toBeUndefined();
    await house.drain();
    const { status, result } = await getTaskById(house.deps, ann.call, { taskId: asked.taskId! });
    expect([status, result]).toEqual(["completed", { from: FROM, to: TO, copied: 1002 }]);
    expect(await ann.read(`${TO}/f1000.txt`)).toBe("the wren 1000");
    const both = await Promise.allSettled([cp(`${TO}-2`), cp(`${TO}-2`)]);
    const failed = both.filter((one) => one.status === "rejected");
    expect(failed.map(({ reason }) => reason.code)).toEqual(["ALREADY_EXISTS"]);
    expect(both.find((one) => one.status === "fulfilled")?.value.copied).toBe(1002);
  });
});

describe("a copy that is interrupted", () => {
  const FILES: Files = Object.fromEntries(
    Array.from({ length: 90 }, (_, i) => [`f${i}.bin`, binary(13_500, i)]),
  );
  /** More than fits into one transaction, including a few indexed files. */
  const fill = async (ann: Actor) => {
    await ann.add("source", FILES, { to: FROM, wait: false, buildIndex: false });
    for (let i = 0; i < 3; i++) await ann.create(`${FROM}/found-${i}.md`, `# The wren ${i}\n\nIt sings.`);
  };
  let house: House;
  afterEach(() => house.end());

  it("a copy is complete or absent after a kill at any step, and leaves no other record", async () => {
    const kv = new InterruptedKv();
    const stores = ramStores(kv);
    house = await House.open(stores, false);
    const ann = house.as("ann");
    await fill(ann);
    const expected = await ann.tree(FROM);
    let changes = 0;
    for (let isOver = false; !isOver; changes++) {
      const [copy, killed] = [`${TO}-${changes}`, new RamKv()];
      kv.interruptAt(changes, async () => {
        const all = await kv.range({ gte: "", lt: "\u{10ffff}", limit: 1_000_000 });
        const ops = all.map(([key, value]) => ({ key, value }));
        await killed.transact(() => ({ ops, apply: () => undefined }), { maxBytes: 1e9 });
      });
      await copyNode(house.deps, ann.call, { fromUri: FROM, toUri: copy, wait: false });
      isOver = !(await kv.wasInterrupted());
      expect(await ann.tree(copy)).toEqual(expected.map((line) => line.replace(FROM, copy)));
      if (!isOver) {
        const after = await House.open({ ...stores, kv: killed, close: async () => undefined }, false);
        expect(await codeOf(after.as("ann").stat(copy))).toBe("NOT_FOUND");
        expect(await after.findings()).toEqual([]);
        expect((await after.keys("w/")).filter((key) => key.split("/")[2] === "z")).toEqual([]);
        await after.stop();
      }
      await ann.rm(copy);
    }
    house.worker.start();
    // more than the one transaction that links it
    expect(changes).toBeGreaterThan(3);
  });

  it("a copy stops and leaves nothing when its caller leaves", async () => {
    const kv = new InterruptedKv();
    house = await House.open(ramStores(kv), true);
    const ann = house.as("ann");
    await fill(ann);
    await house.drain();
    const kept = async () => (await house.keys("w/")).filter((key) => !"gj".includes(key.split("/")[2]!));
    const before = await kept();
    const leaving = new AbortController();
    kv.interruptAt(1, async () => leaving.abort(new Error("the caller left")));
    const call = { ...ann.call, signal: leaving.signal };
    await expect(copyNode(house.deps, call, { fromUri: FROM, toUri: TO, wait: false })).rejects.toThrow(
      "left",
    );
    expect(await kv.wasInterrupted()).toBe(true);
    await house.drain();
    expect(await codeOf(ann.stat(TO))).toBe("NOT_FOUND");
    expect(await kept()).toEqual(before);
  });

  it("a copy fails if its source is moved meanwhile", async () => {
    const kv = new InterruptedKv();
    house = await House.open(ramStores(kv), true);
    const ann = house.as("ann");
    await fill(ann);
    await house.drain();
    kv.interruptAt(1, () => ann.mv(FROM, `${FROM}-moved`));
    const asked = { fromUri: FROM, toUri: TO, wait: false };
    expect(await codeOf(copyNode(house.deps, ann.call, asked))).toBe("NOT_FOUND");
    expect(await kv.wasInterrupted()).toBe(true);
  });
});
