import { type DescField, type DescMessage, fromJson, type Message, ScalarType } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { itemAt } from "../../base/expect.ts";
import { invalidArgument } from "../../domain/errors.ts";
import { type Fields, fieldsOf } from "../message-fields.ts";
import { setter } from "./bind-json.ts";
import type { UnknownFields } from "./unknown-fields.ts";

interface Binding {
  readonly read: (text: string) => unknown;
  readonly set: (message: Fields, value: unknown) => void;
  readonly isList: boolean;
}

const bindings = new Map<DescMessage, ReadonlyMap<string, Binding>>();

/** Maximum number of parameters per request. */
const MAX_PAIRS = 1000;

/**
 * Parses a query string (without `?`) with form decoding: `+` is a space. Throws INVALID_ARGUMENT for an
 * invalid escape.
 */
export function parseQuery(query: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  if (query === "") return found;
  const pairs = query.split("&", MAX_PAIRS + 1);
  if (pairs.length > MAX_PAIRS) throw invalidArgument("query", `must have at most ${MAX_PAIRS} parameters`);
  for (const pair of pairs) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = percentDecode(at < 0 ? pair : pair.slice(0, at), "query");
    const value = at < 0 ? "" : percentDecode(pair.slice(at + 1), name);
    const values = found.get(name);
    if (values) values.push(value);
    else found.set(name, [value]);
  }
  return found;
}

/** Percent-decodes text; errors name `field`. */
export function percentDecode(part: string, field: string, plusIsSpace = true): string {
  const spaced = plusIsSpace && part.includes("+") ? part.replaceAll("+", " ") : part;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw invalidArgument(field, "has an invalid percent escape");
  }
}

/**
 * Sets the fields of `message` from query parameters. Text is parsed leniently by the type of the field.
 * Unknown names are reported to `unknown`; a repeated name is refused unless its field is a list.
 */
export function bindQuery(
  desc: DescMessage,
  message: Message,
  parameters: ReadonlyMap<string, readonly string[]>,
  unknown: UnknownFields,
): void {
  const known = bindingsOf(desc);
  for (const [name, values] of parameters) {
    const binding = known.get(name);
    if (values.length > 1 && !binding?.isList) throw invalidArgument(name, "is given more than once");
    if (binding === undefined) unknown.addField(desc, name, name);
    else
      binding.set(
        fieldsOf(message),
        binding.isList ? values.map(binding.read) : binding.read(itemAt(values, 0)),
      );
  }
}

/** Sets a field from text by its proto name, for path variables. */
export function bindText(desc: DescMessage, message: Message, name: string, text: string): void {
  const binding = bindingsOf(desc).get(name);
  if (binding === undefined) throw new Error(`${desc.typeName} has no field ${name}`);
  binding.set(fieldsOf(message), binding.read(text));
}

function bindingsOf(desc: DescMessage): ReadonlyMap<string, Binding> {
  const known = bindings.get(desc);
  if (known) return known;
  const made = new Map<string, Binding>();
  for (const field of desc.fields) {
    const read = reader(field);
    if (read !== undefined)
      made.set(field.name, { read, set: setter(field), isList: field.fieldKind === "list" });
  }
  bindings.set(desc, made);
  return made;
}

const wrong = (field: DescField, expected: string) => invalidArgument(field.name, `must be ${expected}`);

function reader(field: DescField): ((text: string) => unknown) | undefined {
  if (field.fieldKind === "message") return messageReader(field);
  const scalar =
    field.fieldKind === "scalar" || (field.fieldKind === "list" && field.listKind === "scalar")
      ? field.scalar
      : undefined;
  switch (scalar) {
    case undefined:
    case ScalarType.BYTES:
      return undefined;
    case ScalarType.STRING:
      return (text) => text;
    case ScalarType.BOOL:
      return (text) => {
        const value = BOOLEANS.get(text.trim().toLowerCase());
        if (value === undefined) throw wrong(field, "true or false");
        return value;
      };
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return (text) => integer(field, text, 0, 0xffffffff);
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return (text) => integer(field, text, -0x80000000, 0x7fffffff);
    default:
      return (text) => number(field, text);
  }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** A digit can match in only one place, so that a long wrong number takes linear time. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

function number(field: DescField, text: string): number {
  const value = NUMBER.test(text.trim()) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value)) throw wrong(field, "a number");
  return value;
}

function integer(field: DescField, text: string, least: number, most: number): number {
  const value = NUMBER.test(text.trim()) ? Number(text) : Number.NaN;
  if (!Number.isInteger(value)) throw wrong(field, "an integer");
  if (value < least || value > most) throw wrong(field, `between ${least} and ${most}`);
  return value;
}

/** In a query, a Value is a string; a Struct and other messages have no text form. */
function messageReader(field: DescField): ((text: string) => unknown) | undefined {
  return field.message?.typeName === ValueSchema.typeName ? (text) => fromJson(ValueSchema, text) : undefined;
}
