import type { DescMethodUnary, JsonObject } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AccountService } from "../../../gen/ctxdb/v1/account_pb.ts";
import { ContentService } from "../../../gen/ctxdb/v1/content_pb.ts";
import { FilesystemService } from "../../../gen/ctxdb/v1/filesystem_pb.ts";
import { RelationService } from "../../../gen/ctxdb/v1/relation_pb.ts";
import { SearchService } from "../../../gen/ctxdb/v1/search_pb.ts";
import { SessionService } from "../../../gen/ctxdb/v1/session_pb.ts";
import { SkillService } from "../../../gen/ctxdb/v1/skill_pb.ts";
import { SystemService } from "../../../gen/ctxdb/v1/system_pb.ts";
import type { Transport } from "../../../src/transport/transport.ts";
import { type Client, clientsOf } from "./clients.ts";
import { openTiny } from "./tiny-server.ts";
import { ROOT_KEY, USER_KEY } from "./tiny-service.ts";

const user = { "x-api-key": USER_KEY };
const root = { "x-api-key": ROOT_KEY };

interface Case {
  readonly name: string;
  readonly method: DescMethodUnary;
  readonly request?: JsonObject;
  readonly headers?: Record<string, string>;
  readonly code?: string;
  readonly result?: unknown;
  readonly details?: unknown;
}

const uri = "ctx://resources/ü.md";
const TEXT = "Grüße 記 🐙\n";

