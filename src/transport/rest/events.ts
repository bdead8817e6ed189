import { type DescMessage, type Message, toJson } from "@bufbuild/protobuf";
import { isObject } from "../../base/expect.ts";
import { toServiceError } from "../errors.ts";
import { JSON_OPTIONS } from "./envelope.ts";

/** Response headers of a feed: proxies must neither buffer nor cache events. */
export const EVENT_HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-store",
  "X-Accel-Buffering": "no",
} as const;

/**
 * Converts a feed to Server-Sent Events: the fields `event` and `cursor` become the event's name and id. An
 * error after the first event is sent as the last event, and passed to `failed`.
 */
export async function* eventStream(
  desc: DescMessage,
  messages: AsyncIterable<Message>,
  failed: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  let hasBegun = false;
  try {
    for await (const message of messages) {
      const json = toJson(desc, message, JSON_OPTIONS);
      const { event, cursor } = isObject(json) ? json : {};
      hasBegun = true;
      yield Buffer.from(`id: ${String(cursor)}\nevent: ${String(event)}\ndata: ${JSON.stringify(json)}\n\n`);
    }
  } catch (error) {
    if (!hasBegun) throw error;
    failed(error);
    const { code, message, details } = toServiceError(error);
    yield Buffer.from(`event: error\ndata: ${JSON.stringify({ code, message, details })}\n\n`);
  }
}
