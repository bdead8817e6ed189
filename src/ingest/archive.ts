import { invalidArgument } from "../domain/errors.ts";
import { MAX_SEGMENTS, MAX_URI_BYTES, type Path, segmentFault } from "../domain/uri.ts";
import { IGNORE_FILE, type ImportFilter } from "./import-filter.ts";
import { SkipWarnings } from "./import-notes.ts";
import type { SourceFile } from "./source-file.ts";

export interface ArchiveLimits {
  readonly maxFiles: number;
  /** Maximum unpacked bytes of all members together. */
  readonly maxBytes: number;
  /** Parameter that names the archive in error messages. */
  readonly field: string;
  /**
   * Called before the archive's directory is read, with the bytes of memory that its entries will take. May
   * throw.
   */
  readonly hold?: ((bytes: number) => void) | undefined;
}

export interface ArchiveMember {
  readonly path: Path;
  /** Unpacked size in bytes. */
  readonly size: number;
  /**
   * Reads the content. Throws INVALID_ARGUMENT if it is damaged or its size differs from the archive's
   * directory.
   */
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** The files of an archive by path. Directories are implied by the paths. */
export interface FileArchive {
  readonly members: ReadonlyMap<string, ArchiveMember>;
  readonly bytes: number;
  /** Names of members that are not files, such as links and devices. */
  readonly others: readonly string[];
  /** Closes the archive; later reads fail. */
  readonly close: () => Promise<void> | void;
}

/** Maximum folder depth in an archive: that of a URI, plus the outer folder of a pack. */
const MAX_FOLDERS = MAX_SEGMENTS + 1;
/** Maximum compression ratio, against zip bombs: Deflate reaches 1,032, text about 4 to 20. */
export const MAX_RATIO = 200;
/** Unpacked bytes below which the ratio is not checked. */
export const MIN_BOMB_BYTES = 32 * 1024 * 1024;
/** Factor by which a tar may be larger than its files: headers and padding. */
export const TAR_OVERHEAD = 2;
/** Maximum characters of all file and folder paths together; every folder is stored with its full path. */
export const MAX_NAMES_LENGTH = 64 * 1024 * 1024;
const MAX_IGNORE_FILES = 1000;
const MAX_IGNORE_BYTES = 256 * 1024;

/**
 * Reads a member completely, into one buffer of its size: parts and their whole would take twice as much, and
 * a file of half a gigabyte may be packed into a few megabytes.
 */
export async function wholeOf({ size, read }: Pick<ArchiveMember, "size" | "read">): Promise<Buffer> {
  let whole: Buffer | undefined;
  let at = 0;
  for await (const part of read()) {
    if (at === 0 && part.byteLength === size)
      whole = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    else {
      whole ??= Buffer.allocUnsafeSlow(size);
      // `read` refuses a member that is larger than its size
      if (at + part.byteLength <= size) whole.set(part, at);
    }
    at += part.byteLength;
  }
  return whole?.subarray(0, at) ?? Buffer.alloc(0);
}

/**
 * Parses a member's name as a path. Throws INVALID_ARGUMENT if it is absolute, contains `..`, or cannot be
 * part of a URI.
 */
export function memberPath(name: string, field: string): Path {
  if (Buffer.byteLength(name) > MAX_URI_BYTES)
    throw invalidArgument(field, `the archive has a file name longer than ${MAX_URI_BYTES} bytes`);
  const path = name.normalize("NFC").split("/");
  const fault = path.map(segmentFault).find((found) => found !== undefined);
  if (fault !== undefined || path.length > MAX_FOLDERS)
    throw invalidArgument(field, `the archive has a file name with ${fault ?? "too many folders"}`);
  return path;
}

/** Refuses a member with the compression ratio of a zip bomb. */
export function checkRatio(packed: number, unpacked: number, field: string): void {
  if (unpacked > MIN_BOMB_BYTES && unpacked > packed * MAX_RATIO)
    throw invalidArgument(field, `the archive unpacks to more than ${MAX_RATIO} times its size`);
}

/** Collects members and folders; refuses conflicts and too many entries. */
export class MemberList {
  readonly members = new Map<string, ArchiveMember>();
  readonly others: string[] = [];
  bytes = 0;
  readonly #folders = new Set<string>();
  readonly #limits: ArchiveLimits;
  #namesLength = 0;

  constructor(limits: ArchiveLimits) {
    this.#limits = limits;
  }

