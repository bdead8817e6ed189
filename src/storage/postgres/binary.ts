const BYTEA = 17;
const HEADER = 20;

/** Encodes an array of byte strings in PostgreSQL's binary format for `bytea[]`. */
export function byteaArray(items: readonly Uint8Array[]): Buffer {
  if (items.length === 0) {
    const empty = Buffer.alloc(12);
    empty.writeInt32BE(BYTEA, 8);
    return empty;
  }
  const size = items.reduce((sum, { byteLength }) => sum + 4 + byteLength, HEADER);
  const out = Buffer.allocUnsafe(size);
  // header: one dimension, no nulls, element type, length, lower bound 1
  for (const [i, value] of [1, 0, BYTEA, items.length, 1].entries()) out.writeInt32BE(value, 4 * i);
  let at = HEADER;
  for (const item of items) {
    out.writeInt32BE(item.byteLength, at);
    out.set(item, at + 4);
    at += 4 + item.byteLength;
  }
  return out;
}
