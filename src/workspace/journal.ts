import { encodeRecord } from "../storage/records.ts";
import type { ChangeFact, JournalRecord } from "./records.ts";

/** Facts per record, so that writing and reading one takes about a millisecond. */
const FACTS_PER_RECORD = 1000;

/** The journal records of a change, written before their numbers are known. */
export class PreparedJournal {
  /** At least one after `write`, so that every change has a number. */
  readonly records: Uint8Array[] = [];
  readonly #at: number;
  #written = 0;

  constructor(at: number) {
    this.#at = at;
  }

  /** Appends facts, in steps of one record. */
  *write(facts: readonly ChangeFact[]): Generator<void> {
    while (this.#written < facts.length || this.records.length === 0) {
      const part = facts.slice(this.#written, this.#written + FACTS_PER_RECORD);
      this.records.push(encodeRecord({ at: this.#at, facts: part } satisfies JournalRecord));
      this.#written += part.length;
      yield;
    }
  }
}
