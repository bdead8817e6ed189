import { type ClientHttp2Session, connect } from "node:http2";
import type { Log } from "../../base/log.ts";
import type { Member } from "../../storage/stores.ts";

/** Timeout in ms for connecting to another server. */
const CONNECT_MS = 3000;
/** Ping interval in ms, and response timeout after which a connection counts as broken. */
const PING_MS = 2000;
const SILENCE_MS = 8000;
/**
 * Flow-control window in bytes per call, which bounds the buffer for a slow caller. Large enough for
 * transfers between machines in the same network.
 */
const WINDOW_BYTES = 128 * 1024;
/**
 * Time in ms after a failed attempt in which a server counts as unreachable, so that calls share attempts.
 */
const AWAY_MS = 200;
const SESSION_MEMORY_MB = 256;
const MAX_HEADER_PAIRS = 2000;

/** HTTP/2 connections to the other servers of a store: one to each, opened on first use. */
export class Peers {
  readonly #log: Log;
  readonly #sessions = new Map<number, Promise<ClientHttp2Session>>();
  readonly #open = new Map<number, ClientHttp2Session>();
  /** Time of the last failed connection attempt, by member. */
  readonly #away = new Map<number, number>();
  #isClosed = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Rejects if the member is unreachable; it has then received nothing. */
  async session({ number, url }: Member): Promise<ClientHttp2Session> {
    if (this.#isClosed) throw new Error("the server is shutting down");
    const known = this.#open.get(number);
    if (known && !known.closed && !known.destroyed) return known;
    if (performance.now() - (this.#away.get(number) ?? Number.NEGATIVE_INFINITY) < AWAY_MS)
      throw new Error("the server is unreachable");
    const opening = this.#sessions.get(number) ?? this.#connect(number, url);
    this.#sessions.set(number, opening);
    try {
      const session = await opening;
      this.#away.delete(number);
      return session;
    } catch (error) {
      this.#away.set(number, performance.now());
      throw error;
    } finally {
      if (this.#sessions.get(number) === opening) this.#sessions.delete(number);
    }
  }

  /** Aborts exchanges with members whose lease has ended, because these may no longer answer. */
  keep(living: readonly Member[]): void {
    const numbers = new Set(living.map(({ number }) => number));
    for (const [number, session] of this.#open) if (!numbers.has(number)) session.destroy();
    for (const number of this.#away.keys()) if (!numbers.has(number)) this.#away.delete(number);
  }

  close(): void {
    this.#isClosed = true;
    for (const session of this.#open.values()) session.destroy();
  }

  #connect(number: number, url: string): Promise<ClientHttp2Session> {
    return new Promise((resolve, reject) => {
      const session = connect(url, {
        settings: { initialWindowSize: WINDOW_BYTES, enablePush: false },
        maxSessionMemory: SESSION_MEMORY_MB,
        maxHeaderListPairs: MAX_HEADER_PAIRS,
      });
      const late = setTimeout(
        () => session.destroy(new Error(`no connection in ${CONNECT_MS} ms`)),
        CONNECT_MS,
      );
      const beating = setInterval(() => beat(session), PING_MS).unref();
      session.once("connect", () => {
        clearTimeout(late);
        if (this.#isClosed) session.destroy();
        this.#open.set(number, session);
        resolve(session);
      });
      session.on("error", (error) => {
        this.#log.warn({ err: error, url }, "the connection to another server broke");
        reject(error);
      });
      session.once("close", () => {
        clearTimeout(late);
        clearInterval(beating);
        if (this.#open.get(number) === session) this.#open.delete(number);
        reject(new Error("the connection was closed"));
      });
      // this connection must not keep the process alive
      session.unref();
    });
  }
}

const UNANSWERED = new WeakMap<ClientHttp2Session, number>();

/** Pings the other server; destroys the connection if an earlier ping was not answered in time. */
function beat(session: ClientHttp2Session): void {
  if (session.destroyed || session.connecting) return;
  const since = UNANSWERED.get(session);
  if (since !== undefined) {
    if (performance.now() - since > SILENCE_MS) session.destroy(new Error(`no answer in ${SILENCE_MS} ms`));
    return;
  }
  UNANSWERED.set(session, performance.now());
  session.ping(() => UNANSWERED.delete(session));
}
