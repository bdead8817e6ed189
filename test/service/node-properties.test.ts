import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeNodes } from "../../src/service/filesystem/describe-nodes.ts";
import { setProperties } from "../../src/service/filesystem/set-properties.ts";
import { STORES } from "../support/stores.ts";
import { type Actor, codeOf, House } from "../support/tenant.ts";

const FILE = "ctx://resources/notes/plan.md";
const COLOUR = { namespace: "urn:x", name: "colour", value: "blue" };

describe.each(STORES)("properties of clients over %s", (_, stores) => {
  let house: House;
  let ann: Actor;
  beforeEach(async () => {
    house = await House.open(await stores());
    ann = house.as("ann");
    await ann.create(FILE, "a plan");
  });
  afterEach(() => house.end());

  const set = (uri: string, actor = ann) => setProperties(house.deps, actor.call, { uri, changes: [COLOUR] });
  const shown = async (uri: string) => {
    const input = { uri, withChildren: false, withLayers: false, withProperties: true };
    return (await describeNodes(house.deps, ann.call, input)).self.properties;
  };
  const records = async () => (await house.keys("w/")).filter((key) => key.includes("/q/"));

  it("client properties count as stored bytes and are removed with their file or a folder above it", async () => {
    await set(FILE);
    await set("ctx://resources/notes");
    expect([await shown(FILE), (await records()).length]).toEqual([[COLOUR], 2]);
    await ann.rm("ctx://resources/notes");
    await house.drain();
    expect(await records()).toEqual([]);
  });

  it("client properties stay with a file that is overwritten or moved", async () => {
    await set(FILE);
    await ann.replace(FILE, "another plan");
    await ann.mv(FILE, "ctx://resources/moved.md");
    expect(await shown("ctx://resources/moved.md")).toEqual([COLOUR]);
  });

  it("client properties can be set only on files and folders that the caller may write", async () => {
    expect(await codeOf(set("ctx://resources"))).toBe("PERMISSION_DENIED");
    expect(await codeOf(set("ctx://user/bob/notes"))).toBe("NOT_FOUND");
    expect(await codeOf(set("ctx://resources/none.md"))).toBe("NOT_FOUND");
    expect(await codeOf(set("ctx://user/ann/memories"))).toBe("FAILED_PRECONDITION");
  });
});
