import * as fs from "node:fs";
import { opendir, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { EventLoopYielder } from "../base/event-loop.ts";
import { codeOf } from "../base/faults.ts";
import { sortSteps } from "../base/sort-steps.ts";
import { invalidArgument, notFound, permissionDenied } from "../domain/errors.ts";
import { extensionOf, withEnding } from "../domain/text/names.ts";
import { compareNames } from "../domain/uri.ts";
import { shownAddress } from "./fetch/web-address.ts";
import { IGNORE_FILE, type ImportFilter } from "./import-filter.ts";
import { SkipWarnings } from "./import-notes.ts";
import { type ImportSource, identityOf } from "./source.ts";
import type { SourceFile } from "./source-file.ts";
import { legalSegment } from "./source-name.ts";

export interface PathRules {
  /** Folders from which files may be read (CTXDB_LOCAL_PATHS); undefined if any. */
  readonly allowed: readonly string[] | undefined;
  /** The server's data directory, from which nothing may be read. */
  readonly dataDir: string;
  /** Other folders and files of the server, such as backups and keys, from which nothing may be read. */
  readonly own?: readonly string[];
  readonly maxFiles: number;
  readonly maxBytes: number;
}

const SYSTEM_FOLDERS = ["/proc", "/sys"];
const MAX_DEPTH = 60;
/** Maximum bytes of a path; leaves room for the root in a URI of at most 4,096 bytes. */
export const MAX_PATH_BYTES = 3500;
/** Maximum bytes of a changed name; leaves room for an appended number. */
const MAX_CHANGED_BYTES = 240;
const MAX_IGNORE_BYTES = 256 * 1024;
/** Maximum steps from a path to its nearest existing ancestor, including links. */
const MAX_STEPS = 300;
const READ_CHUNK_BYTES = 4 * 1024 * 1024;
/** Number of files of a directory that are examined concurrently. */
const LOOK_AT_ONCE = 32;
/** Linux's table of open files: resolves a path with one lookup instead of one per segment. */
const OPEN_FILES = "/proc/self/fd";
const HAS_OPEN_FILES = fs.existsSync(OPEN_FILES);

/** File descriptors instead of FileHandles, which are slower for thousands of files. */
const [open, fstat, read, close] = [
  promisify(fs.open),
  promisify(fs.fstat),
  promisify(fs.read),
  promisify(fs.close),
];
const [lstat, linkOf] = [promisify(fs.lstat), promisify(fs.readlink)];

/** Path rules with real paths: allowed and denied folders after resolving symlinks. */
export interface Limits extends PathRules {
  readonly denied: readonly string[];
}

/**
 * Opens a local file or directory as a source and lists its files. Error messages contain only what the
 * caller sent. Throws INVALID_ARGUMENT for a relative path or a special file, PERMISSION_DENIED outside the
 * allowed folders (whether or not the path exists), NOT_FOUND inside them.
 */
export async function openPath(path: string, filter: ImportFilter, rules: PathRules): Promise<ImportSource> {
  if (path === "") throw invalidArgument("path", "must not be empty");
  if (path.includes("\0") || path.length > MAX_PATH_BYTES)
    throw invalidArgument("path", "must be the path of a file or folder");
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path))
    throw invalidArgument("path", `must be an absolute path or an http(s) URL: ${shownAddress(path)}`);
  if (!isAbsolute(path)) throw invalidArgument("path", `must be an absolute path: ${path}`);
  const limits = await limitsOf(rules);
  const real = await resolveReal(path, limits);
  const facts = await stat(real).catch(() => undefined);
  if (!facts) throw notFound("path", path);
  const name = legalSegment(basename(resolve(path)));
  const base = { name, identity: identityOf("path", real) };
  if (facts.isFile()) {
    if (facts.size > rules.maxBytes) throw tooMuch(rules);
    const { size: bytes, mtimeMs: modified } = facts;
    const file: SourceFile = { relPath: [name], bytes, modified, read: () => readInside(real, path, limits) };
    return {
      ...base,
      isDirectory: false,
      files: name.startsWith(".") ? [] : [file],
      bytes: facts.size,
      warnings: [],
    };
  }
  if (!facts.isDirectory()) throw invalidArgument("path", `${path} is neither a file nor a folder`);
  const walk = new Walk(filter, limits, path);
  await walk.directory(real, [], 0);
  return { ...base, isDirectory: true, files: walk.files, bytes: walk.bytes, warnings: walk.warnings.told };
}

/** The real path of a local file or folder that may be read. Errors as in `openPath`. */
export const realPath = async (path: string, rules: PathRules): Promise<string> =>
  resolveReal(path, await limitsOf(rules));

export const limitsOf = async (rules: PathRules): Promise<Limits> => ({
  ...rules,
  allowed: rules.allowed && (await Promise.all(rules.allowed.map(realOrSame))),
  denied: [...SYSTEM_FOLDERS, ...(await Promise.all([rules.dataDir, ...(rules.own ?? [])].map(realOrSame)))],
});
const denial = (path: string) =>
  permissionDenied(
    path,
    "the path is outside the folders from which the server may import (CTXDB_LOCAL_PATHS)",
  );
