import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RESOURCES } from "../../../src/domain/node.ts";
import { planImport } from "../../../src/ingest/import-tree.ts";
import { Draft } from "../../../src/storage/draft.ts";
import { Conflict, retryConflicts } from "../../../src/workspace/conflict.ts";
import { FoundSecrets } from "../../../src/workspace/found-secrets.ts";
import { BLOB_GRACE_MS } from "../../../src/workspace/tree/contents.ts";
import { makeDirectory } from "../../../src/workspace/tree/tree.ts";
import { levelStores, STORES } from "../../support/stores.ts";
import { type Actor, codeOf, type Files, House } from "../../support/tenant.ts";

const PARTS = (word: string) =>
  Array.from(
    { length: 30 },
    (_, i) => `# Part ${i}\n\n${`Sentence ${i} about ${word} and rivers. `.repeat(12)}\n`,
  ).join("\n");
const HTML =
  "<html><head><title>Owls</title></head><body><h1>Owls</h1><p>The owl flies at night over the river.</p></body></html>";
const ROOT = "ctx://resources/docs";

describe.each(STORES)("imports over %s", (_, stores) => {
  let house: House;
  let ann: Actor;
  beforeEach(async () => {
    house = await House.open(await stores());
    ann = house.as("ann");
  });
  afterEach(() => house.end());

  const names = async () => (await ann.tree(ROOT)).map((uri) => uri.slice(ROOT.length + 1));
  const hits = async (query: string) =>
    (await ann.find(query)).filter(({ match }) => match.includes(query)).map(({ uri }) => uri);
  const add = (files: Files, options: Parameters<Actor["add"]>[2] = {}) => ann.add("docs", files, options);

  it("importing an unchanged source again embeds nothing", async () => {
    const files = {
      "a.md": "owls",
      "long.md": PARTS("elks"),
      "b/c.html": HTML,
      "b/d.py": "def emu():\n    return 1\n",
    };
    await add(files);
    const before = await names();
    const embedded = house.index.embedded;
    house.stores.clock.now += 60_000;
    const again = await add(files);
    expect([again.rootUri, again.queueStatus?.processed]).toEqual([ROOT, 0]);
    expect(house.index.embedded).toBe(embedded);
    expect(await names()).toEqual(before);
    await add({ ...files, "a.md": "owls and wolves" });
    // the file, and both layers of its directory
    expect(house.index.embedded - embedded).toBeLessThanOrEqual(3);
  });

  it("an import changes, adds and removes files in tree and index in one change", async () => {
    await add({
      "a.md": "albatross",
      "b.md": "buzzard",
      "sub/c.md": "condor",
      "sub/d.md": "dipper",
      "gone/e.md": "egret",
    });
    const node = await ann.node(`${ROOT}/a.md`);
    await add({ "a.md": "avocet", "b.md": "buzzard", "sub/c.md": "condor", "new/f.md": "falcon" });
    expect(await names()).toEqual(["a.md", "b.md", "new", "new/f.md", "sub", "sub/c.md"]);
    expect(await ann.node(`${ROOT}/a.md`)).toBe(node);
    await house.drain();
    for (const word of ["albatross", "dipper", "egret"]) expect(await hits(word)).toEqual([]);
    for (const [word, place] of [
      ["avocet", "a.md"],
      ["buzzard", "b.md"],
      ["condor", "sub/c.md"],
      ["falcon", "new/f.md"],
    ]) {
      expect(await hits(word!)).toContain(`${ROOT}/${place}`);
    }
  });

  it("an import can replace a file with a directory and vice versa", async () => {
    await add({ x: "albatross", "y/a.md": "buzzard", "y/z/b.md": "condor" });
    await add({ "x/a.md": "dipper", y: "egret" });
    expect(await names()).toEqual(["x", "x/a.md", "y"]);
    await add({ x: "falcon", "y/z": "godwit" });
    expect(await names()).toEqual(["x", "y", "y/z"]);
    expect(await hits("albatross")).toEqual([]);
    expect(await hits("godwit")).toContain(`${ROOT}/y/z`);
  });

  it("a source file takes over the name of a derived node", async () => {
    await add({ "owls.html": HTML, "long.md": PARTS("elks") });
    expect(await names()).toEqual(expect.arrayContaining(["long", "long.md", "owls.html", "owls.md"]));
    const embedded = house.index.embedded;
    await add({
      "owls.html": HTML,
      "long.md": PARTS("elks"),
      "owls.md": "a file of its own",
      "long/x.md": "another one",
    });
    const top = (await names()).filter((name) => !name.includes("/"));
    expect(top).toEqual(["long", "long.md", "long_sections", "owls.html", "owls.html.md", "owls.md"]);
    expect(await ann.read(`${ROOT}/owls.md`)).toBe("a file of its own");
    expect((await ann.stat(`${ROOT}/owls.html.md`)).source).toBe(`${ROOT}/owls.html`);
    expect((await names()).filter((name) => name.startsWith("long/"))).toEqual(["long/x.md"]);
    // derived content is not embedded again: two files, and the layers of two directories, made at most twice
    expect(house.index.embedded - embedded).toBeLessThanOrEqual(10);
    expect((await ann.find("owl flies at night")).map(({ uri }) => uri)).toContain(`${ROOT}/owls.html.md`);
    await add({ "owls.html": HTML, "long.md": PARTS("emus") });
    expect((await names()).filter((name) => !name.includes("/"))).toEqual([
      "long",
      "long.md",
      "owls.html",
      "owls.html.md",
    ]);
  });

  it("importing again with indexing also indexes files imported without it", async () => {
    const files = { "sub/deep/a.md": "albatross over the sea", "sub/b.md": PARTS("buzzard") };
    await add(files, { buildIndex: false });
    await house.drain();
    expect(await ann.find("albatross", { target: ROOT })).toEqual([]);
    expect(house.index.embedded).toBe(0);
    await add({ ...files, "new/c.md": "condor" }, { buildIndex: false });
    await house.drain();
    expect(await ann.find("condor", { target: ROOT })).toEqual([]);
    await add({ ...files, "new/c.md": "condor" });
    expect(await hits("albatross")).toContain(`${ROOT}/sub/deep/a.md`);
    expect(await hits("condor")).toContain(`${ROOT}/new/c.md`);
    const workspace = await house.workspaceOf();
    for (const place of ["", "/sub", "/sub/deep", "/new"]) {
      const { entry } = workspace.entryOf(await ann.node(`${ROOT}${place}`))!;
      expect([place, entry.chunks?.count, entry.unindexed ?? false]).toEqual([place, 2, false]);
    }
  });

  it("files with equal contents share one blob, which is kept until no file uses it", async () => {
    const big = "wide rivers ".repeat(3000);
    await add({ "a.txt": big, "b.txt": big });
    const { bucket } = (await house.workspaceOf()).contents;
    const blobs = async () => {
      const found: string[] = [];
      for await (const { hash } of house.stores.blobs.list(bucket)) found.push(hash);
      return found.length;
    };
    const sweep = async () => {
      await house.drain();
      house.stores.clock.now += BLOB_GRACE_MS + 1;
      await (await house.workspaceOf()).contents.sweep();
    };
    expect(await blobs()).toBe(1);
    await add({ "a.txt": big });
    await sweep();
    expect(await blobs()).toBe(1);
    expect(await ann.read(`${ROOT}/a.txt`)).toBe(big);
    await add({ "a.txt": "small" });
    await sweep();
    // a version refers to it
    expect(await blobs()).toBe(1);
    await add({ "b.txt": "small" });
    await house.drain();
    await house.expectSound();
    await sweep();
    expect(await blobs()).toBe(0);
    await add({ "a.txt": big });
    expect(await ann.read(`${ROOT}/a.txt`)).toBe(big);
  });

  it("an import onto an existing node of another kind is refused and leaves nothing behind", async () => {
    await ann.create(`${ROOT}/guide.md`, PARTS("elks"));
    await ann.create("ctx://resources/file", "text");
    await house.drain();
    const before = await house.keys("w/");
    expect(await codeOf(ann.add("other", { "a.md": "owls" }, { to: `${ROOT}/guide` }))).toBe(
      "FAILED_PRECONDITION",
    );
    expect(await codeOf(ann.add("other", { "a.md": "owls" }, { to: `${ROOT}/guide/x` }))).toBe(
      "FAILED_PRECONDITION",
    );
    expect(await codeOf(ann.add("other", { "a.md": "owls" }, { to: "ctx://resources/file" }))).toBe(
      "FAILED_PRECONDITION",
    );
    expect(await codeOf(ann.add("other", { "a.md": "owls" }, { to: "ctx://resources/file/x" }))).toBe(
      "FAILED_PRECONDITION",
    );
    expect(await codeOf(ann.add("other", {}))).toBe("INVALID_ARGUMENT");
    expect(await house.keys("w/")).toEqual(before);
  });

  it("an import of another source gets a new root name, and an import of the same source keeps its name", async () => {
    house.sources.set("first", { "a.md": "owls" });
    expect((await ann.add("docs", { "a.md": "one" })).rootUri).toBe(ROOT);
    await ann.mkdir("ctx://resources/papers");
    expect((await ann.add("papers", { "a.md": "two" })).rootUri).toBe("ctx://resources/papers_1");
    expect((await ann.add("papers", { "a.md": "three" })).rootUri).toBe("ctx://resources/papers_1");
    expect(await ann.read("ctx://resources/papers_1/a.md")).toBe("three");
    expect((await ann.add("docs", { "a.md": "moved" }, { to: "ctx://resources/papers" })).rootUri).toBe(
      "ctx://resources/papers",
    );
  });
});

