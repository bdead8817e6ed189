import { type DescField, type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { http } from "../../../gen/google/api/annotations_pb.ts";
import type { HttpRule } from "../../../gen/google/api/http_pb.ts";
import { itemAt } from "../../base/expect.ts";
import { STATUS } from "../../domain/errors.ts";
import { isRequired } from "../pipeline/check-request.ts";
import { SERVICES } from "../services.ts";
import { described, HEADER_FIELDS, type Json, SchemaWriter } from "./openapi-schema.ts";

/** Methods that return bytes, and their media type. */
const BYTES: Readonly<Record<string, string>> = {
  DownloadContent: "application/octet-stream",
  ExportPack: "application/zip",
};
const TIME: Json = { $ref: "#/components/schemas/Time" };
const WARNINGS: Json = { $ref: "#/components/schemas/Warnings" };

/** Methods whose response has the content hash as ETag. */
const TAGGED = new Set(["StatNode", "ReadContent", "DownloadContent"]);

const BINARY: Json = { type: "string", format: "binary" };
const ERROR: Json = { $ref: "#/components/responses/Error" };
const IDENTITY = ["X-Ctx-Account", "X-Ctx-User", "X-Ctx-Agent", "X-Request-Id"].map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));

/**
 * Creates the OpenAPI 3.1 document of the REST API from the descriptors in gen/ and the comments in proto/.
 * `version`: version of the server. Not cached.
 */
