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

/** Work that a hook queues for the server. */
export type Work =
  /** Read the transcript (at least `size` bytes) from where the last reading ended. */
  | { readonly kind: "transcript"; readonly path: string; readonly size: number }
  | { readonly kind: "messages"; readonly messages: readonly CapturedMessage[] }
  /** Commit the session. */
  | { readonly kind: "commit" };

export interface SpoolRecord {
  readonly agent: string;
  /** Id of the session as the agent names it. */
  readonly session: string;
  readonly work: Work;
}

export interface SpooledRecord extends SpoolRecord {
  readonly name: string;
}

export const MAX_RECORDS = 5000;
const MAX_RECORD_BYTES = 1024 * 1024;
const MAX_SPOOL_BYTES = 64 * 1024 * 1024;
/** Records that the server refused, for a person to look at. */
const MAX_REJECTED = 100;
/** Time in base 36, which sorts as text until the year 5188; size in bytes. */
const NAME = /^[0-9a-z]{9}-[0-9a-z]{4}-[0-9a-f]{12}-(\d{1,8})\.json$/;

/** Why a record was not taken. */
export class SpoolFull extends Error {}

/**
 * An on-disk queue of small files, one per record: many hooks add at once without a lock, and one flush at a
 * time takes from it. A record is complete or absent.
 */
export class HookQueue {
  readonly #folder: string;
  readonly #now: () => number;
  #sequence = 0;

  constructor(folder: string, now: () => number) {
    this.#folder = join(folder, "spool");
    this.#now = now;
  }

  /** Throws SpoolFull if there is no room, and errors of the file system. */
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

  /** Names of the records that wait, the oldest first. */
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

  /** A record; undefined for an unreadable one, which is set aside. */
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

  /** Moves a record from the queue to the rejected ones. */
  reject(name: string): void {
    const aside = ownFolder(join(this.#folder, "rejected"));
    for (const old of readdirSync(aside).sort().slice(0, -MAX_REJECTED))
      rmSync(join(aside, old), { force: true });
    renameSync(join(this.#folder, name), join(aside, name));
  }
}

/** Records that wait in the queue of a target. */
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
