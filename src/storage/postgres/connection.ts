import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { before } from "../../base/deadline.ts";
import type { Log } from "../../base/log.ts";
import { type ServiceError, unavailable } from "../../domain/errors.ts";

/** Timeouts in ms for connecting, and for a statement. */
const CONNECT_MS = 5000;
const STATEMENT_MS = 30_000;
/** Bytes of values per ms that are added to the limit of a large statement. */
const BYTES_PER_MS = 2000;
/** Bytes of values above which a statement has a longer limit, which takes two more round trips. */
const LARGE_BYTES = 8 * 1024 * 1024;

type Row = Readonly<Record<string, unknown>>;

/** Object ids (OIDs) of the PostgreSQL types that results contain; all others are read as text. */
const BOOL = 16;
const BYTEA = 17;
const NUMBERS: ReadonlySet<number> = new Set([20, 23]);
/** Length of the prefix `\x` before the hexadecimal digits of a `bytea`. */
const BYTES_AT = 2;

const parserOf = (type: number) => (value: string) => {
  if (NUMBERS.has(type)) return Number(value);
  if (type === BOOL) return value === "t";
  return type === BYTEA ? Buffer.from(value.slice(BYTES_AT), "hex") : value;
};

/**
 * One connection to the store, opened on first use and reopened after it broke. Statements run one at a time.
 */
export class Connection {
  readonly #url: string;
  readonly #log: Log;
  readonly #opened: (query: Query) => Promise<void>;
  #client: Promise<pg.Client> | undefined;
  /** Statement time limit of the current connection in ms; 0: none. */
  #limitMs = STATEMENT_MS;
  #last: Promise<unknown> = Promise.resolve();
  #fault: unknown;

  /**
   * `opened` is called with every new connection before its first use; if it rejects, the connection is
   * closed.
   */
  constructor(url: string, log: Log, opened: (query: Query) => Promise<void> = async () => undefined) {
    this.#url = url;
    this.#log = log;
    this.#opened = opened;
  }

  /** Rejects with a database error (see `sqlStateOf`), or with UNAVAILABLE if the outcome is unknown. */
  readonly query: Query = (text, values, name) => {
    const turn = this.#last.then(() => this.#query<never>(text, values, name));
    this.#last = turn.catch(() => undefined);
    return turn;
  };

  /** The last connection error; undefined if the store responded. */
  get fault(): unknown {
    return this.#fault;
  }

  /**
   * Streams the output of COPY … TO STDOUT. It has no total time limit, but fails after STATEMENT_MS without
   * data. Stopping early closes the connection.
   */
  async *copy(text: string): AsyncGenerator<Uint8Array> {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const turn = this.#last;
    this.#last = turn.then(() => finished);
    await turn;
    let opening: Promise<pg.Client> | undefined;
    let isWhole = false;
    try {
      opening = this.#open();
      const client = await opening;
      await this.#limit(client, 0);
      const parts = client.query(copyTo(text))[Symbol.asyncIterator]();
      for (;;) {
        const silence = AbortSignal.timeout(STATEMENT_MS);
        const { done, value } = await before(silence, parts.next());
        if (done) break;
        yield value as Uint8Array;
      }
      isWhole = true;
    } catch (error) {
      throw this.#away(error);
    } finally {
      if (!isWhole && opening) this.#drop(opening);
      finish();
    }
  }

  async #query<R>(text: string, values?: readonly unknown[], name?: string): Promise<R[]> {
    const opening = this.#open();
    const client = await opening.catch((error) => {
      throw this.#away(error);
    });
    const limitMs = limitOf(values);
    try {
      await this.#limit(client, limitMs);
      return await run<R>(client, text, values, name, limitMs);
    } catch (error) {
      if (isRefusal(error)) throw error;
      this.#drop(opening);
      throw this.#away(error);
    }
  }

  /** Sets the statement time limit in ms (0: none), unless the connection has it already. */
  async #limit(client: pg.Client, limitMs: number): Promise<void> {
    if (this.#limitMs === limitMs) return;
    await run(client, `SET statement_timeout = ${limitMs}`);
    this.#limitMs = limitMs;
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.then((opened) => opened.end()).catch(() => undefined);
  }

  #open(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    const forget = () => {
      if (this.#client === opening) this.#client = undefined;
    };
    const opening = this.#connect(forget).catch((error: unknown) => {
      forget();
      throw error;
    });
    this.#client = opening;
    return opening;
  }

  /** `onBroken` is called when the connection breaks, even while idle. */
  async #connect(onBroken: () => void): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: STATEMENT_MS,
      keepAlive: true,
      application_name: "ctxdb",
      types: { getTypeParser: parserOf },
    });
    client.on("error", onBroken);
    client.on("end", onBroken);
    try {
      await client.connect();
      this.#limitMs = STATEMENT_MS;
      await this.#opened((text, values) => run(client, text, values));
      return client;
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
  }

  #drop(broken: Promise<pg.Client>): void {
    if (this.#client === broken) this.#client = undefined;
    void broken.then((client) => client.end()).catch(() => undefined);
  }

  #away(error: unknown): ServiceError {
    this.#fault = error;
    this.#log.warn({ err: error }, "the store does not answer");
    return unavailable("the store does not answer; try again later");
  }
}

/**
 * Runs one statement with values, or without values several statements that return no rows. A statement with
 * a name is prepared once per connection.
 */
export type Query = <R = Row>(text: string, values?: readonly unknown[], name?: string) => Promise<R[]>;

async function run<R>(
  client: pg.Client,
  text: string,
  values?: readonly unknown[],
  name?: string,
  limitMs = STATEMENT_MS,
): Promise<R[]> {
  // set per statement: a limit of the client would end a long COPY although rows arrive
  const limits = { query_timeout: limitMs };
  const query = values
    ? { text, values: [...values], queryMode: "extended", ...limits, ...(name !== undefined && { name }) }
    : { text, ...limits };
  const { rows } = await client.query(query);
  return rows as R[];
}

/** Time limit of a statement in ms: longer if its values take long to send and to write. */
function limitOf(values: readonly unknown[] | undefined): number {
  let bytes = 0;
  for (const value of values ?? []) if (value instanceof Uint8Array) bytes += value.byteLength;
  return bytes < LARGE_BYTES ? STATEMENT_MS : STATEMENT_MS + Math.ceil(bytes / BYTES_PER_MS);
}

/** The SQLSTATE of a database error; undefined for other errors. */
export const sqlStateOf = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.code : undefined;

/** SQLSTATE classes of errors after which nothing was written and the connection is still usable. */
const REFUSALS = /^(?:CX|22|23|42|54|P0)/;

export const isRefusal = (error: unknown): boolean => REFUSALS.test(sqlStateOf(error) ?? "");