export function openapi(version: string): Json {
  const writer = new SchemaWriter();
  const paths: Record<string, Json> = {};
  for (const service of SERVICES) {
    for (const method of service.methods) {
      if (!hasOption(method, http)) continue;
      const rule = getOption(method, http);
      for (const [i, binding] of [rule, ...rule.additionalBindings].entries()) {
        const { case: verb, value: path } = binding.pattern;
        if (verb === undefined || verb === "custom") continue;
        paths[path] ??= { parameters: IDENTITY };
        paths[path][verb] = operation(writer, method, binding, rule.responseBody, i);
      }
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "ctxdb",
      version,
      description: "The context database for AI agents.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ ApiKey: [] }, { Bearer: [] }],
    tags: SERVICES.map((service) => ({ name: tag(service.name), ...described(service.typeName) })),
    paths: { ...PROBES, ...paths },
    components: { ...COMPONENTS, schemas: { ...COMPONENTS.schemas, ...writer.schemas } },
  };
}

const tag = (service: string) => service.replace(/Service$/, "").toLowerCase();

function operation(
  writer: SchemaWriter,
  method: DescMethod,
  binding: HttpRule,
  responseBody: string,
  index: number,
): Json {
  const path = String(binding.pattern.value);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((found) => itemAt(found, 1));
  const isUpload = method.methodKind === "client_streaming";
  // A DELETE accepts a body or a query string, as for relations/link.
  const eitherWay = binding.pattern.case === "delete" && binding.body !== "";
  const inQuery = (field: DescField) =>
    !inPath.includes(field.name) && !HEADER_FIELDS.has(field.name) && (binding.body === "" || eitherWay);
  const parameters = method.input.fields.flatMap((field): Json[] => {
    const header = HEADER_FIELDS.get(field.name);
    if (isUpload) return [];
    if (inPath.includes(field.name)) return [parameter(writer, field, "path", field.name, true)];
    if (header) return [parameter(writer, field, "header", header, false)];
    return inQuery(field)
      ? [parameter(writer, field, "query", field.name, isRequired(field) && !eitherWay)]
      : [];
  });
  const about = described(`${method.parent.typeName}.${method.name}`);
  return {
    operationId: index === 0 ? method.name : `${method.name}_${index + 1}`,
    tags: [tag(method.parent.name)],
    ...(typeof about.description === "string" && {
      summary: itemAt(about.description.split(/\. |: /, 1), 0).replace(/\.$/, ""),
    }),
    ...about,
    ...(parameters.length > 0 && { parameters }),
    ...(binding.body !== "" && {
      requestBody: isUpload ? UPLOAD : requestBody(writer, method, inPath, eitherWay),
    }),
    responses: { "200": answer(writer, method, responseBody), default: ERROR },
  };
}

function parameter(
  writer: SchemaWriter,
  field: DescField,
  where: string,
  name: string,
  required: boolean,
): Json {
  const { description, ...schema } = writer.field(field);
  return { name, in: where, required, description, schema };
}

const UPLOAD: Json = {
  required: true,
  content: {
    "multipart/form-data": { schema: { type: "object", properties: { file: BINARY }, required: ["file"] } },
  },
};

function requestBody(
  writer: SchemaWriter,
  method: DescMethod,
  inPath: readonly string[],
  eitherWay: boolean,
): Json {
  const required =
    !eitherWay && method.input.fields.some((field) => isRequired(field) && !inPath.includes(field.name));
  return { required, content: { "application/json": { schema: writer.request(method.input, inPath) } } };
}

function answer(writer: SchemaWriter, method: DescMethod, responseBody: string): Json {
  const names = ["X-Request-Id", "X-Process-Time", "Warning"];
  if (TAGGED.has(method.name)) names.push("ETag");
  if (method.output.fields.some((field) => field.name === "next_cursor"))
    names.push("X-Truncated", "X-Next-Cursor");
  const headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
  const bytes = BYTES[method.name];
  if (bytes) return { description: "The bytes.", headers, content: { [bytes]: { schema: BINARY } } };
  if (method.methodKind === "server_streaming") {
    const schema = writer.message(method.output);
    return { description: "The events.", headers, content: { "text/event-stream": { schema } } };
  }
  const field = method.output.fields.find((one) => one.name === responseBody);
  const result = field
    ? writer.field(field)
    : method.output.fields.length > 0
      ? writer.message(method.output)
      : undefined;
  const schema = {
    type: "object",
    properties: { status: { const: "ok" }, ...(result && { result }), time: TIME, warnings: WARNINGS },
    required: result ? ["status", "result", "time"] : ["status", "time"],
  };
  return { description: "Success.", headers, content: { "application/json": { schema } } };
}

const bare = (operationId: string, summary: string, media: string, schema: Json, more: Json = {}): Json => ({
  get: {
    operationId,
    tags: ["probes"],
    summary,
    security: [],
    responses: { "200": { description: "Success.", content: { [media]: { schema } } }, ...more },
  },
});

const READY: Json = {
  type: "object",
  properties: {
    status: { enum: ["ready", "not_ready"] },
    checks: { type: "object", additionalProperties: { type: "string" } },
  },
  required: ["status", "checks"],
};

/** Paths outside /api/v1, without an envelope. */
const PROBES: Record<string, Json> = {
  "/": bare(
    "welcome",
    "What this server is and where to begin: a page for browsers, JSON for others",
    "application/json",
    {
      type: "object",
      properties: {
        name: { const: "ctxdb" },
        version: { type: "string" },
        keys: { enum: ["required", "none"] },
        links: { type: "object", additionalProperties: { type: "string" } },
      },
      required: ["name", "version", "keys", "links"],
    },
  ),
  "/health": bare("health", "Whether the server runs; never waits on storage", "application/json", {
    type: "object",
    properties: { status: { const: "ok" }, healthy: { type: "boolean" }, version: { type: "string" } },
    required: ["status", "healthy", "version"],
  }),
  "/ready": bare("ready", "Whether the server can serve", "application/json", READY, {
    "503": { description: "Not ready.", content: { "application/json": { schema: READY } } },
  }),
  "/metrics": bare(
    "metrics",
    "Metrics for Prometheus; for ROOT, or for anybody on loopback if no key is configured",
    "text/plain",
    { type: "string" },
    { default: ERROR },
  ),
  "/openapi.json": bare("openapi", "This document", "application/json", { type: "object" }),
  "/docs": bare("docs", "A page that shows this document and lets it be tried", "text/html", {
    type: "string",
  }),
};

const text = (description: string): Json => ({ description, schema: { type: "string" } });
const identity = (name: string, description: string): Json => ({
  name,
  in: "header",
  required: false,
  ...text(description),
});

const COMPONENTS = {
  securitySchemes: {
    ApiKey: {
      type: "apiKey",
      in: "header",
      name: "X-API-Key",
      description: "Takes precedence over Authorization. Not needed if no root key is configured.",
    },
    Bearer: { type: "http", scheme: "bearer" },
  },
  parameters: {
    "X-Ctx-Account": identity(
      "X-Ctx-Account",
      "Account to act in; for ROOT, or if no key is configured. Default: default.",
    ),
    "X-Ctx-User": identity(
      "X-Ctx-User",
      "User to act as; for ROOT, or if no key is configured. Default: default.",
    ),
    "X-Ctx-Agent": identity("X-Ctx-Agent", "Agent that acts. Default: default."),
    "X-Request-Id": identity("X-Request-Id", "1-128 printable ASCII, repeated in the answer."),
  },
  headers: {
    "X-Request-Id": text("The caller's, or a new one."),
    "X-Process-Time": text("Seconds the request took."),
    Warning: text("Unknown fields of the request, with code 299."),
    ETag: text("Content hash, strong."),
    "X-Truncated": text("true if the list was cut."),
    "X-Next-Cursor": text("Continues a list that was cut: send it as cursor."),
  },
  responses: {
    Error: {
      description: "An error.",
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
    },
  },
  schemas: {
    Time: { type: "number", description: "Seconds the request took." },
    Warnings: {
      type: "array",
      items: { type: "string" },
      description: "Unknown fields of the request, if any; also in the header Warning.",
    },
    Error: {
      type: "object",
      properties: {
        status: { const: "error" },
        error: {
          type: "object",
          properties: {
            code: { enum: Object.keys(STATUS) },
            message: { type: "string", description: "Names the subject, for people." },
            details: { type: "object", ...described("ctxdb.v1.ErrorDetail.details") },
          },
          required: ["code", "message"],
        },
        time: TIME,
        warnings: WARNINGS,
      },
      required: ["status", "error", "time"],
    },
  },
};
