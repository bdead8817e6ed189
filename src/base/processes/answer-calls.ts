import { Socket } from "node:net";
import { deserialize } from "node:v8";
import { messageOf } from "../faults.ts";
import { CALLS_FD, type FrameHead, readFrames, sendFrame } from "./child-frames.ts";

/** Maximum length of an error message in UTF-16 units; longer ones are cut. */
const MAX_ERROR = 4096;

/** An answer of raw bytes, passed to the caller unchanged: texts, vectors, long lists of numbers. */
export class BytesAnswer {
  /** Sent as JSON. */
  readonly value: unknown;
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, value: unknown = null) {
    this.bytes = bytes;
    this.value = value;
  }
}

/**
 * The child's side of ChildProcess: answers each call with the result of `handle` as JSON, or with its error
 * message. `T`: type of the messages; the parent is part of the same program and therefore trusted. The
 * process ends with its parent and ignores SIGINT, which the parent handles.
 */
export function answerCalls<T>(handle: (message: T, bytes: Uint8Array | undefined) => unknown): void {
  const pipe = new Socket({ fd: CALLS_FD, readable: true, writable: true });
  const send = (kind: "result" | "error", id: number, value: unknown, bytes?: Uint8Array) =>
    sendFrame(pipe, { kind, id }, Buffer.from(JSON.stringify(value) ?? "null"), bytes);
  const isCall = (head: FrameHead | undefined): head is FrameHead => head?.kind === "call";
  readFrames(pipe, isCall, async ({ id, value, content }) => {
    try {
      const answer = await handle(deserialize(value), content);
      if (answer instanceof BytesAnswer) send("result", id, answer.value, answer.bytes);
      else send("result", id, answer);
    } catch (error) {
      send("error", id, messageOf(error).slice(0, MAX_ERROR));
    }
  });
  process.on("SIGINT", () => undefined);
  pipe.on("error", () => process.exit());
  pipe.on("close", () => process.exit());
}
