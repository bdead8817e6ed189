import { type ChildProcess, type ChildProcessByStdio, type SpawnOptions, spawn } from "node:child_process";
import type { Readable } from "node:stream";

/** A program, and how it runs. */
interface Tied {
  readonly program: string;
  readonly args: readonly string[];
  /** Signal that ends it when this process has ended. */
  readonly endBy: "QUIT" | "KILL";
  /** Options of setpriv, for example to run as another user. */
  readonly as?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Starts a program that ends with this process, also if this process is killed. Ctrl-C and other signals to the
 * group of this process do not reach it: this process decides when it ends.
 */
export function startTied(tied: Tied, output: "ignore"): ChildProcess;
export function startTied(tied: Tied, output: "pipe"): ChildProcessByStdio<null, Readable, Readable>;
export function startTied({ program, args, endBy, as = [], env }: Tied, output: "ignore" | "pipe") {
  const options: SpawnOptions = {
    stdio: ["ignore", output, output],
    detached: true,
    ...(env && { env }),
  };
  return spawn("setpriv", [...as, "--pdeathsig", endBy, "--", program, ...args], options);
}
