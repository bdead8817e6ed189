import { answerCalls, BytesAnswer } from "../../src/base/processes/answer-calls.ts";

/** A child process that does what each message tells it to. */
answerCalls(async (message, bytes) => {
  const [verb, value] = message as [string, unknown];
  if (verb === "fail") throw new Error(`cannot ${value}`);
  if (verb === "die") process.kill(process.pid, "SIGKILL");
  if (verb === "abort") process.abort();
  if (verb === "hang") await new Promise(() => setInterval(() => undefined, 1000));
  if (verb === "rest") await new Promise((resolve) => setTimeout(resolve, value as number));
  if (verb === "spin") for (;;);
  if (verb === "digest") return [bytes!.length, Buffer.from(bytes!).toString("hex", 0, 12)];
  if (verb === "fill") for (const all: string[] = []; ; ) all.push(String(Math.random()).repeat(100));
  if (verb === "bytes") return new BytesAnswer(bytes!, value);
  if (verb === "complain") process.stderr.write("x".repeat(value as number));
  if (verb === "hoard") await hoard();
  if (verb === "environment") return process.env;
  return value;
});

/** Allocates more and more memory outside the heap. */
async function hoard(): Promise<never> {
  for (const all: Buffer[] = []; ; await new Promise((resolve) => setTimeout(resolve, 5)))
    all.push(Buffer.alloc(1024 * 1024, 1));
}
