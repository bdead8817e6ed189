import { ConnectError, createClient, type Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { ChangeService } from "../../gen/ctxdb/v1/change_pb.ts";
import { ErrorDetailSchema } from "../../gen/ctxdb/v1/error_pb.ts";

/** An event of WatchChanges in JSON form. */
export interface WatchedEvent {
  readonly event: string;
  readonly cursor: string;
  readonly change?: {
    readonly kind: string;
    readonly uri: string;
    readonly previousUri?: string | undefined;
  };
}

export interface WatchRequest {
  readonly uri?: string;
  readonly kinds?: readonly string[];
  readonly begin?: string;
  readonly cursor?: string;
}

/** Opens a stream over one protocol. Errors are thrown as strings that hold the error code. */
type Open = (
  baseUrl: string,
  request: WatchRequest,
  headers: Record<string, string>,
  signal: AbortSignal,
) => AsyncGenerator<WatchedEvent>;

function typed(transportOf: (baseUrl: string) => Transport): Open {
  return async function* (baseUrl, { kinds = [], ...request }, headers, signal) {
    const client = createClient(ChangeService, transportOf(baseUrl));
    try {
      for await (const message of client.watchChanges({ ...request, kinds: [...kinds] }, { headers, signal }))
        yield message;
    } catch (error) {
      const connectError = ConnectError.from(error);
      throw connectError.findDetails(ErrorDetailSchema)[0]?.code ?? connectError.rawMessage;
    }
  };
}

const overSse: Open = async function* (baseUrl, { kinds = [], cursor, ...request }, headers, signal) {
  const query = new URLSearchParams(request as Record<string, string>);
  for (const kind of kinds) query.append("kinds", kind);
  const answer = await fetch(`${baseUrl}/api/v1/changes?${query}`, {
    headers: { ...headers, ...(cursor !== undefined && { "Last-Event-ID": cursor }) },
    signal,
  });
  if (!answer.ok) throw ((await answer.json()) as { error: { code: string } }).error.code;
  let text = "";
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) yield parsed(event);
  }
};

function parsed(text: string): WatchedEvent {
  const fields = new Map(text.split("\n").map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  const data = JSON.parse(fields.get("data") ?? "");
  if (fields.get("event") === "error") throw data.code;
  const { previous_uri: previousUri, ...change } = data.change ?? {};
  return {
    event: fields.get("event") ?? "",
    cursor: fields.get("id") ?? "",
    ...(data.change && { change: { ...change, previousUri } }),
  };
}

export const CHANGE_WIRES: readonly (readonly [name: string, open: Open])[] = [
  ["gRPC", typed((baseUrl) => createGrpcTransport({ baseUrl }))],
  ["Connect over HTTP/1.1", typed((baseUrl) => createConnectTransport({ baseUrl, httpVersion: "1.1" }))],
  ["gRPC-Web", typed((baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" }))],
  ["Server-Sent Events", overSse],
];

/** An open stream that is read event by event. */
export class Watcher {
  /** The cursor after the last event read. */
  cursor = "";
  readonly #leave = new AbortController();
  readonly #events: AsyncGenerator<WatchedEvent>;

  constructor(open: Open, baseUrl: string, request: WatchRequest, headers: Record<string, string>) {
    this.#events = open(baseUrl, request, headers, this.#leave.signal);
  }

  /**
   * Returns the next event, or undefined if the stream ended normally. Rejects with the error code if it
   * ended with an error.
   */
  async next(): Promise<WatchedEvent | undefined> {
    const { value } = await this.#events.next();
    if (value) this.cursor = value.cursor;
    return value;
  }

  /**
   * Returns the next change as `kind URI`, with the old URI for a move. Skips heartbeats and the start event.
   */
  async changes(count: number): Promise<string[]> {
    const lines: string[] = [];
    while (lines.length < count) {
      const { change } = (await this.next()) ?? {};
      if (!change) continue;
      const { kind, uri, previousUri } = change;
      lines.push(previousUri === undefined ? `${kind} ${uri}` : `${kind} ${previousUri} ${uri}`);
    }
    return lines;
  }

  /** Resolves with the code of the error that ends the stream. */
  async failure(): Promise<string> {
    try {
      while (await this.next());
      return "OK";
    } catch (code) {
      return String(code);
    }
  }

  async leave(): Promise<void> {
    this.#leave.abort();
    await this.#events.next().catch(() => undefined);
  }
}
