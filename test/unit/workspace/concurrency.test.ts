import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeId } from "../../../src/domain/node.ts";
import type { Change, KvReader, TransactOptions } from "../../../src/storage/kv.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";
import { BLOB_GRACE_MS } from "../../../src/workspace/tree/contents.ts";
import { ramStores, STORES } from "../../support/stores.ts";
import { type Actor, codeOf, House } from "../../support/tenant.ts";

describe.each(STORES)("many at once over %s", (_, stores) => {
  let house: House;
  let ann: Actor;
  beforeEach(async () => {
    house = await House.open(await stores());
    ann = house.as("ann");
  });
  afterEach(() => house.end());

  it("many users write, move and remove in one directory at once without false errors", async () => {
    const at = (name: string) => `ctx://resources/d/${name}`;
    const codes = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const writer = house.as(`user${i % 5}`);
        const steps = [await codeOf(writer.create(at(`f${i}.md`), `text ${i}`))];
        if (i % 4 === 1) steps.push(await codeOf(writer.mv(at(`f${i}.md`), at(`g${i}.md`))));
        if (i % 4 === 2) steps.push(await codeOf(writer.rm(at(`f${i}.md`))));
        if (i % 4 === 3) steps.push(await codeOf(writer.replace(at(`f${i}.md`), `new ${i}`)));
        return steps;
      }),
    );
    expect([...new Set(codes.flat())]).toEqual(["OK"]);
    const expected = Array.from({ length: 200 }, (_, i) => i)
      .filter((i) => i % 4 !== 2)
      .map((i) => at(`${i % 4 === 1 ? "g" : "f"}${i}.md`));
    expect(await ann.tree("ctx://resources/d")).toEqual(expected.sort());
    expect(await ann.read(at("f7.md"))).toBe("new 7");
    expect((await ann.stat("ctx://resources/d")).count).toBe(150);
  });

  it("many appends to one file at once lose nothing", async () => {
    await ann.create("ctx://resources/log.md", "");
    const lines = Array.from({ length: 60 }, (_, i) => `line ${i}\n`);
    await Promise.all(
      lines.map((line, i) => house.as(`user${i % 3}`).append("ctx://resources/log.md", line)),
    );
    const read = await ann.read("ctx://resources/log.md");
    expect(read.split("\n").sort()).toEqual([...lines.map((line) => line.trim()), ""].sort());
  });

  it("writes into a directory that is being moved succeed", async () => {
    await ann.mkdir("ctx://resources/a");
    const writes = Array.from({ length: 40 }, (_, i) =>
      codeOf(ann.create(`ctx://resources/a/f${i}.md`, "x")),
    );
    const moves = Array.from({ length: 5 }, (_, i) =>
      codeOf(ann.mv("ctx://resources/a", `ctx://resources/b${i}`)),
    );
    expect(new Set(await Promise.all(writes))).toEqual(new Set(["OK"]));
    expect((await Promise.all(moves)).every((code) => code === "OK" || code === "NOT_FOUND")).toBe(true);
    expect((await ann.tree("ctx://resources")).filter((uri) => uri.endsWith(".md"))).toHaveLength(40);
  });

  it("only one of many simultaneous creations of a file or directory succeeds", async () => {
    const files = await Promise.all(
      Array.from({ length: 20 }, () => codeOf(ann.create("ctx://resources/one.md", "x"))),
    );
    const directories = await Promise.all(
      Array.from({ length: 20 }, () => codeOf(ann.mkdir("ctx://resources/dir"))),
    );
    for (const codes of [files, directories])
      expect(codes.sort()).toEqual([...Array(19).fill("ALREADY_EXISTS"), "OK"]);
  });

  it("simultaneous imports of one source create one root, and other sources get their own roots", async () => {
    const imports = Array.from({ length: 12 }, (_, i) =>
      ann.add(
        `s${i % 3}`,
        { "a.md": `text of ${i % 3}` },
        { to: i % 2 ? "ctx://resources/place" : undefined },
      ),
    );
    const roots = await Promise.all(imports.map((added) => added.then(({ rootUri }) => rootUri)));
    expect(new Set(roots)).toEqual(
      new Set(["ctx://resources/place", "ctx://resources/s0", "ctx://resources/s1", "ctx://resources/s2"]),
    );
    expect(await ann.read("ctx://resources/place/a.md")).toMatch(/^text of [012]$/);
  });
});

