/** Records are JSON: small, readable in a dump, parsed in microseconds. */
export const encodeRecord = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

export function decodeRecord<T>(bytes: Uint8Array): T;
export function decodeRecord<T>(bytes: Uint8Array | undefined): T | undefined;
export function decodeRecord<T>(bytes: Uint8Array | undefined): T | undefined {
  return bytes === undefined
    ? undefined
    : (JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) as T);
}

/** A record that was read as text. */
export const parseRecord = <T>(record: string): T => JSON.parse(record) as T;

export const text = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
