import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeId } from "../../src/domain/node.ts";
import { listChanges } from "../../src/service/change/list-changes.ts";
import { copyNode } from "../../src/service/filesystem/copy-node.ts";
import { listEntries } from "../../src/service/filesystem/list-entries.ts";
import { tagNode } from "../../src/service/filesystem/tag-node.ts";
import { findContexts } from "../../src/service/search/find.ts";
import { glob } from "../../src/service/search/glob.ts";
import { Random } from "../crash/random.ts";
import { STORES } from "../support/stores.ts";
import { type Actor, codeOf, House } from "../support/tenant.ts";

const DOCS = "ctx://resources/docs";
const FILES = {
  "birds/owl.md": "# Owl\n\nThe owl flies by night.\n",
  "birds/heron.md": "# Heron\n\nThe heron waits by night.\n",
  "ships/brig.md": "# Brig\n\nThe brig sails by night.\n",
};
const LONG = Array.from(
  { length: 30 },
  (_, i) => `## Part ${i}\n\n${`The lantern of part${i} burns. `.repeat(20)}\n`,
).join("\n");

const MODEL: readonly (readonly [filter: object, holds: (tags: readonly string[]) => boolean])[] = [
  [{ tags: "a" }, (tags) => tags.includes("a")],
  [{ tags: ["a", "b"] }, (tags) => tags.includes("a") || tags.includes("b")],
  [{ op: "and", conds: [{ tags: "a" }, { tags: "b" }] }, (tags) => tags.includes("a") && tags.includes("b")],
  [
    { op: "must_not", field: "tags", conds: ["a", "c"] },
    (tags) => !tags.includes("a") && !tags.includes("c"),
  ],
  [{ op: "or", conds: [{ tags: "c" }, { name: "zebra.md" }] }, (tags) => tags.includes("c")],
  [{ op: "not", conds: [{ op: "contains", field: "tags", substring: "b" }] }, (tags) => !tags.includes("b")],
];

