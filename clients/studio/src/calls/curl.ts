import { type DescMethod, getOption, type JsonValue, type Message, toJson } from "@bufbuild/protobuf";
import { http } from "../../../typescript/src/gen/google/api/annotations_pb.ts";
import type { Target } from "./target.ts";

/** Fields that are sent as headers (docs/api.md). */
const HEADERS: Readonly<Record<string, string>> = {
  idempotency_key: "Idempotency-Key",
  if_match: "If-Match",
};

/** Quotes a word for a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const textOf = (value: JsonValue): string => (typeof value === "string" ? value : JSON.stringify(value));

/** A REST call; undefined for operations without a REST route. */
export function curlOf(method: DescMethod, request: Message, { address, names }: Target): string | undefined {
  const rule = getOption(method, http);
  const { pattern, body } = rule;
  if (pattern.case === undefined || pattern.case === "custom") return undefined;
  const fields = fieldsOf(method, request);
  let path = pattern.value;
  for (const [name, value] of fields) {
    if (!path.includes(`{${name}}`)) continue;
    path = path.replace(`{${name}}`, encodeURIComponent(textOf(value)));
    fields.delete(name);
  }
  const headers = [...Object.entries(names), ...takeHeaders(fields)].map(
    ([name, value]) => `-H ${quoted(`${name}: ${value}`)}`,
  );
  const verb = pattern.case.toUpperCase();
  const query = body === "*" ? "" : queryOf(fields);
  const lines = [`curl${verb === "GET" ? "" : ` -X ${verb}`} ${quoted(`${address}${path}${query}`)}`];
  // the shell expands the key, so that it is not stored in a file or in the history
  lines.push('-H "X-API-Key: $CTXDB_API_KEY"', ...headers);
  if (body === "*") {
    lines.push("-H 'Content-Type: application/json'");
    lines.push(`-d ${quoted(JSON.stringify(Object.fromEntries(fields)))}`);
  }
  return lines.join(" \\\n  ");
}

/**
 * The fields of a request that are set, by JSON name. Lone surrogates are removed, because programs cannot
 * contain them.
 */
export function fieldsOf(method: DescMethod, request: Message): Map<string, JsonValue> {
  const json = toJson(method.input, request, { useProtoFieldName: true });
  return new Map(Object.entries(wellFormed(json) as Record<string, JsonValue>));
}

function wellFormed(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name.toWellFormed(), wellFormed(one)]),
  );
}

function takeHeaders(fields: Map<string, JsonValue>): [string, string][] {
  return Object.entries(HEADERS).flatMap(([field, header]): [string, string][] => {
    const value = fields.get(field);
    fields.delete(field);
    return typeof value === "string" ? [[header, value]] : [];
  });
}

function queryOf(fields: ReadonlyMap<string, JsonValue>): string {
  const parts = [...fields].flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${name}=${encodeURIComponent(textOf(one))}`),
  );
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}
