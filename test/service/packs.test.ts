import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Budget } from "../../src/base/budget.ts";
import { overBudget } from "../../src/domain/errors.ts";
import { openZip } from "../../src/ingest/zip.ts";
import { getLayer } from "../../src/service/content/get-layer.ts";
import { writeContent } from "../../src/service/content/write-content.ts";
import { tagNode } from "../../src/service/filesystem/tag-node.ts";
import { exportPack } from "../../src/service/pack/export-pack.ts";
import { type ImportPackInput, importPack } from "../../src/service/pack/import-pack.ts";
import { linkNodes } from "../../src/service/relation/link-nodes.ts";
import { listRelations } from "../../src/service/relation/list-relations.ts";
import { archiveOf } from "../support/archive.ts";
import { levelStores } from "../support/stores.ts";
import { type Actor, codeOf, House } from "../support/tenant.ts";

const PK = "ctx://resources/pk";
const IN = "ctx://resources/in";
const LONG = Array.from(
  { length: 8 },
  (_, i) => `## Part ${i}\n\n${`The capybara number ${i} swims in the river. `.repeat(20)}\n`,
).join("\n");
const FILES: Readonly<Record<string, string>> = {
  "a.md": "# A\n\nThe armadillo digs burrows.",
  ".hidden": "unseen",
  "sub/deep/ünï 漢.md": "an ibex",
  "empty.txt": "",
  "long.md": LONG,
  "page.html": "<html><body><h1>Okapi</h1><p>The okapi lives in the forest of Ituri.</p></body></html>",
};

/** The members of a zip, in a form that tests can change. */
type Members = Map<string, string>;

