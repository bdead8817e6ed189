import type { TreeChange } from "../../domain/change.ts";
import type { Author } from "../../domain/node.ts";
import type { Draft } from "../../storage/draft.ts";
import { lastTwoNumbers } from "../../storage/key-numbers.ts";
import { type Kv, prefixRange } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import type { Keys } from "../keys.ts";
import { CHANGE_RECORDS, type ChangeRecord } from "./records.ts";

/** Maximum number of changes per record; small, so that reading or writing a record is fast. */
const CHANGES_PER_RECORD = 256;
/** Maximum number and bytes of the records in a page. */
const PAGE_RECORDS = 64;
const PAGE_BYTES = 256 * 1024;
/** Keys per transaction of a trim. */
const TRIM_PAGE = 1000;
/** Slack as a share of the retained bytes: the log is trimmed only beyond it, so that trims are rare. */
const SLACK = 1 / 8;

/** A record of a commit whose position in the log is not known yet. */
interface PreparedRecord {
  readonly bytes: Uint8Array;
  readonly changes: number;
}

/** Records of a commit's changes, encoded before their numbers are known. */
export class PreparedChanges {
  readonly records: PreparedRecord[] = [];
  readonly at: number;
  readonly #by: Author | undefined;
  #written = 0;

  constructor(at: number, by: Author | undefined) {
    this.at = at;
    this.#by = by;
  }

  /** Encodes changes, one record per step. */
  *write(changes: readonly TreeChange[]): Generator<void> {
    while (this.#written < changes.length) {
      const part = changes.slice(this.#written, this.#written + CHANGES_PER_RECORD);
      const by = this.#by === undefined ? {} : { by: this.#by };
      const bytes = encodeRecord({ at: this.at, ...by, changes: part } satisfies ChangeRecord);
      this.records.push({ bytes, changes: part.length });
      this.#written += part.length;
      yield;
    }
  }
}

/**
 * A position between two changes. `at`: time of the preceding change. A store restored from a backup reuses
 * numbers, but with different times.
 */
export interface LogPlace {
  /** Number of the next change. */
  readonly next: number;
  /** Unix time in ms. */
  readonly at: number;
}

/** A record with its position in the log. */
export interface LoggedRecord extends ChangeRecord {
  /** Number of the record's first change. */
  readonly first: number;
}

/** A reader cannot continue: unread changes are trimmed, or its position is not from this log. */
export class LogGap extends Error {}

/**
 * The log of a workspace's changes, `w/<ws>/f/<number>/<position>`: written in the transaction of each
 * change, retained up to a number of bytes. Changes are numbered. The position is the number of bytes ever
 * written before a record, so that the log can be trimmed by its keys alone. Readers page through it and wait
 * for new records.
 */
export class ChangeLog {
  readonly #kv: Kv;
  readonly #keys: Keys;
  readonly #keepBytes: number;
  readonly #onMoved: () => void;
  /** Position of the next record, including records that are not durable yet. */
  #number = 1;
  #position = 0;
  /** Position after the last durable record. */
  #end: LogPlace = { next: 1, at: 0 };
  #endPosition = 0;
  /** Everything before this position is trimmed; unknown until the first trim. */
  #trimmedNumber = 0;
  #trimmedPosition = 0;
  #trimming = false;
  readonly #waiting = new Set<() => void>();
  /** Why the log can no longer be followed. */
  #closed: Error | undefined;

  /** `onMoved` is called after each commit that appended changes. */
  constructor(kv: Kv, keys: Keys, keepBytes: number, onMoved: () => void) {
    this.#kv = kv;
    this.#keys = keys;
    this.#keepBytes = keepBytes;
    this.#onMoved = onMoved;
  }

