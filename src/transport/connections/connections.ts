import type { Server as Http1Server, IncomingMessage, ServerResponse } from "node:http";
import {
  constants,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type Http2Session,
  type ServerHttp2Session,
} from "node:http2";
import type { Socket, Server as TcpServer } from "node:net";
import type { Caller } from "../../domain/caller.ts";
import type { ListenLimits } from "./limits.ts";
import { networkOf } from "./network.ts";
import { Shares } from "./shares.ts";

export type HttpRequest = IncomingMessage | Http2ServerRequest;
export type HttpResponse = ServerResponse | Http2ServerResponse;
/** The host and port that a request names, in the form of its protocol. */
export function authorityOf({ headers }: HttpRequest): string | undefined {
  const pseudo = headers[":authority"];
  return typeof pseudo === "string" ? pseudo : headers.host;
}

export type HttpHandler = (request: HttpRequest, response: HttpResponse) => void;

/**
 * Why a connection was cut: it was silent, took nothing of an answer, gave no sign of life, made room for
 * others, reset too many requests, or sent too much without a key.
 */
export type CutReason = "silent" | "stalled" | "dead" | "room" | "resets" | "bytes";

/** An open connection. */
interface Connection {
  readonly socket: Socket;
  session: ServerHttp2Session | undefined;
  /** Whom it is counted for: its network (an address), and once it has shown a valid key the account. */
  holder: string;
  /** A request on it has shown a valid key, or the server needs none. */
  isKnown: boolean;
  /** Requests under way, and when the last one ended. */
  requests: number;
  usedAt: number;
  /** Bytes in and out when they were last looked at, and when they last changed. */
  moved: number;
  movedAt: number;
  /** It has been asked for a sign of life since then. */
  isAsked: boolean;
  /** Requests that it may still reset, and when that was true. */
  resetsLeft: number;
  resetsAt: number;
}

/**
 * Emitted on the socket of an HTTP/1.1 request, or on the session of one of HTTP/2, when it has shown a valid
 * key.
 */
const IDENTIFIED = "ctxdb:identified";
/** Between looks at silent connections. */
const LOOK_MS = 2000;
/** Share of requests that are kept when there are too many at once. */
const RELIEVED_SHARE = 0.9;
/** For telling a client why its connection ends. */
const GOODBYE_MS = 1000;
/** Requests that one connection may reset at once, and each second; with a key and without. */
const RESETS = { known: { burst: 1000, perSecond: 100 }, stranger: { burst: 100, perSecond: 10 } } as const;
/**
 * Unread bytes of HTTP/2 that are taken for one stream, and for all of a connection: large enough for uploads
 * once there is a key.
 */
const STREAM_WINDOW_BYTES = 1024 * 1024;
const SESSION_WINDOW_BYTES = 4 * STREAM_WINDOW_BYTES;

/** Reports whose valid key a request has shown: the limits of strangers no longer hold for its connection. */
export function reportIdentified(request: HttpRequest, caller: Caller): void {
  if ("stream" in request) request.stream.session?.emit(IDENTIFIED, caller);
  else request.socket.emit(IDENTIFIED, caller);
}

