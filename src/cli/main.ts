#!/usr/bin/env node
import { EXIT } from "./exit-code.ts";
import type { Io } from "./io.ts";

/** Number of SIGINTs that only cancel the command; the next one exits at once. */
const PATIENCE = 1;
const LONG_MS = 2 ** 30;

function processIo(): Io {
  let interrupt: AbortController | undefined;
  const listen = () => {
    const controller = new AbortController();
    let times = 0;
    process.on("SIGINT", () => {
      if (times++ >= PATIENCE) process.exit(EXIT.interrupted);
      controller.abort();
    });
    return controller;
  };
  const interrupted = () => {
    interrupt ??= listen();
    return interrupt.signal;
  };
  return { env: process.env, out: process.stdout, err: process.stderr, in: process.stdin, interrupted };
}

// exit without a stack trace when the reader closes the pipe
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) =>
    process.exit(error.code === "EPIPE" ? EXIT.ok : EXIT.error),
  );
}
const args = process.argv.slice(2);
if (args[0] === "hook" && /^[a-z]/.test(args[1] ?? "")) {
  // agents wait for hooks, so the other commands are not loaded
  const { runHookProcess } = await import("./agents/hook-process.ts");
  await runHookProcess(args.slice(1), process);
} else {
  const { run } = await import("./run.ts");
  // keep the process alive while a command has only unreferenced work
  const alive = setInterval(() => undefined, LONG_MS);
  const code = await run(args, processIo());
  clearInterval(alive);
  for (const stream of [process.stdout, process.stderr])
    await new Promise((resolve) => stream.write("", resolve));
  process.exit(code);
}