  addFolder(path: Path): void {
    for (let depth = path.length; depth > 0; depth--) {
      const folder = path.slice(0, depth).join("/");
      if (this.#folders.has(folder)) break;
      this.#folders.add(folder);
      this.#addName(folder);
    }
    if (this.#folders.size > this.#limits.maxFiles * 2) throw this.#tooMuch();
  }

  addFile(member: ArchiveMember): void {
    const { maxFiles, maxBytes, field } = this.#limits;
    const key = member.path.join("/");
    if (this.members.has(key)) throw invalidArgument(field, `the archive contains ${key} twice`);
    this.addFolder(member.path.slice(0, -1));
    this.#addName(key);
    this.bytes += member.size;
    this.members.set(key, member);
    if (this.members.size > maxFiles || this.bytes > maxBytes) throw this.#tooMuch();
  }

  addOther(path: Path): void {
    const name = path.join("/");
    this.#addName(name);
    this.others.push(name);
    if (this.others.length > this.#limits.maxFiles) throw this.#tooMuch();
  }

  /** Counts a member's further data in the directory, which is read but not kept. */
  addRest(length: number): void {
    this.#countNames(length);
  }

  /** Call this after all members are added. */
  checkFolders(): void {
    for (const folder of this.#folders)
      if (this.members.has(folder))
        throw invalidArgument(this.#limits.field, `the archive contains ${folder} as a file and as a folder`);
  }

  #addName(name: string): void {
    this.#countNames(name.length);
  }

  #countNames(length: number): void {
    this.#namesLength += length;
    if (this.#namesLength > MAX_NAMES_LENGTH)
      throw invalidArgument(
        this.#limits.field,
        `the names in the archive, with their comments and extra fields, have more than ${MAX_NAMES_LENGTH} characters in total`,
      );
  }

  #tooMuch() {
    const { maxFiles, maxBytes, field } = this.#limits;
    return invalidArgument(field, `the archive must have at most ${maxFiles} files and ${maxBytes} bytes`);
  }
}

/**
 * The files of an archive that an import includes, by the same rules as for folders. A single outer folder is
 * removed from the paths. Files above `maxFileBytes` are skipped with a warning, because each is held in
 * memory.
 */
export async function filesOfArchive(
  archive: FileArchive,
  filter: ImportFilter,
  maxFileBytes: number,
): Promise<{
  readonly files: readonly SourceFile[];
  readonly bytes: number;
  readonly warnings: readonly string[];
}> {
  const members = withoutTop([...archive.members.values()]);
  await addIgnoreFiles(members, filter);
  const folders = new TakenFolders(filter);
  const warnings = new SkipWarnings();
  for (const path of archive.others) warnings.add(`${path}: skipped: not a regular file`);
  const files: SourceFile[] = [];
  let bytes = 0;
  for (const member of members) {
    const { path, size } = member;
    const name = path.join("/");
    const judgement = folders.hold(name) ? filter.judgeFile(name) : "pass";
    await filter.rest();
    if (judgement === "reserved") warnings.add(`${name}: skipped: its name is reserved`);
    if (judgement !== "take") continue;
    if (size > maxFileBytes) {
      warnings.add(`${name}: skipped: larger than ${maxFileBytes} bytes (CTXDB_MAX_UPLOAD_BYTES)`);
      continue;
    }
    bytes += size;
    files.push({ relPath: path, read: () => wholeOf(member) });
  }
  return { files, bytes, warnings: warnings.told };
}

/** The folders that an import includes; each is checked only once. */
class TakenFolders {
  readonly #filter: ImportFilter;
  readonly #known = new Map<string, boolean>();

  constructor(filter: ImportFilter) {
    this.#filter = filter;
  }

  /** Whether all folders of a path are included. */
  hold(path: string): boolean {
    const end = path.lastIndexOf("/");
    if (end < 0) return true;
    const folder = path.slice(0, end);
    let taken = this.#known.get(folder);
    if (taken === undefined) {
      taken = this.hold(folder) && this.#filter.takesDirectory(folder);
      this.#known.set(folder, taken);
    }
    return taken;
  }
}

async function addIgnoreFiles(members: readonly ArchiveMember[], filter: ImportFilter): Promise<void> {
  const found = members.filter(({ path, size }) => path.at(-1) === IGNORE_FILE && size <= MAX_IGNORE_BYTES);
  // outer folders first, because the number of ignore files is limited
  found.sort((a, b) => a.path.length - b.path.length);
  for (const member of found.slice(0, MAX_IGNORE_FILES)) {
    filter.addIgnoreFile(member.path.slice(0, -1).join("/"), (await wholeOf(member)).toString("utf8"));
    await filter.rest();
  }
}

function withoutTop(members: readonly ArchiveMember[]): ArchiveMember[] {
  const top = members[0]?.path[0];
  const isWrapped = members.every(({ path }) => path.length > 1 && path[0] === top);
  return members.map((member) => (isWrapped ? { ...member, path: member.path.slice(1) } : member));
}
