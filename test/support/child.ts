import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { TYPESCRIPT_LOADER } from "../../src/base/processes/child-process.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

export interface Child {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  /** Resolves with all of stdout once it matches `enough` or the process has ended. */
  readonly said: (enough: (output: string) => boolean) => Promise<string>;
  readonly ended: Promise<{ readonly status: number | null; readonly errors: string }>;
  readonly kill: () => Promise<void>;
}

/**
 * Runs a TypeScript file of test/support in a separate process. `shell` may wrap the command, for example
 * with ulimit.
 */
export function startChild(file: string, args: readonly string[], shell = 'exec "$@"'): Child {
  const command = [
    process.execPath,
    ...TYPESCRIPT_LOADER,
    fileURLToPath(new URL(file, import.meta.url)),
    ...args,
  ];
  const child = spawn("bash", ["-c", shell, "bash", ...command], {
    cwd: REPOSITORY,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const ended = once(child, "close").then(() => ({ status: child.exitCode, errors }));
  const said = async (enough: (output: string) => boolean) => {
    while (!enough(output) && child.exitCode === null && child.signalCode === null)
      await Promise.race([once(child.stdout, "data"), ended]);
    return output;
  };
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  return { process: child, said, ended, kill };
}
