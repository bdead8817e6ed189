import { constants } from "node:fs";
import { open, readFile, realpath, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, ignoreMissing } from "../../base/faults.ts";
import { StartError } from "../../base/start-error.ts";

/**
 * Folders locked by this process. Opening LevelDB twice in one process would fail and release the first file
 * lock.
 */
const held = new Set<string>();

const LOCK_FILE = "server.lock";
const TAKEOVER_ATTEMPTS = 3;

/**
 * Prevents a second server on the same data directory. Taken before LevelDB's own lock, which also works
 * between machines that share the files.
 */
export class ProcessLock {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Acquires the lock of a folder, which must exist. Rejects with a StartError if a living process (including
   * this one) holds it. Takes over the lock of a killed process.
   */
  static async take(folder: string): Promise<ProcessLock> {
    const path = await realpath(folder);
    if (held.has(path)) throw inUse(folder, process.pid);
    held.add(path);
    try {
      await claim(folder, join(path, LOCK_FILE));
    } catch (error) {
      held.delete(path);
      throw error;
    }
    return new ProcessLock(path);
  }

  /** Id of the living process that holds a folder. */
  static async holder(folder: string): Promise<number | undefined> {
    const found = await readFile(join(folder, LOCK_FILE), "utf8").catch(ignoreMissing);
    return found === undefined ? undefined : livingPid(found);
  }

  async release(): Promise<void> {
    if (!held.has(this.#folder)) return;
    await unlink(join(this.#folder, LOCK_FILE)).catch(ignoreMissing);
    held.delete(this.#folder);
  }
}

async function claim(folder: string, file: string): Promise<void> {
  const mine = await identityOf(process.pid);
  for (let attempt = 0; attempt < TAKEOVER_ATTEMPTS; attempt++) {
    try {
      const handle = await open(file, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
      await handle.writeFile(`${mine}\n`).finally(() => handle.close());
      return;
    } catch (error) {
      if (codeOf(error) !== "EEXIST")
        throw new StartError(
          `the data directory ${folder} is not writable (${codeOf(error)}): check its permissions, or set CTXDB_DATA_DIR to another folder`,
          error,
        );
    }
    await removeStale(folder, file);
  }
  throw inUse(folder);
}

/** Removes the lock of a process that has ended; throws if that process is alive. */
async function removeStale(folder: string, file: string): Promise<void> {
  const found = await readFile(file, "utf8").catch(ignoreMissing);
  if (found === undefined) return;
  const pid = await livingPid(found);
  if (pid !== undefined) throw inUse(folder, pid);
  // another process may have taken the lock since the file was read, so check the moved file again
  const aside = `${file}.${process.pid}`;
  try {
    await rename(file, aside);
  } catch (error) {
    return ignoreMissing(error);
  }
  const moved = await readFile(aside, "utf8");
  if (moved !== found) {
    await rename(aside, file);
    throw inUse(folder, Number.parseInt(moved, 10));
  }
  await unlink(aside);
}

/** Id of the process that wrote a lock, if that process is alive. */
async function livingPid(lock: string): Promise<number | undefined> {
  const pid = Number.parseInt(lock, 10);
  return pid > 0 && (await identityOf(pid)) === lock.trim() ? pid : undefined;
}

/**
 * Process id with boot id and start time, so that a reused id is not mistaken for the earlier process;
 * undefined if the process is not running.
 */
async function identityOf(pid: number): Promise<string | undefined> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) !== "EPERM") return undefined;
  }
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "latin1").catch(() => undefined);
  if (boot === undefined) return `${pid}`; // without /proc only the id can be compared
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => undefined);
  if (stat === undefined) return undefined;
  // fields 3 (state) and 22 (start time) of proc(5), counted after the name, which may contain any character
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? undefined : `${pid} ${fields[19]} ${boot.trim()}`;
}

const inUse = (folder: string, pid?: number) =>
  new StartError(
    `another server${pid ? ` (process ${pid})` : ""} uses the data directory ${folder}: stop it, or set CTXDB_DATA_DIR to another folder`,
  );
