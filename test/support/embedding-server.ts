import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { staticEmbedder } from "../../src/providers/builtin/static-embedding.ts";
import { answerWith, ScriptedServer } from "./scripted-server.ts";

const model = staticEmbedder(fileURLToPath(new URL("../../models", import.meta.url)));

/** The content of a request, in either of the two formats. */
export interface Asked {
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly texts: readonly string[];
  readonly body: { readonly model?: string; readonly dimensions?: number };
}

/** Answers one request; `vectors` are those that a correct server would return. */
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

/** Builds a correct answer with the given vectors. */
export const give = (answer: ServerResponse, asked: Asked, vectors: number[][]): void =>
  answerWith(answer, good(asked, vectors));

/** A fake embedding server with the APIs of OpenAI and Google and configurable answers. */
export class EmbeddingServer extends ScriptedServer {
  readonly asked: Asked[] = [];
  /** Answers all requests from now on. */
  script: Script = give;

  protected take(request: IncomingMessage, text: string, answer: ServerResponse, hear: () => void): void {
    const body = JSON.parse(text);
    const contents: { parts: { text: string }[] }[] = body.requests?.map(
      (one: { content: object }) => one.content,
    ) ?? [body.content];
    const texts: string[] = body.input ?? contents.map((content) => content.parts[0]!.text);
    const asked = { url: request.url ?? "", headers: request.headers, texts, body };
    this.asked.push(asked);
    // a simple model that gives every text a meaningful vector
    const vectors = texts.map((text) => Array.from(model.embedNow(text), (value) => 2 * value + 1e-6));
    hear();
    this.script(answer, asked, vectors);
  }
}
