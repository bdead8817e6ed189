import type { Server as Http1Server, IncomingMessage, ServerResponse } from "node:http";
import {
  constants,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type Http2Session,
  type ServerHttp2Session,
} from "node:http2";
import type { Socket, Server as TcpServer } from "node:net";
import { EventLoopYielder } from "../../base/event-loop.ts";
import type { Caller } from "../../domain/caller.ts";
import type { ListenLimits } from "./connection-limits.ts";
import { Shares } from "./holder-shares.ts";
import { networkOf } from "./network.ts";

export type HttpRequest = IncomingMessage | Http2ServerRequest;
export type HttpResponse = ServerResponse | Http2ServerResponse;
/** Host and port of a request, from the header of its protocol version. */
export function authorityOf({ headers }: HttpRequest): string | undefined {
  const pseudo = headers[":authority"];
  return typeof pseudo === "string" ? pseudo : headers.host;
}

/** `holder`: key under which limits count the connection: its network, or its account after a valid key. */
export type HttpHandler = (request: HttpRequest, response: HttpResponse, holder: string) => void;

/**
 * Why a connection was closed: it was idle, did not read a response, did not respond to pings, made room for
 * others, reset too many requests, or sent too much without a key.
 */
export type CutReason = "silent" | "stalled" | "dead" | "room" | "resets" | "bytes";

/** An open connection. */
interface Connection {
  readonly socket: Socket;
  session: ServerHttp2Session | undefined;
  /** Key for limits: the network (address), or the account after a valid key. */
  holder: string;
  /** Whether a request on the connection had a valid key, or the server needs none. */
  isKnown: boolean;
  /** Whether the connection is used by another server of the store to forward calls. */
  isPeer: boolean;
  /** Number of running requests, and when the last one ended. */
  requests: number;
  usedAt: number;
  /** Bytes transferred until the last check, and when they last changed. */
  moved: number;
  movedAt: number;
  /** Whether a ping was sent since then. */
  isAsked: boolean;
  /** Remaining request resets, and when they were counted. */
  resetsLeft: number;
  resetsAt: number;
}

/** Event on the socket (HTTP/1.1) or session (HTTP/2) after a request with a valid key. */
const IDENTIFIED = "ctxdb:identified";
/** Holder for connections of other servers of the store. */
const PEER = Symbol("peer");
type Holder = string | typeof PEER;
/** Interval in ms between checks for idle connections. */
const LOOK_MS = 2000;
/** Share of the request limit down to which connections are closed when it is exceeded. */
const RELIEVED_SHARE = 0.9;
/** Time in ms for a client to read why its connection is closed. */
const GOODBYE_MS = 1000;
/** Maximum request resets per connection (burst, and refill per second), with a valid key and without. */
const RESETS = { known: { burst: 1000, perSecond: 100 }, stranger: { burst: 100, perSecond: 10 } } as const;
/**
 * HTTP/2 flow-control windows per stream and per connection, large enough for uploads; used after a valid
 * key.
 */
const STREAM_WINDOW_BYTES = 1024 * 1024;
const SESSION_WINDOW_BYTES = 4 * STREAM_WINDOW_BYTES;

/** Reports a valid key on a connection, to which the limits for strangers then no longer apply. */
export function reportIdentified(request: HttpRequest, caller: Caller): void {
  reportKnown(request, accountOf(caller));
}

/** Reports a key that another server has to check; `holder` owns the connection for the limits. */
export function reportKnown(request: HttpRequest, holder: string): void {
  if ("stream" in request) request.stream.session?.emit(IDENTIFIED, holder);
  else request.socket.emit(IDENTIFIED, holder);
}

/** Marks a connection as used by another server of the store; limits per caller do not apply to it. */
export function reportPeer(request: HttpRequest): void {
  if ("stream" in request) request.stream.session?.emit(IDENTIFIED, PEER);
}

/** Whether a request's connection is encrypted. */
export const isEncrypted = (request: HttpRequest): boolean =>
  "stream" in request ? request.stream.session?.encrypted === true : "encrypted" in request.socket;

