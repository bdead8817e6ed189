import type { FileChunk } from "./gen/ctxdb/v1/file_chunk_pb.ts";

/** A download in progress. */
export interface Download {
  readonly contentType: string;
  /**
   * The bytes in order; leaving the loop early cancels the call, which otherwise stays open to its deadline
   * until it is read. Read once.
   */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * The first message carries the media type: it is awaited here, so that an error of the call is thrown by the
 * call.
 */
export async function downloadOf(messages: AsyncIterable<FileChunk>): Promise<Download> {
  const iterator = messages[Symbol.asyncIterator]();
  const first = await iterator.next();
  return { contentType: first.done ? "" : first.value.contentType, bytes: rest(first, iterator) };
}

async function* rest(
  first: IteratorResult<FileChunk>,
  iterator: AsyncIterator<FileChunk>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let next = first; !next.done; next = await iterator.next()) {
      if (next.value.data.length > 0) yield next.value.data;
    }
  } finally {
    await iterator.return?.();
  }
}
