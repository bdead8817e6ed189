import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findContexts } from "../../src/service/search/find.ts";
import { levelStores, ramStores, type Stores } from "../support/stores.ts";
import { type Actor, House } from "../support/tenant.ts";

const STORES: [string, () => Stores | Promise<Stores>][] = [
  ["memory", ramStores],
  ["LevelDB", levelStores],
];

const r = (name: string) => `ctx://resources/${name}`;

describe.each(STORES)("a find after another one over %s", (_, stores) => {
  let house: House;
  let ann: Actor;
  beforeEach(async () => {
    house = await House.open(await stores());
    ann = house.as("ann");
    for (const name of ["d/a.md", "d/b.md", "c.md"]) await ann.create(r(name), `${name} tells about owls`);
  });
  afterEach(() => house.close());

  const asked = async (filter: unknown, targetUris: string[] = []) => {
    const { resources } = await findContexts(house.deps, ann.call, {
      query: "owls",
      targetUris,
      filter,
      limit: 20,
    });
    return Object.fromEntries(resources.map(({ uri, match }) => [uri, match.trimEnd()]));
  };
  const files = { op: "must", field: "level", conds: [2] };
  const named = (...conds: string[]) => ({ op: "must", field: "name", conds });

  it("a repeated find sees writes, moves and removals at once, with a filter and a target too", async () => {
    const all = {
      [r("d/a.md")]: "d/a.md tells about owls",
      [r("d/b.md")]: "d/b.md tells about owls",
      [r("c.md")]: "c.md tells about owls",
    };
    for (let i = 0; i < 2; i++) {
      expect(await asked(files)).toEqual(all);
      expect(Object.keys(await asked(named("a.md", "new.md")))).toEqual([r("d/a.md")]);
      expect(Object.keys(await asked(files, [r("d")])).sort()).toEqual([r("d/a.md"), r("d/b.md")]);
    }
    await ann.create(r("new.md"), "new owls");
    expect((await asked(named("a.md", "new.md")))[r("new.md")]).toBe("new owls");
    await ann.replace(r("d/a.md"), "other owls");
    expect((await asked(named("a.md")))[r("d/a.md")]).toBe("other owls");
    await ann.mv(r("d/a.md"), r("e.md"));
    expect(await asked(named("a.md"))).toEqual({});
    expect(await asked(named("e.md"))).toEqual({ [r("e.md")]: "other owls" });
    expect(Object.keys(await asked(files, [r("d")]))).toEqual([r("d/b.md")]);
    await ann.mv(r("d"), r("moved"));
    expect(Object.keys(await asked(named("b.md")))).toEqual([r("moved/b.md")]);
    await ann.rm(r("moved"));
    expect(Object.keys(await asked(files)).sort()).toEqual([r("c.md"), r("e.md"), r("new.md")]);
  });
});
