import { Zip, ZipPassThrough } from "fflate";
import type { PathFile } from "./dropped.ts";

/** Maximum bytes of an archive, which is created in the tab. */
const MAX_BYTES = 1024 ** 3;

/** Packs the files of a folder into an archive without compression. */
export async function zipFolder(
  name: string,
  files: readonly PathFile[],
  signal: AbortSignal,
): Promise<Blob> {
  const size = files.reduce((sum, { file }) => sum + file.size, 0);
  if (size > MAX_BYTES)
    throw new Error(`${name} is larger than 1 GB; import it with the command line: ctxdb add`);
  const pieces: BlobPart[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece as Uint8Array<ArrayBuffer>);
  });
  for (const { path, file } of files) {
    signal.throwIfAborted();
    const entry = new ZipPassThrough(path);
    zip.add(entry);
    entry.push(new Uint8Array(await file.arrayBuffer()), true);
  }
  zip.end();
  return new Blob(pieces, { type: "application/zip" });
}