/** Run in order, since later ones see what earlier ones wrote; each protocol has its own server. */
const CASES: readonly Case[] = [
  {
    name: "the status names version, user and role",
    method: SystemService.method.getStatus,
    result: { initialized: true, version: "0.0.1", user: "ann", account: "acme", role: "user", uptime: 1.5 },
  },
  {
    name: "a bearer token is accepted",
    method: SystemService.method.getStatus,
    headers: { authorization: `bearer ${USER_KEY}` },
    result: expect.objectContaining({ user: "ann" }),
  },
  {
    name: "a call without a key is refused",
    method: SystemService.method.getStatus,
    headers: {},
    code: "UNAUTHENTICATED",
  },
  {
    name: "a missing key is reported before a missing field",
    method: FilesystemService.method.makeDirectory,
    headers: {},
    code: "UNAUTHENTICATED",
  },
  {
    name: "ROOT acts as the account and user of the headers",
    method: SystemService.method.getStatus,
    headers: { ...root, "x-ctx-account": "x", "x-openviking-user": "bo" },
    result: expect.objectContaining({ account: "x", user: "bo", role: "root" }),
  },
  {
    name: "a malformed agent is refused",
    method: SystemService.method.getStatus,
    headers: { ...user, "x-ctx-agent": "a/b" },
    code: "INVALID_ARGUMENT",
    details: expect.objectContaining({ field: "agent" }),
  },
  {
    name: "a user is refused an operation of ROOT",
    method: AccountService.method.listUsers,
    request: { account_id: "acme" },
    code: "PERMISSION_DENIED",
    details: { resource: "account acme", reason: "only ROOT may do this" },
  },
  {
    name: "ROOT may call an operation of ROOT",
    method: AccountService.method.listUsers,
    request: { account_id: "acme" },
    headers: root,
    result: [{ user_id: "default", role: "root" }],
  },
  {
    name: "a directory is made",
    method: FilesystemService.method.makeDirectory,
    request: { uri: "ctx://resources/a" },
    result: { uri: "ctx://resources/a" },
  },
  {
    name: "an existing directory is not made again",
    method: FilesystemService.method.makeDirectory,
    request: { uri: "ctx://resources/a" },
    code: "ALREADY_EXISTS",
    details: { resource: "ctx://resources/a", type: "directory" },
  },
  {
    name: "a malformed URI is refused",
    method: FilesystemService.method.makeDirectory,
    request: { uri: "a" },
    code: "INVALID_URI",
    details: { uri: "a", reason: "is none" },
  },
  {
    name: "a missing required field is refused by name",
    method: FilesystemService.method.makeDirectory,
    request: {},
    code: "INVALID_ARGUMENT",
    details: { field: "uri", reason: "is required" },
  },
  {
    name: "a missing field is refused although it may be empty",
    method: ContentService.method.writeContent,
    request: { uri },
    code: "INVALID_ARGUMENT",
    details: { field: "content", reason: "is required" },
  },
  {
    name: "an empty file is written",
    method: ContentService.method.writeContent,
    request: { uri: "ctx://resources/e", content: "" },
    result: { uri: "ctx://resources/e", mode: "replace", written_bytes: 0 },
  },
  {
    name: "a file is written with its size in bytes",
    method: ContentService.method.writeContent,
    request: { uri, content: TEXT, mode: "create" },
    result: { uri, mode: "create", written_bytes: 17 },
  },
  { name: "a file is read", method: ContentService.method.readContent, request: { uri }, result: TEXT },
  {
    name: "a missing file is not found",
    method: ContentService.method.readContent,
    request: { uri: "ctx://resources/ü" },
    code: "NOT_FOUND",
    details: { resource: "ctx://resources/ü", type: "file" },
  },
  {
    name: "stat describes a file",
    method: FilesystemService.method.statNode,
    request: { uri },
    result: {
      name: "ü.md",
      size: 17,
      mode: 33188,
      isDir: false,
      uri,
      mtime: 1.25,
      modTime: "1970-01-01T00:00:01Z",
      tags: [],
    },
  },
  {
    name: "a directory is listed",
    method: FilesystemService.method.listEntries,
    request: { uri: "ctx://resources", simple: true },
    result: ["ctx://resources/e", uri],
  },
  {
    name: "an empty directory gives an empty list",
    method: FilesystemService.method.listEntries,
    request: { uri: "ctx://none" },
    result: [],
  },
  {
    name: "a find returns scores in full precision",
    method: SearchService.method.find,
    request: { query: "q", limit: 3, score_threshold: 0.5, filter: { a: [1, "b", null] } },
    result: expect.objectContaining({
      memories: [],
      total: 3,
      resources: [
        expect.objectContaining({
          score: 0.1 + 0.2,
          overview: "",
          relations: [],
          abstract: '{"a":[1,"b",null]}',
        }),
      ],
    }),
  },
  {
    name: "a find without hits gives empty lists",
    method: SearchService.method.find,
    request: { query: "nothing", limit: 0 },
    result: { memories: [], resources: [], skills: [], total: 0 },
  },
  {
    name: "a write with another etag is refused",
    method: ContentService.method.writeContent,
    request: { uri, content: "x", if_match: '"other"' },
    code: "FAILED_PRECONDITION",
    details: expect.objectContaining({ etag: expect.stringMatching(/^[0-9a-f]{64}$/) }),
  },
  {
    name: "an append under an idempotency key writes",
    method: ContentService.method.writeContent,
    request: { uri: "ctx://resources/e", content: "x", mode: "append", idempotency_key: "k" },
    result: expect.objectContaining({ written_bytes: 1 }),
  },
  {
    name: "a repeated append gets the first answer",
    method: ContentService.method.writeContent,
    request: { uri: "ctx://resources/e", content: "x", mode: "append", idempotency_key: "k" },
    result: { uri: "ctx://resources/e", mode: "append", written_bytes: 1 },
  },
  {
    name: "another body under an idempotency key is refused",
    method: ContentService.method.writeContent,
    request: { uri: "ctx://resources/e", content: "y", mode: "append", idempotency_key: "k" },
    code: "INVALID_ARGUMENT",
    details: expect.objectContaining({ field: "idempotency_key" }),
  },
  {
    name: "an idempotency key of other characters is refused",
    method: ContentService.method.writeContent,
    request: { uri: "ctx://resources/e", content: "y", idempotency_key: "ü" },
    code: "INVALID_ARGUMENT",
    details: expect.objectContaining({ field: "idempotency_key" }),
  },
  {
    name: "a repeated append has written once",
    method: ContentService.method.readContent,
    request: { uri: "ctx://resources/e" },
    result: "x",
  },
  {
    name: "a missing field of a nested message is refused by its path",
    method: SessionService.method.addMessage,
    request: { session_id: "s", role: "user", parts: [{ type: "text" }, { type: "" }] },
    code: "INVALID_ARGUMENT",
    details: { field: "parts[1].type", reason: "is required" },
  },
  {
    name: "an operation without a result answers without one",
    method: RelationService.method.linkNodes,
    request: { from_uri: "ctx://a", to_uri: "ctx://b" },
    result: undefined,
  },
  {
    name: "an expired session has a code of its own",
    method: SessionService.method.deleteSession,
    request: { session_id: "s" },
    code: "SESSION_EXPIRED",
    details: { session_id: "s" },
  },
  {
    name: "a failed precondition keeps its code",
    method: SessionService.method.listSessions,
    code: "FAILED_PRECONDITION",
  },
  {
    name: "an internal fault shows no cause",
    method: SessionService.method.getSession,
    request: { session_id: "s" },
    code: "INTERNAL",
  },
  {
    name: "an unimplemented operation is named",
    method: SkillService.method.getSkill,
    request: { name: "x" },
    code: "UNIMPLEMENTED",
    details: { operation: "SkillService.GetSkill" },
  },
];

const NAMES = [
  "REST over HTTP/1.1",
  "REST over HTTP/2",
  "Connect JSON over HTTP/1.1",
  "Connect proto over HTTP/2",
  "gRPC",
  "gRPC-Web",
];

describe.each(NAMES)("%s", (name) => {
  let server: Transport;
  let client: Client;

  beforeAll(async () => {
    server = await openTiny();
    client = clientsOf(server.port).find((one) => one.name === name)!;
  });
  afterAll(() => server.close(1000));

  it.each(CASES)(
    `the contract holds over ${name}: $name`,
    async ({ method, request = {}, headers = user, code = "OK", result, details }) => {
      const outcome = await client.call(method, request, headers);
      expect(outcome.code).toBe(code);
      if (code === "OK") expect(outcome.result).toEqual(result);
      else expect(outcome.message).toMatch(/\w/);
      if (details !== undefined) expect(outcome.details).toEqual(details);
      expect(JSON.stringify(outcome)).not.toMatch(/passwd|TypeError| at .*\.ts/);
    },
  );
});
