import { ChangeService } from "../../../gen/ctxdb/v1/change_pb.ts";
import { clientLeft, type RunningCall } from "../call.ts";
import type { HttpRequest, HttpResponse } from "../connections/connections.ts";
import { secondsSince } from "../pipeline/pipeline.ts";
import { drain, type Headers, writeAll, writeHead } from "../respond.ts";
import { EVENT_HEADERS } from "../rest/events.ts";
import { ChangeNotices, type Notice, type Wanted } from "./change-notices.ts";
import type { OperationInvoker } from "./operation-invoker.ts";

/** Field with the id of the request that opened the stream, in every notice. */
const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const KEEP_ALIVE = Buffer.from(": keep-alive\n\n");

/** A response: complete, or a stream of events. */
export interface McpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string | AsyncIterable<Uint8Array>;
}

export const isStream = ({ headers }: Response): boolean =>
  headers.get("content-type")?.startsWith(EVENT_HEADERS["Content-Type"]) ?? false;

/** Converts the library's response; `ended` is called when it has been read completely. */
export async function replyOf(answer: Response, ended: () => Promise<void> | void): Promise<McpReply> {
  const { status, body } = answer;
  if (body !== null && isStream(answer))
    return { status, headers: { ...EVENT_HEADERS }, body: untilEnded(body, ended) };
  const text = await answer.text();
  await ended();
  const type = answer.headers.get("content-type");
  return { status, headers: type === null ? {} : { "Content-Type": type }, body: text };
}

async function* untilEnded<T>(parts: AsyncIterable<T>, ended: () => Promise<void> | void): AsyncGenerator<T> {
  try {
    yield* parts;
  } finally {
    await ended();
  }
}

/** Headers of every response. X-Process-Time is in seconds as decimal text. */
export const factsOf = ({ requestId }: RunningCall, seconds: number): Headers => ({
  "X-Request-Id": requestId,
  "X-Process-Time": seconds.toFixed(6),
});

/** Sends a stream to its end. Throws UNAVAILABLE if the client does not read it. */
export async function sendStream(
  call: RunningCall,
  request: HttpRequest,
  response: HttpResponse,
  { status, headers }: McpReply,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  const begin = () =>
    writeHead(response, status, { ...factsOf(call, secondsSince(call.started)), ...headers });
  const isTaken = await writeAll(response, begin, held(call, body));
  drain(request);
  if (!isTaken) throw clientLeft();
}

async function* held(call: RunningCall, parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    call.holdAnswer(part.byteLength);
    yield part;
  }
}

/**
 * Streams notices of changes until the client disconnects, as the response to request `id`, if there is one.
 */
export function changesReply(
  asker: Pick<OperationInvoker, "root" | "follow">,
  wanted: Wanted,
  id?: string | number,
): McpReply {
  const notices = new ChangeNotices(wanted, asker.root);
  const { watchChanges } = ChangeService.method;
  // without watched URIs, only the list of resources is reported
  const below = wanted.uris.length > 0 ? {} : { uri: `${asker.root}resources` };
  asker
    .follow(watchChanges, below, (event) => notices.take(event))
    .then(
      () => notices.end(),
      (error: unknown) => notices.end(error),
    );
  // the call of the stream may end before its connection reports that it is closed
  const body = untilEnded(frames(notices, wanted, id), () => notices.end());
  return { status: 200, headers: { ...EVENT_HEADERS }, body };
}

async function* frames(
  notices: ChangeNotices,
  { isList, uris }: Wanted,
  id: string | number | undefined,
): AsyncGenerator<Uint8Array> {
  const meta = id === undefined ? {} : { _meta: { [SUBSCRIPTION]: id } };
  let isFirst = true;
  for await (const batch of notices.batches()) {
    if (isFirst && id !== undefined) {
      const notifications = {
        ...(isList && { resourcesListChanged: true }),
        ...(uris.length > 0 && { resourceSubscriptions: uris }),
      };
      yield frame({
        method: "notifications/subscriptions/acknowledged",
        params: { notifications, ...meta },
      });
    }
    isFirst = false;
    yield batch.length === 0 ? KEEP_ALIVE : Buffer.concat(batch.map((notice) => noticeFrame(notice, meta)));
  }
  if (id !== undefined) yield frame({ id, result: { resultType: "complete", ...meta } });
}

const noticeFrame = ({ method, params }: Notice, meta: object): Buffer =>
  frame({ method, params: { ...params, ...meta } });

const frame = (message: object): Buffer =>
  Buffer.from(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
