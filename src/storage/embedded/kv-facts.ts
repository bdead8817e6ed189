import { FACTS } from "../key-owner.ts";
import type { Kv } from "../kv.ts";
import { encodeRecord, type RecordKind } from "../record-codec.ts";
import { type FactTally, NO_TALLY, type ServerFacts, TALLIES } from "../server-facts.ts";

const keyOf = (fact: string): string => `${FACTS}${fact}`;

/** ServerFacts as records of a store used by a single server. */
export class KvFacts implements ServerFacts {
  readonly #kv: Kv;

  constructor(kv: Kv) {
    this.#kv = kv;
  }

  settle<T>(fact: string, kind: RecordKind<T>, value: T): Promise<T> {
    const key = keyOf(fact);
    return this.#kv.transact((read) => {
      const known = kind.read(read, key);
      if (known !== undefined) return { ops: [], apply: () => known };
      return { ops: [{ key, value: encodeRecord(value) }], apply: () => value };
    });
  }

  add(fact: string, more: FactTally): Promise<void> {
    const key = keyOf(fact);
    return this.#kv.transact(
      (read) => ({
        ops: [{ key, value: encodeRecord(together(TALLIES.read(read, key) ?? NO_TALLY, more)) }],
        apply: () => undefined,
      }),
      { sync: false },
    );
  }

  async tally(fact: string): Promise<FactTally> {
    return TALLIES.read(this.#kv, keyOf(fact)) ?? NO_TALLY;
  }
}

function together(known: FactTally, more: FactTally): FactTally {
  const sums = { ...known.sums };
  for (const [name, amount] of Object.entries(more.sums)) sums[name] = (sums[name] ?? 0) + amount;
  const highest = { ...known.highest };
  for (const [name, value] of Object.entries(more.highest))
    highest[name] = Math.max(highest[name] ?? value, value);
  return { sums, highest };
}
