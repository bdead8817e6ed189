import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise, fromRandomAccessReaderPromise, type ZipFile } from "yauzl";
import { EventLoopYielder } from "../base/event-loop.ts";
import { itemAt } from "../base/expect.ts";
import { isSystemError } from "../base/faults.ts";
import { sortSteps } from "../base/sort-steps.ts";
import { invalidArgument, ServiceError } from "../domain/errors.ts";
import type { Path } from "../domain/uri.ts";
import { type ArchiveLimits, checkRatio, type FileArchive, MemberList, memberPath } from "./archive.ts";
import { ZipWindow } from "./zip-window.ts";

export interface ZipLimits extends ArchiveLimits {
  /** Whether links and devices are listed in `others` instead of rejecting the archive. */
  readonly skipOthers?: boolean;
}

/** Folder with macOS metadata, which is skipped. */
const SKIPPED_TOP = "__MACOSX";
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
/** Minimum size in bytes of a member's local header. */
const LOCAL_HEADER_BYTES = 30;
/** Memory of a member in bytes: its entry, names and closures. */
const MEMBER_COST = 600;
const NO_BYTES = Buffer.alloc(0);

export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);

/**
 * Opens a zip file from memory or disk and reads its directory. Nothing is unpacked before all names and
 * sizes are checked. Throws INVALID_ARGUMENT if the zip is invalid, members exceed the limits, are encrypted
 * or links, or names are duplicate, absolute, contain `..` or a backslash, or cannot be part of a URI.
 */
export async function openZip(source: Uint8Array | string, limits: ZipLimits): Promise<FileArchive> {
  const options = { autoClose: false, decodeStrings: true, strictFileNames: true, validateEntrySizes: true };
  const opened = typeof source === "string" ? await ZipWindow.open(source) : source;
  const window = opened instanceof ZipWindow ? opened : undefined;
  try {
    const zip = await (opened instanceof ZipWindow
      ? fromRandomAccessReaderPromise(opened, opened.size, options)
      : fromBufferPromise(Buffer.from(opened.buffer, opened.byteOffset, opened.byteLength), options));
    return { ...(await directory(zip, window, limits)), close: () => window?.end() };
  } catch (error) {
    await window?.end();
    throw translated(error, limits.field);
  }
}

async function directory(
  zip: ZipFile,
  window: ZipWindow | undefined,
  limits: ZipLimits,
): Promise<Omit<FileArchive, "close">> {
  const { maxFiles, field } = limits;
  const list = new MemberList(limits);
  const extents: [start: number, end: number][] = [];
  if (zip.entryCount > maxFiles * 2)
    throw invalidArgument(field, `the archive must have at most ${maxFiles} files`);
  limits.hold?.(zip.entryCount * MEMBER_COST);
  const yielder = new EventLoopYielder();
  for await (const entry of zip.eachEntry()) {
    await yielder.yieldIfDue();
    list.addRest(entry.extraFieldLength + entry.fileCommentLength);
    dropRest(entry);
    const isFolder = entry.fileName.endsWith("/");
    const path = memberPath(isFolder ? entry.fileName.slice(0, -1) : entry.fileName, field);
    if (path[0] === SKIPPED_TOP) continue;
    if (isFolder) {
      list.addFolder(path);
      continue;
    }
    if (!isRegular(entry)) {
      if (!limits.skipOthers)
        throw invalidArgument(field, `the archive contains ${path.join("/")}, which is not a regular file`);
      list.addOther(path);
      continue;
    }
    checkReadable(entry, path, field);
    extents.push([
      entry.relativeOffsetOfLocalHeader,
      entry.relativeOffsetOfLocalHeader + LOCAL_HEADER_BYTES + entry.compressedSize,
    ]);
    list.addFile({ path, size: entry.uncompressedSize, read: () => checkedBytes(zip, window, entry, field) });
  }
  list.checkFolders();
  await checkExtents(extents, field);
  checkRatio(zip.fileSize, list.bytes, field);
  return { members: list.members, bytes: list.bytes, others: list.others };
}

/** Refuses overlapping members, which unpack to far more than the archive's size. */
async function checkExtents(found: readonly [start: number, end: number][], field: string): Promise<void> {
  const extents = await new EventLoopYielder().through(sortSteps(found, (a, b) => a[0] - b[0]));
  for (let i = 1; i < extents.length; i++)
    if (itemAt(extents, i)[0] < itemAt(extents, i - 1)[1])
      throw invalidArgument(field, "the archive has files that overlap");
}

/**
 * Drops the fields of an entry that reading the member does not need: the entry lives as long as the archive,
 * and the library makes two objects for every four bytes of its extra field.
 */
function dropRest(entry: Entry): void {
  entry.extraFields = [];
  entry.extraFieldRaw = entry.fileCommentRaw = entry.fileNameRaw = NO_BYTES;
  entry.fileComment = entry.comment = "";
}

function isRegular(entry: Entry): boolean {
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE;
  return type === 0 || type === REGULAR;
}

function checkReadable(entry: Entry, path: Path, field: string): void {
  const why = entry.isEncrypted()
    ? "encrypted"
    : !entry.canDecodeFileData()
      ? "packed in an unknown way"
      : undefined;
  if (why !== undefined)
    throw invalidArgument(field, `the archive contains ${path.join("/")}, which is ${why}`);
}

async function* checkedBytes(
  zip: ZipFile,
  window: ZipWindow | undefined,
  entry: Entry,
  field: string,
): AsyncGenerator<Uint8Array> {
  let sum = 0;
  try {
    const parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array> = window?.takes(entry)
      ? [await window.member(entry)]
      : await zip.openReadStreamPromise(entry);
    for await (const part of parts) {
      sum = crc32(part, sum);
      yield part;
    }
  } catch (error) {
    throw translated(error, field);
  }
  if (sum !== entry.crc32) throw invalidArgument(field, `the archive is damaged at ${entry.fileName}`);
}

/** Converts errors of the library to INVALID_ARGUMENT; file system errors are unchanged. */
function translated(error: unknown, field: string): unknown {
  return error instanceof ServiceError || isSystemError(error)
    ? error
    : invalidArgument(field, "must be a complete, undamaged zip archive");
}
