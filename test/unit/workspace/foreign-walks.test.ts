import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isVisible } from "../../../src/domain/scope.ts";
import type { Path } from "../../../src/domain/uri.ts";
import { children, countBelow, walk } from "../../../src/workspace/tree/listing.ts";
import { isOfOwner, type Located, locate, type Owner, ownerOf } from "../../../src/workspace/tree/locate.ts";
import { renderedAt } from "../../../src/workspace/tree/rendered.ts";
import { ensureDirectory } from "../../../src/workspace/tree/tree.ts";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import { Talk } from "../../support/talk.ts";
import { House } from "../../support/tenant.ts";

/** Occurs in every name that belongs to bob. */
const MARK = "xylograph";

describe("a walk through the tree for one user", () => {
  let house: House;
  let workspace: Workspace;
  let eve: Owner;
  let bob: Owner;
  /** Returns every node of the account as seen by a user who may read it. */
  let places: { readonly owner: Owner; readonly place: Located }[];

  beforeEach(async () => {
    house = await House.open();
    for (const name of ["bob", "eve"]) {
      const user = house.as(name, "acme", "user");
      const mark = name === "bob" ? MARK : "plain";
      for (const uri of [
        `user/${name}/memories/${mark}/a.md`,
        `user/${name}/${mark}.md`,
        `agent/default/${mark}/b.md`,
      ])
        await user.create(`ctx://${uri}`, `of ${name}`);
      const talk = await Talk.begin(user, `${mark}-session`);
      await talk.say("hello");
      await talk.commit();
    }
    await house.as("eve").create("ctx://resources/shared/c.md", "shared");
    await house.drain();
    workspace = await house.workspaceOf();
    [eve, bob] = ["eve", "bob"].map((user) => ownerOf({ user, agent: "default" }, "user")) as [Owner, Owner];
    places = [];
    for (const owner of [eve, bob]) {
      const root = locate(workspace.kv, workspace.keys, owner, [])!;
      places.push({ owner, place: root });
      for await (const { path, isDirectory } of walk(workspace, workspace.kv, owner, root, {
        levels: 0,
        showHidden: true,
      })) {
        const place = isDirectory && locate(workspace.kv, workspace.keys, owner, path);
        if (place) places.push({ owner, place });
      }
    }
  });
  afterEach(() => house.end());

  async function pathsOf(
    listed: AsyncIterable<{ readonly path: Path; readonly node: number }>,
  ): Promise<string[]> {
    const found: string[] = [];
    for await (const { path } of listed) {
      expect(isVisible(eve, path), path.join("/")).toBe(true);
      found.push(path.join("/"));
    }
    return found;
  }

  const walkOf = (start: Located, after?: Path) =>
    pathsOf(
      walk(workspace, workspace.kv, eve, start, { levels: 0, showHidden: true, ...(after && { after }) }),
    );

  it("the walk tests include content of the other user", () => {
    const found = places.filter(({ owner }) => owner === bob).map(({ place }) => place.path.join("/"));
    for (const part of [
      "user/bob/memories",
      "agent/default/xylograph",
      "session/bob/xylograph-session/history",
    ])
      expect(found.filter((path) => path.startsWith(part)).length, part).toBeGreaterThan(0);
  });

  it("a walk returns nothing of another user, wherever it starts or continues", async () => {
    const everywhere: Path[] = places.map(({ place }) => place.path);
    for (const { place } of places) {
      expect((await walkOf(place)).join("\n")).not.toContain(MARK);
      expect((await pathsOf(children(workspace, workspace.kv, eve, place, true))).join("\n")).not.toContain(
        MARK,
      );
      for (const path of everywhere) expect((await walkOf(place, path)).join("\n")).not.toContain(MARK);
    }
    const root = locate(workspace.kv, workspace.keys, eve, [])!;
    for (const after of [
      ["user", "bob"],
      ["user", "bob", "memories", MARK, "a"],
      ["session", "bob"],
      ["user", "eve", "..", "bob"],
    ])
      expect((await walkOf(root, after)).join("\n")).not.toContain(MARK);
  });

  it("a walk returns all of the user's own nodes, from the start and after any cursor", async () => {
    const root = locate(workspace.kv, workspace.keys, eve, [])!;
    const all = await walkOf(root);
    expect(all.filter((path) => path.includes("plain")).length).toBeGreaterThan(8);
    for (const [at, path] of all.entries())
      expect(await walkOf(root, path.split("/"))).toEqual(all.slice(at + 1));
    for (const { owner, place } of places)
      if (owner === eve) expect(isOfOwner(workspace.kv, workspace.keys, eve, place)).toBe(true);
  });

  it("a path of another user is not found, has no generated files, and cannot be created", async () => {
    for (const { owner, place } of places.filter(({ place }) => place.path.includes("bob"))) {
      expect(owner).toBe(bob);
      expect(locate(workspace.kv, workspace.keys, eve, place.path)).toBeUndefined();
      for (const name of [".abstract.md", ".meta.json", "messages.jsonl"])
        expect(renderedAt(workspace, eve, [...place.path, name])).toBeUndefined();
      const made = workspace.transact((draft) => {
        const node = ensureDirectory(draft, workspace, eve, place.path, "ctx://tried");
        return () => node;
      });
      await expect(made).rejects.toMatchObject({ code: "NOT_FOUND", details: { resource: "ctx://tried" } });
    }
  });

  it("counting below a directory leaves out another user's nodes", async () => {
    const root = locate(workspace.kv, workspace.keys, eve, [])!;
    const seen = await pathsOf(walk(workspace, workspace.kv, eve, root, { levels: 0, showHidden: false }));
    expect(await countBelow(workspace, eve, root)).toBe(seen.length);
  });
});
