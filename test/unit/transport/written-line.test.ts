import { create, fromJson, type JsonValue, toBinary, toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { ListEntriesResponseSchema } from "../../../gen/ctxdb/v1/filesystem_pb.ts";
import type { EntryLine } from "../../../src/service/filesystem/list-entries.ts";
import { WrittenLine } from "../../../src/transport/operations/written-line.ts";
import { JSON_OPTIONS, success } from "../../../src/transport/rest/envelope.ts";

const LINES: EntryLine[] = [
  'ctx://resources/a "quoted" name.md',
  {
    name: "résumé \u2028 量.md",
    size: 0,
    mode: 33188,
    isDir: false,
    uri: "ctx://resources/résumé.md",
    mtime: 1_700_000_000.123,
    ctime: 1e-7,
    modTime: "2026-01-01T00:00:00.000Z",
  },
  { uri: "ctx://", size: 2 ** 53, isDir: true, modTime: "", abstract: "", rel_path: "a/b" },
];

test("a listing entry serialized in advance equals the normally serialized entry in every protocol", async () => {
  const plain = create(ListEntriesResponseSchema, {
    entries: LINES.map((line) => fromJson(ValueSchema, line as unknown as JsonValue)),
    nextCursor: "next",
  });
  const written = create(ListEntriesResponseSchema, {
    entries: LINES.map((line) => new WrittenLine(line)),
    nextCursor: "next",
  });
  expect(toBinary(ListEntriesResponseSchema, written)).toEqual(toBinary(ListEntriesResponseSchema, plain));
  expect(toJson(ListEntriesResponseSchema, written, JSON_OPTIONS)).toEqual(
    toJson(ListEntriesResponseSchema, plain, JSON_OPTIONS),
  );
  const entries = ListEntriesResponseSchema.field.entries;
  const facts = { seconds: 1, warnings: [] };
  const answers = [plain, written].map((one) => success(ListEntriesResponseSchema, one, entries, facts));
  const [expected, found] = await Promise.all(answers);
  expect(found).toEqual(expected);
});
