import { describe, expect, it } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import { Keys } from "../../../src/workspace/keys.ts";

/** Ranges that are deliberately inside another one: both are read and removed together. */
const NESTED = ["allRelations > allGone", "allRelations > allGonePlaces"];

describe("keys of a workspace", () => {
  it("the key range of each kind of record contains no key of another kind", () => {
    const ranges = Object.entries(new Keys(workspaceId(1))).flatMap(([name, key]: [string, unknown]) =>
      name.startsWith("all") && typeof key === "function" && key.length === 0 ? [[name, String(key())]] : [],
    );
    expect(ranges.length).toBeGreaterThan(20);
    const nested = ranges.flatMap(([outer = "", prefix = ""]) =>
      ranges
        .filter(([inner, key = ""]) => inner !== outer && key.startsWith(prefix))
        .map(([inner]) => `${outer} > ${inner}`),
    );
    expect(nested.sort()).toEqual(NESTED);
  });
});
