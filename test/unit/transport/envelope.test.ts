import { create, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ReadContentResponseSchema } from "../../../gen/ctxdb/v1/content_pb.ts";
import { ListEntriesResponseSchema, StatNodeResponseSchema } from "../../../gen/ctxdb/v1/filesystem_pb.ts";
import { LinkNodesResponseSchema } from "../../../gen/ctxdb/v1/relation_pb.ts";
import { FindResponseSchema, GlobResponseSchema } from "../../../gen/ctxdb/v1/search_pb.ts";
import { notFound, ServiceError } from "../../../src/domain/errors.ts";
import { failure, success } from "../../../src/transport/rest/envelope.ts";
import { attachment, parseRange } from "../../../src/transport/rest/range.ts";

const field = (desc: DescMessage, name: string): DescField => desc.fields.find((one) => one.name === name)!;

describe("the envelope of a success", () => {
  it("a JSON response contains zero, false and empty values, but no absent optional fields", async () => {
    const message = create(StatNodeResponseSchema, { name: "", uri: "ctx://a", modTime: "t", mtime: 0 });
    const { text } = await success(StatNodeResponseSchema, message, undefined, {
      seconds: 0.25,
      warnings: [],
    });
    const result = {
      name: "",
      size: 0,
      mode: 0,
      isDir: false,
      uri: "ctx://a",
      mtime: 0,
      modTime: "t",
      tags: [],
    };
    expect(JSON.parse(text)).toEqual({ status: "ok", result, time: 0.25 });
  });

  it("a JSON response keeps the full precision of numbers, and empty lists", async () => {
    const message = create(FindResponseSchema, { resources: [{ score: 0.1 + 0.2 }] });
    const { result } = JSON.parse(
      (await success(FindResponseSchema, message, undefined, { seconds: 1, warnings: [] })).text,
    );
    expect(result).toMatchObject({
      memories: [],
      skills: [],
      total: 0,
      resources: [{ score: 0.30000000000000004, match_reason: "" }],
    });
  });

  it("a JSON response to an operation without a result has no result field", async () => {
    const { text } = await success(LinkNodesResponseSchema, create(LinkNodesResponseSchema), undefined, {
      seconds: 1,
      warnings: [],
    });
    expect(JSON.parse(text)).toEqual({ status: "ok", time: 1 });
  });

  it("a JSON response contains the result field's value itself, empty or not", async () => {
    const content = field(ReadContentResponseSchema, "content");
    expect(
      JSON.parse(
        (
          await success(ReadContentResponseSchema, create(ReadContentResponseSchema), content, {
            seconds: 1,
            warnings: [],
          })
        ).text,
      ).result,
    ).toBe("");
    const entries = field(ListEntriesResponseSchema, "entries");
    expect(
      JSON.parse(
        (
          await success(ListEntriesResponseSchema, create(ListEntriesResponseSchema), entries, {
            seconds: 1,
            warnings: [],
          })
        ).text,
      ).result,
    ).toEqual([]);
  });

  it("a long list is written into a JSON response like a short one", async () => {
    const entries = field(ListEntriesResponseSchema, "entries");
    const names = Array.from({ length: 170 }, (_, i) => `f${i}`);
    const message = create(ListEntriesResponseSchema, {
      entries: names.map((value) => ({ kind: { case: "stringValue" as const, value } })),
      nextCursor: "more",
    });
    const { text, nextCursor } = await success(ListEntriesResponseSchema, message, entries, {
      seconds: 1,
      warnings: [],
    });
    expect(JSON.parse(text)).toEqual({ status: "ok", result: names, time: 1 });
    expect(nextCursor).toBe("more");
  });

  it("the cursor of a JSON response is returned separately from its body", async () => {
    const message = create(GlobResponseSchema, { matches: ["a"], count: 1, nextCursor: "more" });
    const { text, nextCursor } = await success(GlobResponseSchema, message, undefined, {
      seconds: 1,
      warnings: [],
    });
    expect(nextCursor).toBe("more");
    expect(JSON.parse(text).result).toEqual({ matches: ["a"], count: 1 });
  });
});

describe("the envelope of a failure", () => {
  it("a JSON error has a code and a message, and details only if there are some", () => {
    const error = {
      code: "NOT_FOUND",
      message: "file not found: ctx://a",
      details: { resource: "ctx://a", type: "file" },
    };
    expect(JSON.parse(failure(notFound("file", "ctx://a"), { seconds: 0.5, warnings: [] }))).toEqual({
      status: "error",
      error,
      time: 0.5,
    });
    expect(
      JSON.parse(failure(new ServiceError("INTERNAL", "internal error"), { seconds: 0.5, warnings: [] }))
        .error,
    ).toEqual({
      code: "INTERNAL",
      message: "internal error",
    });
  });
});

describe("a Range header", () => {
  it.each([
    ["bytes=0-9", { start: 0, end: 10 }],
    ["bytes=5-", { start: 5, end: 1000 }],
    ["bytes=-7", { start: 993, end: 1000 }],
    ["bytes=3-3", { start: 3, end: 4 }],
    ["bytes=990-5000", { start: 990, end: 1000 }],
    ["bytes=-5000", { start: 0, end: 1000 }],
    ["bytes=0-1,5-6", undefined],
    ["bytes=9-3", undefined],
    ["bytes=-", undefined],
    ["lines=1-2", undefined],
    [undefined, undefined],
  ])("the Range header %s of 1000 bytes means %o", (header, range) => {
    expect(parseRange(header, 1000)).toEqual(range);
  });

  it.each([
    ["bytes=1000-", 1000],
    ["bytes=-0", 1000],
    ["bytes=0-", 0],
    ["bytes=-1", 0],
  ])("the Range header %s cannot be satisfied for a content of %d bytes", (header, size) => {
    expect(() => parseRange(header, size)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", http: 416 }),
    );
  });
});

describe("Content-Disposition", () => {
  it("Content-Disposition escapes hostile file names and keeps the name", () => {
    expect(attachment('a"b\\c\r\nd/ü记.md')).toBe(
      `attachment; filename="a_b_c__d/__.md"; filename*=UTF-8''a%22b%5Cc%0D%0Ad%2F%C3%BC%E8%AE%B0.md`,
    );
    expect(attachment("it's (1)*.md")).toContain("filename*=UTF-8''it%27s%20%281%29%2A.md");
  });
});
