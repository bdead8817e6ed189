import { constants } from "node:fs";
import { type FileHandle, mkdir, open, realpath, stat, unlink } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import { codeOf } from "../base/faults.ts";
import { alreadyExists, invalidArgument, permissionDenied, unavailable } from "../domain/errors.ts";
import {
  isAllowed,
  type Limits,
  limitsOf,
  MAX_PATH_BYTES,
  nearestReal,
  type PathRules,
  placeOf,
} from "./source-path.ts";

interface FileToWrite {
  /** Extension to append if the name has a different one. */
  readonly extension: string;
  readonly rules: PathRules;
  readonly signal: AbortSignal;
}

/** File and folder modes: access only for the server's user. */
const MODE = 0o600;
const FOLDER_MODE = 0o700;

const denial = () =>
  permissionDenied(
    "to",
    "the server writes only to the folders in CTXDB_LOCAL_PATHS: choose a path in one of them",
  );

/**
 * Writes a new file on the server's machine and returns its path as the caller spelled it, without resolving
 * links. If the path is an existing folder or ends with a slash, the file is written inside it. Missing
 * folders are created. Throws PERMISSION_DENIED outside the configured folders (none by default),
 * ALREADY_EXISTS if the path exists. Removes an incomplete file.
 */
export async function writeLocalFile(
  to: string,
  read: () => AsyncIterable<Uint8Array>,
  { extension, rules, signal }: FileToWrite,
): Promise<string> {
  if (rules.allowed === undefined || rules.allowed.length === 0) throw denial();
  if (!isAbsolute(to)) throw invalidArgument("to", "must be an absolute path");
  if (to.includes("\0") || Buffer.byteLength(to) > MAX_PATH_BYTES)
    throw invalidArgument("to", "must be the path of a file");
  // in a missing folder, `..` has no meaning before the folder is created
  if (to.split("/").includes("..")) throw invalidArgument("to", "must not contain ..");
  const limits = await limitsOf(rules);
  const isInside = await isFolder(to, limits);
  const folder = isInside ? to : dirname(to);
  const name = isInside ? `export${extension}` : withExtension(basename(to), extension);
  const path = join(await folderFor(folder, limits), name);
  const shown = join(folder, name);
  const file = await create(path, shown);
  try {
    // check the opened file: a folder on the path may have been replaced by a link
    const place = await placeOf(file.fd, path, await file.stat());
    if (place === undefined || !isAllowed(place, limits)) throw denial();
    for await (const part of read()) {
      signal.throwIfAborted();
      // unlike write, writeFile continues until all bytes are written
      await file.writeFile(part);
    }
    await file.sync();
    return shown;
  } catch (error) {
    await unlink(path).catch(() => undefined);
    throw codeOf(error) === "ENOSPC" ? unavailable("the server's disk is full") : error;
  } finally {
    await file.close();
  }
}

const withExtension = (name: string, extension: string): string =>
  name.endsWith(extension) ? name : name + extension;

async function isFolder(path: string, limits: Limits): Promise<boolean> {
  const { place, exists } = await nearestReal(path);
  if (!isAllowed(place, limits)) throw denial();
  return path.endsWith("/") || (exists && (await stat(place)).isDirectory());
}

/** Creates a folder if it is missing; returns its real path. */
async function folderFor(path: string, limits: Limits): Promise<string> {
  const { place } = await nearestReal(path);
  if (!isAllowed(place, limits)) throw denial();
  const real = await mkdir(path, { recursive: true, mode: FOLDER_MODE })
    .then(() => realpath(path))
    .catch((error: unknown) => {
      throw invalidArgument("to", `the folder ${path} cannot be created (${codeOf(error)})`);
    });
  if (!isAllowed(real, limits)) throw denial();
  return real;
}

async function create(path: string, shown: string): Promise<FileHandle> {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  try {
    return await open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, MODE);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw alreadyExists("file", shown);
    throw invalidArgument("to", "the file cannot be written");
  }
}
