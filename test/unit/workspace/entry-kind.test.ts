import { expect, it } from "vitest";
import { kindIn } from "../../../src/workspace/tree/entry-kind.ts";

it.each([
  [{ node: 17, kind: "file", mime: 'text/x-"kind":"directory"' }, "file"],
  [{ node: 4_294_967_295, kind: "directory" }, "directory"],
  [{ kind: "directory", node: 3 }, "directory"],
  [{ node: 3, generation: 1, kind: "file" }, "file"],
])("the kind of %j", (entry, kind) => {
  expect(kindIn(JSON.stringify(entry))).toBe(kind);
});
