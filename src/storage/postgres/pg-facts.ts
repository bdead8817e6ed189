import { itemAt } from "../../base/expect.ts";
import type { RecordKind } from "../record-codec.ts";
import { type FactTally, NO_TALLY, type ServerFacts, TALLIES } from "../server-facts.ts";
import type { Query } from "./connection.ts";

/** Server facts as rows of a shared store. */
export class PgFacts implements ServerFacts {
  readonly #query: Query;

  constructor(query: Query) {
    this.#query = query;
  }

  async settle<T>(fact: string, kind: RecordKind<T>, value: T): Promise<T> {
    await this.#query("INSERT INTO ctxdb.facts (key, value) VALUES ($1, $2::jsonb) ON CONFLICT DO NOTHING", [
      fact,
      JSON.stringify(value),
    ]);
    return kind.parse(itemAt(await this.#read(fact), 0), fact);
  }

  async add(fact: string, more: FactTally): Promise<void> {
    await this.#query(
      `INSERT INTO ctxdb.facts (key, value) VALUES ($1, $2::jsonb)
       ON CONFLICT (key) DO UPDATE SET value = ctxdb.together(facts.value, excluded.value)`,
      [fact, JSON.stringify(more)],
    );
  }

  async tally(fact: string): Promise<FactTally> {
    const [stored] = await this.#read(fact);
    return stored === undefined ? NO_TALLY : TALLIES.parse(stored, fact);
  }

  async #read(fact: string): Promise<string[]> {
    const rows = await this.#query<{ value: string }>(
      "SELECT value::text AS value FROM ctxdb.facts WHERE key = $1",
      [fact],
    );
    return rows.map(({ value }) => value);
  }
}
