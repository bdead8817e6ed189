import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import * as account from "../../../gen/ctxdb/v1/account_pb.ts";
import * as content from "../../../gen/ctxdb/v1/content_pb.ts";
import * as filesystem from "../../../gen/ctxdb/v1/filesystem_pb.ts";
import * as observer from "../../../gen/ctxdb/v1/observer_pb.ts";
import * as pack from "../../../gen/ctxdb/v1/pack_pb.ts";
import * as relation from "../../../gen/ctxdb/v1/relation_pb.ts";
import * as resource from "../../../gen/ctxdb/v1/resource_pb.ts";
import * as search from "../../../gen/ctxdb/v1/search_pb.ts";
import * as session from "../../../gen/ctxdb/v1/session_pb.ts";
import * as skill from "../../../gen/ctxdb/v1/skill_pb.ts";
import * as system from "../../../gen/ctxdb/v1/system_pb.ts";
import * as task from "../../../gen/ctxdb/v1/task_pb.ts";
import { http } from "../../../gen/google/api/annotations_pb.ts";
import { openapi } from "../../../src/transport/rest/openapi.ts";

type Node = { readonly [key: string]: Node };

const SERVICES = [
  account.AccountService,
  resource.ResourceService,
  skill.SkillService,
  filesystem.FilesystemService,
  content.ContentService,
  search.SearchService,
  relation.RelationService,
  session.SessionService,
  pack.PackService,
  task.TaskService,
  system.SystemService,
  observer.ObserverService,
];

// The round trip shows what a client receives: undefined members vanish.
const document = JSON.parse(JSON.stringify(openapi("1.2.3"))) as Node;
const nodeAt = (...path: string[]) => path.reduce((node: Node | undefined, key) => node?.[key], document);
const okSchema = (path: string, verb: string) =>
  nodeAt("paths", path, verb, "responses", "200", "content", "application/json", "schema");

function* objects(node: unknown): Generator<Record<string, unknown>> {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) yield node as Record<string, unknown>;
  for (const child of Object.values(node)) yield* objects(child);
}

describe("the OpenAPI document", () => {
  // REST does not return streams of messages
  const isRouted = (method: DescMethod) => method !== task.TaskService.method.watchTask;

  it.each(SERVICES.flatMap((service) => service.methods).filter(isRouted))(
    "the OpenAPI document has the routes of $parent.name/$name, with a comment",
    (method) => {
      expect(hasOption(method, http)).toBe(true);
      const rule = getOption(method, http);
      for (const { pattern } of [rule, ...rule.additionalBindings]) {
        const path = String(pattern.value);
        const operation = nodeAt("paths", path, String(pattern.case));
        expect(operation).toMatchObject({
          description: expect.any(String),
          responses: { 200: {}, default: {} },
        });
        const declared = ((operation?.parameters ?? []) as unknown as { in: string; name: string }[]).filter(
          (one) => one.in === "path",
        );
        expect(declared.map((one) => `{${one.name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      }
    },
  );

  it("every reference in the OpenAPI document can be resolved", () => {
    const references = [...objects(document)].flatMap((node) =>
      typeof node.$ref === "string" ? [node.$ref] : [],
    );
    expect(references.length).toBeGreaterThan(100);
    for (const reference of references)
      expect(nodeAt(...reference.slice(2).split("/")), reference).toBeDefined();
  });

  it("every operation id of the OpenAPI document is unique", () => {
    const ids = [...objects(nodeAt("paths"))].flatMap((node) =>
      typeof node.operationId === "string" ? [node.operationId] : [],
    );
    expect(ids.length).toBeGreaterThan(50);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("the OpenAPI document names bodies, results and headers as REST does", () => {
    expect(document).toMatchObject({ openapi: "3.1.0", info: { version: "1.2.3" } });
    expect(nodeAt("components", "schemas", "FindRequest")).toMatchObject({
      required: ["query"],
      properties: { target_uri: { oneOf: [{}, {}] } },
    });
    expect(Object.keys(nodeAt("components", "schemas", "SetUserRoleRequest", "properties") ?? {})).toEqual([
      "role",
    ]);
    expect(nodeAt("components", "schemas", "WriteContentRequest", "properties")).not.toHaveProperty(
      "idempotency_key",
    );
    expect(nodeAt("paths", "/api/v1/content/write", "post", "parameters")).toEqual([
      expect.objectContaining({ name: "If-Match", in: "header" }),
      expect.objectContaining({ name: "Idempotency-Key", in: "header" }),
    ]);
    expect(okSchema("/api/v1/fs/ls", "get")?.properties).toMatchObject({ result: { type: "array" } });
    expect(okSchema("/api/v1/content/read", "get")?.properties).toMatchObject({ result: { type: "string" } });
    expect(okSchema("/api/v1/relations/link", "post")?.properties).not.toHaveProperty("result");
    expect(nodeAt("components", "schemas", "StatNodeResponse", "required")).toEqual([
      "name",
      "size",
      "mode",
      "isDir",
      "uri",
      "modTime",
      "tags",
    ]);
    expect(nodeAt("components", "schemas", "GrepResponse", "properties")).not.toHaveProperty("next_cursor");
    expect(nodeAt("paths", "/api/v1/search/grep", "post", "responses", "200", "headers")).toHaveProperty(
      "X-Next-Cursor",
    );
  });

  it("the OpenAPI document has uploads as forms and downloads as bytes", () => {
    expect(nodeAt("paths", "/api/v1/resources/temp_upload", "post", "requestBody", "content")).toHaveProperty(
      ["multipart/form-data"],
    );
    expect(nodeAt("paths", "/api/v1/content/download", "get", "responses", "200", "content")).toHaveProperty([
      "application/octet-stream",
    ]);
    expect(nodeAt("paths", "/api/v1/pack/export", "post", "responses", "200", "content")).toHaveProperty([
      "application/zip",
    ]);
    expect(nodeAt("paths", "/api/v1/relations/link", "delete")).toMatchObject({
      requestBody: { required: false },
      parameters: [
        { name: "from_uri", in: "query", required: false },
        { name: "to_uri", in: "query", required: false },
      ],
    });
  });
});
