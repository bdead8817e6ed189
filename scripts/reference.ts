// Writes the API reference, one page per service, from the descriptors and comments in gen/ and the error
// tables in docs/api.md.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  getOption,
  hasOption,
  ScalarType,
} from "@bufbuild/protobuf";
import { comments } from "../gen/comments.ts";
import { http } from "../gen/google/api/annotations_pb.ts";
import type { HttpRule } from "../gen/google/api/http_pb.ts";
import { STATUS } from "../src/domain/errors.ts";
import { isRequired } from "../src/transport/pipeline/check-request.ts";
import { HEADER_FIELDS } from "../src/transport/rest/openapi-schema.ts";
import { SERVICES } from "../src/transport/services.ts";

const NOTE =
  "<!-- made by scripts/reference.ts from proto/ and docs/api.md: run `npm run gen`, do not edit -->\n";
const COLUMN_OF_ERRORS = 5;

const SCALARS: Readonly<Partial<Record<ScalarType, string>>> = {
  [ScalarType.STRING]: "string",
  [ScalarType.BOOL]: "boolean",
  [ScalarType.INT32]: "integer",
  [ScalarType.UINT32]: "integer ≥ 0",
  [ScalarType.DOUBLE]: "number",
  [ScalarType.BYTES]: "bytes",
};
const KNOWN: Readonly<Record<string, string>> = {
  "google.protobuf.Value": "any JSON",
  "google.protobuf.Struct": "object",
};
const KINDS = {
  unary: "",
  server_streaming: " (the response is a stream)",
  client_streaming: " (the request is a stream)",
  bidi_streaming: " (both are streams)",
};

const pageOf = (service: DescService) => `${service.name.replace(/Service$/, "").toLowerCase()}.md`;
/** Converts a comment of proto/ from plain text to Markdown for a paragraph or a table cell. */
const about = (fullName: string) =>
  (comments[fullName] ?? "").replaceAll("<", "&lt;").replace(/[*|[\]]/g, "\\$&");
const anchor = (heading: string) => `#${heading.toLowerCase()}`;

function typeOf(field: DescField): string {
  const message =
    field.message &&
    (KNOWN[field.message.typeName] ?? `[${field.message.name}](${anchor(field.message.name)})`);
  const one = message ?? (field.scalar === undefined ? undefined : SCALARS[field.scalar]);
  if (one === undefined) throw new Error(`no name for the type of ${field.parent.typeName}.${field.name}`);
  if (field.fieldKind === "list") return `list of ${one}`;
  if (field.oneof) return `${one}; one of \`${field.oneof.name}\``;
  return field.proto.proto3Optional ? `${one}, optional` : one;
}

/** Says where REST reads a field of the request from. */
function placeOf(field: DescField, rule: HttpRule): string {
  const header = HEADER_FIELDS.get(field.name);
  if (header) return `header \`${header}\``;
  if (String(rule.pattern.value).includes(`{${field.name}}`)) return "path";
  return rule.body === "" ? "query" : "body";
}

function fieldsOf(message: DescMessage, rule?: HttpRule): string {
  if (message.fields.length === 0) return "No fields.\n";
  const head = rule
    ? "| field | number | type | REST | |\n|---|---|---|---|---|\n"
    : "| field | number | type | |\n|---|---|---|---|\n";
  const rows = message.fields.map((field) => {
    const places = rule ? ` ${placeOf(field, rule)} |` : "";
    const needed = isRequired(field) ? "**Required.** " : "";
    return `| \`${field.name}\` | ${field.number} | ${typeOf(field)} |${places} ${needed}${about(`${message.typeName}.${field.name}`)} |\n`;
  });
  return head + rows.join("");
}

/**
 * Returns all messages nested in a message, each once. Messages defined by protobuf or Google are left out;
 * the page shows their JSON form instead.
 */
function collect(message: DescMessage, into: Set<DescMessage>): void {
  for (const { message: inner } of message.fields) {
    if (!inner || inner.typeName in KNOWN || into.has(inner)) continue;
    into.add(inner);
    collect(inner, into);
  }
}

