import { randomUUID } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, ignoreMissing } from "../../base/faults.ts";
import type { Log } from "../../base/log.ts";
import { StartError } from "../../base/start-error.ts";
import { currentFormat, FIRST_FORMAT, MIGRATIONS } from "../migrations.ts";
import { syncFolder, writeNew } from "./files.ts";

const PRIVATE = 0o700;
const OTHERS = 0o077;

const FORMAT = /^ctxdb ([1-9]\d{0,5})$/;
/** Format of a directory with a copy of a shared store, and the directory's id. */
const COPY = /^ctxdb copy 1 ([0-9a-f-]{36})$/;
/** The format of a directory that is being written. */
const UNFINISHED = "ctxdb unfinished";
const FORMAT_FILE = "FORMAT";
/** Subfolder that is created after the format file, which is lost if only the subfolder exists. */
const DATA_FOLDER = "kv";

/**
 * Creates the data directory if it is missing. Restricts an existing one and its folders to their owner,
 * because it contains the texts and key hashes of all accounts. Logs a changed mode, or that the mode cannot
 * be changed because the directory belongs to another user.
 */
export async function openPrivateFolder(dataDir: string, log: Log): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: PRIVATE });
  const mode = await othersMode(dataDir);
  try {
    await closeToOthers(dataDir, mode);
    const inside = (await readdir(dataDir, { withFileTypes: true })).filter((entry) => entry.isDirectory());
    for (const folder of inside.map(({ name }) => join(dataDir, name)))
      await closeToOthers(folder, await othersMode(folder));
  } catch (error) {
    if (codeOf(error) !== "EPERM") throw error;
    log.warn(
      { folder: dataDir, mode },
      "other users of this machine may be able to read the data directory: set its mode to 0700",
    );
    return;
  }
  if (mode !== undefined)
    log.warn(
      { folder: dataDir, was: mode, now: "0700" },
      "other users of this machine could enter the data directory; it is closed now",
    );
}

/** The mode of a folder that other users can access; undefined if it is private. */
async function othersMode(folder: string): Promise<string | undefined> {
  const mode = (await stat(folder)).mode & 0o777;
  return (mode & OTHERS) === 0 ? undefined : `0${mode.toString(8)}`;
}

const closeToOthers = async (folder: string, mode: string | undefined) =>
  mode === undefined ? undefined : chmod(folder, PRIVATE);

/** The format of the data directory; undefined if there is none. */
export async function formatOf(dataDir: string): Promise<string | undefined> {
  const content = await readFile(join(dataDir, FORMAT_FILE), "utf8").catch(ignoreMissing);
  return content?.trim();
}

/**
 * Returns the format of the data directory; an empty directory gets `current`. Rejects with a StartError if
 * the format is outside FIRST_FORMAT to `current`, or the format file is lost.
 */
export async function openFormat(dataDir: string, current: number): Promise<number> {
  const found = await formatOf(dataDir);
  if (found) {
    if (COPY.test(found))
      throw new StartError(
        `the data directory ${dataDir} belongs to a server with CTXDB_STORE: set CTXDB_STORE, or set CTXDB_DATA_DIR to another folder`,
      );
    if (found === UNFINISHED)
      throw new StartError(
        `the data directory ${dataDir} is not whole: run the same \`ctxdb store export\` again`,
      );
    const format = Number(FORMAT.exec(found)?.[1]);
    if (format >= FIRST_FORMAT && format <= current) return format;
    const known = current === FIRST_FORMAT ? nameOf(current) : `${nameOf(FIRST_FORMAT)} to ${current}`;
    throw new StartError(
      `the data directory ${dataDir} has the format ${JSON.stringify(found.slice(0, 40))}; this version reads only ${known}: use the version that wrote it, or another folder`,
    );
  }
  if ((await stat(join(dataDir, DATA_FOLDER)).catch(ignoreMissing)) !== undefined)
    throw new StartError(
      `the data directory is damaged: ${FORMAT_FILE} is ${found === undefined ? "missing" : "empty"}; ` +
        `write "${nameOf(current)}" and a line break to it, or restore a backup with \`ctxdb restore\``,
    );
  await writeFormat(dataDir, current);
  return current;
}

/**
 * Marks a directory as the copy of a server that uses a shared store, and returns its id. Rejects with a
 * StartError if the directory holds records of its own.
 */
export async function openCopyFolder(dataDir: string): Promise<string> {
  const found = await formatOf(dataDir);
  const id = COPY.exec(found ?? "")?.[1];
  if (id !== undefined) return id;
  if (found !== undefined || (await stat(join(dataDir, DATA_FOLDER)).catch(ignoreMissing)) !== undefined)
    throw new StartError(
      `the data directory ${dataDir} holds records of its own, which a server with CTXDB_STORE does not read: ` +
        "set CTXDB_DATA_DIR to another folder, or remove CTXDB_STORE",
    );
  const made = randomUUID();
  await writeName(dataDir, `ctxdb copy 1 ${made}`);
  return made;
}

/**
 * Creates a data directory to be filled with files, or continues with an unfinished one. No server opens it
 * before `finishFolder`. Rejects with a StartError if it has other files.
 */
export async function beginFolder(dataDir: string, log: Log): Promise<void> {
  await openPrivateFolder(dataDir, log);
  if ((await formatOf(dataDir)) === UNFINISHED) return;
  if ((await readdir(dataDir)).length > 0)
    throw new StartError(`${dataDir} is not empty: choose a new folder, or move this one away`);
  await writeName(dataDir, UNFINISHED);
}

export const finishFolder = (dataDir: string): Promise<void> =>
  writeFormat(dataDir, currentFormat(MIGRATIONS));

export const writeFormat = (dataDir: string, format: number): Promise<void> =>
  writeName(dataDir, nameOf(format));

/** Writes the format atomically, because the process may be killed. */
async function writeName(dataDir: string, name: string): Promise<void> {
  const path = join(dataDir, FORMAT_FILE);
  const aside = `${path}.new`;
  await unlink(aside).catch(ignoreMissing);
  await writeNew(aside, [Buffer.from(`${name}\n`)]);
  await rename(aside, path);
  await syncFolder(dataDir);
}

const nameOf = (format: number): string => `ctxdb ${format}`;