/** Tracks open connections, and decides which to close and how. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  /** Connections without a valid key by network, and those with one by account. */
  readonly #strangers = new Shares<Connection>();
  readonly #known = new Shares<Connection>();
  readonly #ofSession = new WeakMap<Http2Session, Connection>();
  /**
   * TCP sockets with a running TLS handshake by network, and all TCP sockets that carry TLS by remote address
   * and port. Both end with their connection.
   */
  readonly #handshakes = new Shares<Socket>();
  readonly #carriers = new Map<string, Socket>();
  readonly #limits: ListenLimits;
  readonly #handler: HttpHandler;
  readonly #onCut: (reason: CutReason) => void;
  readonly #look: NodeJS.Timeout;
  #strangerRequests = 0;
  #knownRequests = 0;
  #closing = false;
  #isLooking = false;

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
    this.#look = setInterval(() => void this.#lookAtAll(performance.now()), every).unref();
  }

  /** Adds a connection. Above the limit, closes a connection of the holder with the most. */
  add(socket: Socket): void {
    const now = performance.now();
    const holder = networkOf(socket.remoteAddress);
    const at = { usedAt: now, movedAt: now, resetsAt: now };
    const zero = { requests: 0, moved: 0, session: undefined };
    const connection: Connection = {
      ...{ socket, holder, ...zero, ...at },
      ...{ isKnown: false, isPeer: false, isAsked: false, resetsLeft: RESETS.stranger.burst },
    };
    this.#endHandshake(socket);
    if (this.#strangers.size >= this.#limits.strangers.maxConnections) this.#makeRoom(this.#strangers);
    if (this.#open.size >= this.#limits.maxConnections)
      this.#makeRoom(this.#known.largest > this.#strangers.largest ? this.#known : this.#strangers);
    this.#open.set(socket, connection);
    this.#strangers.add(holder, connection);
    socket.once("close", () => this.#forget(connection));
    socket.on(IDENTIFIED, (holder: Holder) => this.#recognize(connection, holder));
    // the reader of the socket handles errors; this listener only prevents a crash
    socket.on("error", () => undefined);
  }

  /** Adds a connection whose TLS handshake begins. */
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
    session.on(IDENTIFIED, (holder: Holder) => connection && this.#recognize(connection, holder));
    session.on("error", () => undefined);
    closeAfterRead(session);
    // Node closes the socket when a session ends cleanly, but not after a protocol error
    session.once("close", () => socket.destroy());
    if (this.#closing) session.close();
  }

  readonly serve = (request: HttpRequest, response: HttpResponse): void => {
    response.on("error", () => undefined);
    request.on("error", () => undefined);
    const connection = this.#of(request);
    // the request was reset before it was handled, so it needs no response
    if ("stream" in request && (request.stream.closed || request.stream.destroyed)) {
      if (connection) this.#countReset(connection);
      return;
    }
    if (connection) this.#begin(connection, request, response);
    if (this.#closing && !("stream" in response)) response.setHeader("Connection", "close");
    this.#handler(request, response, connection?.holder ?? "");
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
    // requests in the same packet may still arrive after the connection was closed
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

  /** Stops counting the connection's requests, although their responses close slightly later. */
  #forget(connection: Connection): void {
    const { socket, holder, isKnown, requests } = connection;
    if (!this.#open.delete(socket)) return;
    (isKnown ? this.#known : this.#strangers).delete(holder, connection);
    if (isKnown) this.#knownRequests -= requests;
    else this.#strangerRequests -= requests;
  }

  /**
   * Assigns a connection to the first caller with a valid key, even if a proxy carries many callers on it.
   */
  #recognize(connection: Connection, holder: Holder): void {
    if (connection.isKnown || !this.#open.has(connection.socket)) return;
    const isPeer = holder === PEER;
    this.#strangers.delete(connection.holder, connection);
    this.#strangerRequests -= connection.requests;
    this.#knownRequests += connection.requests;
    Object.assign(connection, { isKnown: true, isPeer, resetsLeft: RESETS.known.burst });
    connection.holder = isPeer ? "" : holder;
    if (!isPeer) this.#known.add(connection.holder, connection);
    const { session } = connection;
    if (session === undefined || session.destroyed || session.closed) return;
    session.settings({
      maxConcurrentStreams: isPeer ? this.#limits.maxRequests : this.#limits.maxStreams,
      initialWindowSize: STREAM_WINDOW_BYTES,
    });
    session.setLocalWindowSize(SESSION_WINDOW_BYTES);
  }

  #countReset(connection: Connection): void {
    if (connection.isPeer) return;
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
   * Closes connections of the busiest caller, those with the most requests first, until RELIEVED_SHARE is
   * reached.
   */
  #relieve(isKnown: boolean, most: number): void {
    const ofHolder = new Map<string, number>();
    let busiest: { readonly holder: string; readonly requests: number } | undefined;
    for (const one of this.#open.values()) {
      if (one.isKnown !== isKnown || one.isPeer) continue;
      const { holder } = one;
      const requests = (ofHolder.get(holder) ?? 0) + one.requests;
      ofHolder.set(holder, requests);
      if (requests > (busiest?.requests ?? 0)) busiest = { holder, requests };
    }
    const theirs = [...this.#open.values()].filter(
      (one) => one.isKnown === isKnown && !one.isPeer && one.holder === busiest?.holder && one.requests > 0,
    );
    theirs.sort((one, other) => other.requests - one.requests);
    for (const one of theirs) {
      if ((isKnown ? this.#knownRequests : this.#strangerRequests) <= most * RELIEVED_SHARE) return;
      this.#cut(one, "room");
    }
  }

  #cut(connection: Connection, reason: CutReason): void {
    if (!this.#open.has(connection.socket)) return;
    // forget it at once, not when the socket closes: otherwise it would be chosen again
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

  /** Yields to the event loop: thousands of connections may become idle at the same time. */
  async #lookAtAll(now: number): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const yielder = new EventLoopYielder();
    for (const connection of this.#open.values()) {
      const { socket } = connection;
      const moved = socket.bytesRead + socket.bytesWritten;
      if (moved !== connection.moved) Object.assign(connection, { moved, movedAt: now, isAsked: false });
      const reason = connection.isKnown
        ? this.#faultOfKnown(connection, now)
        : this.#faultOfStranger(connection, now);
      if (reason !== undefined) this.#cut(connection, reason);
      await yielder.yieldIfDue();
    }
    this.#isLooking = false;
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
    // a session does not respond after a protocol error, or when the client has disappeared
    connection.isAsked = true;
    return session.ping(() => undefined) ? undefined : "dead";
  }
}

const accountOf = ({ role, account, accountIncarnation }: Caller): string =>
  role === "root" ? "" : `${account}+${accountIncarnation}`;

const otherEnd = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Node 20 closes a session while it still reads a packet with a GOAWAY frame; a later request in that packet
 * then overwrites freed memory and crashes the process. Closing after the packet is safe. Node 22 is not
 * affected.
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
