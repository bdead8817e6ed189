import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findContexts } from "../../src/service/search/find.ts";
import { levelStores, ramStores, type Stores } from "../support/stores.ts";
import { type Actor, House } from "../support/tenant.ts";

const STORES: [string, () => Stores | Promise<Stores>][] = [
  ["memory", ramStores],
  ["LevelDB", levelStores],
];

const resource = (name: string) => `ctx://resources/${name}`;

describe.each(STORES)("a find after another one over %s", (_, stores) => {
  let house: House;
  let ann: Actor;
  beforeEach(async () => {
    house = await House.open(await stores());
    ann = house.as("ann");
    for (const name of ["d/a.md", "d/b.md", "c.md"])
      await ann.create(resource(name), `${name} tells about owls`);
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

  it("a repeated find sees writes, moves and removals at once, even with a filter and a target", async () => {
    const all = {
      [resource("d/a.md")]: "d/a.md tells about owls",
      [resource("d/b.md")]: "d/b.md tells about owls",
      [resource("c.md")]: "c.md tells about owls",
    };
    for (let i = 0; i < 2; i++) {
      expect(await asked(files)).toEqual(all);
      expect(Object.keys(await asked(named("a.md", "new.md")))).toEqual([resource("d/a.md")]);
      expect(Object.keys(await asked(files, [resource("d")])).sort()).toEqual([
        resource("d/a.md"),
        resource("d/b.md"),
      ]);
    }
    await ann.create(resource("new.md"), "new owls");
    expect((await asked(named("a.md", "new.md")))[resource("new.md")]).toBe("new owls");
    await ann.replace(resource("d/a.md"), "other owls");
    expect((await asked(named("a.md")))[resource("d/a.md")]).toBe("other owls");
    await ann.mv(resource("d/a.md"), resource("e.md"));
    expect(await asked(named("a.md"))).toEqual({});
    expect(await asked(named("e.md"))).toEqual({ [resource("e.md")]: "other owls" });
    expect(Object.keys(await asked(files, [resource("d")]))).toEqual([resource("d/b.md")]);
    await ann.mv(resource("d"), resource("moved"));
    expect(Object.keys(await asked(named("b.md")))).toEqual([resource("moved/b.md")]);
    await ann.rm(resource("moved"));
    expect(Object.keys(await asked(files)).sort()).toEqual([
      resource("c.md"),
      resource("e.md"),
      resource("new.md"),
    ]);
  });
});
