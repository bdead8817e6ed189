import { createHash, randomUUID } from "node:crypto";
import type { Client } from "@ctxdb/client";
import { CtxdbError } from "@ctxdb/client";
import {
  createText,
  inParallel,
  isCode,
  MAX_ATTEMPTS,
  readText,
  readValue,
  remove,
  toValue,
  valueText,
} from "./files.ts";

const DIGITS = 12;
const END = 10 ** DIGITS;
const SUFFIX = ".json";
/** Number of batches that are read in parallel. */
const WINDOW = 32;
const BATCH = /^\d{12}-.*\.json$/;

/**
 * A log of JSON values in one folder. The files have the same format as those of the Python adapters.
 *
 * Each call appends one file, completely or not at all. Its name begins with a decreasing number, so that the
 * newest is the first entry of the folder and reading the end takes the same time for any length of the log; a
 * random part makes every name unique. Several processes may append and pop at the same time.
 */
export class Log {
  readonly #client: Client;
  readonly #folder: string;

  constructor(client: Client, folder: string) {
    this.#client = client;
    this.#folder = folder;
  }

  /** Appends values, either all or none. */
  async append(values: readonly unknown[]): Promise<void> {
    if (values.length === 0) return;
    const newest = await this.#newest();
    const number = (newest === undefined ? END : Number(newest.slice(0, DIGITS))) - 1;
    const name = `${String(number).padStart(DIGITS, "0")}-${randomUUID().replaceAll("-", "")}${SUFFIX}`;
    await createText(this.#client, this.#uri(name), valueText(values));
  }

  /** Returns the last `limit` values (by default all), oldest first. */
  async latest(limit = Number.POSITIVE_INFINITY): Promise<unknown[]> {
    const batches: unknown[][] = [];
    let count = 0;
    let window: string[] = [];
    const readWindow = async (): Promise<void> => {
      for (const batch of await inParallel(window, (name) => this.#read(name))) {
        batches.push(batch);
        count += batch.length;
      }
      window = [];
    };
    if (limit <= 0) return [];
    for await (const name of this.#names(limit === Number.POSITIVE_INFINITY ? undefined : WINDOW)) {
      if (window.push(name) === WINDOW) await readWindow();
      if (count >= limit) break;
    }
    await readWindow();
    const values = batches.reverse().flat();
    return limit < values.length ? values.slice(-limit) : values;
  }

  /** Removes the last value and returns it. Of several callers only one receives a value. */
  async pop(): Promise<unknown> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const name = await this.#newest();
      if (name === undefined) return undefined;
      const text = await readText(this.#client, this.#uri(name));
      const values = text === undefined ? [] : batchOf(toValue(text));
      if (text !== undefined && (await this.#shorten(this.#uri(name), text, values.slice(0, -1))))
        return values.at(-1);
    }
    const message = `${this.#folder}: others changed its end ${MAX_ATTEMPTS} times in a row`;
    throw new CtxdbError("FAILED_PRECONDITION", message);
  }

  /** Removes all values. */
  async clear(): Promise<void> {
    await remove(this.#client, this.#folder);
  }

  /** Replaces a batch by its remaining values; returns false if another caller was faster. */
  async #shorten(uri: string, text: string, rest: readonly unknown[]): Promise<boolean> {
    // a batch of one value never changes, so removing it needs no etag
    if (rest.length === 0) return remove(this.#client, uri);
    const ifMatch = createHash("sha256").update(text).digest("hex");
    try {
      await this.#client.content.write({ uri, content: valueText(rest), mode: "replace", ifMatch });
      return true;
    } catch (error) {
      if (isCode(error, "FAILED_PRECONDITION") || isCode(error, "NOT_FOUND")) return false;
      throw error;
    }
  }

  /** A batch whose last value was removed in the meantime is empty. */
  async #read(name: string): Promise<unknown[]> {
    return batchOf(await readValue(this.#client, this.#uri(name)));
  }

  #uri(name: string): string {
    return `${this.#folder}/${name}`;
  }

  async #newest(): Promise<string | undefined> {
    for await (const name of this.#names(1)) return name;
    return undefined;
  }

  /** Returns the names of the batches, newest first. */
  async *#names(nodeLimit: number | undefined): AsyncGenerator<string> {
    try {
      for await (const { name } of this.#client.fs.lsAll({ uri: this.#folder, nodeLimit }))
        if (name !== undefined && BATCH.test(name)) yield name;
    } catch (error) {
      if (!isCode(error, "NOT_FOUND")) throw error;
    }
  }
}

const batchOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
