import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { invalidArgument } from "../domain/errors.ts";
import { countValues } from "../domain/text/json-values.ts";

/**
 * Maximum number of values and names in a request body: decoding a body made of nothing else would block the
 * event loop and use a multiple of its size.
 */
export const MAX_VALUES = 50_000;

/** Throws INVALID_ARGUMENT {field body} for JSON with more than `most` values, before it is parsed. */
export function checkJsonValues(bytes: Uint8Array, most = MAX_VALUES): void {
  if (bytes.length > most && countValues(bytes) > most) throw tooManyValues("body", most);
}

/** Message types of fields by number; fields of other types are absent. */
type Inner = ReadonlyMap<number, () => Inner>;

const NOTHING_INSIDE: Inner = new Map();
const known = new Map<DescMessage, Inner>();

/**
 * Throws INVALID_ARGUMENT {field request} for an encoded message with more than MAX_VALUES fields, including
 * nested ones, before it is decoded. Malformed input is left to the decoder.
 */
export function checkFields(desc: DescMessage, bytes: Uint8Array): void {
  if (bytes.length <= MAX_VALUES) return;
  const reader = new BinaryReader(bytes);
  const open: { readonly inner: Inner; readonly end: number }[] = [
    { inner: innerOf(desc), end: bytes.length },
  ];
  let left = MAX_VALUES;
  try {
    for (let message = open.at(-1); message !== undefined; message = open.at(-1)) {
      if (reader.pos >= message.end) {
        open.pop();
        continue;
      }
      if (--left < 0) break;
      const [field, type] = reader.tag();
      const inner = type === WireType.LengthDelimited ? message.inner.get(field)?.() : undefined;
      if (inner) open.push({ inner, end: reader.uint32() + reader.pos });
      else if (type === WireType.StartGroup) open.push({ inner: NOTHING_INSIDE, end: message.end });
      else if (type === WireType.EndGroup) open.pop();
      else reader.skip(type, field);
    }
  } catch {
    return;
  }
  if (left < 0) throw tooManyValues("request", MAX_VALUES);
}

function innerOf(desc: DescMessage): Inner {
  const before = known.get(desc);
  if (before) return before;
  const made = new Map<number, () => Inner>();
  known.set(desc, made);
  for (const field of desc.fields) {
    const inner = innerOfField(field);
    if (inner) made.set(field.number, inner);
  }
  return made;
}

function innerOfField(field: DescField): (() => Inner) | undefined {
  if (field.fieldKind === "map") {
    const { message } = field;
    // a map entry: field 1 is the key, field 2 the value
    const entry: Inner = message ? new Map([[2, () => innerOf(message)]]) : NOTHING_INSIDE;
    return () => entry;
  }
  if (field.fieldKind !== "message" && field.fieldKind !== "list") return undefined;
  const { message } = field;
  return message && (() => innerOf(message));
}

/** Refusal of a body with too many values. */
export const tooManyValues = (field: string, most: number) =>
  invalidArgument(field, `must have at most ${most} values`);
