import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface HttpAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** A request of the load, with its parts in wire order. */
export interface HttpRequestSpec {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export function requestBytes({ method, path, headers = {}, body }: HttpRequestSpec): Buffer {
  const content = Buffer.from(body ?? "");
  const lines = Object.entries({
    host: "127.0.0.1",
    ...(body !== undefined && { "content-type": "application/json" }),
    ...headers,
  });
  const head = [
    `${method} ${path} HTTP/1.1`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    `content-length: ${content.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), content]);
}

const HEAD_END = Buffer.from("\r\n\r\n");

interface Waiting {
  readonly request: Buffer;
  readonly resolve: (answer: HttpAnswer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * One keep-alive connection over a bare socket with one request at a time, the cheapest possible client.
 * Answers must state their length. Servers close connections that are idle for long: a request that meets a
 * closed connection is sent again over a new one.
 */
export class Http1Connection {
  readonly #port: number;
  #socket: Socket;
  /** Whether it has carried an answer: only then can the server have closed it for being idle. */
  #isUsed = false;
  #received: Buffer = Buffer.alloc(0);
  #waiting: Waiting | undefined;

  private constructor(port: number, socket: Socket) {
    this.#port = port;
    this.#socket = this.#listenTo(socket);
  }

  static async open(port: number): Promise<Http1Connection> {
    return new Http1Connection(port, await connected(port));
  }

  send(request: Buffer): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { request, resolve, reject };
      if (this.#socket.destroyed) void this.#sendAgain();
      else this.#socket.write(request);
    });
  }

  #listenTo(socket: Socket): Socket {
    let fault = new Error("the server closed the connection");
    return socket
      .on("data", (chunk) => this.#take(chunk))
      .on("error", (error) => {
        fault = error;
      })
      .on("close", () => {
        if (this.#isUsed && this.#received.length === 0) void this.#sendAgain();
        else this.#waiting?.reject(fault);
      });
  }

  async #sendAgain(): Promise<void> {
    const waiting = this.#waiting;
    if (!waiting) return;
    try {
      this.#isUsed = false;
      this.#socket = this.#listenTo(await connected(this.#port));
      this.#socket.write(waiting.request);
    } catch (error) {
      waiting.reject(error as Error);
    }
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = this.#received.toString("latin1", 0, headEnd);
    const end = headEnd + HEAD_END.length + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#received.length < end) return;
    const body = this.#received.subarray(headEnd + HEAD_END.length, end);
    this.#received = this.#received.subarray(end);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#isUsed = true;
    waiting?.resolve({ status: Number(head.slice(9, 12)), body });
  }
}

async function connected(port: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  return socket;
}
