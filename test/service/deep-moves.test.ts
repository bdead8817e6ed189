import { afterEach, describe, expect, it } from "vitest";
import { listTrash } from "../../src/service/trash/list-trash.ts";
import { restoreTrash } from "../../src/service/trash/restore-trash.ts";
import { STORES } from "../support/stores.ts";
import { type Actor, codeOf, House } from "../support/tenant.ts";

const BASE = "ctx://resources";
const levels = (count: number, name = "d") => Array.from({ length: count }, () => name).join("/");

describe.each(STORES)("URIs below a moved folder over %s", (_, stores) => {
  let house: House;
  let ann: Actor;
  const open = async () => {
    const trash = { items: 100, bytes: 1e9, lifeMs: 1e9 };
    house = await House.open(await stores(), true, [], undefined, undefined, { trash });
    ann = house.as("ann");
  };
  afterEach(() => house.end());

  const restore = (trashId: string, toUri?: string) =>
    restoreTrash(house.deps, ann.call, { trashId, ...(toUri !== undefined && { toUri }) });

  it("a folder cannot be moved if a URI below it would then have more than 64 segments", async () => {
    await open();
    await ann.mkdir(`${BASE}/source/${levels(40)}`);
    await ann.mkdir(`${BASE}/target/${levels(20)}`);
    expect(await codeOf(ann.mv(`${BASE}/source`, `${BASE}/target/${levels(20)}/source`))).toBe("OK");
    const inner = `${BASE}/target/${levels(20)}/source`;
    await ann.mkdir(`${BASE}/other/d`);
    expect(await codeOf(ann.mv(inner, `${BASE}/other/${levels(22)}/source`))).toBe("INVALID_ARGUMENT");
    expect(await codeOf(ann.mv(inner, `${BASE}/other/${levels(21)}/source`))).toBe("OK");
    expect((await ann.stat(`${BASE}/other/${levels(21)}/source/${levels(40)}`)).isDir).toBe(true);
  });

  it("a removed folder cannot be restored if a URI below it would then have more than 64 segments", async () => {
    await open();
    await ann.mkdir(`${BASE}/source/${levels(40)}`);
    const trashId = (await ann.rm(`${BASE}/source`)).trashId ?? "";
    expect(await codeOf(restore(trashId, `${BASE}/other/${levels(22)}/source`))).toBe("INVALID_ARGUMENT");
    expect(await codeOf(restore(trashId, `${BASE}/other/${levels(21)}/source`))).toBe("OK");
  });

  it("a folder cannot be moved or restored if a URI below it would then exceed 4,096 bytes", async () => {
    await open();
    const name = "n".repeat(190);
    await ann.mkdir(`${BASE}/s/${levels(20, name)}`);
    const long = `${BASE}/${"m".repeat(250)}`;
    expect(await codeOf(ann.mv(`${BASE}/s`, long))).toBe("INVALID_ARGUMENT");
    const trashId = (await ann.rm(`${BASE}/s`)).trashId ?? "";
    expect(await codeOf(restore(trashId, long))).toBe("INVALID_ARGUMENT");
    expect(await codeOf(restore(trashId, `${BASE}/${"m".repeat(100)}`))).toBe("OK");
  });

  it("a URI below ctx://skills has at most 64 segments, counted in its long form", async () => {
    await open();
    expect(await codeOf(ann.mkdir(`ctx://skills/${levels(63)}`))).toBe("INVALID_URI");
    expect(await codeOf(ann.mkdir(`ctx://skills/${levels(62)}`))).toBe("OK");
  });

  it("a restored file whose name has the maximum length gets a free name that can be used", async () => {
    await open();
    const uri = `${BASE}/${"n".repeat(252)}.md`;
    await ann.create(uri, "first");
    const trashId = (await ann.rm(uri)).trashId ?? "";
    await ann.create(uri, "second");
    const restored = await restore(trashId);
    expect(await ann.read(restored.uri)).toBe("first");
    // nearly all of it is the file extension
    const odd = `${BASE}/a.${"e".repeat(253)}`;
    await ann.create(odd, "first");
    const oddId = (await ann.rm(odd)).trashId ?? "";
    await ann.create(odd, "second");
    expect(await ann.read((await restore(oddId)).uri)).toBe("first");
    expect((await listTrash(house.deps, ann.call, {})).items).toEqual([]);
  });

  it("files derived from a file with a name of maximum length have usable URIs", async () => {
    await open();
    const parts = Array.from({ length: 30 }, (_, i) => `# Part ${i}\n\n${"The heron waits. ".repeat(40)}\n`);
    await ann.create(`${BASE}/${"n".repeat(252)}.md`, parts.join("\n"));
    await ann.create(`${BASE}/${"m".repeat(251)}`, parts.join("\n"));
    const all = await ann.tree(BASE, true);
    expect(all.length).toBeGreaterThan(10);
    for (const uri of all) expect((await ann.stat(uri)).uri).toBe(uri);
  });
});