describe.each(STORES)("tags over %s", (_, stores) => {
  let house: House;
  let ann: Actor;
  beforeEach(async () => {
    house = await House.open(await stores(), true);
    ann = house.as("ann");
    await ann.add("docs", FILES, { to: DOCS });
    await house.drain();
  });
  afterEach(() => house.end());

  const tag = (uri: string, add: string[], more = {}) =>
    tagNode(house.deps, ann.call, { uri, add, remove: [], replace: false, ...more });
  const filesFound = async (filter: object, query = "by night") => {
    const found = await findContexts(house.deps, ann.call, { query, targetUris: [DOCS], limit: 50, filter });
    return found.resources.filter(({ level }) => level === 2).map(({ uri }) => uri.slice(DOCS.length + 1));
  };
  const listed = async (input: object) =>
    (
      await listEntries(house.deps, ann.call, {
        uri: DOCS,
        simple: true,
        recursive: true,
        showAllHidden: false,
        ...input,
      })
    ).entries.map((uri) => String(uri).slice(DOCS.length + 1));

  it("a folder's tag is found on everything below it, and a file's tag only on the file", async () => {
    expect(await tag(`${DOCS}/birds`, ["Wild", "night"])).toEqual({
      uri: `${DOCS}/birds`,
      tags: ["night", "wild"],
    });
    await tag(`${DOCS}/birds/owl.md`, ["owls"]);
    expect((await filesFound({ tags: "wild" })).sort()).toEqual(["birds/heron.md", "birds/owl.md"]);
    expect(await filesFound({ tags: "WILD", name: "owl.md" })).toEqual(["birds/owl.md"]);
    expect(await filesFound({ op: "and", conds: [{ tags: "wild" }, { tags: "owls" }] })).toEqual([
      "birds/owl.md",
    ]);
    expect((await filesFound({ tags: ["owls", "none"] })).sort()).toEqual(["birds/owl.md"]);
    expect(await filesFound({ op: "must_not", field: "tags", conds: ["wild"] })).toEqual(["ships/brig.md"]);
    expect(await filesFound({ op: "prefix", field: "tags", prefix: "ow" })).toEqual(["birds/owl.md"]);
    expect(await filesFound({ op: "regex", field: "tags", pattern: "^ow.s$" })).toEqual(["birds/owl.md"]);
    expect(await listed({ tags: ["wild"] })).toEqual(["birds", "birds/heron.md", "birds/owl.md"]);
    expect(await listed({ tags: ["wild", "owls"] })).toEqual(["birds/owl.md"]);
    const globbed = await glob(house.deps, ann.call, { pattern: "**/*.md", uri: DOCS, tags: ["owls"] });
    expect(globbed.matches).toEqual([`${DOCS}/birds/owl.md`]);
    const [hit] = (await ann.find("the owl flies")).filter(({ uri }) => uri.endsWith("owl.md"));
    expect(hit?.tags).toEqual(["night", "owls", "wild"]);
    expect((await ann.stat(`${DOCS}/birds/owl.md`)).tags).toEqual(["owls"]);
  });

  it("tags are added, removed and replaced in one change, which the change stream reports", async () => {
    await tag(DOCS, ["a", "b"]);
    expect((await tag(DOCS, ["c"], { remove: ["a", "unknown"] })).tags).toEqual(["b", "c"]);
    expect((await tag(DOCS, ["d"], { replace: true })).tags).toEqual(["d"]);
    expect((await tag(DOCS, ["d"])).tags).toEqual(["d"]);
    expect((await tag(DOCS, [], { replace: true })).tags).toEqual([]);
    const { changes } = await listChanges(house.deps, ann.call, {
      uri: DOCS,
      kinds: ["tagged"],
    });
    expect(changes.map(({ kind, uri }) => [kind, uri])).toEqual(Array(4).fill(["tagged", DOCS]));
    expect((await ann.stat(DOCS)).tags).toBeUndefined();
  });

  it("a node keeps its tags when it is moved or rewritten, and copies and packs include them", async () => {
    const owl = `${DOCS}/birds/owl.md`;
    await tag(owl, ["owls"]);
    await ann.replace(owl, "The owl sleeps by day.");
    await ann.mv(owl, `${DOCS}/ships/owl.md`);
    expect((await ann.stat(`${DOCS}/ships/owl.md`)).tags).toEqual(["owls"]);
    await ann.add(
      "docs",
      { ...FILES, "ships/brig.md": "# Brig\n\nAnother text.\n" },
      { to: DOCS, tags: ["again"] },
    );
    expect((await ann.stat(DOCS)).tags).toEqual(["again"]);
    const toUri = "ctx://resources/copy";
    await copyNode(house.deps, ann.call, { fromUri: DOCS, toUri, wait: true });
    expect((await ann.stat(toUri)).tags).toEqual(["again"]);
    await house.drain();
    expect(await house.findings()).toEqual([]);
  });

  it("the sections of a tagged document are found by its tags, even after the document changes", async () => {
    const uri = "ctx://resources/long.md";
    await ann.create(uri, `# Long\n\n${LONG}`);
    await tag(uri, ["lamps"]);
    const sections = async () => {
      await house.drain();
      const filter = { tags: "lamps" };
      const found = await findContexts(house.deps, ann.call, {
        query: "the lantern of part7 burns",
        targetUris: ["ctx://resources"],
        filter,
      });
      return found.resources.filter(({ source }) => source === uri).length;
    };
    expect(await sections()).toBeGreaterThan(0);
    await ann.replace(uri, `# Longer\n\n${LONG}\n\n## More\n\nThe lantern of part7 burns on.\n`);
    expect(await sections()).toBeGreaterThan(0);
    expect(await house.findings()).toEqual([]);
    await ann.rm(uri);
    await house.drain();
    expect((await house.keys("w/")).filter((key) => key.split("/")[2] === "T")).toEqual([]);
  });

  it("tags survive a restart, and verify reports a tag record of a missing node", async () => {
    await tag(`${DOCS}/birds`, ["wild"]);
    await house.stop();
    house = await House.open(house.stores, true);
    ann = house.as("ann");
    expect(await listed({ tags: ["wild"] })).toHaveLength(3);
    const { kv, keys } = await house.workspaceOf();
    const key = keys.tags(nodeId(999_999));
    const put = (value: Uint8Array | undefined) =>
      kv.transact(() => ({ ops: [{ key, value }], apply: () => undefined }));
    await put(Buffer.from('["lost"]'));
    const kinds = new Set((await house.findings()).map(({ kind }) => kind));
    expect(kinds).toContain("tag");
    await put(undefined);
  });

  it("filters by tags agree with a simple model of folders", async () => {
    const uris = ["", "/birds", "/birds/owl.md", "/birds/heron.md", "/ships", "/ships/brig.md"];
    const own = new Map<string, string[]>();
    const held = (uri: string) => [
      ...new Set(
        [...own].filter(([at]) => uri === at || uri.startsWith(`${at}/`)).flatMap(([, tags]) => tags),
      ),
    ];
    const random = new Random(7);
    for (let round = 0; round < 20; round++) {
      const uri = random.pick(uris);
      own.set(
        uri,
        ["a", "b", "c"].filter(() => random.chance(0.5)),
      );
      await tag(DOCS + uri, own.get(uri) ?? [], { replace: true });
      for (const [filter, holds] of MODEL) {
        const expected = uris.filter((one) => one.endsWith(".md") && holds(held(one)));
        expect((await filesFound(filter)).map((one) => `/${one}`).sort(), JSON.stringify(filter)).toEqual(
          expected.sort(),
        );
      }
    }
  });

  it("malformed tags, too many tags, and tags on folders that cannot have any are refused", async () => {
    const owl = `${DOCS}/birds/owl.md`;
    for (const bad of ["", " ", "two words", "-x", "a,b", "x".repeat(65), "a\u0000"])
      expect(await codeOf(tag(owl, [bad])), JSON.stringify(bad)).toBe("INVALID_ARGUMENT");
    const many = Array.from({ length: 32 }, (__, i) => `t${i}`);
    expect((await tag(owl, many)).tags).toHaveLength(32);
    expect(await codeOf(tag(owl, ["more"]))).toBe("INVALID_ARGUMENT");
    expect(await codeOf(tag(owl, ["more"], { remove: ["t1"] }))).toBe("OK");
    expect(await codeOf(tag("ctx://resources", ["x"]))).toBe("PERMISSION_DENIED");
    expect(await codeOf(tag(`${DOCS}/none`, ["x"]))).toBe("NOT_FOUND");
    expect(await codeOf(listed({ tags: ["two words"] }))).toBe("INVALID_ARGUMENT");
    const bob = house.as("bob");
    const foreign = { uri: "ctx://user/ann/memories", add: ["x"], remove: [], replace: false };
    expect(await codeOf(tagNode(house.deps, bob.call, foreign))).toBe("NOT_FOUND");
    const tagged = { uri: `${DOCS}/ships`, add: ["x"], remove: [], replace: false };
    expect(await codeOf(tagNode(house.deps, bob.call, tagged))).toBe("OK");
  });
});
