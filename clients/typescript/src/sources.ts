/** Bytes of one message of an upload at most. */
export const MAX_CHUNK_BYTES = 1024 * 1024;

/** Something to upload. */
export interface UploadSource {
  /** File name; folders in it are ignored. */
  readonly name: string;
  /** Media type; default: by name and content. */
  readonly contentType?: string;
  /** The bytes in order, in pieces of any size. Read once. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
  /** The same bytes where they are a file of the browser, which needs not be read to be sent. */
  readonly blob?: Blob;
}

/** A browser's file, a blob with a name, or anything that gives bytes. */
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

/** The same bytes in pieces that fit into one message. */
export async function* chunked(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length; at += MAX_CHUNK_BYTES) yield piece.subarray(at, at + MAX_CHUNK_BYTES);
  }
}
