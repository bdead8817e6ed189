import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { Io } from "../io.ts";

/** Prompts on stderr and reads one line without echo; "" for an empty line. */
export async function askHidden(
  { in: input, err }: Pick<Io, "in" | "err">,
  question: string,
  signal: AbortSignal,
): Promise<string> {
  err.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once("line", resolve);
      lines.once("close", () => resolve(""));
      lines.once("SIGINT", () => reject(new Error("interrupted")));
      signal.addEventListener("abort", () => reject(new Error("interrupted")), { once: true });
    });
  } finally {
    lines.close();
    err.write("\n");
  }
}
