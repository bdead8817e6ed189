import { create, type DescMessage } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ListEntriesRequestSchema } from "../../../gen/ctxdb/v1/filesystem_pb.ts";
import { FindRequestSchema } from "../../../gen/ctxdb/v1/search_pb.ts";
import { AddMessageRequestSchema } from "../../../gen/ctxdb/v1/session_pb.ts";
import { warningHeader } from "../../../src/transport/pipeline/warnings.ts";
import { bindJson } from "../../../src/transport/rest/bind-json.ts";
import { bindQuery, parseQuery } from "../../../src/transport/rest/bind-query.ts";
import { UnknownFields } from "../../../src/transport/rest/unknown-fields.ts";

function ofBody(desc: DescMessage, body: Record<string, unknown>): readonly string[] {
  const unknown = new UnknownFields();
  bindJson(desc, create(desc), body, unknown);
  return unknown.warnings;
}

function ofQuery(desc: DescMessage, query: string): readonly string[] {
  const unknown = new UnknownFields();
  bindQuery(desc, create(desc), parseQuery(query), unknown);
  return unknown.warnings;
}

describe("fields that nobody reads", () => {
  it("a request with only known fields gets no warning", () => {
    expect(ofBody(FindRequestSchema, { query: "q", limit: 3, filter: { anything: { goes: 1 } } })).toEqual(
      [],
    );
    expect(ofQuery(ListEntriesRequestSchema, "uri=ctx://&simple=true")).toEqual([]);
    expect(warningHeader([])).toBeUndefined();
  });

  it.each([
    ["top_k", "limit"],
    ["topK", "limit"],
    ["limt", "limit"],
    ["qurey", "query"],
    ["targetUri", "target_uri"],
    ["TARGET-URI", "target_uri"],
    ["target", "target_uri"],
    ["score_treshold", "score_threshold"],
    ["zebra", undefined],
    ["x", undefined],
    ["__proto__", undefined],
    ["constructor", undefined],
  ])("the unknown field %s gets a warning with the likely field: %s", (name, meant) => {
    const warning = `unknown field: ${name}${meant === undefined ? "" : `; did you mean ${meant}?`}`;
    expect(ofBody(FindRequestSchema, JSON.parse(`{"query":"q","${name}":3}`))).toEqual([warning]);
    expect(ofQuery(FindRequestSchema, `query=q&${name}=3`)).toEqual([warning]);
  });

  it("unknown fields get a warning with their path, once for all items of a list", () => {
    const parts = [
      { type: "text", text: "a" },
      { type: "text", text: "b", txet: 1 },
      { type: "text", text: "c", txet: 2, nothing: null },
    ];
    expect(ofBody(AddMessageRequestSchema, { role: "user", parts, sesion_id: 1 })).toEqual([
      "unknown field: parts[1].txet; did you mean text?",
      "unknown field: parts[2].nothing",
      "unknown field: sesion_id; did you mean session_id?",
    ]);
  });

  it("at most eight unknown fields are named in warnings", () => {
    const many = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, i) => [`name-${i}-${"x".repeat(i % 100)}`, i]),
    );
    const warnings = ofBody(FindRequestSchema, many);
    expect(warnings).toHaveLength(9);
    expect(warnings.at(-1)).toBe("more fields are unknown");
    const [long] = ofBody(FindRequestSchema, { ["y".repeat(1_000_000)]: 1 });
    expect(long?.length).toBeLessThan(150);
    expect(warningHeader(warnings)?.length).toBeLessThan(2000);
  });

  it("a warning about an unknown field is printable ASCII", () => {
    const names = ['a"b', "a\\b", "a\r\nSet-Cookie: x", "grüße", "日本", "\u0000", "tab\t"];
    const header = warningHeader(names.flatMap((name) => ofBody(FindRequestSchema, { [name]: 1 })));
    expect(header).toMatch(/^299 ctxdb "[\x20-\x7e]*"$/);
    expect(header?.replaceAll('", 299 ctxdb "', "").slice(11, -1)).not.toMatch(/["\\]/);
  });
});
