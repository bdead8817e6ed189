import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { staticEmbedder } from "../../src/providers/builtin/static-embedding.ts";
import { answerWith, ScriptedServer } from "./scripted-server.ts";

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

/** A good answer of those vectors. */
export const give = (answer: ServerResponse, asked: Asked, vectors: number[][]): void =>
  answerWith(answer, good(asked, vectors));

/** An embedding server of the API of OpenAI and of Google that does what a test has written down. */
export class EmbeddingServer extends ScriptedServer {
  readonly asked: Asked[] = [];
  /** What it does with requests from now on. */
  script: Script = give;

  protected take(request: IncomingMessage, text: string, answer: ServerResponse, hear: () => void): void {
    const body = JSON.parse(text);
    const contents: { parts: { text: string }[] }[] = body.requests?.map(
      (one: { content: object }) => one.content,
    ) ?? [body.content];
    const texts: string[] = body.input ?? contents.map((content) => content.parts[0]!.text);
    const asked = { url: request.url ?? "", headers: request.headers, texts, body };
    this.asked.push(asked);
    // a model of its own: it knows something of every text
    const vectors = texts.map((text) => Array.from(model.embedNow(text), (value) => 2 * value + 1e-6));
    hear();
    this.script(answer, asked, vectors);
  }
}
