import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Scratch, ScratchFolder } from "../scratch.ts";
import { translateFileError } from "./files.ts";

/** Scratch folders below a folder that only this process uses. */
export class DiskScratch implements Scratch {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(folder: string): Promise<DiskScratch> {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    return new DiskScratch(folder);
  }

  async folder(): Promise<ScratchFolder> {
    const path = await mkdtemp(join(this.#folder, "x")).catch((error: unknown) =>
      Promise.reject(translateFileError(error)),
    );
    // files that cannot be removed now are deleted at the next start
    return { path, remove: () => rm(path, { recursive: true, force: true }).catch(() => undefined) };
  }
}
