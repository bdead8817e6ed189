import { type FSWatcher, watch } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Budget } from "../base/budget.ts";
import { overBudget, ServiceError } from "../domain/errors.ts";
import { SKIPPED_DIRECTORIES } from "./import-filter.ts";

/** Maximum number of watched folders, per source and in total, because each watch uses kernel memory. */
const MAX_FOLDERS = { perKey: 256, total: 4096 };
/** Maximum number of entries of a folder that are searched for subfolders. */
const MAX_ENTRIES = 10_000;

/**
 * Watches local folders for changes. It may miss changes, so callers must also check the source periodically.
 */
export class FolderWatches {
  readonly #room = new Budget(MAX_FOLDERS, overBudget("watched folders", "folders"));

  /**
   * Calls `onChange` after changes in a file or folder and in the folders below it, nearest first, up to a
   * limit. `path` must be a real path that the server may read. Returns a function that stops watching.
   */
  async watch(path: string, onChange: () => void, signal: AbortSignal): Promise<() => void> {
    const watchers: FSWatcher[] = [];
    const lease = this.#room.take(path, 0);
    const end = () => {
      for (const watcher of watchers.splice(0)) watcher.close();
      lease.release();
    };
    const folders = [path];
    try {
      for (let at = 0; at < folders.length && at < MAX_FOLDERS.perKey; at++) {
        signal.throwIfAborted();
        const folder = folders[at] ?? path;
        lease.resize(at + 1);
        const watcher = watch(folder, { persistent: false }, onChange);
        // the folder was removed, which the watch of its parent reports
        watcher.on("error", () => watcher.close());
        watchers.push(watcher);
        for (const inner of await foldersIn(folder)) folders.push(join(folder, inner));
      }
    } catch (error) {
      if (signal.aborted) {
        end();
        throw error;
      }
      // a limit of this server or the machine is reached: the remaining folders are not watched
      if (!(error instanceof ServiceError) && !isOfMachine(error)) {
        end();
        throw error;
      }
    }
    return end;
  }
}

const isOfMachine = (error: unknown): boolean => error instanceof Error && "syscall" in error;

/** Names of the subfolders that an import includes by default, without links. */
async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .slice(0, MAX_ENTRIES)
    .filter((one) => one.isDirectory() && !one.name.startsWith(".") && !SKIPPED_DIRECTORIES.has(one.name))
    .map(({ name }) => name);
}
