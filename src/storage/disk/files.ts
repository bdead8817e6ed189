import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf } from "../../base/faults.ts";
import { ServiceError, unavailable } from "../../domain/errors.ts";

/** Bytes hashed between two yields: a content may be one chunk of 64 MiB. */
const PIECE_BYTES = 2 * 1024 * 1024;

/** Makes created, renamed and removed names of a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

/** Creates a folder in an existing one, durably; an existing one counts as durable. */
export async function makeFolder(folder: string): Promise<void> {
  const created = await mkdir(folder).then(
    () => true,
    (error) => (codeOf(error) === "EEXIST" ? false : Promise.reject(error)),
  );
  if (created) await syncFolder(dirname(folder));
}

/**
 * Writes the content into a new file and syncs it; removes the file on failure. `check` gets the number of
 * bytes so far and may throw.
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

/** Maps refusals of the operating system to UNAVAILABLE; passes other errors on. */
export function translateFileError(error: unknown): unknown {
  const reason = REFUSALS[codeOf(error)];
  return reason === undefined
    ? error
    : new ServiceError("UNAVAILABLE", unavailable(reason).message, { reason }, { cause: error });
}