  /** Finds the end of the log. */
  async open(): Promise<void> {
    const all = prefixRange(this.#keys.allChanges(), 1);
    const [[last], [first]] = await Promise.all([
      this.#kv.range({ ...all, reverse: true }),
      this.#kv.keys(all),
    ]);
    if (!last || first === undefined) return;
    const [key, bytes] = last;
    const [number, position] = lastTwoNumbers(key);
    const { at, changes } = CHANGE_RECORDS.decode(bytes, key);
    this.#number = number + changes.length;
    this.#position = position + sizeOf(key, bytes);
    this.#end = { next: this.#number, at };
    this.#endPosition = this.#position;
    [this.#trimmedNumber, this.#trimmedPosition] = lastTwoNumbers(first);
  }

  /** Writes the changes of a transaction at its commit point. */
  append(draft: Draft, { records, at }: PreparedChanges): void {
    if (records.length === 0) return;
    for (const { bytes, changes } of records) {
      const key = this.#keys.change(this.#number, this.#position);
      draft.put(key, bytes);
      this.#number += changes;
      this.#position += sizeOf(key, bytes);
    }
    const [end, position] = [{ next: this.#number, at }, this.#position];
    draft.onDurable(() => {
      this.#end = end;
      this.#endPosition = position;
      for (const wake of [...this.#waiting]) wake();
      this.#onMoved();
    });
  }

  /** Position after the last change. */
  get end(): LogPlace {
    return this.#end;
  }

  /** Position of the oldest retained change. */
  get oldest(): LogPlace {
    return { next: this.#trimmedNumber, at: 0 };
  }

  /** Whether the log is so long that the caller must now call `trim`. */
  startsTrim(): boolean {
    const kept = this.#endPosition - this.#trimmedPosition;
    if (this.#trimming || kept <= this.#keepBytes * (1 + SLACK)) return false;
    this.#trimming = true;
    return true;
  }

  /**
   * Removes the oldest records beyond the limit, but never the last one, from which numbering continues after
   * a restart.
   */
  async trim(): Promise<void> {
    try {
      const from = this.#endPosition - this.#keepBytes;
      for (let isDone = false; !isDone; ) {
        const page = await this.#kv.keys(prefixRange(this.#keys.allChanges(), TRIM_PAGE));
        const kept = page.findIndex((key) => lastTwoNumbers(key)[1] >= from);
        const gone = page.slice(0, kept < 0 ? -1 : kept);
        const after = page[gone.length];
        if (gone.length === 0 || after === undefined) return;
        [this.#trimmedNumber, this.#trimmedPosition] = lastTwoNumbers(after);
        const ops = gone.map((key) => ({ key, value: undefined }));
        await this.#kv.transact(() => ({ ops, apply: () => undefined }), { sync: false });
        isDone = kept >= 0;
      }
    } finally {
      this.#trimming = false;
    }
  }

  /** Ends waiting calls of `moved`; later calls reject, too. */
  close(error: Error): void {
    this.#closed = error;
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves once the log has changes after `next`, or a signal aborts. */
  moved({ next }: LogPlace, signals: readonly AbortSignal[]): Promise<void> {
    if (this.#closed) return Promise.reject(this.#closed);
    if (this.#end.next > next || signals.some(({ aborted }) => aborted)) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const wake = () => {
        for (const signal of signals) signal.removeEventListener("abort", wake);
        this.#waiting.delete(wake);
        if (this.#closed) reject(this.#closed);
        else resolve();
      };
      this.#waiting.add(wake);
      for (const signal of signals) signal.addEventListener("abort", wake);
    });
  }

  /**
   * Throws LogGap if a reader cannot continue from this position: later changes are trimmed, or the position
   * is from another log.
   */
  async check({ next, at }: LogPlace): Promise<void> {
    if (next > this.#end.next) throw new LogGap("it is ahead of the log");
    if (next < this.#trimmedNumber) throw new LogGap("the changes after it are not kept any more");
    const before = await this.#recordBefore(next);
    if (before && before.at !== at) throw new LogGap("it is of another time of the store");
  }

  /** Pages of records from a position to the current end of the log. Throws LogGap like `check`. */
  async *pages(place: LogPlace): AsyncGenerator<LoggedRecord[]> {
    let { next } = place;
    const around = await this.#recordBefore(next);
    if (around && around.first + around.changes.length > next) {
      yield [{ ...around, first: next, changes: around.changes.slice(next - around.first) }];
      next = around.first + around.changes.length;
    }
    while (next < this.#end.next) {
      const range = { ...prefixRange(this.#keys.allChanges(), PAGE_RECORDS), maxBytes: PAGE_BYTES };
      const found = await this.#kv.range({ ...range, gte: this.#keys.changesFrom(next) });
      // the changes read are complete only if none was trimmed meanwhile
      if (next < this.#trimmedNumber) throw new LogGap("the changes after it are not kept any more");
      const page = found.map(([key, bytes]) => ({
        ...CHANGE_RECORDS.decode(bytes, key),
        first: lastTwoNumbers(key)[0],
      }));
      const last = page.at(-1);
      if (!last) return;
      yield page;
      next = last.first + last.changes.length;
    }
  }

  async #recordBefore(next: number): Promise<LoggedRecord | undefined> {
    const range = { gte: this.#keys.allChanges(), lt: this.#keys.changesFrom(next), limit: 1, reverse: true };
    const [found] = await this.#kv.range(range);
    if (!found) return undefined;
    const [key, bytes] = found;
    return { ...CHANGE_RECORDS.decode(bytes, key), first: lastTwoNumbers(key)[0] };
  }
}

/** End of a workspace's log, without opening the workspace; undefined if it has no changes. */
export async function endOfChanges(kv: Kv, keys: Keys): Promise<LogPlace | undefined> {
  const [last] = await kv.range({ ...prefixRange(keys.allChanges(), 1), reverse: true });
  if (!last) return undefined;
  const [key, bytes] = last;
  const { at, changes } = CHANGE_RECORDS.decode(bytes, key);
  return { next: lastTwoNumbers(key)[0] + changes.length, at };
}

const sizeOf = (key: string, bytes: Uint8Array): number => key.length + bytes.byteLength;
