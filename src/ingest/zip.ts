import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from "yauzl";
import { invalidArgument, ServiceError } from "../domain/errors.ts";
import { MAX_SEGMENTS, type Path, segmentFault } from "../domain/uri.ts";

export interface ZipLimits {
  readonly maxFiles: number;
  /** Bytes of all members, unpacked. */
  readonly maxBytes: number;
  /** The parameter that names the archive, for errors. */
  readonly field: string;
}

export interface ZipMember {
  readonly path: Path;
  /** Bytes, unpacked. */
  readonly size: number;
  /** Its bytes; INVALID_ARGUMENT where they are not as many as the archive says, or damaged. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** Files of an archive by path; directories are what the paths say. */
export interface ZipArchive {
  readonly members: ReadonlyMap<string, ZipMember>;
  readonly bytes: number;
  /** Nothing can be read after that. */
  readonly close: () => void;
}

/** What macOS adds to every archive. */
const SKIPPED_TOP = "__MACOSX";
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
/** Of a URI, and the folder of a pack. */
const MAX_FOLDERS = MAX_SEGMENTS + 1;

export const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);

/**
 * Opens a zip from memory or from a file and reads its directory: nothing is unpacked before all names and sizes are known to be good. INVALID_ARGUMENT for what is no
 * zip, for members above the limits, encrypted ones and links, and for names that are doubled, absolute, hold `..` or a backslash, or cannot be a part of a URI.
 */
export async function openZip(source: Uint8Array | string, limits: ZipLimits): Promise<ZipArchive> {
  const options = { autoClose: false, decodeStrings: true, strictFileNames: true, validateEntrySizes: true };
  const opening =
    typeof source === "string"
      ? openPromise(source, options)
      : fromBufferPromise(Buffer.from(source.buffer, source.byteOffset, source.byteLength), options);
  const zip = await opening.catch((error: unknown) => Promise.reject(translated(error, limits.field)));
  try {
    return { ...(await directory(zip, limits)), close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw translated(error, limits.field);
  }
}

async function directory(zip: ZipFile, limits: ZipLimits): Promise<Pick<ZipArchive, "members" | "bytes">> {
  const { maxFiles, maxBytes, field } = limits;
  const members = new Map<string, ZipMember>();
  const folders = new Set<string>();
  let bytes = 0;
  if (zip.entryCount > maxFiles * 2) throw invalidArgument(field, `the archive holds more than ${maxFiles} files`);
  for await (const entry of zip.eachEntry()) {
    const isFolder = entry.fileName.endsWith("/");
    const path = memberPath(isFolder ? entry.fileName.slice(0, -1) : entry.fileName, field);
    if (path[0] === SKIPPED_TOP) continue;
    for (let depth = 1; depth < path.length + (isFolder ? 1 : 0); depth++) folders.add(path.slice(0, depth).join("/"));
    if (isFolder) continue;
    checkKind(entry, path, field);
    const key = path.join("/");
    if (members.has(key)) throw invalidArgument(field, `the archive holds ${key} twice`);
    bytes += entry.uncompressedSize;
    members.set(key, { path, size: entry.uncompressedSize, read: () => checkedBytes(zip, entry, field) });
    if (members.size > maxFiles || bytes > maxBytes)
      throw invalidArgument(field, `the archive holds more than ${maxFiles} files or ${maxBytes} bytes`);
  }
  for (const folder of folders)
    if (members.has(folder)) throw invalidArgument(field, `the archive holds ${folder} as a file and as a folder`);
  return { members, bytes };
}

function memberPath(name: string, field: string): Path {
  const path = name.normalize("NFC").split("/");
  const fault = path.map(segmentFault).find((found) => found !== undefined);
  if (fault !== undefined || path.length > MAX_FOLDERS)
    throw invalidArgument(field, `the archive holds a name with ${fault ?? "too many folders"}`);
  return path;
}

function checkKind(entry: Entry, path: Path, field: string): void {
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE;
  const why = entry.isEncrypted() ? "encrypted" : !entry.canDecodeFileData() ? "packed in an unknown way" : undefined;
  if (type !== 0 && type !== REGULAR) throw invalidArgument(field, `the archive holds ${path.join("/")}, which is no regular file`);
  if (why !== undefined) throw invalidArgument(field, `the archive holds ${path.join("/")}, which is ${why}`);
}

async function* checkedBytes(zip: ZipFile, entry: Entry, field: string): AsyncGenerator<Uint8Array> {
  let sum = 0;
  try {
    for await (const part of await zip.openReadStreamPromise(entry)) {
      sum = crc32(part as Uint8Array, sum);
      yield part as Uint8Array;
    }
  } catch (error) {
    throw translated(error, field);
  }
  if (sum !== entry.crc32) throw invalidArgument(field, `the archive is damaged in ${entry.fileName}`);
}

/** Refusals of the library speak of the archive; errors of the file system stay what they are. */
function translated(error: unknown, field: string): unknown {
  const isSystem = typeof (error as NodeJS.ErrnoException).syscall === "string";
  return error instanceof ServiceError || isSystem ? error : invalidArgument(field, "it is no sound zip archive");
}
