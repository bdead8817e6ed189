/** Maximum bytes per message of an upload. */
export const MAX_CHUNK_BYTES = 1024 * 1024;

/** A source of an upload. */
export interface UploadSource {
  /** File name; folders in it are ignored. */
  readonly name: string;
  /** Media type; by default detected from name and content. */
  readonly contentType?: string;
  /** The bytes in order, in pieces of any size. Can be read only once. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
  /** The same bytes as a file of the browser, which can be sent without reading it. */
  readonly blob?: Blob;
}

/** A file of the browser, a blob with a name, or any iterable of bytes. */
export type Uploadable = File | UploadSource;

export function sourceOf(upload: Uploadable): UploadSource {
  if (!(upload instanceof Blob)) return upload;
  return {
    name: upload.name,
    ...(upload.type !== "" && { contentType: upload.type }),
    bytes: () => bytesOf(upload),
    blob: upload,
  };
}

async function* bytesOf(blob: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < blob.size; at += MAX_CHUNK_BYTES)
    yield new Uint8Array(await blob.slice(at, at + MAX_CHUNK_BYTES).arrayBuffer());
}

/** Splits the bytes into pieces that fit into one message. */
export async function* chunked(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length; at += MAX_CHUNK_BYTES) yield piece.subarray(at, at + MAX_CHUNK_BYTES);
  }
}
