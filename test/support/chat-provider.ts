import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as the provider received it. */
export interface ProviderRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

export type ProviderScript = (request: ProviderRequest, response: ServerResponse) => void | Promise<void>;

/** A fake provider of chat APIs that gives configured answers and records its requests. */
export interface ChatProvider {
  readonly url: string;
  readonly requests: ProviderRequest[];
  /** Sets the answer for all further requests. */
  script: ProviderScript;
  /** Resolves with the next request that its caller aborts. */
  readonly hungUp: () => Promise<void>;
  close(): Promise<void>;
}

export async function chatProvider(onPort = 0): Promise<ChatProvider> {
  const requests: ProviderRequest[] = [];
  const waiting: (() => void)[] = [];
  const provider: { script: ProviderScript } = { script: answersByApi };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    response.on("close", () => {
      if (!response.writableFinished) for (const resolve of waiting.splice(0)) resolve();
    });
    response.on("error", () => undefined);
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers, rawHeaders } = request;
      const received = { method, url, headers, rawHeaders, body: Buffer.concat(chunks) };
      requests.push(received);
      void provider.script(received, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(onPort, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    get script() {
      return provider.script;
    },
    set script(script) {
      provider.script = script;
    },
    hungUp: () => new Promise((resolve) => waiting.push(resolve)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers `Answer N.` in the format of the requested API, streamed if the request asks for it. */
export const answersByApi: ProviderScript = (request, response) => {
  const path = request.url.split("?")[0] ?? "";
  const body = request.body.length === 0 ? {} : (JSON.parse(request.body.toString()) as { stream?: boolean });
  const text = "Fine, noted.";
  if (path.endsWith("/count_tokens")) return sendJson(response, { input_tokens: 42 });
  if (path.endsWith("/models")) return sendJson(response, { object: "list", data: [{ id: "model-1" }] });
  if (path.endsWith("/messages"))
    return body.stream
      ? sendEvents(response, messageEvents([{ text }]))
      : sendJson(response, message([{ text }]));
  if (path.endsWith("/responses"))
    return body.stream
      ? sendEvents(response, responseEvents(text))
      : sendJson(response, openaiResponse(text));
  return body.stream ? sendEvents(response, chunkEvents(text)) : sendJson(response, completion(text));
};

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": body.length,
    "request-id": "req_of_the_provider",
  });
  response.end(body);
}

/** Formats one server-sent event; events of chat completions have no name. */
export interface ProviderEvent {
  readonly event?: string;
  readonly data: unknown;
}

const lineOf = ({ event, data }: ProviderEvent): string =>
  `${event === undefined ? "" : `event: ${event}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

/** Sends events in chunks of `size` bytes, regardless of event boundaries. */
export function sendEvents(response: ServerResponse, events: readonly ProviderEvent[], size = 7): void {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "request-id": "req_stream" });
  const bytes = Buffer.from(events.map(lineOf).join(""));
  for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
  response.end();
}

export const eventText = (events: readonly ProviderEvent[]): string => events.map(lineOf).join("");

export interface ScriptedBlock {
  readonly text?: string;
  readonly tool?: { readonly id: string; readonly name: string; readonly input: object };
}

const USAGE = { input_tokens: 10, output_tokens: 5 };

export const message = (blocks: readonly ScriptedBlock[]) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "model-1",
  content: blocks.map(({ text, tool }) =>
    tool === undefined ? { type: "text", text } : { type: "tool_use", ...tool },
  ),
  stop_reason: blocks.some(({ tool }) => tool) ? "tool_use" : "end_turn",
  stop_sequence: null,
  usage: USAGE,
});

export function messageEvents(blocks: readonly ScriptedBlock[]): ProviderEvent[] {
  const named = (data: { type: string }): ProviderEvent => ({ event: data.type, data });
  const { content: _, ...begun } = message(blocks);
  const inner = blocks.flatMap(({ text = "", tool }, index) => {
    const deltas = tool === undefined ? pieces(text) : pieces(JSON.stringify(tool.input));
    return [
      {
        type: "content_block_start",
        index,
        content_block:
          tool === undefined
            ? { type: "text", text: "" }
            : { type: "tool_use", id: tool.id, name: tool.name, input: {} },
      },
      { type: "ping" },
      ...deltas.map((piece) => ({
        type: "content_block_delta",
        index,
        delta:
          tool === undefined
            ? { type: "text_delta", text: piece }
            : { type: "input_json_delta", partial_json: piece },
      })),
      { type: "content_block_stop", index },
    ];
  });
  return [
    { type: "message_start", message: { ...begun, content: [], stop_reason: null } },
    ...inner,
    { type: "message_delta", delta: { stop_reason: begun.stop_reason, stop_sequence: null }, usage: USAGE },
    { type: "message_stop" },
  ].map(named);
}

function pieces(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; at += 4) found.push(text.slice(at, at + 4));
  return found;
}

const MADE = { id: "chatcmpl-1", created: 1, model: "model-1" };

export const completion = (content: string | null, toolCalls?: readonly object[]) => ({
  ...MADE,
  object: "chat.completion",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content, refusal: null, ...(toolCalls && { tool_calls: toolCalls }) },
      logprobs: null,
      finish_reason: toolCalls ? "tool_calls" : "stop",
    },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
});

export function chunkEvents(content: string): ProviderEvent[] {
  const chunk = (delta: object, finish_reason: string | null = null): ProviderEvent => ({
    data: { ...MADE, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] },
  });
  return [
    chunk({ role: "assistant", content: "" }),
    ...pieces(content).map((piece) => chunk({ content: piece })),
    chunk({}, "stop"),
    { data: "[DONE]" },
  ];
}

export const openaiResponse = (text: string, id = "resp_1") => ({
  id,
  object: "response",
  created_at: 1,
  model: "model-1",
  status: "completed",
  error: null,
  incomplete_details: null,
  output: [
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text, annotations: [] }],
    },
  ],
  usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
});

export function responseEvents(text: string, id = "resp_1"): ProviderEvent[] {
  const whole = openaiResponse(text, id);
  const events = [
    { type: "response.created", response: { ...whole, status: "in_progress", output: [] } },
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { type: "message", id: "msg_1", role: "assistant", status: "in_progress", content: [] },
    },
    {
      type: "response.content_part.added",
      item_id: "msg_1",
      output_index: 0,
      content_index: 0,
      part: { type: "output_text", text: "", annotations: [] },
    },
    ...pieces(text).map((delta) => ({
      type: "response.output_text.delta",
      item_id: "msg_1",
      output_index: 0,
      content_index: 0,
      delta,
    })),
    { type: "response.output_text.done", item_id: "msg_1", output_index: 0, content_index: 0, text },
    { type: "response.output_item.done", output_index: 0, item: whole.output[0] },
    { type: "response.completed", response: whole },
  ];
  return events.map((data, sequence_number) => ({ event: data.type, data: { ...data, sequence_number } }));
}