describe.each(STORES)("an interrupted import over %s", (_, stores) => {
  it("an interrupted import leaves nothing when the workspace is opened again", async () => {
    const kept = await stores();
    const first = await House.open(kept);
    const ann = first.as("ann");
    await ann.create("ctx://resources/a.md", "albatross");
    await first.drain();
    const records = async (house: House) =>
      (await house.keys("w/")).filter((key) => !/\/(g|j|t|i)\//.test(key));
    const before = await records(first);
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`f${i}.md`, PARTS(`owl${i}`)]));
    // the process ends while the import is being built: reading the last file never returns
    first.sources.set("docs", files);
    const source = first.sourceNamed("docs");
    let reached: () => void = () => undefined;
    const stuck = new Promise<void>((resolve) => (reached = resolve));
    const last = {
      relPath: ["zzz.md"],
      read: () => {
        reached();
        return new Promise<never>(() => undefined);
      },
    };
    const { workspace, owner } = await ann.tenant();
    void planImport(first.deps, workspace, owner, [...source.files, last], {
      root: ["resources", "docs"],
      rootUri: ROOT,
      strict: false,
      index: true,
      meta: {},
      signal: new AbortController().signal,
      onProgress: () => undefined,
      found: new FoundSecrets("off"),
    });
    await stuck;
    expect((await records(first)).length).toBeGreaterThan(before.length + 60);
    await first.expectSound();
    await first.stop();
    const second = await House.open(kept);
    expect(await second.as("ann").tree("ctx://resources")).toEqual(["ctx://resources/a.md"]);
    await second.drain();
    await second.expectSound();
    expect(await records(second)).toEqual(before);
    await second.close();
  }, 120_000);
});

