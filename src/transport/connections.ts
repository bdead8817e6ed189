import type { Server as Http1Server, IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Session } from "node:http2";
import type { Socket, Server as TcpServer } from "node:net";

export type HttpRequest = IncomingMessage | Http2ServerRequest;
export type HttpResponse = ServerResponse | Http2ServerResponse;
export type HttpHandler = (request: HttpRequest, response: HttpResponse) => void;

/** How many connections are open at once, and how long silent ones stay. Times in milliseconds. */
export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Connections that have shown no valid key: beyond, the oldest of them is cut. */
  readonly maxStrangers: number;
  /** A connection that has shown no valid key and moves no byte for so long is cut, whatever it waits for. */
  readonly strangerIdleMs: number;
  /** The same for one that has shown a key and on which no request is under way. */
  readonly idleMs: number;
}

/** An open connection. */
interface Connection {
  readonly socket: Socket;
  session: ServerHttp2Session | undefined;
  /** A request on it has shown a valid key, or the server needs none. */
  isKnown: boolean;
  /** Requests under way. */
  requests: number;
  /** Bytes in and out when they were last looked at, and when they last changed. */
  moved: number;
  movedAt: number;
}

/** Emitted on the socket of an HTTP/1.1 request, or on the session of one of HTTP/2, when it has shown a valid key. */
const IDENTIFIED = "ctxdb:identified";
/** Between looks at silent connections. */
const LOOK_MS = 2000;

/** Reports that a request has shown a valid key: the limits of strangers no longer hold for its connection. */
export function reportIdentified(request: HttpRequest): void {
  if ("stream" in request) request.stream.session?.emit(IDENTIFIED);
  else request.socket.emit(IDENTIFIED);
}

/** The open connections, which of them have to go, and how they end. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  /** Those that have shown no valid key, the oldest first. */
  readonly #strangers = new Set<Connection>();
  readonly #ofSession = new WeakMap<ServerHttp2Session, Connection>();
  /** What carries TLS: ends with what it carries, or with its handshake. */
  readonly #unsecured = new Set<Socket>();
  readonly #limits: ConnectionLimits;
  readonly #handler: HttpHandler;
  readonly #look: NodeJS.Timeout;
  #closing = false;

  constructor(handler: HttpHandler, limits: ConnectionLimits) {
    this.#handler = handler;
    this.#limits = limits;
    const every = Math.min(LOOK_MS, limits.strangerIdleMs, limits.idleMs);
    this.#look = setInterval(() => this.#cutSilent(performance.now()), every).unref();
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Takes a new connection, which the oldest stranger makes room for where there are too many. */
  add(socket: Socket): void {
    const now = performance.now();
    const connection = { socket, session: undefined, isKnown: false, requests: 0, moved: 0, movedAt: now };
    this.#open.set(socket, connection);
    this.#strangers.add(connection);
    socket.once("close", () => this.#forget(connection));
    socket.on(IDENTIFIED, () => this.#recognize(connection));
    // whoever reads the socket hears of its errors; none may end the process meanwhile
    socket.on("error", () => undefined);
    if (this.#open.size > this.#limits.maxConnections || this.#strangers.size > this.#limits.maxStrangers) this.#makeRoom();
  }

  addUnsecured(socket: Socket): void {
    this.#unsecured.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => this.#unsecured.delete(socket));
    if (this.#unsecured.size > this.#limits.maxConnections) [...this.#unsecured][0]?.destroy();
  }

  addSession(session: ServerHttp2Session, socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection) {
      connection.session = session;
      this.#ofSession.set(session, connection);
    }
    session.on(IDENTIFIED, () => connection && this.#recognize(connection));
    session.on("error", () => undefined);
    // Node closes the socket of a session that ends in order, but not of one that broke the protocol
    session.once("close", () => socket.destroy());
    if (this.#closing) session.close();
  }

  readonly serve: HttpHandler = (request, response) => {
    const connection = this.#of(request);
    if (connection) {
      connection.requests++;
      response.once("close", () => this.#end(connection));
      response.on("error", () => undefined);
      request.on("error", () => undefined);
    }
    if (this.#closing && request.httpVersionMajor === 1) (response as ServerResponse).setHeader("Connection", "close");
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
      for (const { session, socket } of this.#open.values()) {
        session?.destroy();
        socket.destroy();
      }
      for (const socket of this.#unsecured) socket.destroy();
    }, graceMs);
    await closed;
    clearTimeout(cut);
  }

  #of(request: HttpRequest): Connection | undefined {
    if (!("stream" in request)) return this.#open.get(request.socket);
    const { session } = request.stream;
    return session && this.#ofSession.get(session as ServerHttp2Session);
  }

  #end(connection: Connection): void {
    connection.requests--;
    if (this.#closing && connection.requests === 0 && connection.session === undefined) connection.socket.destroySoon();
  }

  #forget(connection: Connection): void {
    this.#open.delete(connection.socket);
    this.#strangers.delete(connection);
  }

  #recognize(connection: Connection): void {
    connection.isKnown = true;
    this.#strangers.delete(connection);
  }

  /** Cuts the oldest stranger, or the connection that has been silent longest where all have shown a key. */
  #makeRoom(): void {
    const [stranger] = this.#strangers;
    if (stranger !== undefined) {
      cut(stranger);
      return;
    }
    let silent: Connection | undefined;
    for (const one of this.#open.values()) if (one.requests === 0 && (silent === undefined || one.movedAt < silent.movedAt)) silent = one;
    if (silent !== undefined) cut(silent);
  }

  #cutSilent(now: number): void {
    for (const connection of this.#open.values()) {
      const { socket, session, isKnown, requests } = connection;
      const moved = socket.bytesRead + socket.bytesWritten;
      if (moved !== connection.moved) Object.assign(connection, { moved, movedAt: now });
      const silentMs = now - connection.movedAt;
      const limit = isKnown ? this.#limits.idleMs : this.#limits.strangerIdleMs;
      if (session?.destroyed || (silentMs > limit && (!isKnown || requests === 0))) cut(connection);
    }
  }
}

function cut({ session, socket }: Connection): void {
  if (session && !session.destroyed) session.destroy();
  socket.destroy();
}
