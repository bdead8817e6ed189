import type { Readable, Writable } from "node:stream";
import { jsonLines, writeLine } from "../json-lines.ts";
import type { Profile } from "../profiles.ts";
import { type Deliver, failed, isMessage, Link, type McpMessage, MOST_MESSAGE_BYTES } from "./server-link.ts";

/** Streams to and from the agent. */
export interface McpStreams {
  readonly in: Readable;
  readonly out: Writable;
  /** Writes a line to stderr, which MCP clients show or log. */
  readonly note: (line: string) => void;
}

/** Maximum number of pending requests; the server has its own limits. */
const MOST_PENDING = 64;

/**
 * Forwards MCP messages between the streams and /mcp of a running server, until the input ends and all
 * requests are answered. `renew` returns another server if the first stops listening. The SDK is not loaded,
 * because agents wait for this program to start.
 */
export async function bridgeMcp(
  target: Profile,
  { in: input, out, note }: McpStreams,
  renew?: () => Promise<Profile>,
): Promise<void> {
  const deliver: Deliver = (message) => writeLine(out, message);
  const link = new Link(target, deliver, renew);
  const pending = new Set<Promise<void>>();
  const carry = (message: McpMessage): Promise<void> => {
    if (pending.size < MOST_PENDING) return link.post(message);
    const answer = failed(message, `more than ${MOST_PENDING} requests at once: wait for answers first`);
    return answer === undefined ? Promise.resolve() : deliver(answer);
  };
  for await (const line of jsonLines(input, MOST_MESSAGE_BYTES)) {
    if ("fault" in line || !isMessage(line.value)) {
      note(`cannot read a message: ${"fault" in line ? line.fault : "it is not JSON-RPC 2.0"}`);
      continue;
    }
    const work: Promise<void> = carry(line.value)
      .catch((error: unknown) => note(`cannot send an answer: ${String(error)}`))
      .finally(() => pending.delete(work));
    pending.add(work);
  }
  link.endStreams();
  await Promise.allSettled(pending);
}
