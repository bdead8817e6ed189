import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Header, Pax } from "tar";
import { isSystemError } from "../base/faults.ts";
import { invalidArgument, ServiceError } from "../domain/errors.ts";
import { type ArchiveLimits, type FileArchive, MemberList, memberPath } from "./archive.ts";

const BLOCK = 512;
/** Maximum size in bytes of a member's extended headers. */
const MAX_META_BYTES = 64 * 1024;
/** Maximum header blocks per member: long names and folders need extra blocks. */
const HEADERS_PER_FILE = 8;

const FILES: ReadonlySet<string> = new Set(["File", "OldFile", "ContiguousFile"]);
const FOLDERS: ReadonlySet<string> = new Set(["Directory", "GNUDumpDir"]);
const LONG_NAMES: ReadonlySet<string> = new Set(["NextFileHasLongPath", "OldGnuLongPath"]);
const EXTENDED: ReadonlySet<string> = new Set(["ExtendedHeader", "OldExtendedHeader"]);
/** Member types that an import ignores. */
const SILENT: ReadonlySet<string> = new Set([
  "GlobalExtendedHeader",
  "NextFileHasLongLinkpath",
  "TapeVolumeHeader",
  "SolarisACL",
  "Inode",
]);

interface Found {
  readonly header: Header;
  readonly name: string;
  readonly size: number;
  /** Offset of the member's content. */
  readonly at: number;
}

/**
 * Opens an uncompressed tar file and reads its headers; content is read on demand. Throws INVALID_ARGUMENT if
 * the tar is invalid or truncated, members exceed the limits, or names are duplicate, absolute, contain `..`
 * or a backslash, or cannot be part of a URI. Links and devices are listed in `others`.
 */
export async function openTar(file: string, limits: ArchiveLimits): Promise<FileArchive> {
  const handle = await open(file, "r");
  try {
    const list = new MemberList(limits);
    for await (const found of headersOf(handle, limits)) take(list, found, file, limits.field);
    list.checkFolders();
    return { members: list.members, bytes: list.bytes, others: list.others, close: () => undefined };
  } catch (error) {
    throw error instanceof ServiceError || isSystemError(error) ? error : unsound(limits.field);
  } finally {
    await handle.close();
  }
}

function take(list: MemberList, { header, name, size, at }: Found, file: string, field: string): void {
  const clean = name.replace(/^(\.\/)+/, "").replace(/\/$/, "");
  if (clean === "" || clean === ".") return;
  const path = memberPath(clean, field);
  if (FOLDERS.has(header.type)) list.addFolder(path);
  else if (!FILES.has(header.type)) list.addOther(path);
  else
    list.addFile({
      path,
      size,
      read: size === 0 ? noBytes : () => createReadStream(file, { start: at, end: at + size - 1 }),
    });
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

async function* headersOf(handle: FileHandle, { field, maxFiles }: ArchiveLimits): AsyncGenerator<Found> {
  const { size: length } = await handle.stat();
  const block = Buffer.alloc(BLOCK);
  let extended: Pax | undefined;
  let longName: string | undefined;
  let at = 0;
  for (let blocks = 0; at + BLOCK <= length; blocks++) {
    if (blocks > maxFiles * HEADERS_PER_FILE)
      throw invalidArgument(field, `the archive must have at most ${maxFiles} files`);
    await handle.read(block, 0, BLOCK, at);
    const header = new Header(block, 0, extended);
    if (header.nullBlock) return;
    const size = header.size ?? 0;
    at += BLOCK;
    if (!header.cksumValid || !Number.isSafeInteger(size) || size < 0 || at + size > length)
      throw unsound(field);
    if (EXTENDED.has(header.type)) extended = Pax.parse(await textAt(handle, at, size, field), extended);
    else if (LONG_NAMES.has(header.type))
      longName = (await textAt(handle, at, size, field)).replace(/\0.*$/s, "");
    else if (!SILENT.has(header.type)) {
      yield { header, name: String(extended?.path ?? longName ?? header.path ?? ""), size, at };
      extended = undefined;
      longName = undefined;
    }
    at += Math.ceil(size / BLOCK) * BLOCK;
  }
  // many writers omit the final zero blocks; the file must then end after a member
  if (at === 0 || (at < length && at + BLOCK > length && length % BLOCK !== 0)) throw unsound(field);
}

async function textAt(handle: FileHandle, at: number, size: number, field: string): Promise<string> {
  if (size > MAX_META_BYTES) throw invalidArgument(field, "the archive has a file name that is too long");
  const { buffer } = await handle.read(Buffer.alloc(size), 0, size, at);
  return buffer.toString("utf8");
}

const unsound = (field: string) => invalidArgument(field, "must be a complete, undamaged tar archive");