/** Counts the writes. */
class CountingKv extends RamKv {
  written = 0;
  override transact<T>(decide: (read: KvReader) => Change<T>, options?: TransactOptions): Promise<T> {
    return super.transact((read) => {
      const change = decide(read);
      this.written += change.ops.length;
      return change;
    }, options);
  }
}

describe("a move", () => {
  it("moving a directory of 10,000 files writes only a few keys and embeds nothing", async () => {
    const kv = new CountingKv();
    const house = await House.open(ramStores(kv));
    const ann = house.as("ann");
    await ann.mkdir("ctx://resources/to");
    const { workspace } = await ann.tenant();
    await ann.create("ctx://resources/from/d/f.md", "owls of the north");
    await house.drain();
    const directory = await ann.node("ctx://resources/from/d");
    const { entry } = workspace.entryOf(await ann.node("ctx://resources/from/d/f.md"))!;
    for (let at = 0; at < 10_000; at += 1000) {
      const nodes = await workspace.nodes.reserve(1000);
      await workspace.transact((draft) => {
        for (let i = 0; i < 1000; i++) {
          const { chunks: _, ...plain } = entry;
          draft.putEntry(directory, `n${at + i}.md`, { ...plain, node: nodeId(nodes + i) }, {});
          workspace.contents.put(draft, nodeId(nodes + i), entry.generation, {
            inline: Buffer.from("owls of the north"),
          });
        }
        return () => undefined;
      });
    }
    const embedded = house.index.embedded;
    await house.worker.stop(0);
    kv.written = 0;
    await ann.mv("ctx://resources/from", "ctx://resources/to/there");
    // the entry twice, the reverse entry, the journal, the change log, at most one job per directory
    expect(kv.written).toBeLessThanOrEqual(7);
    expect((await ann.stat("ctx://resources/to/there/d")).count).toBe(10_001);
    expect(await ann.found("owls north", "ctx://resources/to")).toContain("ctx://resources/to/there/d/f.md");
    expect(house.index.embedded).toBe(embedded);
    await house.expectSound();
    await house.close();
  }, 60_000);
});

type Model = Map<string, string | null>;
const NAMES = ["a", "b", "c.md", "d.md"];
const DIRECTORY = ["", "/a", "/a/b", "/b", "/b/a", "/c.md"];

/** The expected tree as a simple map: the text of files, null for directories. */
class Reference {
  readonly nodes: Model = new Map();

  above(path: string): string[] {
    const parts = path.split("/").slice(1, -1);
    return parts.map((_, i) => `/${parts.slice(0, i + 1).join("/")}`);
  }

  below(path: string): string[] {
    return [...this.nodes.keys()].filter((other) => other === path || other.startsWith(`${path}/`));
  }

  makeParents(path: string): void {
    for (const parent of this.above(path)) this.nodes.set(parent, null);
  }

  blocked(path: string): boolean {
    return this.above(path).some((parent) => typeof this.nodes.get(parent) === "string");
  }

  write(path: string, text: string, mode: "create" | "replace" | "append"): string {
    const found = this.nodes.get(path);
    if (found === null) return "INVALID_ARGUMENT";
    if (mode === "create" && found !== undefined) return "ALREADY_EXISTS";
    if (mode !== "create" && found === undefined) return "NOT_FOUND";
    if (this.blocked(path)) return "FAILED_PRECONDITION";
    this.makeParents(path);
    this.nodes.set(path, mode === "append" ? found + text : text);
    return "OK";
  }

