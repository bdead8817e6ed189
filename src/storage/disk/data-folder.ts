import { chmod, mkdir, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, ignoreMissing } from "../../base/faults.ts";
import type { Log } from "../../base/log.ts";
import { StartError } from "../../base/start-error.ts";
import { syncFolder, writeNew } from "./files.ts";

const PRIVATE = 0o700;
const OTHERS = 0o077;

/** Format of the data directory. */
export const FORMAT = "ctxdb 1";
const FORMAT_FILE = "FORMAT";
/** Subfolder that exists once the first start wrote more than the format file. */
const DATA_FOLDER = "kv";

/**
 * Makes the data directory where it is missing, and closes an existing one, with the folders in it, to
 * everybody but its owner: it holds the texts and key hashes of all accounts. The log names the mode that was
 * changed, or that cannot be changed because the directory belongs to another user.
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

/** The mode of a folder that is open to others than its owner, undefined for a private one. */
async function othersMode(folder: string): Promise<string | undefined> {
  const mode = (await stat(folder)).mode & 0o777;
  return (mode & OTHERS) === 0 ? undefined : `0${mode.toString(8)}`;
}

const closeToOthers = async (folder: string, mode: string | undefined) =>
  mode === undefined ? undefined : chmod(folder, PRIVATE);

/**
 * Rejects with a StartError where the data directory is of another format, or has lost the file that names
 * it.
 */
export async function checkFormat(dataDir: string): Promise<void> {
  const path = join(dataDir, FORMAT_FILE);
  const content = await readFile(path, "utf8").catch(ignoreMissing);
  const found = content?.trim();
  if (found === FORMAT) return;
  if (found)
    throw new StartError(
      `the data directory ${dataDir} has the format ${JSON.stringify(found.slice(0, 40))}; this version reads ${FORMAT} only`,
    );
  if ((await stat(join(dataDir, DATA_FOLDER)).catch(ignoreMissing)) !== undefined)
    throw new StartError(
      `the data directory is damaged: ${FORMAT_FILE} is ${content === undefined ? "missing" : "empty"}; ` +
        `restore it from a backup (it reads "${FORMAT}" and a line end), see CTXDB_DATA_DIR`,
    );
  await writeFormat(dataDir);
}

/** Whole or not at all: a first start may be killed. */
export async function writeFormat(dataDir: string): Promise<void> {
  const path = join(dataDir, FORMAT_FILE);
  const aside = `${path}.new`;
  await unlink(aside).catch(ignoreMissing);
  await writeNew(aside, [Buffer.from(`${FORMAT}\n`)]);
  await rename(aside, path);
  await syncFolder(dataDir);
}
