import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { staticEmbedder } from "../../src/providers/builtin/static-embedding.ts";

const model = staticEmbedder(fileURLToPath(new URL("../../models", import.meta.url)));

/** What a request asked, in either of the two forms. */
export interface Asked {
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly texts: readonly string[];
  readonly body: { readonly model?: string; readonly dimensions?: number };
}

/** Answers one request; `vectors` are what a good server would give. */
export type Script = (answer: ServerResponse, asked: Asked, vectors: number[][]) => void;

const good = (asked: Asked, vectors: number[][]): object =>
  asked.url.endsWith("/embeddings")
    ? {
        data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })),
        usage: { prompt_tokens: 3 * vectors.length, total_tokens: 3 * vectors.length },
      }
    : asked.url.endsWith(":batchEmbedContents")
      ? { embeddings: vectors.map((values) => ({ values })) }
      : { embedding: { values: vectors[0] } };

export const answerWith = (answer: ServerResponse, body: string | object, status = 200, headers: Record<string, string> = {}): void => {
  answer.writeHead(status, { "content-type": typeof body === "string" ? "text/html" : "application/json", ...headers });
  answer.end(typeof body === "string" ? body : JSON.stringify(body));
};

/** A good answer of those vectors. */
export const give = (answer: ServerResponse, asked: Asked, vectors: number[][]): void => answerWith(answer, good(asked, vectors));

/** An embedding server on a free port, of the API of OpenAI and of Google, that does what a test has written down. */
export class EmbeddingServer {
  readonly asked: Asked[] = [];
  /** What it does with requests from now on. */
  script: Script = give;
  #server = createServer();
  #port = 0;
  #heard: () => void = () => undefined;

  get url(): string {
    return `http://127.0.0.1:${this.#port}/v1`;
  }

  /** On the port that it had before, if it had one. */
  async start(): Promise<void> {
    this.#server = createServer((request, answer) => void this.#answer(request, answer));
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Cuts every connection and is gone. */
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

  async #answer(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString());
    const contents: { parts: { text: string }[] }[] = body.requests?.map((one: { content: object }) => one.content) ?? [body.content];
    const texts: string[] = body.input ?? contents.map((content) => content.parts[0]!.text);
    const asked = { url: request.url ?? "", headers: request.headers, texts, body };
    this.asked.push(asked);
    // a model of its own: it knows something of every text
    const vectors = texts.map((text) => Array.from(model.embedNow(text), (value) => 2 * value + 1e-6));
    this.#heard();
    this.script(answer, asked, vectors);
  }
}
