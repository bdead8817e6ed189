import {
  createServer as createHttp1,
  type Server as Http1Server,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import {
  constants,
  createServer as createHttp2,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { createServer as createTcp, type Socket, type Server as TcpServer } from "node:net";
import { createServer as createTls, type TLSSocket } from "node:tls";
import { StartError } from "../../base/start-error.ts";
import { BROWSER_GUARDS, GuardedHttp1Response, GuardedHttp2Response } from "../guarded-response.ts";
import { LISTEN_LIMITS, type ListenLimits, openFilesLimit, withinOpenFiles } from "./connection-limits.ts";
import { Connections, type CutReason, type HttpHandler } from "./connections.ts";
import type { TlsFiles } from "./tls.ts";

/** Additional share of connections that Node accepts above the limits, while older ones close. */
const ARRIVING_SHARE = 0.1;
const H2_SESSION_MEMORY_MB = 64;
/**
 * Listen backlog; the system may allow less. Clients in larger bursts retry after a second, including those
 * with a key.
 */
const WAITING_CONNECTIONS = 4096;
const PREFACE = Buffer.from("PRI ");

export interface Listener {
  readonly host: string;
  readonly port: number;
  /**
   * Stops accepting connections, lets running requests finish for at most `graceMs`, then closes the rest.
   */
  close(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly limits?: ListenLimits;
  /** If set, only TLS connections are accepted. */
  readonly tls?: TlsFiles;
  readonly handler: HttpHandler;
  /** Called for each connection that the server closes. */
  readonly onCut?: (reason: CutReason) => void;
}

/**
 * Listens on one TCP port for HTTP/1.1 and HTTP/2, which are distinguished by ALPN with TLS, otherwise by the
 * first bytes.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const limits = withinOpenFiles(options.limits ?? LISTEN_LIMITS, openFilesLimit());
  const connections = new Connections(options.handler, limits, options.onCut ?? (() => undefined));
  const h1 = http1Server(limits, connections);
  const h2 = http2Server(limits, connections);
  const serve = (socket: Socket, isHttp2: boolean) => {
    if (!isHttp2) return void h1.emit("connection", socket);
    // the session is created during the event
    const join = (session: ServerHttp2Session) => connections.addSession(session, socket);
    h2.once("session", join);
    h2.emit("connection", socket);
    h2.off("session", join);
  };
  const tcp = options.tls
    ? secureServer(options.tls, limits, connections, serve)
    : plainServer(limits, connections, serve);
  // above our own limit, so that Node never refuses a connection: our limit closes the oldest one instead
  tcp.maxConnections = Math.ceil(
    (limits.maxConnections + limits.strangers.maxConnections) * (1 + ARRIVING_SHARE),
  );
  tcp.on("drop", () => undefined);
  await new Promise<void>((resolve, reject) => {
    // keep this listener: failing to accept a connection (no file descriptors) is an error, too
    tcp.on("error", (error: NodeJS.ErrnoException) => reject(refusal(error, options)));
    tcp.listen(options.port, options.host, WAITING_CONNECTIONS, () => resolve());
  });
  const bound = tcp.address();
  if (bound === null || typeof bound === "string") throw new Error("listening on no TCP port");
  return { host: bound.address, port: bound.port, close: (graceMs) => connections.close([tcp, h1], graceMs) };
}

type Serve = (socket: Socket, isHttp2: boolean) => void;

/** TCP keep-alive detects clients that have disappeared. */
const SOCKET_OPTIONS = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 } as const;

const plainServer = (limits: ListenLimits, connections: Connections, serve: Serve): TcpServer =>
  createTcp(SOCKET_OPTIONS, (socket) => {
    connections.add(socket);
    sniff(socket, limits.headersTimeoutMs, (isHttp2) => serve(socket, isHttp2));
  });

function secureServer(
  tls: TlsFiles,
  limits: ListenLimits,
  connections: Connections,
  serve: Serve,
): TcpServer {
  const server = createTls({
    ...SOCKET_OPTIONS,
    ...tls,
    minVersion: "TLSv1.2",
    ALPNProtocols: ["h2", "http/1.1"],
    handshakeTimeout: limits.headersTimeoutMs,
  });
  server.on("connection", (socket: Socket) => connections.addUnsecured(socket));
  server.on("secureConnection", (socket: TLSSocket) => {
    connections.add(socket);
    serve(socket, socket.alpnProtocol === "h2");
  });
  server.on("tlsClientError", (_, socket) => socket.destroy());
  return server;
}

const REFUSALS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another process listens there: set CTXDB_PORT to another port, or to 0 for any free one",
  EACCES: "this process may not use the port: set CTXDB_PORT to a number above 1023",
  EADDRNOTAVAIL: "this machine does not have the address: set CTXDB_HOST to one of its addresses",
  ENOTFOUND: "the name cannot be resolved: set CTXDB_HOST to an address of this machine",
};

/** Explains to operators why the address could not be bound. */
function refusal(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): StartError {
  return new StartError(
    `cannot listen on ${host}:${port}: ${REFUSALS[error.code ?? ""] ?? error.message}`,
    error,
  );
}

function http1Server(limits: ListenLimits, connections: Connections): Http1Server {
  const server = createHttp1(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveMs,
      maxHeaderSize: limits.maxHeaderBytes,
      connectionsCheckingInterval: Math.min(5000, limits.headersTimeoutMs),
      ServerResponse: GuardedHttp1Response,
      // refused later, with the API's error body
      requireHostHeader: false,
    },
    connections.serve,
  );
  server.on("clientError", refuseBroken);
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    if (response.destroyed) return;
    response.writeContinue();
    connections.serve(request, response);
  });
  server.on("dropRequest", (_: IncomingMessage, socket: Socket) => socket.destroy());
  // ignore unknown expectations (RFC 9110, section 10.1.1); Node would answer 417
  server.on("checkExpectation", connections.serve);
  // This server never listens itself, but the event starts its timeouts for slow headers and bodies.
  server.emit("listening");
  return server;
}

