import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A message as received. */
export interface Received {
  readonly path: string;
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly text: string;
  readonly body: {
    readonly type: string;
    readonly timestamp: string;
    readonly webhook_id: string;
    readonly data: { readonly changes?: readonly { readonly kind: string; readonly uri: string }[] };
  };
}

/** A receiver's answer: an HTTP status, or a function that does something else. */
type Answering = (message: Received, response: ServerResponse) => number | undefined;

/** A loopback webhook receiver whose answers the test decides. */
export class WebhookReceiver {
  readonly url: string;
  readonly received: Received[] = [];
  answer: Answering = () => 204;
  readonly #server;
  readonly #waiting = new Set<() => void>();

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    server.on("request", (request, response) => void this.#take(request, response));
  }

  static async open(): Promise<WebhookReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new WebhookReceiver(server);
  }

  /** `kind URI` of all changes answered with success, in order of arrival. */
  lines(taken: readonly Received[] = this.received): string[] {
    return taken.flatMap(({ body }) => (body.data.changes ?? []).map(({ kind, uri }) => `${kind} ${uri}`));
  }

  /** Resolves once the condition holds for the received messages. */
  async until(isThere: () => boolean): Promise<void> {
    while (!isThere())
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
      });
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => undefined);
    try {
      const sent = await text(request);
      const header = (name: string) => String(request.headers[name] ?? "");
      const message: Received = {
        path: request.url ?? "",
        id: header("webhook-id"),
        timestamp: header("webhook-timestamp"),
        signature: header("webhook-signature"),
        text: sent,
        body: JSON.parse(sent),
      };
      this.received.push(message);
      const status = this.answer(message, response);
      if (status !== undefined) response.writeHead(status).end();
    } catch {
      response.destroy();
    }
    for (const wake of [...this.#waiting]) wake();
  }
}

/** Computes a message's signature as defined by Standard Webhooks. */
export function signatureOf(secret: string, { id, timestamp, text: body }: Received): string {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}