  mkdir(path: string): string {
    const found = this.nodes.get(path);
    if (found === null) return "ALREADY_EXISTS";
    if (found !== undefined || this.blocked(path)) return "FAILED_PRECONDITION";
    this.makeParents(path);
    this.nodes.set(path, null);
    return "OK";
  }

  rm(path: string): string {
    if (!this.nodes.has(path)) return "NOT_FOUND";
    for (const gone of this.below(path)) this.nodes.delete(gone);
    return "OK";
  }

  mv(from: string, to: string): string {
    const source = this.nodes.get(from);
    if (source === undefined) return "NOT_FOUND";
    if (from === to) return "OK";
    if (to.startsWith(`${from}/`) || from.startsWith(`${to}/`)) return "INVALID_ARGUMENT";
    const target = this.nodes.get(to);
    if (target !== undefined && (target === null) !== (source === null)) return "FAILED_PRECONDITION";
    if (this.blocked(to)) return "FAILED_PRECONDITION";
    const moved = this.below(from).map((path) => [path, this.nodes.get(path)!] as const);
    for (const [path] of moved) this.nodes.delete(path);
    if (target !== undefined) this.rm(to);
    this.makeParents(to);
    for (const [path, text] of moved) this.nodes.set(to + path.slice(from.length), text);
    return "OK";
  }
}

describe("the tree", () => {
  const path = fc
    .tuple(fc.constantFrom(...DIRECTORY), fc.constantFrom(...NAMES))
    .map(([directory, name]) => `${directory}/${name}`);
  const step = fc.oneof(
    fc.record({
      kind: fc.constantFrom("create" as const, "replace" as const, "append" as const),
      path,
      text: fc.constantFrom("owl", "elk\n", "emu ".repeat(5000)),
    }),
    fc.record({ kind: fc.constant("mkdir" as const), path }),
    fc.record({ kind: fc.constant("rm" as const), path }),
    fc.record({ kind: fc.constant("mv" as const), path, to: path }),
  );

  it("the tree equals a plain map after any changes, and leaves nothing after all is removed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const house = await House.open();
        const ann = house.as("ann");
        const reference = new Reference();
        const uri = (at: string) => `ctx://resources/root${at}`;
        await ann.mkdir(uri(""));
        reference.nodes.set("", null);
        for (const taken of steps) {
          const [asked, wanted] =
            taken.kind === "mkdir"
              ? [ann.mkdir(uri(taken.path)), reference.mkdir(taken.path)]
              : taken.kind === "rm"
                ? [ann.rm(uri(taken.path)), reference.rm(taken.path)]
                : taken.kind === "mv"
                  ? [ann.mv(uri(taken.path), uri(taken.to)), reference.mv(taken.path, taken.to)]
                  : [
                      ann[taken.kind](uri(taken.path), taken.text),
                      reference.write(taken.path, taken.text, taken.kind),
                    ];
          expect(await codeOf(asked)).toBe(wanted);
        }
        reference.nodes.delete("");
        const all = (await ann.tree(uri(""))).map((found) => found.slice(uri("").length));
        expect((await ann.stat(uri(""))).count).toBe(all.length);
        // sections of long texts are created and removed with their files
        const files = all.filter((found) =>
          found
            .slice(1)
            .split("/")
            .every((name) => NAMES.includes(name)),
        );
        expect(files.sort()).toEqual([...reference.nodes.keys()].sort());
        for (const [at, text] of reference.nodes)
          if (text !== null) expect(await ann.read(uri(at))).toBe(text);
        await house.drain();
        await house.expectSound();
        await ann.rm(uri(""));
        await house.drain();
        house.stores.clock.now += BLOB_GRACE_MS + 1;
        await (await house.workspaceOf()).contents.sweep();
        await house.expectSound();
        expect((await house.keys("w/")).filter((key) => !/^w\/\w+\/(([fgjp])\/|o$)/.test(key))).toEqual([]);
        await house.close();
      }),
      { numRuns: 40 },
    );
  }, 120_000);
});
