import { type Kv, keyPages, pairPages, prefixRange } from "../storage/kv.ts";
import { encodeRecord } from "../storage/record-codec.ts";
import type { Keys } from "./keys.ts";
import { type ChangeFact, JOURNAL_RECORDS, type JournalRecord } from "./records.ts";

const PAGE = 200;
/** Keys per transaction of a trim. */
const TRIM_PAGE = 2000;
/** Facts per record, so that reading or writing a record is fast. */
const FACTS_PER_RECORD = 1000;

/** Journal records of a transaction, encoded before their numbers are known. */
export class PreparedJournal {
  /** At least one after `write`, so that every transaction has a number. */
  readonly records: Uint8Array[] = [];
  readonly #at: number;
  #written = 0;

  constructor(at: number) {
    this.#at = at;
  }

  /** Encodes facts, one record per step. */
  *write(facts: readonly ChangeFact[]): Generator<void> {
    while (this.#written < facts.length || this.records.length === 0) {
      const part = facts.slice(this.#written, this.#written + FACTS_PER_RECORD);
      this.records.push(encodeRecord({ at: this.#at, facts: part } satisfies JournalRecord));
      this.#written += part.length;
      yield;
    }
  }
}

interface Place {
  readonly kv: Kv;
  readonly keys: Keys;
}

/** The facts of all records from a number on, record by record. */
export async function* journalSince(
  { kv, keys }: Place,
  sequence: number,
): AsyncGenerator<readonly ChangeFact[]> {
  const range = { ...prefixRange(keys.allJournal(), PAGE), gte: keys.journal(sequence) };
  for await (const page of pairPages(kv, range))
    for (const [, value] of page) yield JOURNAL_RECORDS.decode(value).facts;
}

/** Removes the records before a number, which are covered by a checkpoint or the entries. */
export async function trimJournal({ kv, keys }: Place, before: number): Promise<void> {
  const range = { gte: keys.allJournal(), lt: keys.journal(before), limit: TRIM_PAGE };
  for await (const old of keyPages(kv, range))
    await kv.transact(
      () => ({ ops: old.map((key) => ({ key, value: undefined })), apply: () => undefined }),
      { sync: false },
    );
}
