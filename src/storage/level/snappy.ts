/** A malformed block. */
export class BlockError extends Error {}

/** Reads an unsigned LEB128 varint; returns the value and the position after it. */
export function varint(bytes: Uint8Array, at: number): [value: number, next: number] {
  let value = 0;
  for (let place = 1; ; place *= 128) {
    const byte = bytes[at++];
    if (byte === undefined || place > Number.MAX_SAFE_INTEGER / 128)
      throw new BlockError("a number is incomplete");
    value += (byte & 127) * place;
    if (byte < 128) return [value, at];
  }
}

/** Decompresses a block of at most `most` bytes in the raw Snappy format. Throws BlockError. */
export function unsnappy(bytes: Uint8Array, most: number): Buffer {
  let [size, at] = varint(bytes, 0);
  if (size > most) throw new BlockError("the block is too large");
  const out = Buffer.alloc(size);
  let to = 0;
  const little = (count: number) => {
    let value = 0;
    for (let i = 0; i < count; i++) value += (bytes[at++] ?? 0) * 256 ** i;
    return value;
  };
  while (at < bytes.byteLength) {
    const tag = bytes[at++]!;
    const kind = tag & 3;
    if (kind === 0) {
      const short = tag >>> 2;
      const length = (short < 60 ? short : little(short - 59)) + 1;
      out.set(bytes.subarray(at, at + length), to);
      at += length;
      to += length;
      continue;
    }
    const length = kind === 1 ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1;
    const back = kind === 1 ? ((tag >>> 5) << 8) + little(1) : little(kind === 2 ? 2 : 4);
    if (back === 0 || back > to || to + length > size)
      throw new BlockError("a copy refers to data outside the block");
    for (let i = 0; i < length; i++, to++) out[to] = out[to - back]!;
  }
  if (to !== size) throw new BlockError("the content is incomplete");
  return out;
}
