import type { IncomingMessage, ServerResponse } from "node:http";
import { answerWith, ScriptedServer } from "./scripted-server.ts";

/** The content of a request, in any of the three formats. */
export interface Asked {
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly system: string;
  readonly user: string;
  readonly body: Record<string, unknown>;
}

export type Script = (answer: ServerResponse, asked: Asked) => void;

/** Token usage reported with every answer. */
export const COST = { prompt: 100, completion: 20 };

/** Wraps a model's answer in the format of its API. */
export function say(answer: ServerResponse, { url }: Asked, said: string | object): void {
  const text = typeof said === "string" ? said : JSON.stringify(said);
  const { prompt, completion } = COST;
  if (url.endsWith("/chat/completions")) {
    answerWith(answer, {
      choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
      usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
    });
  } else if (url.endsWith("/messages")) {
    const usage = { input_tokens: prompt, output_tokens: completion };
    answerWith(answer, {
      type: "message",
      id: "1",
      model: "m",
      content: [{ type: "text", text }],
      stop_reason: "end_turn",
      usage,
    });
  } else {
    const usageMetadata = {
      promptTokenCount: prompt,
      candidatesTokenCount: completion,
      totalTokenCount: prompt + completion,
    };
    answerWith(answer, {
      candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: "STOP" }],
      usageMetadata,
    });
  }
}

/** A fake language model with the APIs of OpenAI, Anthropic and Google and configurable answers. */
export class LanguageServer extends ScriptedServer {
  readonly asked: Asked[] = [];
  /** Answers all requests from now on. */
  script: Script = (answer, asked) => say(answer, asked, {});

  protected take(request: IncomingMessage, text: string, answer: ServerResponse, hear: () => void): void {
    const body = JSON.parse(text);
    const [system, user] = [
      body.system ?? body.systemInstruction ?? body.messages[0],
      body.contents?.[0] ?? body.messages.at(-1),
    ];
    const asked = {
      url: request.url ?? "",
      headers: request.headers,
      system: wordsOf(system),
      user: wordsOf(user),
      body,
    };
    this.asked.push(asked);
    hear();
    this.script(answer, asked);
  }
}

/** Returns the text of a message in any of the formats. */
function wordsOf(tree: unknown): string {
  if (typeof tree === "string") return tree;
  if (Array.isArray(tree)) return tree.map(wordsOf).join("");
  const { content, parts, text } = tree as Record<string, unknown>;
  return wordsOf(content ?? parts ?? text ?? "");
}
