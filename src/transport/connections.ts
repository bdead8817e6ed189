import type { Server as Http1Server, IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Session } from "node:http2";
import type { Socket, Server as TcpServer } from "node:net";

export type HttpRequest = IncomingMessage | Http2ServerRequest;
export type HttpResponse = ServerResponse | Http2ServerResponse;
export type HttpHandler = (request: HttpRequest, response: HttpResponse) => void;

/** The open connections, and how they end. */
export class Connections {
  readonly #sockets = new Set<Socket>();
  /** What carries TLS: ends with what it carries, or with its handshake. */
  readonly #unsecured = new Set<Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  /** Sockets that end by themselves: those of sessions, and those of HTTP/1.1 requests under way. */
  readonly #busy = new Set<Socket>();
  readonly #handler: HttpHandler;
  #closing = false;

  constructor(handler: HttpHandler) {
    this.#handler = handler;
  }

  add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once("close", () => {
      this.#sockets.delete(socket);
      this.#busy.delete(socket);
    });
  }

  addUnsecured(socket: Socket): void {
    this.#unsecured.add(socket);
    socket.once("close", () => this.#unsecured.delete(socket));
  }

  markHttp2(socket: Socket): void {
    this.#busy.add(socket);
  }

  addSession(session: ServerHttp2Session): void {
    this.#sessions.add(session);
    session.once("close", () => this.#sessions.delete(session));
    if (this.#closing) session.close();
  }

  readonly serve: HttpHandler = (request, response) => {
    if (request.httpVersionMajor === 1) {
      const { socket } = request as IncomingMessage;
      this.#busy.add(socket);
      if (this.#closing) (response as ServerResponse).setHeader("Connection", "close");
      response.once("close", () => {
        this.#busy.delete(socket);
        if (this.#closing) socket.destroySoon();
      });
    }
    this.#handler(request, response);
  };

  async close(servers: readonly [TcpServer, Http1Server], graceMs: number): Promise<void> {
    this.#closing = true;
    const [tcp, h1] = servers;
    const closed = new Promise<void>((resolve) => tcp.close(() => resolve()));
    h1.close(() => undefined);
    for (const session of this.#sessions) session.close();
    for (const socket of this.#sockets) if (!this.#busy.has(socket)) socket.destroy();
    const cut = setTimeout(() => {
      for (const session of this.#sessions) session.destroy();
      for (const socket of [...this.#sockets, ...this.#unsecured]) socket.destroy();
    }, graceMs);
    await closed;
    clearTimeout(cut);
  }
}
