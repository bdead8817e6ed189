import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { namedWords } from "../../src/domain/text/analyse.ts";
import { askedOfPassage } from "../../src/retrieve/choose-passage.ts";
import { hydrate } from "../../src/retrieve/hydrate.ts";
import type { Hit } from "../../src/retrieve/view.ts";
import { searchContexts } from "../../src/service/search/search.ts";
import { ownUri } from "../../src/workspace/tree/own-path.ts";
import { ScriptedEmbedder } from "../support/scripted-embedder.ts";
import { type Actor, codeOf, House } from "../support/tenant.ts";

const TEXT = "The walrus sleeps below the ice of the northern sea.";

describe("a search of one user", () => {
  let house: House;
  let embedder: ScriptedEmbedder;
  let eve: Actor;
  let bob: Actor;
  beforeEach(async () => {
    embedder = new ScriptedEmbedder("main");
    house = await House.open(undefined, true, [embedder]);
    [eve, bob] = [house.as("eve", "acme", "user"), house.as("bob", "acme", "user")];
    await eve.create("ctx://resources/other/b.md", "Something about tea.");
    await bob.create("ctx://resources/team/a.md", TEXT);
    await bob.create("ctx://agent/default/notes/c.md", TEXT);
    await house.drain();
  });
  afterEach(() => house.end());

  it("a search finds the content of another user in a shared folder", async () => {
    expect(await eve.found("walrus below the ice", "ctx://resources/team")).toContain(
      "ctx://resources/team/a.md",
    );
  });

  it.each(["ctx://user/bob/team", "ctx://agent/default/team"])(
    "a search shows nothing that another user moves to %s while its query is embedded",
    async (to) => {
      for (const target of ["ctx://resources/team", "ctx://resources"]) {
        embedder.beforeQuery = async () => {
          embedder.beforeQuery = async () => undefined;
          await bob.mv("ctx://resources/team", to);
        };
        const input = { query: `walrus below ${target}`, targetUris: [target], limit: 10, explain: true };
        const shown = JSON.stringify(await searchContexts(house.deps, eve.call, input));
        expect(await codeOf(bob.stat(`${to}/a.md`)), "it was moved meanwhile").toBe("OK");
        expect(shown).not.toContain("walrus sleeps");
        expect(shown).not.toContain(to);
        await bob.mv(to, "ctx://resources/team");
      }
    },
  );

  it("a search shows no hit and no URI of another user's file or folder, however it was found", async () => {
    const { workspace, owner } = await eve.tenant();
    const nodes = [
      await bob.node("ctx://agent/default/notes/c.md"),
      await bob.node("ctx://agent/default/notes"),
    ];
    await bob.mv("ctx://resources/team", "ctx://user/bob/team");
    nodes.push(await bob.node("ctx://user/bob/team/a.md"), await bob.node("ctx://user/bob"));
    for (const node of nodes) {
      expect(node).toBeGreaterThan(0);
      expect(ownUri(workspace, owner, node)).toBeUndefined();
      expect(ownUri(workspace, (await bob.tenant()).owner, node)).toMatch(
        /^ctx:\/\/(user\/bob|agent\/default)/,
      );
    }
    const hits = nodes.map((node) => ({ node, level: 2, score: 1, chunks: [] as Hit["chunks"] }) as Hit);
    expect(
      await hydrate(workspace, owner, hits, {
        spanOf: () => undefined,
        named: namedWords(""),
        asked: askedOfPassage("", new Map()),
        passages: house.passages,
        isExplained: false,
      }),
    ).toEqual([]);
  });
});
