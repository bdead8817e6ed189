import type { Log } from "../../base/log.ts";
import { GroupKv } from "../group-kv.ts";
import { LevelFile } from "./level-file.ts";

/** Kv on LevelDB, with one batch and one fsync per group. */
export class LevelKv extends GroupKv {
  /** The caller must hold the ProcessLock of the data directory. `onBroken`: see GroupKv. */
  static async open(folder: string, log: Log, onBroken?: (error: Error) => void): Promise<LevelKv> {
    return new LevelKv(await LevelFile.open(folder, log), log, onBroken);
  }
}
