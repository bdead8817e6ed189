import { describe, expect, it } from "vitest";
import { readBuilt, readCount, readLoaded, readPlaces } from "../../../src/index/faiss/read-answers.ts";

const value = (of: unknown) => ({ value: of, bytes: undefined });
const places = (of: number[]) => ({ value: null, bytes: new Uint8Array(Uint32Array.from(of).buffer) });

describe("answers of the FAISS processes", () => {
  it("the positions in a FAISS answer are read unchanged", () => {
    expect([...readPlaces(places([2, 0, 1]), 3, 3)]).toEqual([2, 0, 1]);
    expect([...readPlaces(places([]), 3, 3)]).toEqual([]);
  });

  it.each([
    ["outside of the index", places([3])],
    ["twice", places([1, 1])],
    ["above the number that was asked for", places([0, 1, 2, 3])],
    ["cut in a number", { value: null, bytes: new Uint8Array(5) }],
    ["that are missing", value([1])],
  ])("a FAISS answer with positions %s is refused", (_, answer) => {
    expect(() => readPlaces(answer, 3, 3)).toThrow();
  });

  it("a FAISS answer with a malformed hash or count is refused", () => {
    const hash = "a1".repeat(32);
    expect(readBuilt(value({ hash }))).toEqual({ hash });
    for (const forged of [{ hash: `../${hash}` }, { hash: hash.slice(2) }, { hash, path: "x" }, null, hash])
      expect(() => readBuilt(value(forged))).toThrow();
    expect(readCount(value(7))).toBe(7);
    for (const forged of [-1, 0.5, "7", null, 2 ** 40, [7]]) expect(() => readCount(value(forged))).toThrow();
    const loaded = { vectors: 1, dimensions: 2, bytes: 3 };
    expect(readLoaded(value(loaded))).toEqual(loaded);
    for (const forged of [{ ...loaded, vectors: -1 }, { ...loaded, more: 1 }, { vectors: 1 }, 7])
      expect(() => readLoaded(value(forged))).toThrow();
  });
});
