import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CapturedMessage } from "../../base/capture/captured-message.ts";
import { textField } from "../../base/capture/captured-message.ts";
import { systemClock } from "../../base/clock.ts";
import { isObject } from "../../base/expect.ts";
import { ignoreMissing } from "../../base/faults.ts";
import { parsed } from "./rest-call.ts";
import { ownFolder } from "./state-folder.ts";

/** A task that a hook queues for the server. */
export type Work =
  /** Read the transcript (at least `size` bytes) from where the previous read ended. */
  | { readonly kind: "transcript"; readonly path: string; readonly size: number }
  | { readonly kind: "messages"; readonly messages: readonly CapturedMessage[] }
  | { readonly kind: "commit" };

export interface SpoolRecord {
  readonly agent: string;
  /** Session id of the agent. */
  readonly session: string;
  readonly work: Work;
}

export interface SpooledRecord extends SpoolRecord {
  readonly name: string;
}

export const MAX_RECORDS = 5000;
const MAX_RECORD_BYTES = 1024 * 1024;
const MAX_SPOOL_BYTES = 64 * 1024 * 1024;
/** Maximum number of rejected records kept for inspection. */
const MAX_REJECTED = 100;
/**
 * File name of a record: time in base 36 (sorts as text until the year 5188) and, at the end, the size in
 * bytes.
 */
const NAME = /^[0-9a-z]{9}-[0-9a-z]{4}-[0-9a-f]{12}-(\d{1,8})\.json$/;

export class SpoolFull extends Error {}

/**
 * An on-disk queue with one small file per record: many hooks add records without a lock, and one flush at a
 * time removes them. Records are written atomically.
 */
export class HookQueue {
  readonly #folder: string;
  readonly #now: () => number;
  #sequence = 0;

  constructor(folder: string, now: () => number) {
    this.#folder = join(folder, "spool");
    this.#now = now;
  }

  /** Adds a record. Throws SpoolFull, and file system errors. */
  add(record: SpoolRecord): void {
    const text = JSON.stringify(record);
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_RECORD_BYTES)
      throw new SpoolFull(`a record of ${bytes} bytes, above ${MAX_RECORD_BYTES}`);
    const waiting = this.names();
    if (waiting.length >= MAX_RECORDS) throw new SpoolFull(`the queue holds ${MAX_RECORDS} records`);
    if (waiting.reduce((sum, name) => sum + sizeIn(name), bytes) > MAX_SPOOL_BYTES)
      throw new SpoolFull(`the queue holds ${MAX_SPOOL_BYTES} bytes`);
    ownFolder(this.#folder);
    const time = this.#now().toString(36).padStart(9, "0");
    const sequence = (this.#sequence++).toString(36).padStart(4, "0");
    const file = join(this.#folder, `${time}-${sequence}-${randomBytes(6).toString("hex")}-${bytes}.json`);
    writeFileSync(`${file}.part`, text, { mode: 0o600 });
    renameSync(`${file}.part`, file);
  }

  /** Names of the queued records, oldest first. */
  names(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter((name) => NAME.test(name))
        .sort();
    } catch (error) {
      ignoreMissing(error);
      return [];
    }
  }

  /** Reads a record. An unreadable one is moved to the rejected records: undefined. */
  read(name: string): SpooledRecord | undefined {
    const tree = parsed(readFileSync(join(this.#folder, name), "utf8"));
    const [agent, session, work] = [textField(tree, "agent"), textField(tree, "session"), workOf(tree)];
    if (agent !== undefined && session !== undefined && work !== undefined)
      return { name, agent, session, work };
    this.reject(name);
    return undefined;
  }

  remove(name: string): void {
    rmSync(join(this.#folder, name), { force: true });
  }

  /** Moves a record to the rejected ones. */
  reject(name: string): void {
    const aside = ownFolder(join(this.#folder, "rejected"));
    for (const old of readdirSync(aside).sort().slice(0, -MAX_REJECTED))
      rmSync(join(aside, old), { force: true });
    renameSync(join(this.#folder, name), join(aside, name));
  }
}

/** Number of records in the queue of a target. */
export const waitingRecords = (folder: string): number => new HookQueue(folder, systemClock).names().length;

const sizeIn = (name: string): number => Number(NAME.exec(name)?.[1] ?? 0);

function workOf(tree: unknown): Work | undefined {
  const work = isObject(tree) ? tree.work : undefined;
  return isWork(work) ? work : undefined;
}

const isWork = (work: unknown): work is Work =>
  isObject(work) &&
  (work.kind === "commit" ||
    (work.kind === "messages" && Array.isArray(work.messages)) ||
    (work.kind === "transcript" && typeof work.path === "string" && typeof work.size === "number"));
