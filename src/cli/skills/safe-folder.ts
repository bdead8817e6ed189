import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, realpath, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ignoreMissing } from "../../base/faults.ts";
import { LocalError } from "../cli-errors.ts";

/** Maximum size in bytes of a file that is compared or written. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** A path that cannot be written without following a link or replacing a folder. */
export class BlockedPath extends Error {}

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Accesses files below one folder without following links. */
export class SafeFolder {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /** The folder itself may be a link, because the user named it. It is created unless `mustExist`. */
  static async open(path: string, mustExist = false): Promise<SafeFolder> {
    if (!mustExist) await mkdir(path, { recursive: true });
    const root = await realpath(path).catch(() => undefined);
    if (root === undefined || !(await lstat(root)).isDirectory())
      throw new LocalError(`${path} is not a folder`);
    return new SafeFolder(root);
  }

  pathOf(path: string): string {
    return join(this.#root, ...path.split("/"));
  }

  /** Content of a file; undefined if missing. Throws BlockedPath if the path is not a regular file. */
  async read(path: string): Promise<Buffer | undefined> {
    if (!(await this.#hasParents(path))) return undefined;
    const file = await lstat(this.pathOf(path)).catch(ignoreMissing);
    if (!file) return undefined;
    if (!file.isFile()) throw new BlockedPath(file.isSymbolicLink() ? "is a link" : "is not a file");
    if (file.size > MAX_FILE_BYTES) throw new BlockedPath(`is larger than ${MAX_FILE_BYTES} bytes`);
    // the file may have been replaced by a link since the check
    const handle = await open(this.pathOf(path), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  }

  /** Replaces a file atomically. */
  async write(path: string, bytes: Uint8Array): Promise<void> {
    const file = this.pathOf(path);
    await this.#makeParents(path);
    const aside = `${file}.${randomBytes(6).toString("hex")}`;
    try {
      const handle = await open(aside, "wx", 0o644);
      try {
        await handle.writeFile(bytes);
      } finally {
        await handle.close();
      }
      await rename(aside, file);
    } finally {
      await rm(aside, { force: true });
    }
  }

  /** Removes a file, and then its empty parent folders. */
  async remove(path: string): Promise<void> {
    if (!(await this.#hasParents(path))) return;
    await rm(this.pathOf(path), { force: true });
    for (let at = dirname(path); at !== "."; at = dirname(at)) {
      try {
        await rmdir(this.pathOf(at));
      } catch {
        // the folder contains files of the user
        return;
      }
    }
  }

  /** Whether all parent folders of a path exist. */
  async #hasParents(path: string): Promise<boolean> {
    for (const parent of parentsOf(path)) if (!(await this.#isFolder(parent))) return false;
    return true;
  }

  async #makeParents(path: string): Promise<void> {
    for (const parent of parentsOf(path))
      if (!(await this.#isFolder(parent))) await mkdir(this.pathOf(parent));
  }

  async #isFolder(path: string): Promise<boolean> {
    const found = await lstat(this.pathOf(path)).catch(ignoreMissing);
    if (!found) return false;
    if (!found.isDirectory())
      throw new BlockedPath(`is below ${path}, which is ${found.isSymbolicLink() ? "a link" : "a file"}`);
    return true;
  }
}

/** Parent folders of a path, outermost first. */
function parentsOf(path: string): string[] {
  const segments = path.split("/").slice(0, -1);
  return segments.map((_, at) => segments.slice(0, at + 1).join("/"));
}
