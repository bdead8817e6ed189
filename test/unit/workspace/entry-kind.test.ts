import { expect, it } from "vitest";
import { kindIn } from "../../../src/workspace/tree/entry-kind.ts";

/** Fields that every entry has in addition to node and kind. */
const REST = { generation: 1, size: 0, created: 1, modified: 1 };

it.each([
  [{ node: 17, kind: "file", mime: 'text/x-"kind":"directory"' }, "file"],
  [{ node: 4_294_967_295, kind: "directory" }, "directory"],
  [{ kind: "directory", node: 3, ...REST }, "directory"],
  [{ node: 3, ...REST, kind: "file" }, "file"],
])("the kind of the entry %j is read from its bytes", (entry, kind) => {
  expect(kindIn(JSON.stringify(entry))).toBe(kind);
});
