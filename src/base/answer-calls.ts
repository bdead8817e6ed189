import { read } from "node:fs";
import { promisify } from "node:util";
import { BYTES_FD, type CallMessage, type ChildAnswer } from "./child-process.ts";

const readFrom = promisify(read);

/**
 * The child's side of ChildProcess: answers each call with what `handle` makes of its message and bytes, an
 * error with its text. The process ends with its parent, and a keyboard interrupt is the parent's to act on.
 */
export function answerCalls(handle: (message: unknown, bytes: Uint8Array | undefined) => unknown): void {
  const send = (answer: ChildAnswer) => process.connected && process.send?.(answer);
  // bytes lie in the pipe in the order of the calls
  let last: Promise<unknown> = Promise.resolve();
  process.on("message", async (call) => {
    const { id, message, bytes: length } = call as CallMessage;
    try {
      const reading = length === undefined ? undefined : last.then(() => readBytes(length));
      if (reading) last = reading;
      send({ id, result: await handle(message, await reading) });
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
