import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf } from "../../base/faults.ts";
import { ServiceError, unavailable } from "../../domain/errors.ts";

/** Number of bytes hashed between two yields; a single chunk may have 64 MiB. */
const PIECE_BYTES = 2 * 1024 * 1024;

/** Makes created, renamed and removed entries of a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

/** Creates a folder in an existing parent, durably. An existing folder is assumed to be durable. */
export async function makeFolder(folder: string): Promise<void> {
  const created = await mkdir(folder).then(
    () => true,
    (error) => (codeOf(error) === "EEXIST" ? false : Promise.reject(error)),
  );
  if (created) await syncFolder(dirname(folder));
}

/**
 * Writes content to a new file and syncs it; removes the file on failure. `check` is called with the number
 * of bytes so far and may throw.
 */
export async function writeNew(
  path: string,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  check?: (bytes: number) => void,
) {
  const hash = createHash("sha256");
  let bytes = 0;
  const handle = await open(path, "wx", 0o600);
  try {
    for await (const chunk of content) {
      for (let at = 0; at < chunk.byteLength; at += PIECE_BYTES) {
        const piece = chunk.subarray(at, at + PIECE_BYTES);
        bytes += piece.byteLength;
        check?.(bytes);
        hash.update(piece);
        await writeWhole(handle, piece);
      }
    }
    await handle.sync();
  } catch (error) {
    await unlink(path).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
  return { bytes, hash: hash.digest("hex") };
}

async function writeWhole(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.byteLength; ) done += (await handle.write(chunk, done)).bytesWritten;
}

const REFUSALS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk of the server is full",
  EDQUOT: "the disk of the server is full",
  EROFS: "the data directory of the server is read-only",
  EMFILE: "the server has too many files open",
  ENFILE: "the server has too many files open",
};

/** Converts errors of the operating system such as a full disk to UNAVAILABLE; other errors are unchanged. */
export function translateFileError(error: unknown): unknown {
  const reason = REFUSALS[codeOf(error)];
  return reason === undefined
    ? error
    : new ServiceError("UNAVAILABLE", unavailable(reason).message, { reason }, { cause: error });
}
