/** Length of the signature, flags and extension length of COPY's binary format. */
const HEADER_BYTES = 19;
const FIELDS = 2;
/** Written instead of the field count after the last row. */
const END = -1;
/** Size in bytes at which a batch of rows is yielded. */
const BATCH_BYTES = 1024 * 1024;

export interface CopiedRow {
  readonly key: Buffer;
  readonly value: Buffer;
}

/**
 * Decodes rows of two `bytea` columns from COPY's binary format, in batches. Throws an Error if the data ends
 * without a trailer.
 */
export async function* copiedRows(parts: AsyncIterable<Uint8Array>): AsyncGenerator<CopiedRow[]> {
  /** Bytes of the previous parts that are not decoded yet. */
  let rest: Buffer = Buffer.alloc(0);
  let isBegun = false;
  let isEnded = false;
  let batch: CopiedRow[] = [];
  let bytes = 0;
  for await (const part of parts) {
    const all = Buffer.concat([rest, part]);
    let at = 0;
    if (!isBegun && all.length >= HEADER_BYTES) {
      isBegun = true;
      at = HEADER_BYTES;
    }
    while (isBegun && !isEnded && all.length >= at + 2) {
      isEnded = all.readInt16BE(at) === END;
      const row = isEnded ? undefined : rowAt(all, at + 2);
      if (!row) break;
      at = row.end;
      batch.push(row);
      bytes += row.key.length + row.value.length;
      if (bytes < BATCH_BYTES) continue;
      yield batch;
      batch = [];
      bytes = 0;
    }
    rest = all.subarray(at);
  }
  if (!isEnded) throw new Error("the rows of the store ended early");
  if (batch.length > 0) yield batch;
}

/** The fields of a row; undefined if the row is incomplete. */
function rowAt(all: Buffer, start: number): (CopiedRow & { readonly end: number }) | undefined {
  const fields: Buffer[] = [];
  let at = start;
  for (let field = 0; field < FIELDS; field++) {
    if (all.length < at + 4) return undefined;
    const end = at + 4 + all.readInt32BE(at);
    if (all.length < end) return undefined;
    fields.push(all.subarray(at + 4, end));
    at = end;
  }
  const [key, value] = fields;
  return key && value && { key, value, end: at };
}
