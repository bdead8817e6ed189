import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const answerWith = (
  answer: ServerResponse,
  body: string | object,
  status = 200,
  headers: Record<string, string> = {},
): void => {
  answer.writeHead(status, {
    "content-type": typeof body === "string" ? "text/html" : "application/json",
    ...headers,
  });
  answer.end(typeof body === "string" ? body : JSON.stringify(body));
};

/** A server on a free port that plays the part of a provider. */
export abstract class ScriptedServer {
  #server = createServer();
  #port = 0;
  #heard: () => void = () => undefined;

  get url(): string {
    return `http://127.0.0.1:${this.#port}/v1`;
  }

  /** Starts it, on its previous port if it had one. */
  async start(): Promise<void> {
    this.#server = createServer((request, answer) => void this.#answer(request, answer));
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Closes all connections and stops the server. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Resolves with the next request. */
  heard(): Promise<void> {
    return new Promise((resolve) => {
      this.#heard = resolve;
    });
  }

  /** Passes one request to `hear` and then answers it. */
  protected abstract take(
    request: IncomingMessage,
    body: string,
    answer: ServerResponse,
    hear: () => void,
  ): void;

  async #answer(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    this.take(request, Buffer.concat(parts).toString(), answer, () => this.#heard());
  }
}