/** Returns the "errors" cell in a method's row in docs/api.md. */
function errorsOf(method: DescMethod, guide: string): string {
  const heading =
    new RegExp(`^### .*\`${method.parent.name}\`[^]*?(?=^### |^## )`, "m").exec(guide)?.[0] ?? "";
  const row = heading
    .split("\n")
    .find((line) => line.startsWith("| ") && line.includes(`| \`${method.name}\``));
  if (row === undefined) throw new Error(`docs/api.md has no row for ${method.parent.name}.${method.name}`);
  const found = row.split(/(?<!\\)\|/)[COLUMN_OF_ERRORS]?.trim();
  const own = found ? `${found}; ` : "";
  return `Errors: ${own}[those of every operation](README.md#errors).\n`;
}

function methodText(method: DescMethod, guide: string): string {
  const rule = hasOption(method, http) ? getOption(method, http) : undefined;
  const routes = (rule ? [rule, ...rule.additionalBindings] : []).map(
    ({ pattern }) => `\`${String(pattern.case).toUpperCase()} ${String(pattern.value)}\``,
  );
  const result = !rule?.responseBody
    ? ""
    : ` The \`result\` of REST is the field \`${rule.responseBody}\` alone.`;
  const output = method.output.typeName in KNOWN ? "The bytes.\n" : fieldsOf(method.output);
  return `## ${method.name}

${about(`${method.parent.typeName}.${method.name}`)}

REST: ${routes.join(", ") || "no route"}
<br>gRPC, gRPC-Web, Connect: \`/${method.parent.typeName}/${method.name}\`${KINDS[method.methodKind]}

**${method.input.name}**: ${about(method.input.typeName)}

${fieldsOf(method.input, rule)}
**${method.output.name}**: ${about(method.output.typeName)}${result}

${output}
${errorsOf(method, guide)}`;
}

function pageText(service: DescService, guide: string): string {
  const inner = new Set<DescMessage>();
  for (const { input, output } of service.methods)
    for (const message of [input, output]) collect(message, inner);
  const messages = [...inner].map(
    (message) => `### ${message.name}\n\n${about(message.typeName)}\n\n${fieldsOf(message)}`,
  );
  const contents = service.methods.map(({ name }) => `[${name}](${anchor(name)})`).join(" · ");
  const methods = service.methods.map((method) => methodText(method, guide)).join("\n");
  const shared = messages.length === 0 ? "" : `\n## Messages\n\n${messages.join("\n")}`;
  return `${NOTE}
# ${service.name}

${about(service.typeName)} Beyond what stands here: [the guide to every operation](../api.md#4-operations).

${contents}

${methods}${shared}`;
}

function indexText(): string {
  const services = SERVICES.map((service) => {
    const methods = service.methods
      .map(({ name }) => `[${name}](${pageOf(service)}${anchor(name)})`)
      .join(" ");
    return `| [${service.name}](${pageOf(service)}) | ${about(service.typeName)} | ${methods} |\n`;
  });
  const codes = Object.entries(STATUS).map(
    ([code, { http: status, grpc }]) => `| \`${code}\` | ${status} | ${grpc} |\n`,
  );
  return `${NOTE}
# Reference

Every service, operation and field, made from [proto/](../../proto). The same as data: \`GET /openapi.json\` of a running server, and reflection over gRPC.
What a schema cannot say stands in [api.md](../api.md).

| service | | operations |
|---|---|---|
${services.join("")}
Fields of requests that are not required can be left out. What is called optional is absent from a response where it has no value; everything else is there, zeros and empty lists too. JSON has the names of the fields as they are written here; numbers are those of the wire.
REST wraps the response as \`result\` in \`{"status": "ok", "result": …, "time": seconds}\`.

## Errors

Every operation can answer UNAUTHENTICATED, PERMISSION_DENIED, INVALID_ARGUMENT for malformed input, INVALID_URI where it takes a URI, NOT_FOUND for what the caller may not see, RESOURCE_EXHAUSTED,
UNAVAILABLE, DEADLINE_EXCEEDED and INTERNAL. On gRPC the code travels as \`ctxdb.v1.ErrorDetail\` in the details of the status.

| code | HTTP | gRPC |
|---|---|---|
${codes.join("")}`;
}

const [target] = process.argv.slice(2);
if (!target) throw new Error("usage: reference.ts FOLDER");
const guide = readFileSync(new URL("../docs/api.md", import.meta.url), "utf8");
mkdirSync(target, { recursive: true });
for (const name of readdirSync(target)) if (name.endsWith(".md")) rmSync(join(target, name));
for (const service of SERVICES) writeFileSync(join(target, pageOf(service)), pageText(service, guide));
writeFileSync(join(target, "README.md"), indexText());
