import type { IncomingMessage, ServerResponse } from "node:http";
import { ScriptedServer } from "./scripted-server.ts";

export type RerankScript = (answer: ServerResponse, body: Record<string, unknown>) => void;

/** A fake reranking server with configurable answers. */
export class RerankServer extends ScriptedServer {
  readonly bodies: Record<string, unknown>[] = [];
  readonly keys: (string | undefined)[] = [];
  script: RerankScript = () => undefined;

  protected take(request: IncomingMessage, text: string, answer: ServerResponse, hear: () => void): void {
    const body = JSON.parse(text) as Record<string, unknown>;
    this.bodies.push(body);
    this.keys.push(request.headers.authorization);
    hear();
    this.script(answer, body);
  }
}