/** The open connections, which of them have to go, and how they end. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  /** Those that have shown no valid key, by network, and those that have, by account. */
  readonly #strangers = new Shares<Connection>();
  readonly #known = new Shares<Connection>();
  readonly #ofSession = new WeakMap<Http2Session, Connection>();
  /** TLS handshakes under way, and what carries TLS by the other end's port: it ends with what it carries. */
  readonly #handshakes = new Shares<Socket>();
  readonly #carriers = new Map<string, Socket>();
  readonly #limits: ListenLimits;
  readonly #handler: HttpHandler;
  readonly #onCut: (reason: CutReason) => void;
  readonly #look: NodeJS.Timeout;
  #strangerRequests = 0;
  #knownRequests = 0;
  #closing = false;

  constructor(handler: HttpHandler, limits: ListenLimits, onCut: (reason: CutReason) => void) {
    this.#handler = handler;
    this.#limits = limits;
    this.#onCut = onCut;
    const every = Math.min(
      LOOK_MS,
      limits.strangers.idleMs,
      limits.sessionIdleMs,
      limits.aliveMs,
      limits.stallMs,
    );
    this.#look = setInterval(() => this.#lookAtAll(performance.now()), every).unref();
  }

  /** Accepts a connection; above the limit, the holder of the most connections loses one. */
  add(socket: Socket): void {
    const now = performance.now();
    const holder = networkOf(socket.remoteAddress);
    const at = { usedAt: now, movedAt: now, resetsAt: now };
    const zero = { requests: 0, moved: 0, session: undefined };
    const connection: Connection = {
      ...{ socket, holder, ...zero, ...at },
      ...{ isKnown: false, isAsked: false, resetsLeft: RESETS.stranger.burst },
    };
    this.#endHandshake(socket);
    if (this.#strangers.size >= this.#limits.strangers.maxConnections) this.#makeRoom(this.#strangers);
    if (this.#open.size >= this.#limits.maxConnections)
      this.#makeRoom(this.#known.largest > this.#strangers.largest ? this.#known : this.#strangers);
    this.#open.set(socket, connection);
    this.#strangers.add(holder, connection);
    socket.once("close", () => this.#forget(connection));
    socket.on(IDENTIFIED, (caller: Caller) => this.#recognize(connection, caller));
    // the reader of the socket handles its errors; unhandled ones must not end the process
    socket.on("error", () => undefined);
  }

  /** Takes a connection whose TLS handshake begins. */
  addUnsecured(socket: Socket): void {
    const network = networkOf(socket.remoteAddress);
    const end = otherEnd(socket);
    if (this.#handshakes.size >= this.#limits.strangers.maxConnections) {
      this.#handshakes.giveWay(() => true)?.destroy();
      this.#onCut("room");
    }
    this.#handshakes.add(network, socket);
    this.#carriers.set(end, socket);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      this.#handshakes.delete(network, socket);
      if (this.#carriers.get(end) === socket) this.#carriers.delete(end);
    });
  }

  addSession(session: ServerHttp2Session, socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection) {
      connection.session = session;
      this.#ofSession.set(session, connection);
    }
    session.on(IDENTIFIED, (caller: Caller) => connection && this.#recognize(connection, caller));
    session.on("error", () => undefined);
    closeAfterRead(session);
    // Node closes the socket of a session that ends in order, but not of one that broke the protocol
    session.once("close", () => socket.destroy());
    if (this.#closing) session.close();
  }

  readonly serve: HttpHandler = (request, response) => {
    response.on("error", () => undefined);
    request.on("error", () => undefined);
    const connection = this.#of(request);
    // reset before it was handled: no response needed
    if ("stream" in request && (request.stream.closed || request.stream.destroyed)) {
      if (connection) this.#countReset(connection);
      return;
    }
    if (connection) this.#begin(connection, request, response);
    if (this.#closing && !("stream" in response)) response.setHeader("Connection", "close");
    this.#handler(request, response);
  };

  async close(servers: readonly [TcpServer, Http1Server], graceMs: number): Promise<void> {
    this.#closing = true;
    clearInterval(this.#look);
    const [tcp, h1] = servers;
    const closed = new Promise<void>((resolve) => tcp.close(() => resolve()));
    h1.close(() => undefined);
    for (const { session, socket, requests } of this.#open.values()) {
      if (session) session.close();
      else if (requests === 0) socket.destroy();
    }
    const cut = setTimeout(() => {
      for (const connection of this.#open.values()) destroy(connection);
      for (const socket of this.#carriers.values()) socket.destroy();
    }, graceMs);
    await closed;
    clearTimeout(cut);
  }

  #of(request: HttpRequest): Connection | undefined {
    if (!("stream" in request)) return this.#open.get(request.socket);
    const { session } = request.stream;
    const connection = session && this.#ofSession.get(session);
    // one that was cut may still tell of requests that came in the same packet
    return connection && this.#open.has(connection.socket) ? connection : undefined;
  }

  #begin(connection: Connection, request: HttpRequest, response: HttpResponse): void {
    connection.requests++;
    const { maxRequests, strangers } = this.#limits;
    if (connection.isKnown) {
      if (++this.#knownRequests > maxRequests) this.#relieve(true, maxRequests);
    } else if (++this.#strangerRequests > strangers.maxRequests) this.#relieve(false, strangers.maxRequests);
    response.once("close", () => {
      if (!this.#open.has(connection.socket)) return;
      connection.requests--;
      connection.usedAt = performance.now();
      if (connection.isKnown) this.#knownRequests--;
      else this.#strangerRequests--;
      if ("stream" in request && request.stream.rstCode !== constants.NGHTTP2_NO_ERROR)
        this.#countReset(connection);
      if (this.#closing && connection.requests === 0 && connection.session === undefined)
        connection.socket.destroySoon();
    });
  }

  #endHandshake(socket: Socket): void {
    const carrier = this.#carriers.get(otherEnd(socket));
    if (carrier) this.#handshakes.delete(networkOf(carrier.remoteAddress), carrier);
  }

  /** Its requests no longer count from now on, although their responses close a little later. */
  #forget(connection: Connection): void {
    const { socket, holder, isKnown, requests } = connection;
    if (!this.#open.delete(socket)) return;
    (isKnown ? this.#known : this.#strangers).delete(holder, connection);
    if (isKnown) this.#knownRequests -= requests;
    else this.#strangerRequests -= requests;
  }

  /**
   * A connection counts as that of the first caller whose key it has shown: a proxy may carry many over it.
   */
  #recognize(connection: Connection, caller: Caller): void {
    if (connection.isKnown || !this.#open.has(connection.socket)) return;
    this.#strangers.delete(connection.holder, connection);
    this.#strangerRequests -= connection.requests;
    this.#knownRequests += connection.requests;
    Object.assign(connection, { isKnown: true, holder: accountOf(caller), resetsLeft: RESETS.known.burst });
    this.#known.add(connection.holder, connection);
    const { session } = connection;
    if (session === undefined || session.destroyed || session.closed) return;
    session.settings({
      maxConcurrentStreams: this.#limits.maxStreams,
      initialWindowSize: STREAM_WINDOW_BYTES,
    });
    session.setLocalWindowSize(SESSION_WINDOW_BYTES);
  }

  #countReset(connection: Connection): void {
    const { burst, perSecond } = connection.isKnown ? RESETS.known : RESETS.stranger;
    const now = performance.now();
    const more = ((now - connection.resetsAt) / 1000) * perSecond;
    connection.resetsLeft = Math.min(burst, connection.resetsLeft + more) - 1;
    connection.resetsAt = now;
    if (connection.resetsLeft < 0) this.#cut(connection, "resets");
  }

  #makeRoom(among: Shares<Connection>): void {
    const one = among.giveWay(({ requests }) => requests === 0);
    if (one !== undefined) this.#cut(one, "room");
  }

  /**
   * Cuts connections of whoever has most requests under way, those with the most first, until some more have
   * room.
   */
  #relieve(isKnown: boolean, most: number): void {
    const ofHolder = new Map<string, number>();
    let busiest: { readonly holder: string; readonly requests: number } | undefined;
    for (const one of this.#open.values()) {
      if (one.isKnown !== isKnown) continue;
      const { holder } = one;
      const requests = (ofHolder.get(holder) ?? 0) + one.requests;
      ofHolder.set(holder, requests);
      if (requests > (busiest?.requests ?? 0)) busiest = { holder, requests };
    }
    const theirs = [...this.#open.values()].filter(
      (one) => one.isKnown === isKnown && one.holder === busiest?.holder && one.requests > 0,
    );
    theirs.sort((one, other) => other.requests - one.requests);
    for (const one of theirs) {
      if ((isKnown ? this.#knownRequests : this.#strangerRequests) <= most * RELIEVED_SHARE) return;
      this.#cut(one, "room");
    }
  }

  #cut(connection: Connection, reason: CutReason): void {
    if (!this.#open.has(connection.socket)) return;
    // at once, and not when its socket has closed: until then it would be chosen again
    this.#forget(connection);
    this.#onCut(reason);
    const { session, socket } = connection;
    if (reason !== "resets" || session === undefined || session.destroyed) {
      destroy(connection);
      return;
    }
    session.destroy(new Error("too many requests were reset"), constants.NGHTTP2_ENHANCE_YOUR_CALM);
    setTimeout(() => socket.destroy(), GOODBYE_MS).unref();
  }

  #lookAtAll(now: number): void {
    for (const connection of this.#open.values()) {
      const { socket } = connection;
      const moved = socket.bytesRead + socket.bytesWritten;
      if (moved !== connection.moved) Object.assign(connection, { moved, movedAt: now, isAsked: false });
      const reason = connection.isKnown
        ? this.#faultOfKnown(connection, now)
        : this.#faultOfStranger(connection, now);
      if (reason !== undefined) this.#cut(connection, reason);
    }
  }

  #faultOfStranger({ socket, session, movedAt }: Connection, now: number): CutReason | undefined {
    const { idleMs, maxBytes } = this.#limits.strangers;
    if (session?.destroyed) return "dead";
    if (now - movedAt > idleMs) return "silent";
    return socket.bytesRead > maxBytes ? "bytes" : undefined;
  }

  #faultOfKnown(connection: Connection, now: number): CutReason | undefined {
    const { socket, session, requests, movedAt, usedAt } = connection;
    const { aliveMs, stallMs, sessionIdleMs } = this.#limits;
    if (session === undefined)
      return socket.writableLength > 0 && now - movedAt > stallMs ? "stalled" : undefined;
    if (session.destroyed) return "dead";
    if (requests === 0 && now - usedAt > sessionIdleMs) {
      if (session.closed) return "silent";
      session.close();
      return undefined;
    }
    if (now - movedAt <= aliveMs) return undefined;
    if (connection.isAsked) return now - movedAt > 2 * aliveMs ? "dead" : undefined;
    // a session that broke the protocol, or whose client has gone without a word, does not answer
    connection.isAsked = true;
    return session.ping(() => undefined) ? undefined : "dead";
  }
}

const accountOf = ({ role, account, accountIncarnation }: Caller): string =>
  role === "root" ? "" : `${account}+${accountIncarnation}`;

const otherEnd = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Node 20 closes a session while it still reads the packet that held a GOAWAY frame: a request behind that
 * frame then overwrites freed memory and ends the process. Closed after the packet was read, all is well.
 * Node 22 is not affected.
 */
function closeAfterRead(session: ServerHttp2Session): void {
  const close = session.close.bind(session);
  session.close = (done) => {
    setImmediate(() => close(done));
  };
}

function destroy({ session, socket }: Connection): void {
  if (session && !session.destroyed) session.destroy();
  socket.destroy();
}