const tooMuch = (rules: PathRules) =>
  invalidArgument(
    "path",
    `the source has more than CTXDB_IMPORT_MAX_FILES (${rules.maxFiles}) files or CTXDB_IMPORT_MAX_BYTES (${rules.maxBytes}) bytes`,
  );

async function resolveReal(path: string, limits: Limits): Promise<string> {
  const { place, exists } = await nearestReal(path);
  // reveal existence only inside allowed folders
  if (!isAllowed(place, limits)) throw denial(path);
  if (!exists) throw notFound("path", path);
  return place;
}

/** Whether a real path is inside an allowed folder and outside the server's own. */
export const isAllowed = (real: string, { allowed, denied }: Limits): boolean =>
  !denied.some((folder) => isWithin(real, folder)) &&
  (allowed?.some((folder) => isWithin(real, folder)) ?? true);

/**
 * The real path, or that of the nearest existing ancestor. A dangling link is followed as far as possible.
 */
export async function nearestReal(path: string): Promise<{ place: string; exists: boolean }> {
  let at = path;
  for (let step = 0; step < MAX_STEPS; step++) {
    try {
      return { place: await realpath(at), exists: step === 0 };
    } catch (error) {
      const code = codeOf(error);
      if (code === "EACCES" || code === "EPERM") throw denial(path);
      if (code !== "ENOENT" && code !== "ENOTDIR")
        throw invalidArgument("path", `the symbolic link ${path} cannot be followed`);
    }
    const target = await readlink(at).catch(() => undefined);
    at = target === undefined ? dirname(at) : resolve(dirname(at), target);
  }
  throw invalidArgument("path", `the symbolic link ${path} cannot be followed`);
}

const realOrSame = (path: string): Promise<string> => realpath(path).catch(() => resolve(path));

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** Copies a local file. Errors as in `openPath`; also INVALID_ARGUMENT if it exceeds `rules.maxBytes`. */
export async function copyPath(path: string, target: string, rules: PathRules): Promise<void> {
  const limits = await limitsOf(rules);
  const copied = await inside(await resolveReal(path, limits), path, limits, async (fd, size) => {
    await pipeline(piecesOf(fd, size), fs.createWriteStream(target));
    return true;
  });
  if (!copied) throw notFound("path", path);
}

