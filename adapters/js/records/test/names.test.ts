import { expect, test } from "vitest";
import { below, fromNewestFirst, keyPath, newestFirst, takeKey } from "../src/names.ts";

const KEYS = [
  "",
  ".",
  "..",
  "a/b",
  "~",
  "a~",
  "%",
  "%41",
  ".abstract.md",
  "kärnten",
  "ka\u0308rnten",
  "\0",
  "漢".repeat(500),
];

test.each(KEYS)("the key %j comes back from its path, whose segments are legal names", (key) => {
  const segments = keyPath(key).split("/");
  expect(takeKey([...segments, "more"])).toEqual({ key, rest: ["more"] });
  for (const segment of segments) expect(segment).toMatch(/^[\x20-\x2d\x30-\x7e]{1,201}$/);
});

test("paths of keys are encoded as in the Python package", () => {
  expect(keyPath("a/b.json ü~")).toBe("a%2Fb%2Ejson %C3%BC%7E");
  expect(newestFirst("1ef")).toBe("ce9a99~");
});

test.each([[["a.json"]], [["a~"]], [["%4"]], [["%ff"]], [["é"]], [[""]], [[]], [["%41"]], [["a~", "b"]]])(
  "the name %j is that of no key",
  (segments) => {
    expect(takeKey(segments)).toBeUndefined();
  },
);

test("what is below a folder does not depend on how the server writes its URIs", () => {
  for (const folder of ["ctx://user/ann/cafe\u0301", "ctx://user/ann/caf\u00e9/"]) {
    for (const scheme of ["ctx", "viking"])
      expect(below(`${scheme}://user/ann/caf\u00e9/a/b.json`, folder, ".json")).toEqual(["a", "b"]);
    for (const other of ["ann/caf\u00e9.json", "ann/caf\u00e9s/a.json", "bob/a.json", "ann/caf\u00e9/a.md"])
      expect(below(`ctx://user/${other}`, folder, ".json")).toEqual([]);
  }
});

test("names of ids sort in reverse order of the ids", () => {
  const ids = ["1", "10", "1ef-a", "1ef-b", "2", "z", "é", "漢"];
  const names = ids.map(newestFirst);
  expect([...names].sort().reverse()).toEqual(names);
  expect(names.map(fromNewestFirst)).toEqual(ids);
});

test("a key with a lone surrogate is refused", () => {
  expect(() => keyPath("\ud800")).toThrow(TypeError);
});
