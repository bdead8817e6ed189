import { answerCalls } from "../../src/base/answer-calls.ts";

/** Does what its message says. */
answerCalls(async (message) => {
  const [verb, value] = message as [string, unknown];
  if (verb === "fail") throw new Error(`cannot ${value}`);
  if (verb === "die") process.kill(process.pid, "SIGKILL");
  if (verb === "abort") process.abort();
  if (verb === "hang") await new Promise(() => setInterval(() => undefined, 1000));
  if (verb === "environment") return process.env;
  return value;
});