describe("a pack", () => {
  let house: House;
  let ann: Actor;
  beforeEach(async () => {
    house = await House.open(await levelStores());
    ann = house.as("ann");
    for (const [name, text] of Object.entries(FILES)) await ann.create(`${PK}/${name}`, text);
    await ann.mkdir(`${PK}/bare`, "what is to come");
    await house.drain();
  });
  afterEach(() => house.end());

  const exported = async (uri = PK, includeVectors = false, by = ann) =>
    buffer((await exportPack(house.deps, by.call, { uri, includeVectors })).read());
  let uploads = 0;
  async function brought(
    bytes: Uint8Array,
    options: Partial<ImportPackInput> = {},
    by = ann,
    call = by.call,
  ) {
    const { workspace } = await by.tenant();
    const id = `upload${uploads++}`;
    const content = (async function* () {
      yield bytes;
    })();
    await house.uploads.save(
      id,
      { incarnation: workspace.incarnation, user: by.caller.user, name: "p.zip" },
      content,
      1e9,
    );
    return importPack(house.deps, call, { tempPath: id, parent: IN, force: false, wait: false, ...options });
  }
  async function changed(pack: Uint8Array, change: (members: Members) => void): Promise<Uint8Array> {
    const { members } = await openZip(pack, { maxFiles: 1000, maxBytes: 1e9, field: "x" });
    const texts: Members = new Map();
    for (const [name, member] of members) texts.set(name, (await buffer(member.read())).toString());
    change(texts);
    return archiveOf(texts);
  }
  async function everything(root: string): Promise<Record<string, unknown>> {
    const found: Record<string, unknown> = {};
    for (const uri of await ann.tree(root, true)) {
      const { isDir, mtime, ctime, size, source } = await ann.stat(uri);
      const abstract = uri.includes("/.") ? "" : await getLayer(house.deps, ann.call, 0, { uri });
      const text = isDir ? "" : await ann.read(uri);
      // data derived from files is generated again, including the lines in layers
      found[uri.slice(root.length)] = [
        isDir,
        size,
        abstract,
        text,
        ...(source === undefined && !uri.includes("/.") ? [mtime, ctime] : []),
      ];
    }
    return found;
  }

  it("a pack leaves out layers that are older than their content", async () => {
    const say = (content: string) =>
      writeContent(house.deps, ann.call, {
        uri: `${PK}/sub/deep/ünï 漢.md`,
        content,
        mode: "replace",
        wait: false,
      });
    await say("# B\n\nThe bongo hides in the thicket.");
    const pack = await exported();
    await brought(pack);
    await house.drain();
    expect(await everything(`${IN}/pk`)).toEqual(await everything(PK));
    const abstract = await getLayer(house.deps, ann.call, 0, { uri: `${IN}/pk/sub/deep` });
    expect(abstract).toContain("bongo");
  });

  it("a pack includes the tags of its files, folders and document sections", async () => {
    const tag = (path: string, tags: string[]) =>
      tagNode(house.deps, ann.call, { uri: `${PK}${path}`, add: tags, remove: [], replace: false });
    await tag("", ["whole"]);
    await tag("/sub", ["deep", "low"]);
    await tag("/long.md", ["rivers"]);
    await brought(await exported());
    await house.drain();
    const [root, sub] = await Promise.all(["", "/sub"].map((path) => ann.stat(`${IN}/pk${path}`)));
    expect([root?.tags, sub?.tags]).toEqual([["whole"], ["deep", "low"]]);
    const found = await ann.find("the capybara number 5 swims", { target: IN });
    expect(found.find(({ source }) => source === `${IN}/pk/long.md`)?.tags).toEqual(["rivers", "whole"]);
  });

  it("a pack includes a user's description of a directory whose overview is outdated", async () => {
    await ann.mkdir(`${PK}/said`, "what somebody said");
    await ann.create(`${PK}/bare/new.md`, "# Yak\n\nThe yak climbs.");
    await brought(await exported());
    await house.drain();
    for (const [name, abstract] of [
      ["said", "what somebody said"],
      ["bare", "what is to come"],
    ] as const)
      expect(await getLayer(house.deps, ann.call, 0, { uri: `${IN}/pk/${name}` })).toBe(abstract);
    expect(await getLayer(house.deps, ann.call, 1, { uri: `${IN}/pk/bare` })).toContain("yak");
    await house.expectSound();
  });

  it.each([false, true])(
    "an imported pack equals its export, vectors %s, and appears in one change",
    async (vectors) => {
      await linkNodes(house.deps, ann.call, {
        fromUri: `${PK}/a.md`,
        toUris: [`${PK}/sub/deep`, "ctx://resources/else"],
        reason: "see",
      });
      const before = await everything(PK);
      const pack = await exported(PK, vectors);
      house.stores.clock.now += 60_000;
      expect(await brought(pack)).toEqual({ uri: `${IN}/pk`, files: Object.keys(FILES).length });
      expect(await ann.read(`${IN}/pk/.hidden`)).toBe("unseen");
      expect(await ann.found("armadillo burrows", IN)).toContain(`${IN}/pk/a.md`);
      await house.drain();
      expect(await everything(`${IN}/pk`)).toEqual(before);
      expect(await ann.found("okapi forest of Ituri", IN)).toContain(`${IN}/pk/page.md`);
      const [one, ...others] = await listRelations(house.deps, ann.call, { uri: `${IN}/pk/a.md` });
      expect([one?.toUri, one?.reason, others]).toEqual([`${IN}/pk/sub/deep`, "see", []]);
      // removing it removes everything, as for a resource created here
      await ann.rm(IN);
      expect(await ann.found("armadillo burrows", IN)).toEqual([]);
    },
  );

  it("a pack can be imported into another account, but a private pack only into a space of the same kind", async () => {
    const eve = house.as("eve", "other");
    await brought(await exported(), {}, eve);
    expect(await eve.read(`${IN}/pk/a.md`)).toBe(FILES["a.md"]);
    await ann.create("ctx://user/ann/memories/n/m.md", "mine");
    const mine = await exported("ctx://user/ann/memories/n");
    expect(await codeOf(brought(mine))).toBe("INVALID_ARGUMENT");
    expect(await codeOf(brought(mine, { parent: "ctx://user/ann" }, house.as("bob")))).toBe("NOT_FOUND");
    expect(await codeOf(brought(mine, { parent: "ctx://session/ann" }))).toBe("PERMISSION_DENIED");
    expect(await codeOf(exported("ctx://user/ann/memories/n", false, house.as("bob")))).toBe("NOT_FOUND");
    await brought(mine, { parent: "ctx://user/eve/memories" }, eve);
    expect(await eve.read("ctx://user/eve/memories/n/m.md")).toBe("mine");
    await house.drain();
    await house.expectSound("other");
  });

  it("importing a pack over existing nodes follows its conflict setting", async () => {
    const pack = await exported();
    const file = await exported(`${PK}/a.md`);
    await ann.replace(`${PK}/a.md`, "changed");
    await ann.create(`${PK}/extra.md`, "extra");
    const parent = "ctx://resources";
    expect(await codeOf(brought(pack, { parent }))).toBe("ALREADY_EXISTS");
    expect(await brought(pack, { parent, onConflict: "skip" })).toEqual({ uri: PK, files: 0 });
    expect(await ann.read(`${PK}/a.md`)).toBe("changed");
    expect(await codeOf(brought(pack, { parent, onConflict: "merge" }))).toBe("INVALID_ARGUMENT");
    await brought(file, { parent: PK, onConflict: "overwrite" });
    expect([await ann.read(`${PK}/a.md`), await ann.read(`${PK}/extra.md`)]).toEqual([
      FILES["a.md"],
      "extra",
    ]);
    await brought(pack, { parent, force: true });
    expect(await codeOf(ann.read(`${PK}/extra.md`))).toBe("NOT_FOUND");
    await ann.mkdir(`${PK}/sub/a.md`);
    expect(await codeOf(brought(file, { parent: `${PK}/sub`, force: true }))).toBe("FAILED_PRECONDITION");
    expect(await codeOf(brought(file, { parent: `${PK}/long.md` }))).toBe("FAILED_PRECONDITION");
  });

  it("an aborted import of a pack leaves nothing behind", async () => {
    const big = "ctx://resources/big";
    for (let i = 0; i < 4; i++)
      await ann.create(`${big}/${i}.txt`, `${i} ${"many words about nothing. ".repeat(8000)}`);
    await house.drain();
    const pack = await exported(big);
    const before = (await house.keys("w/")).filter((key) => !/^w\/\w+\/[gjb]/.test(key));
    const stop = new AbortController();
    let ahead: Promise<string[]> | undefined;
    const chunk: typeof house.deps.chunk = (text, about) => {
      if (text.startsWith("2")) {
        ahead ??= house.keys("w/");
        stop.abort(new Error("gone"));
      }
      return house.deps.chunk(text, about);
    };
    const call = { ...ann.call, signal: stop.signal };
    const deps = house.deps;
    const { workspace } = await ann.tenant();
    await house.uploads.save(
      "broken",
      { incarnation: workspace.incarnation, user: "ann", name: "p" },
      (async function* () {
        yield pack;
      })(),
      1e9,
    );
    const importing = importPack({ ...deps, chunk }, call, {
      tempPath: "broken",
      parent: IN,
      force: false,
      wait: false,
    });
    await expect(importing).rejects.toThrow("gone");
    // some content had been written ahead by then
    expect((await ahead)!.filter((key) => /^w\/\w+\/z\//.test(key))).not.toEqual([]);
    await house.drain();
    expect((await house.keys("w/")).filter((key) => !/^w\/\w+\/[gjb]/.test(key))).toEqual(before);
  });

  const relined = (members: Members, change: (text: string) => string) =>
    members.set("nodes.jsonl", change(members.get("nodes.jsonl")!));
  const HOSTILE: readonly [string, (members: Members) => void][] = [
    ["without a manifest", (members) => members.delete("manifest.json")],
    [
      "of a later version",
      (members) =>
        members.set("manifest.json", members.get("manifest.json")!.replace('"version": 1', '"version": 2')),
    ],
    [
      "with a root elsewhere",
      (members) =>
        members.set(
          "manifest.json",
          members.get("manifest.json")!.replace('"root": "pk"', '"root": "../pk"'),
        ),
    ],
    ["with changed lines", (members) => relined(members, (text) => text.replace("armadillo", "crocodile"))],
    [
      "with a changed text",
      (members) => members.set("files/pk/a.md", FILES["a.md"]!.replace("armadillo", "crocodile")),
    ],
    ["without a file", (members) => members.delete("files/pk/a.md")],
    ["with a surplus file", (members) => members.set("files/pk/z.md", "z")],
    ["with a member above its root", (members) => members.set("../evil.md", "z")],
    ["with a member at the root of the host", (members) => members.set("/tmp/evil.md", "z")],
    ["with a backslash", (members) => members.set("files\\evil.md", "z")],
    ["with a path that is both file and folder", (members) => members.set("files/pk/a.md/b", "z")],
    [
      "with vectors that its manifest does not name",
      (members) => members.set("vectors.jsonl", '{"path":"pk/a.md","pieces":[]}\n'),
    ],
    ["with broken lines", (members) => members.set("relations.jsonl", "{")],
  ];
  it.each(HOSTILE)("a pack %s is refused before anything is written", async (_, change) => {
    const bad = await changed(await exported(), change);
    const error = await brought(bad).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", details: { field: "temp_path" } });
    expect(await codeOf(ann.stat(IN))).toBe("NOT_FOUND");
  });

  it("a file that is not a pack, is truncated or exceeds the limits is refused", async () => {
    const pack = await exported();
    for (const bad of [
      Buffer.alloc(0),
      Buffer.from("hello"),
      pack.subarray(0, -30),
      pack.subarray(0, pack.length / 2),
    ])
      expect(await codeOf(brought(bad))).toBe("INVALID_ARGUMENT");
    const packLimits = { maxFiles: 3, maxBytes: 1e9 };
    const few = exportPack({ ...house.deps, packLimits }, ann.call, { uri: PK, includeVectors: false });
    expect(await codeOf(few)).toBe("FAILED_PRECONDITION");
    expect(
      await codeOf(exportPack(house.deps, ann.call, { uri: PK, includeVectors: false, to: "/tmp/x" })),
    ).toBe("PERMISSION_DENIED");
    expect(await codeOf(exported(`${PK}/none`))).toBe("NOT_FOUND");
    expect(await codeOf(exported(`${PK}/page.md`))).toBe("FAILED_PRECONDITION");
  });

  it("a pack with vectors of a wrong length or scale is refused", async () => {
    const pack = await exported(PK, true);
    const { createHash } = await import("node:crypto");
    for (const change of [
      (line: string) => line.replace(/"values":"..../, '"values":"'),
      (line: string) => line.replace(/"scale":[\d.e-]+/, '"scale":0.0099'),
    ]) {
      const bad = await changed(pack, (members) => {
        const was = members.get("vectors.jsonl")!;
        const hash = (text: string) => createHash("sha256").update(text).digest("hex");
        members.set("vectors.jsonl", change(was));
        members.set("manifest.json", members.get("manifest.json")!.replace(hash(was), hash(change(was))));
      });
      await expect(brought(bad)).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        message: expect.stringContaining("vectors.jsonl"),
      });
    }
  });

  it("the directory of an open pack counts as memory of its account until the import ends", async () => {
    const pack = await exported();
    const memory = new Budget<string>({ perKey: 1e6, total: 1e6 }, overBudget("memory of calls"));
    const counted: number[] = [];
    const call = {
      ...ann.call,
      reserve: (bytes: number) => {
        counted.push(bytes);
        return memory.take("acme", bytes);
      },
    };
    const other = memory.take("acme", 1e6);
    expect(await codeOf(brought(pack, {}, ann, call))).toBe("RESOURCE_EXHAUSTED");
    expect(await codeOf(ann.stat(`${IN}/pk`))).toBe("NOT_FOUND");
    other.release();
    await brought(pack, {}, ann, call);
    const { members } = await openZip(pack, { maxFiles: 1000, maxBytes: 1e9, field: "x" });
    expect(Math.max(...counted)).toBeGreaterThan(100 * members.size);
    expect(memory.used()).toBe(0);
  });
});