async function* piecesOf(fd: number, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const piece = Buffer.allocUnsafe(Math.min(READ_CHUNK_BYTES, size - at));
    const { bytesRead } = await read(fd, piece, 0, piece.length, at);
    if (bytesRead === 0) return;
    yield piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** The content of a regular file, up to its size when opened; undefined if it is gone or unreadable. */
function readInside(real: string, shown: string, limits: Limits): Promise<Uint8Array | undefined> {
  return inside(real, shown, limits, async (fd, size) => {
    const bytes = Buffer.allocUnsafe(size);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await read(
        fd,
        bytes,
        length,
        Math.min(READ_CHUNK_BYTES, bytes.length - length),
        length,
      );
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  });
}

/**
 * Opens a file and checks the open file: between check and read, a path may be replaced by a link or a pipe.
 */
async function inside<T>(
  real: string,
  shown: string,
  limits: Limits,
  use: (fd: number, size: number) => Promise<T>,
): Promise<T | undefined> {
  const fd = await open(
    real,
    fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK,
  ).catch(() => undefined);
  if (fd === undefined) return undefined;
  try {
    const facts = await fstat(fd);
    const place = facts.isFile() ? await placeOf(fd, real, facts) : undefined;
    if (place === undefined) return undefined;
    if (!isAllowed(place, limits)) throw denial(shown);
    if (facts.size > limits.maxBytes) throw tooMuch(limits);
    return await use(fd, facts.size);
  } finally {
    await close(fd);
  }
}

/** Real path of an open file; undefined if it was deleted. */
export async function placeOf(fd: number, path: string, facts: fs.Stats): Promise<string | undefined> {
  if (HAS_OPEN_FILES) {
    const place = await linkOf(`${OPEN_FILES}/${fd}`).catch(() => undefined);
    // Linux appends this to deleted files; a name that really ends with it is checked below
    if (place !== undefined && !place.endsWith(" (deleted)")) return place;
  }
  const place = await realpath(path).catch(() => undefined);
  const there = place === undefined ? undefined : await stat(place).catch(() => undefined);
  return there?.ino === facts.ino && there.dev === facts.dev ? place : undefined;
}

/** Walks a directory without following links. */
class Walk {
  readonly files: SourceFile[] = [];
  readonly warnings = new SkipWarnings();
  bytes = 0;
  readonly #filter: ImportFilter;
  readonly #limits: Limits;
  readonly #shown: string;
  #seen = 0;

  constructor(filter: ImportFilter, limits: Limits, shown: string) {
    this.#filter = filter;
    this.#limits = limits;
    this.#shown = shown;
  }

  async directory(folder: string, relPath: readonly string[], depth: number): Promise<void> {
    if (depth > MAX_DEPTH) return this.#warn(relPath, "skipped: nested too deeply");
    if (this.#limits.denied.includes(folder)) return this.#warn(relPath, "skipped: it cannot be imported");
    const names = await this.#names(folder);
    if (!names) {
      if (depth === 0) throw denial(this.#shown);
      return this.#warn(relPath, "skipped: it cannot be read");
    }
    await this.#readIgnoreFile(folder, names, relPath);
    const all = await legalNames(names);
    for (let first = 0; first < all.length; first += LOOK_AT_ONCE) {
      const some = all.slice(first, first + LOOK_AT_ONCE);
      const facts = await Promise.all(
        some.map(([, name]) => lstat(join(folder, name)).catch(() => undefined)),
      );
      for (const [i, [legal, name]] of some.entries()) {
        const inner = [...relPath, legal];
        if (legal !== name.normalize("NFC"))
          this.#warn(inner, "renamed: its name cannot be a part of a URI or is taken");
        await this.#entry(join(folder, name), facts[i], inner, depth);
        await this.#filter.rest();
      }
    }
  }

  async #names(folder: string): Promise<string[] | undefined> {
    const names: string[] = [];
    const directory = await opendir(folder).catch(() => undefined);
    if (!directory) return undefined;
    for await (const entry of directory) {
      names.push(entry.name);
      // skipped files also count, because they take time
      if (++this.#seen > this.#limits.maxFiles * 10) throw tooMuch(this.#limits);
    }
    return names;
  }

  async #entry(
    full: string,
    facts: fs.Stats | undefined,
    relPath: readonly string[],
    depth: number,
  ): Promise<void> {
    const path = relPath.join("/");
    if (Buffer.byteLength(path) > MAX_PATH_BYTES) return this.#warn(relPath, "skipped: its path is too long");
    if (!facts) return this.#warn(relPath, "skipped: it vanished or its name is not UTF-8");
    if (facts.isDirectory()) {
      if (this.#filter.takesDirectory(path)) await this.directory(full, relPath, depth + 1);
      return;
    }
    const judgement = this.#filter.judgeFile(path);
    if (judgement === "reserved") return this.#warn(relPath, "skipped: its name is reserved");
    if (judgement === "pass") return;
    if (facts.isSymbolicLink()) return this.#warn(relPath, "skipped: a link");
    if (!facts.isFile()) return this.#warn(relPath, "skipped: not a regular file");
    if (this.#limits.denied.includes(full)) return this.#warn(relPath, "skipped: it cannot be imported");
    this.bytes += facts.size;
    this.files.push({
      relPath,
      bytes: facts.size,
      modified: facts.mtimeMs,
      read: () => readInside(full, `${this.#shown}/${path}`, this.#limits),
    });
    if (this.files.length > this.#limits.maxFiles || this.bytes > this.#limits.maxBytes)
      throw tooMuch(this.#limits);
  }

  async #readIgnoreFile(folder: string, names: readonly string[], relPath: readonly string[]): Promise<void> {
    const file = join(folder, IGNORE_FILE);
    const facts = names.includes(IGNORE_FILE) ? await lstat(file).catch(() => undefined) : undefined;
    if (!facts?.isFile() || facts.size > MAX_IGNORE_BYTES) return;
    const bytes = await readInside(file, this.#shown, this.#limits);
    if (bytes) this.#filter.addIgnoreFile(relPath.join("/"), Buffer.from(bytes).toString("utf8"));
  }

  #warn(relPath: readonly string[], what: string): void {
    this.warnings.add(`${relPath.join("/")}: ${what}`);
  }
}

/**
 * Maps the names of a directory to valid URI segments, in order and in turns: there may be a million. Valid
 * names are unchanged.
 */
async function legalNames(names: readonly string[]): Promise<[legal: string, name: string][]> {
  const yielder = new EventLoopYielder();
  const taken = new Map<string, string>();
  const changed: string[] = [];
  for (const name of await yielder.through(sortSteps(names, compareNames))) {
    const legal = legalSegment(name);
    if (legal === name) taken.set(legal, name);
    else changed.push(name);
    await yielder.yieldIfDue();
  }
  // by segment: the last number that was tried, because all names may become the same
  const numbers = new Map<string, number>();
  for (const name of changed) {
    const legal = legalSegment(name, MAX_CHANGED_BYTES);
    const extension = extensionOf(legal);
    const tail = extension === "" ? "" : legal.slice(-extension.length - 1);
    const stem = legal.slice(0, legal.length - tail.length);
    let number = numbers.get(legal) ?? 0;
    const numbered = () => (number === 0 ? stem : withEnding(stem, `_${number}`)) + tail;
    while (taken.has(numbered())) number++;
    taken.set(numbered(), name);
    numbers.set(legal, number);
    await yielder.yieldIfDue();
  }
  return yielder.through(sortSteps([...taken], (a, b) => compareNames(a[0], b[0])));
}
