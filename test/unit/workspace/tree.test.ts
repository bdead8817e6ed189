import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { STORES } from "../../support/stores.ts";
import { type Actor, codeOf, House } from "../../support/tenant.ts";

const LONG = `${Array.from({ length: 30 }, (_, i) => `# Part ${i}\n\n${`Sentence ${i} about owls and rivers of the north. `.repeat(12)}\n`).join("\n")}`;
const HTML =
  "<html><head><title>Owls</title></head><body><h1>Owls</h1><p>The owl flies at night over the river.</p></body></html>";

describe.each(STORES)("the tree over %s", (_, stores) => {
  let house: House;
  let ann: Actor;
  beforeEach(async () => {
    house = await House.open(await stores());
    ann = house.as("ann");
  });
  afterEach(() => house.end());

  it("mkdir makes a directory with its parents, and refuses an existing path", async () => {
    expect(await ann.mkdir("ctx://resources/a/b/c")).toEqual({ uri: "ctx://resources/a/b/c" });
    await ann.create("ctx://resources/a/f.md", "text");
    expect(await codeOf(ann.mkdir("ctx://resources/a/b"))).toBe("ALREADY_EXISTS");
    expect(await codeOf(ann.mkdir("ctx://resources/a/f.md"))).toBe("FAILED_PRECONDITION");
    expect(await codeOf(ann.mkdir("ctx://resources/a/f.md/x"))).toBe("FAILED_PRECONDITION");
    expect(await codeOf(ann.mkdir("ctx://user/ann/memories"))).toBe("ALREADY_EXISTS");
    expect(await codeOf(ann.mkdir("ctx://resources/a/.abstract.md"))).toBe("INVALID_ARGUMENT");
    expect(await codeOf(ann.mkdir("ctx://session/ann/x"))).toBe("PERMISSION_DENIED");
    expect(await codeOf(ann.mkdir("ctx://user/bob/x"))).toBe("NOT_FOUND");
    expect(await ann.tree("ctx://resources")).toEqual([
      "ctx://resources/a",
      "ctx://resources/a/b",
      "ctx://resources/a/b/c",
      "ctx://resources/a/f.md",
    ]);
  });

  it("create, replace and append follow the rules of their write modes", async () => {
    expect(await codeOf(ann.replace("ctx://resources/a.md", "x"))).toBe("NOT_FOUND");
    expect(await codeOf(ann.append("ctx://resources/a.md", "x"))).toBe("NOT_FOUND");
    await ann.create("ctx://resources/d/a.md", "one\n");
    expect(await codeOf(ann.create("ctx://resources/d/a.md", "x"))).toBe("ALREADY_EXISTS");
    expect(await codeOf(ann.replace("ctx://resources/d", "x"))).toBe("INVALID_ARGUMENT");
    expect(await codeOf(ann.create("ctx://user/ann/memories", "x"))).toBe("INVALID_ARGUMENT");
    expect(await codeOf(ann.create("ctx://resources/d/a.md/b.md", "x"))).toBe("FAILED_PRECONDITION");
    const before = await ann.stat("ctx://resources/d/a.md");
    house.stores.clock.now += 5000;
    await ann.append("ctx://resources/d/a.md", "two\n");
    expect(await ann.read("ctx://resources/d/a.md")).toBe("one\ntwo\n");
    const after = await ann.stat("ctx://resources/d/a.md");
    expect([after.ctime, after.mtime]).toEqual([before.ctime, before.mtime! + 5]);
  });

  it("a forbidden move is refused with its code, and an allowed one keeps the node's number", async () => {
    await ann.create("ctx://resources/a/b/f.md", "owls of the north");
    await ann.create("ctx://resources/a/g.md", "elks");
    await ann.create("ctx://resources/c/h.md", "emus");
    const codes = async (moves: [from: string, to: string][]) =>
      Promise.all(moves.map(([from, to]) => codeOf(ann.mv(`ctx://${from}`, `ctx://${to}`))));
    expect(
      await codes([
        ["resources/none", "resources/x"],
        ["resources/a", "resources/a/b/x"],
        ["resources/a/b/f.md", "resources/a"],
        ["resources/a/b", "resources/a"],
        ["resources/a/g.md", "resources/c"],
        ["resources/a", "resources/c/h.md"],
        ["resources/a/g.md", "resources/c/h.md/x"],
        ["resources", "resources/x"],
        ["resources/a", "resources"],
        ["user/ann", "resources/x"],
        ["resources/a", "agent/skills"],
        ["resources/a", "session/ann/x"],
        ["resources/a", "user/bob/x"],
        ["user/bob/x", "resources/x"],
        ["resources/a/g.md", "resources/.meta.json"],
        ["user/ann/memories", "resources/memories"],
      ]),
    ).toEqual([
      "NOT_FOUND",
      "INVALID_ARGUMENT",
      "INVALID_ARGUMENT",
      "INVALID_ARGUMENT",
      "FAILED_PRECONDITION",
      "FAILED_PRECONDITION",
      "FAILED_PRECONDITION",
      "PERMISSION_DENIED",
      "PERMISSION_DENIED",
      "PERMISSION_DENIED",
      "PERMISSION_DENIED",
      "PERMISSION_DENIED",
      "NOT_FOUND",
      "NOT_FOUND",
      "INVALID_ARGUMENT",
      "FAILED_PRECONDITION",
    ]);
    expect(await ann.mv("ctx://resources/a", "ctx://resources/a")).toEqual({
      from: "ctx://resources/a",
      to: "ctx://resources/a",
    });
    const node = await ann.node("ctx://resources/a/b/f.md");
    await ann.mv("ctx://resources/a", "ctx://resources/n/e/w");
    expect(await ann.tree("ctx://resources/n")).toEqual(
      ["e", "e/w", "e/w/b", "e/w/b/f.md", "e/w/g.md"].map((path) => `ctx://resources/n/${path}`),
    );
    expect(await ann.node("ctx://resources/n/e/w/b/f.md")).toBe(node);
    // a directory replaces a whole directory, a file replaces a file
    await ann.mv("ctx://resources/n/e/w", "ctx://resources/c");
    expect(await ann.tree("ctx://resources/c")).toEqual(
      ["b", "b/f.md", "g.md"].map((path) => `ctx://resources/c/${path}`),
    );
    await ann.mv("ctx://resources/c/g.md", "ctx://resources/c/b/f.md");
    expect(await ann.read("ctx://resources/c/b/f.md")).toBe("elks");
    await house.drain();
    expect((await ann.find("owls north")).map(({ match }) => match).join()).not.toContain("owls");
  });

  it("a directory's count leaves out hidden nodes, and removing the directory requires recursive", async () => {
    await ann.create("ctx://resources/a/b/f.md", "one");
    await ann.create("ctx://resources/a/.hidden/x.md", "two");
    await ann.create("ctx://resources/a/g.md", "three");
    expect((await ann.stat("ctx://resources/a")).count).toBe(3);
    expect(await codeOf(ann.rm("ctx://resources/a", false))).toBe("FAILED_PRECONDITION");
    expect(await codeOf(ann.rm("ctx://resources/none"))).toBe("NOT_FOUND");
    expect(await codeOf(ann.rm("ctx://resources"))).toBe("PERMISSION_DENIED");
    expect(await ann.rm("ctx://resources/a")).toEqual({ uri: "ctx://resources/a", deleted: 4 });
    expect((await ann.stat("ctx://resources")).count).toBe(0);
  });

  it("derived nodes are moved, replaced and removed with their file", async () => {
    await ann.create("ctx://resources/d/guide.md", LONG);
    const sections = (await ann.tree("ctx://resources/d")).filter((uri) =>
      uri.startsWith("ctx://resources/d/guide/"),
    );
    expect(sections.length).toBeGreaterThan(2);
    expect((await ann.stat("ctx://resources/d/guide")).source).toBe("ctx://resources/d/guide.md");
    for (const change of [
      ann.rm(sections[0]!),
      ann.rm("ctx://resources/d/guide"),
      ann.mv(sections[0]!, "ctx://resources/x.md"),
      ann.mv("ctx://resources/d/guide", "ctx://resources/g"),
    ]) {
      expect(await codeOf(change)).toBe("FAILED_PRECONDITION");
    }
    expect(await codeOf(ann.replace(sections[0]!, "x"))).toBe("FAILED_PRECONDITION");
    expect(await codeOf(ann.create("ctx://resources/d/guide/new.md", "x"))).toBe("FAILED_PRECONDITION");
    expect(await codeOf(ann.mkdir("ctx://resources/d/guide/new"))).toBe("FAILED_PRECONDITION");
    expect(await codeOf(ann.mv("ctx://resources/d/guide.md", "ctx://resources/d/guide/x.md"))).toBe(
      "FAILED_PRECONDITION",
    );
    await ann.mv("ctx://resources/d/guide.md", "ctx://resources/e/book.md");
    expect(await ann.tree("ctx://resources/d")).toEqual([]);
    expect((await ann.tree("ctx://resources/e")).slice(0, 2)).toEqual([
      "ctx://resources/e/book",
      sections[0]!.replace("d/guide", "e/book"),
    ]);
    expect((await ann.stat("ctx://resources/e/book")).source).toBe("ctx://resources/e/book.md");
    await ann.replace("ctx://resources/e/book.md", "short now");
    expect(await ann.tree("ctx://resources/e")).toEqual(["ctx://resources/e/book.md"]);
    await ann.append("ctx://resources/e/book.md", LONG);
    expect(await ann.tree("ctx://resources/e")).toContain("ctx://resources/e/book");
    expect((await ann.rm("ctx://resources/e/book.md")).deleted).toBeGreaterThan(3);
    expect(await ann.tree("ctx://resources")).toEqual(["ctx://resources/d", "ctx://resources/e"]);
  });

  it("a derived node gets another name if its own is taken", async () => {
    await ann.mkdir("ctx://resources/d/guide");
    await ann.create("ctx://resources/d/owls.md", "mine");
    await ann.create("ctx://resources/d/guide.md", LONG);
    await ann.create("ctx://resources/d/owls.html", HTML);
    const derived = async () => {
      const uris = await ann.tree("ctx://resources/d");
      const found = await Promise.all(
        uris.map(
          async (uri) => [uri.slice("ctx://resources/d/".length), (await ann.stat(uri)).source] as const,
        ),
      );
      return found
        .filter(([name, source]) => source !== undefined && !name.includes("/"))
        .map(([name]) => name);
    };
    expect(await derived()).toEqual(["guide_sections", "owls.html.md"]);
    await ann.mkdir("ctx://resources/e");
    await ann.mv("ctx://resources/d/guide.md", "ctx://resources/e/guide.md");
    await ann.mv("ctx://resources/d/owls.html", "ctx://resources/e/owls.html");
    expect(await derived()).toEqual([]);
    expect((await ann.tree("ctx://resources/e")).filter((uri) => !uri.includes("guide/"))).toEqual(
      ["guide", "guide.md", "owls.html", "owls.md"].map((name) => `ctx://resources/e/${name}`),
    );
    expect(await ann.read("ctx://resources/d/owls.md")).toBe("mine");
  });

  it("derived nodes do not take the names of the fixed directories of users and agents", async () => {
    await ann.create("ctx://user/ann/memories.md", LONG);
    await ann.create("ctx://agent/default/memories.md", LONG);
    await ann.create("ctx://user/ann/memories/a.md", "an owl");
    await ann.create("ctx://agent/default/memories/a.md", "an owl");
    expect(await ann.read("ctx://user/ann/memories/a.md")).toBe("an owl");
    expect((await ann.stat("ctx://user/ann/memories")).source).toBeUndefined();
  });
});
