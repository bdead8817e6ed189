type Column =
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

const MIN_LENGTH = 64;

/**
 * Makes room for `length` entries: returns the column itself if it is long enough, else a copy of at least
 * twice the length. New entries are 0.
 */
export function grow<T extends Column>(column: T, length: number): T {
  if (length <= column.length) return column;
  const copy = new (column.constructor as new (length: number) => T)(
    Math.max(MIN_LENGTH, length, column.length * 2),
  );
  copy.set(column);
  return copy;
}