describe("a large import", () => {
  it("an import of thousands of files updates tree and index in one change", async () => {
    const house = await House.open(await levelStores());
    const ann = house.as("ann");
    const add = (files: Files) => ann.add("docs", files, { wait: false });
    const files = (text: string): Files =>
      Object.fromEntries(Array.from({ length: 6000 }, (_, i) => [`d${i % 40}/f${i}.md`, `${text} ${i}`]));
    await add(files("albatross"));
    await house.drain();
    const counted = (await ann.stat(ROOT)).count;
    await add(files("buzzard"));
    await house.drain();
    expect((await ann.stat(ROOT)).count).toBe(counted);
    expect(await ann.read(`${ROOT}/d7/f7.md`)).toBe("buzzard 7");
    await add({ "d0/f0.md": "last" });
    await house.drain();
    expect(await ann.tree(ROOT)).toEqual([`${ROOT}/d0`, `${ROOT}/d0/f0.md`]);
    await house.expectSound();
    await house.close();
  }, 120_000);

  it("readers see all or nothing of a large import, even during concurrent writes", async () => {
    const house = await House.open(await levelStores());
    const [ann, bob] = [house.as("ann"), house.as("bob")];
    const files = (version: string, from: number): Files =>
      Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`d${i % 10}/f${from + i}.md`, version]));
    await ann.add("docs", files("albatross", 0));
    const { workspace } = await ann.tenant();
    const kept = await Promise.all(
      Array.from({ length: 10 }, (_, i) => ann.node(`${ROOT}/d${i}/f${400 + i}.md`)),
    );
    const root = await ann.node(ROOT);
    const seen = new Set<string>();
    let isUpdated = false;
    const reading = (async () => {
      while (!isUpdated) {
        const uris = await ann.tree(ROOT);
        seen.add(`${uris.length} ${uris[1]}`);
        // records and the table in memory at the same moment
        const found = kept.map((node) => ({ node, entry: workspace.entryOf(node)!.entry }));
        const texts = new Set(
          found.map(({ entry }) => String(Buffer.from(workspace.contents.read(entry) as Uint8Array))),
        );
        const isInStep = found.every(({ node, entry }) => workspace.table.isCurrent(node, entry.generation));
        seen.add(`${[...texts].join()} ${workspace.table.below(root)} ${isInStep}`);
      }
    })();
    const writes: Promise<unknown>[] = [];
    const update = ann.add("docs", files("buzzard", 200), { wait: false });
    for (let i = 0; i < 20; i++) {
      writes.push(bob.create(`ctx://resources/beside/f${i}.md`, "condor"));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { taskId } = await update;
    await house.drain();
    isUpdated = true;
    await Promise.all([reading, ...writes]);
    expect(taskId).toBeDefined();
    expect(await ann.node(`${ROOT}/d0/f400.md`)).toBe(kept[0]);
    expect([...seen].sort()).toEqual([
      `610 ${ROOT}/d0/f0.md`,
      `610 ${ROOT}/d0/f200.md`,
      "albatross 610 true",
      "buzzard 610 true",
    ]);
    expect((await ann.tree("ctx://resources/beside")).length).toBe(20);
    await house.expectSound();
    await house.close();
  }, 120_000);

  it("a large change that meets a conflict is refused, and succeeds on a retry", async () => {
    const house = await House.open(await levelStores());
    const ann = house.as("ann");
    await house.as("bob").create("ctx://user/bob/note.md", "egret");
    const { workspace } = await ann.tenant();
    let tries = 0;
    const change = () =>
      workspace.transactLarge(
        function* (draft) {
          tries++;
          makeDirectory(draft, workspace, RESOURCES, "made");
          yield;
        },
        () => {
          if (tries === 1) throw new Conflict("the test");
          return () => tries;
        },
      );
    const removed = workspace.transactLarge(
      function* () {
        yield;
        workspace.within(new Draft(workspace.kv), () => undefined);
        yield;
      },
      () => () => undefined,
    );
    await expect(removed).rejects.toBeInstanceOf(Conflict);
    expect(await retryConflicts(change)).toBe(2);
    expect(await ann.tree("ctx://resources")).toEqual(["ctx://resources/made"]);
    await house.end();
  });
});
