import { read, write } from "node:fs";
import { promisify } from "node:util";
import { serialize } from "node:v8";
import { BYTES_FD, type CallMessage, type ChildAnswer } from "./child-process.ts";

const readFrom = promisify(read);
const writeTo = promisify(write);

/**
 * A large answer: it goes through the byte pipe, which the parent reads in pieces. The message channel would
 * deliver it in one uninterrupted stretch.
 */
export class LargeAnswer {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/**
 * The child's side of ChildProcess: answers each call with the result of `handle`, or with the text of its
 * error. `T` is the type of messages that the parent, a part of the same program, sends. The process ends
 * with its parent and leaves a keyboard interrupt to it.
 */
export function answerCalls<T>(handle: (message: T, bytes: Uint8Array | undefined) => unknown): void {
  const send = (answer: ChildAnswer) => process.connected && process.send?.(answer);
  // the pipe holds the bytes of calls in call order, and those of answers in message order
  let last: Promise<unknown> = Promise.resolve();
  let sent: Promise<unknown> = Promise.resolve();
  const answer = (id: number, result: unknown) => {
    if (!(result instanceof LargeAnswer)) return void send({ id, result });
    const bytes = serialize(result.value);
    sent = sent.then(() => {
      send({ id, bytes: bytes.byteLength });
      return writeBytes(bytes);
    });
    return sent;
  };
  process.on("message", async (call) => {
    const { id, message, bytes: length } = call as CallMessage<T>;
    try {
      const reading = length === undefined ? undefined : last.then(() => readBytes(length));
      if (reading) last = reading;
      await answer(id, await handle(message, await reading));
    } catch (error) {
      send({ id, error: error instanceof Error ? error.message : String(error) });
    }
  });
  process.on("SIGINT", () => undefined);
  process.on("disconnect", () => process.exit());
}

async function readBytes(length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let at = 0; at < length; ) {
    const { bytesRead } = await readFrom(BYTES_FD, bytes, at, length - at, null);
    if (bytesRead === 0) throw new Error("the pipe of bytes has ended");
    at += bytesRead;
  }
  return bytes;
}

async function writeBytes(bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.byteLength; ) at += (await writeTo(BYTES_FD, bytes, at)).bytesWritten;
}