function http2Server(limits: ListenLimits, connections: Connections): Http2Server {
  const server = createHttp2(
    {
      Http2ServerResponse: GuardedHttp2Response,
      maxSessionMemory: H2_SESSION_MEMORY_MB,
      settings: {
        // raised after a valid key
        maxConcurrentStreams: limits.strangers.maxStreams,
        maxHeaderListSize: limits.maxHeaderBytes,
      },
    },
    connections.serve,
  );
  // without a listener, Node answers "Expect: 100-continue" itself and throws if the stream is gone
  server.on("checkContinue", (request: Http2ServerRequest, response: Http2ServerResponse) => {
    if (request.stream.closed || request.stream.destroyed) return;
    try {
      response.writeContinue();
    } catch {
      return;
    }
    connections.serve(request, response);
  });
  server.on("stream", (stream: ServerHttp2Stream) => {
    // a stream reset by its client emits an error if nothing reads or writes it
    stream.on("error", () => undefined);
    stream.setTimeout(limits.bodyIdleMs, () => {
      const isAnswered = stream.writableEnded || stream.writableLength > 0;
      if (isAnswered || !stream.readableEnded) stream.close(constants.NGHTTP2_CANCEL);
    });
  });
  server.on("checkExpectation", connections.serve);
  for (const event of ["sessionError", "clientError", "error"]) server.on(event, () => undefined);
  server.on("unknownProtocol", (socket: Socket) => socket.destroy());
  return server;
}

/** Waits for enough bytes to detect the protocol, then puts them back into the socket. */
function sniff(socket: Socket, timeoutMs: number, decided: (isHttp2: boolean) => void): void {
  let head: Buffer = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  const giveUp = () => socket.destroy();
  const look = () => {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) return;
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    const shown = Math.min(head.length, PREFACE.length);
    const same = head.subarray(0, shown).equals(PREFACE.subarray(0, shown));
    if (same && shown < PREFACE.length) return;
    clearTimeout(timer);
    socket.off("readable", look).off("error", giveUp).off("end", giveUp);
    socket.unshift(head);
    decided(same);
  };
  socket.on("readable", look).on("error", giveUp).on("end", giveUp);
  socket.once("close", () => clearTimeout(timer));
}

const BROKEN: Readonly<Record<string, readonly [status: string, reason: string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "the headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "the request took too long to arrive"],
};

/** Answers malformed HTTP with the API's error body if possible. */
function refuseBroken(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, reason] = BROKEN[error.code ?? ""] ?? ["400 Bad Request", "the request is not valid HTTP"];
  const details = { field: "request", reason };
  const body = JSON.stringify({
    status: "error",
    error: { code: "INVALID_ARGUMENT", message: reason, details },
    time: 0,
  });
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
    ...BROWSER_GUARDS,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`);
}
