import { describe, expect, it } from "vitest";
import { type PartInput, parseMessage, usesOf } from "../../../src/domain/message.ts";
import { archiveName, archiveNumber } from "../../../src/domain/session.ts";
import { UriCodec } from "../../../src/domain/uri.ts";

const uris = new UriCodec("ctx", []);
const canonical = (uri: string) => uris.format(uris.parse(uri));
const parse = (parts: PartInput[], content?: string, role = "user") =>
  parseMessage({ role, parts, content }, canonical);
const faultOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    const { code, details } = error as { code: string; details: { field?: string } };
    return details.field ?? code;
  }
  return "none";
};

describe("a message", () => {
  it("a message is read from its parts, or from its content if it has no parts", () => {
    expect(parse([{ type: "text", text: "part" }], "content").parts).toEqual([
      { type: "text", text: "part" },
    ]);
    expect(parse([], "content").parts).toEqual([{ type: "text", text: "content" }]);
    expect(parse([], "").parts).toEqual([{ type: "text", text: "" }]);
  });

  it("a message part has the fields and defaults of its type", () => {
    const part = {
      text: "no",
      uri: "ctx://skills/x/",
      skillUri: "ctx://skills/x",
      toolInput: { a: [1, null] },
      toolOutput: "out",
    };
    expect(parse([{ type: "context", ...part }]).parts).toEqual([
      { type: "context", uri: "ctx://agent/skills/x", context_type: "memory" },
    ]);
    expect(parse([{ type: "tool", ...part }]).parts).toEqual([
      {
        type: "tool",
        skill_uri: "ctx://agent/skills/x",
        tool_input: { a: [1, null] },
        tool_output: "out",
        tool_status: "pending",
      },
    ]);
  });

  it.each([
    ["role", () => parse([], "x", "system")],
    ["content", () => parse([])],
    ["parts[0].text", () => parse([{ type: "text" }])],
    ["parts[1].type", () => parse([{ type: "text", text: "x" }, { type: "video" }])],
    ["parts[0].uri", () => parse([{ type: "context" }])],
    [
      "parts[0].context_type",
      () => parse([{ type: "context", uri: "ctx://resources/x", contextType: "film" }]),
    ],
    ["parts[0].tool_status", () => parse([{ type: "tool", toolStatus: "maybe" }])],
    ["INVALID_URI", () => parse([{ type: "context", uri: "nowhere" }])],
    ["INVALID_URI", () => parse([{ type: "tool", skillUri: "nowhere" }])],
    ["parts", () => parse(Array.from({ length: 1001 }, () => ({ type: "text", text: "" })))],
  ])("a malformed message is refused with an error about %s", (fault, work) => {
    expect(faultOf(work)).toBe(fault);
  });

  it("repeated uses of a context or skill in one message are reported once", () => {
    const context = { type: "context", uri: "ctx://resources/a" };
    const tool = { type: "tool", skillUri: "ctx://skills/s" };
    expect(usesOf(parse([context, tool, context, tool, { type: "tool" }]))).toEqual({
      contexts: ["ctx://resources/a"],
      skills: ["ctx://agent/skills/s"],
    });
  });
});

it("archive names have at least three digits, and other names are not parsed", () => {
  expect([1, 42, 999, 1000].map(archiveName)).toEqual([
    "archive_001",
    "archive_042",
    "archive_999",
    "archive_1000",
  ]);
  expect(["archive_042", "archive_1000"].map(archiveNumber)).toEqual([42, 1000]);
  expect(
    ["archive_000", "archive_0042", "archive_1", "archive_001x", "archive_", "x"].map(archiveNumber),
  ).toEqual(Array(6).fill(undefined));
});
