import { create, type DescMessage, type Message, toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { WriteContentRequestSchema } from "../../../gen/ctxdb/v1/content_pb.ts";
import { ListEntriesRequestSchema } from "../../../gen/ctxdb/v1/filesystem_pb.ts";
import { LinkNodesRequestSchema } from "../../../gen/ctxdb/v1/relation_pb.ts";
import { UploadFileRequestSchema } from "../../../gen/ctxdb/v1/resource_pb.ts";
import { type FindRequest, FindRequestSchema } from "../../../gen/ctxdb/v1/search_pb.ts";
import { AddMessageRequestSchema, RecordUsageRequestSchema } from "../../../gen/ctxdb/v1/session_pb.ts";
import { AddSkillRequestSchema } from "../../../gen/ctxdb/v1/skill_pb.ts";
import { atOnce } from "../../../src/base/event-loop.ts";
import { ServiceError } from "../../../src/domain/errors.ts";
import { checkRequest } from "../../../src/transport/pipeline/check-request.ts";
import { bindJson } from "../../../src/transport/rest/bind-json.ts";
import { bindQuery, parseQuery } from "../../../src/transport/rest/bind-query.ts";
import { bodySteps } from "../../../src/transport/rest/json-body.ts";
import { UnknownFields } from "../../../src/transport/rest/unknown-fields.ts";

const parseBody = (bytes: Buffer) => atOnce(bodySteps(bytes));

function fromBody<D extends DescMessage>(desc: D, text: string): Message {
  const message = create(desc);
  const body = parseBody(Buffer.from(text));
  if (body !== undefined) bindJson(desc, message, body, new UnknownFields());
  checkRequest(desc, message);
  return message;
}

function fromQuery<D extends DescMessage>(desc: D, query: string): Message {
  const message = create(desc);
  bindQuery(desc, message, parseQuery(query), new UnknownFields());
  return message;
}

/** Returns the field that an INVALID_ARGUMENT names, or "accepted" without an error. */
function refusedField(run: () => unknown): unknown {
  try {
    run();
    return "accepted";
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    expect(error.code).toBe("INVALID_ARGUMENT");
    expect(error.details).toHaveProperty("reason");
    return error.details?.field;
  }
}

describe("a JSON body", () => {
  it("a JSON body sets fields by their proto names and leaves the others unset", () => {
    const text = `{"query":"q","limit":10.0,"score_threshold":0.5,"filter":{"a":[1,null]},"target_uri":["ctx://a","ctx://b"],"scoreThreshold":9}`;
    const bound = fromBody(FindRequestSchema, text);
    expect(bound).toMatchObject({ query: "q", limit: 10, scoreThreshold: 0.5, filter: { a: [1, null] } });
    expect(bound).toHaveProperty("targetUri.kind.case", "listValue");
  });

  it.each([
    [`{"query":5}`, "query", FindRequestSchema],
    [`{"query":"q","limit":"10"}`, "limit", FindRequestSchema],
    [`{"query":"q","limit":1.5}`, "limit", FindRequestSchema],
    [`{"query":"q","limit":-1}`, "limit", FindRequestSchema],
    [`{"query":"q","limit":4294967296}`, "limit", FindRequestSchema],
    [`{"query":"q","limit":[3]}`, "limit", FindRequestSchema],
    [`{"query":"q","score_threshold":"0.5"}`, "score_threshold", FindRequestSchema],
    [`{"query":"q","filter":"x"}`, "filter", FindRequestSchema],
    [`{"query":"q","filter":[]}`, "filter", FindRequestSchema],
    [`{"query":"q","target_uri":1}`, "target_uri", FindRequestSchema],
    [`{"query":"q","target_uri":["ctx://a",1]}`, "target_uri", FindRequestSchema],
    [`{"query":"q","target_uri":{}}`, "target_uri", FindRequestSchema],
    [`{"from_uri":"a","to_uris":true}`, "to_uris", LinkNodesRequestSchema],
    [`{"data":5}`, "data", AddSkillRequestSchema],
    [`{"uri":"a","content":"x","wait":"true"}`, "wait", WriteContentRequestSchema],
    [`{"uri":"a","content":"x","wait":1}`, "wait", WriteContentRequestSchema],
    [`{"session_id":"s","contexts":["a",2]}`, "contexts[1]", RecordUsageRequestSchema],
    [`{"session_id":"s","contexts":[null]}`, "contexts[0]", RecordUsageRequestSchema],
    [`{"session_id":"s","skill":{"uri":5}}`, "skill.uri", RecordUsageRequestSchema],
    [`{"session_id":"s","role":"user","parts":{}}`, "parts", AddMessageRequestSchema],
    [
      `{"session_id":"s","role":"user","parts":[{"type":"text"},{"type":7}]}`,
      "parts[1].type",
      AddMessageRequestSchema,
    ],
    [`{"session_id":"s","role":"user","parts":["x"]}`, "parts[0]", AddMessageRequestSchema],
    [
      `{"session_id":"s","role":"user","parts":[{"type":"tool","tool_input":"x"}]}`,
      "parts[0].tool_input",
      AddMessageRequestSchema,
    ],
    [`{"chunk":"?"}`, "chunk", UploadFileRequestSchema],
  ])("the JSON body %s is refused, naming %s", (text, field, desc) => {
    expect(refusedField(() => fromBody(desc, text))).toBe(field);
  });

  it.each([
    ["{}", "query", FindRequestSchema],
    [`{"query":""}`, "query", FindRequestSchema],
    [`{"query":null}`, "query", FindRequestSchema],
    [`{"uri":"a"}`, "content", WriteContentRequestSchema],
    [
      `{"session_id":"s","role":"user","parts":[{"type":"text"},{"text":"x"}]}`,
      "parts[1].type",
      AddMessageRequestSchema,
    ],
    [`{"session_id":"s","skill":{}}`, "skill.uri", RecordUsageRequestSchema],
  ])("the JSON body %s lacks %s", (text, field, desc) => {
    expect(refusedField(() => fromBody(desc, text))).toBe(field);
  });

  it("an empty string is accepted for an optional field of a JSON body", () => {
    expect(fromBody(WriteContentRequestSchema, `{"uri":"a","content":""}`)).toMatchObject({ content: "" });
  });

  it("null in a JSON body means an absent field, even if the field accepts any JSON", () => {
    const bound = fromBody(FindRequestSchema, `{"query":"q","limit":null,"filter":null,"target_uri":null}`);
    expect(toJson(FindRequestSchema, bound as FindRequest)).toEqual({ query: "q" });
  });

  it("a JSON body sets the oneof member that it names", () => {
    expect(fromBody(UploadFileRequestSchema, `{"chunk":"AQI="}`)).toMatchObject({
      part: { case: "chunk", value: new Uint8Array([1, 2]) },
    });
  });

  it("unknown and hostile field names of a JSON body do not reach the message", () => {
    const bound = fromBody(
      FindRequestSchema,
      `{"query":"q","__proto__":{"limit":5},"constructor":1,"toString":2}`,
    ) as { limit?: number };
    expect(bound.limit).toBeUndefined();
    expect(Object.keys(bound)).not.toContain("constructor");
  });
});

describe("the text of a body", () => {
  const nested = (depth: number) => `{"x":${"[".repeat(depth)}${"]".repeat(depth)}}`;

  it.each(["", "  \n", "null"])("the text %j is treated as a missing body", (text) => {
    expect(parseBody(Buffer.from(text))).toBeUndefined();
  });

  it("a JSON body may have a BOM, duplicate keys and 100 levels", () => {
    expect(parseBody(Buffer.from('\ufeff{"a":1,"a":2}'))).toEqual({ a: 2 });
    expect(parseBody(Buffer.from(nested(99)))).toBeDefined();
  });

  it.each([
    ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ["cut short", Buffer.from('{"a":')],
    ["NaN", Buffer.from('{"a":NaN}')],
    ["beyond double precision", Buffer.from('{"a":[1e999]}')],
    ["101 levels", Buffer.from(nested(100))],
    ["100,000 levels", Buffer.from(nested(100_000))],
    ["an array", Buffer.from("[1]")],
    ["a string", Buffer.from('"x"')],
    ["a number", Buffer.from("5")],
    ["true", Buffer.from("true")],
  ])("a malformed JSON body is refused with the name of its field: %s", (_, bytes) => {
    expect(refusedField(() => parseBody(bytes))).toBe("body");
  });
});

describe("a query", () => {
  it.each(["12", "12.", "12.0", "%2B12", "1.2e1", "120e-1", ".12E2"])("%s parses as an integer", (text) => {
    expect(fromQuery(ListEntriesRequestSchema, `node_limit=${text}`)).toMatchObject({ nodeLimit: 12 });
  });

  it("a query is form-decoded and read by the types of its fields", () => {
    const bound = fromQuery(
      ListEntriesRequestSchema,
      "uri=ctx://a+b%2Bc%C3%BC&simple=True&recursive=1&node_limit=+10.0+&nothing=x&show_all_hidden=false",
    );
    expect(bound).toMatchObject({
      uri: "ctx://a b+cü",
      simple: true,
      recursive: true,
      nodeLimit: 10,
      showAllHidden: false,
    });
  });

  it.each([
    ["uri=a&uri=b", "uri"],
    ["x=a&x=b", "x"],
    ["simple=maybe", "simple"],
    ["simple=", "simple"],
    ["node_limit=many", "node_limit"],
    ["node_limit=1.5", "node_limit"],
    ["node_limit=-1", "node_limit"],
    ["node_limit=0x10", "node_limit"],
    ["node_limit=.", "node_limit"],
    ["node_limit=1..2", "node_limit"],
    ["node_limit=1e", "node_limit"],
    ["node_limit=--1", "node_limit"],
    ["node_limit=1e999", "node_limit"],
    ["uri=%", "uri"],
    ["uri=%ff", "uri"],
  ])("the query %s is refused, naming %s", (query, field) => {
    expect(refusedField(() => fromQuery(ListEntriesRequestSchema, query))).toBe(field);
  });

  it("a repeated query parameter fills a list field", () => {
    expect(fromQuery(RecordUsageRequestSchema, "contexts=a&contexts=b")).toMatchObject({
      contexts: ["a", "b"],
    });
  });
});
