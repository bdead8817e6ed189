import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { comments } from "../../../gen/comments.ts";
import { isRequired } from "../pipeline/check-request.ts";

export type Json = Record<string, unknown>;

/** Fields that REST sends in a header, and the header's name. */
export const HEADER_FIELDS: ReadonlyMap<string, string> = new Map([
  ["idempotency_key", "Idempotency-Key"],
  ["if_match", "If-Match"],
  ["next_cursor", "X-Next-Cursor"],
]);

const TEXTS: Json = { oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] };
const TEXT_OR_OBJECT: Json = { oneOf: [{ type: "string" }, { type: "object" }] };

/** Schemas of google.protobuf.Value fields by name; others accept any JSON. */
const VALUES: Readonly<Record<string, Json>> = {
  target_uri: TEXTS,
  to_uris: TEXTS,
  data: TEXT_OR_OBJECT,
  entries: TEXT_OR_OBJECT,
};

const SCALARS: Readonly<Partial<Record<ScalarType, Json>>> = {
  [ScalarType.STRING]: { type: "string" },
  [ScalarType.BOOL]: { type: "boolean" },
  [ScalarType.INT32]: { type: "integer", format: "int32" },
  [ScalarType.UINT32]: { type: "integer", minimum: 0, maximum: 2 ** 32 - 1 },
  [ScalarType.DOUBLE]: { type: "number", format: "double" },
  [ScalarType.BYTES]: { type: "string", contentEncoding: "base64" },
};

/** The comment of a descriptor in proto/, as `{description}`. */
export function described(fullName: string): Json {
  const text = comments[fullName];
  return text === undefined ? {} : { description: text };
}

/** Writes the JSON schemas of messages; each is stored once in `schemas` by name and then referenced. */
export class SchemaWriter {
  readonly schemas: Record<string, Json> = {};

  /** A reference to the schema of a message that is not a request. */
  message(message: DescMessage): Json {
    if (!Object.hasOwn(this.schemas, message.name)) {
      this.schemas[message.name] = {};
      this.schemas[message.name] = this.#object(message, message.fields.filter(inBody), isAlwaysThere);
    }
    return { $ref: `#/components/schemas/${message.name}` };
  }

  /** A reference to the schema of a request body, without fields in the path or in headers. */
  request(message: DescMessage, inPath: readonly string[]): Json {
    const fields = message.fields.filter((field) => inBody(field) && !inPath.includes(field.name));
    this.schemas[message.name] = this.#object(message, fields, isRequired);
    return { $ref: `#/components/schemas/${message.name}` };
  }

  field(field: DescField): Json {
    const about = described(`${field.parent.typeName}.${field.name}`);
    const one = this.#type(field);
    return field.fieldKind === "list" ? { ...about, type: "array", items: one } : { ...about, ...one };
  }

  #object(message: DescMessage, fields: readonly DescField[], required: (field: DescField) => boolean): Json {
    const needed = fields.filter(required).map((field) => field.name);
    return {
      ...described(message.typeName),
      type: "object",
      properties: Object.fromEntries(fields.map((field) => [field.name, this.field(field)])),
      ...(needed.length > 0 && { required: needed }),
    };
  }

  #type(field: DescField): Json {
    if (field.message?.typeName === "google.protobuf.Value") return VALUES[field.name] ?? {};
    if (field.message?.typeName === "google.protobuf.Struct") return { type: "object" };
    if (field.message) return this.message(field.message);
    const schema = field.scalar === undefined ? undefined : SCALARS[field.scalar];
    if (schema === undefined) throw new Error(`no JSON schema for ${field.parent.typeName}.${field.name}`);
    return schema;
  }
}

/**
 * Whether a field is always present: zero, false, "" and [] are sent; optional fields, and those without a
 * fixed type, are omitted if unset.
 */
const isAlwaysThere = (field: DescField) =>
  !field.proto.proto3Optional && (field.fieldKind === "list" || !isLoose(field));
const isLoose = (field: DescField) => field.message?.typeName.startsWith("google.protobuf.") ?? false;

function inBody(field: DescField): boolean {
  return !HEADER_FIELDS.has(field.name);
}
