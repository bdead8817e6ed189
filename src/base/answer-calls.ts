import type { Answer } from "./child-process.ts";

/**
 * The child's side of ChildProcess: answers each call with what `handle` makes of its message, an error with its text. The process ends with its parent,
 * and a keyboard interrupt is the parent's to act on.
 */
export function answerCalls(handle: (message: unknown) => unknown): void {
  const send = (answer: Answer) => process.connected && process.send?.(answer);
  process.on("message", async (call) => {
    const { id, message } = call as { id: number; message: unknown };
    try {
      send({ id, result: await handle(message) });
    } catch (error) {
      send({ id, error: error instanceof Error ? error.message : String(error) });
    }
  });
  process.on("SIGINT", () => undefined);
  process.on("disconnect", () => process.exit());
}
