import { present } from "../base/expect.ts";

/** Column types of a column file. */
const ARRAYS = {
  i8: Int8Array,
  u8: Uint8Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

type Arrays = typeof ARRAYS;
export type ColumnType = keyof Arrays;
type ColumnOf<T extends ColumnType> = InstanceType<Arrays[T]> & { readonly buffer: ArrayBuffer };
/** Names and types of the columns in one kind of file. */
export type Schema = Readonly<Record<string, ColumnType>>;
export type Columns<S extends Schema> = { readonly [name in keyof S]: ColumnOf<S[name]> };

interface Header {
  readonly format: number;
  readonly kind: string;
  /** Name, type and number of values of each column, in file order. */
  readonly columns: readonly (readonly [name: string, type: ColumnType, length: number])[];
}

const MAGIC = 0x78646e69;
const FORMAT = 1;
const PREFIX = 16;
/** Alignment in bytes, so that columns are used in place. */
const ALIGNMENT = 16;
const SLICE_BYTES = 1024 * 1024;

const padded = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/**
 * Serializes columns: a magic number and the length of the header, the header (JSON: format, kind, counts),
 * then the columns, little-endian. The caller stores the checksum. The columns must not change while the
 * content is read.
 */
export function* packColumns<S extends Schema>(
  kind: string,
  schema: S,
  columns: Columns<S>,
): Generator<Uint8Array> {
  const named = Object.entries(schema).map(
    ([name, type]) => [name, type, present(columns[name], `column ${name}`)] as const,
  );
  const list = named.map(([name, type, column]) => [name, type, column.length] as const);
  const header: Header = { format: FORMAT, kind, columns: list };
  const text = Buffer.from(JSON.stringify(header));
  const head = Buffer.alloc(padded(PREFIX + text.length));
  head.writeUInt32LE(MAGIC, 0);
  head.writeUInt32LE(text.length, 4);
  text.copy(head, PREFIX);
  yield head;
  for (const [, , column] of named) {
    const bytes = new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
    const rest = padded(bytes.length) - bytes.length;
    if (rest > 0) yield new Uint8Array(rest);
  }
}

/**
 * Returns the columns of a file as views of its bytes. Throws Error if the kind or format differs, or the
 * file is truncated.
 */
export function unpackColumns<S extends Schema>(kind: string, schema: S, content: Uint8Array): Columns<S> {
  const bytes = content.byteOffset % ALIGNMENT === 0 ? content : new Uint8Array(content);
  const { header, end } = readHeader(bytes);
  if (header.format !== FORMAT || header.kind !== kind)
    throw new Error(
      `an index file of kind ${header.kind}, format ${header.format}, in place of ${kind}, ${FORMAT}`,
    );
  const columns: Record<string, unknown> = {};
  let at = end;
  for (const [name, type, length] of header.columns) {
    if (schema[name] !== type) throw new Error(`an index file with an unknown column ${name}`);
    const size = length * ARRAYS[type].BYTES_PER_ELEMENT;
    if (at + size > bytes.length) throw new Error("the index file is truncated");
    columns[name] = new ARRAYS[type](bytes.buffer as ArrayBuffer, bytes.byteOffset + at, length);
    at += padded(size);
  }
  for (const name of Object.keys(schema))
    if (!(name in columns)) throw new Error(`an index file without the column ${name}`);
  return columns as Columns<S>;
}

function readHeader(bytes: Uint8Array): { header: Header; end: number } {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < PREFIX || view.readUInt32LE(0) !== MAGIC) throw new Error("no index file");
  const size = view.readUInt32LE(4);
  if (PREFIX + size > view.length) throw new Error("the index file is truncated");
  const header: Header = JSON.parse(view.toString("utf8", PREFIX, PREFIX + size));
  return { header, end: padded(PREFIX + size) };
}
