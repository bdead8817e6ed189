import type { IncomingMessage, ServerResponse } from "node:http";
import { answerWith, ScriptedServer } from "./scripted-server.ts";

export interface Heard {
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type SpeechScript = (answer: ServerResponse, heard: Heard) => void;

/** Builds an answer in the format of OpenAI's transcriptions or of Google's models. */
export function saySpoken(answer: ServerResponse, { url }: Heard, text: string): void {
  const content = { role: "model", parts: [{ text: JSON.stringify({ text }) }] };
  if (url.endsWith("/audio/transcriptions")) answerWith(answer, { text });
  else
    answerWith(answer, {
      candidates: [{ content, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 3 },
    });
}

/** A fake transcription server with configurable answers. */
export class SpeechServer extends ScriptedServer {
  readonly requests: Heard[] = [];
  script: SpeechScript = (answer, heard) => saySpoken(answer, heard, "");

  protected take(request: IncomingMessage, body: string, answer: ServerResponse, hear: () => void): void {
    const heard = { url: request.url ?? "", headers: request.headers, body };
    this.requests.push(heard);
    hear();
    this.script(answer, heard);
  }
}
