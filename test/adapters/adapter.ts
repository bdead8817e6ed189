import { spawn } from "node:child_process";
import { once } from "node:events";

/** A package under adapters/ with its own tests. */
export interface Adapter {
  readonly name: string;
  readonly folder: string;
  readonly language: "python" | "javascript";
  /** Adapters with the same installation are installed together. */
  readonly environment: string;
}

export interface Sums {
  readonly passed: number;
  readonly failed: number;
}

/** Time limit for installing all frameworks of a language with a cold cache. */
const INSTALL_LIMIT_MS = 600_000;
/** Time limit for one adapter's tests; an adapter that exceeds it fails and the next one starts. */
const ADAPTER_LIMIT_MS = 300_000;
/** How much of a command's output is kept; of longer output only the end. */
const MAX_OUTPUT = 1_000_000;

interface CommandOptions {
  readonly cwd?: string | undefined;
  /** Environment variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

interface TestOptions extends CommandOptions {
  readonly sumsOf: (output: string) => Sums;
}

/** Runs a suite and shows its output if something failed. A suite without tests counts as failed. */
export async function run(
  command: string,
  args: readonly string[],
  { sumsOf, ...options }: TestOptions,
): Promise<Sums> {
  const { code, output } = await end(command, args, options, ADAPTER_LIMIT_MS);
  const { passed, failed } = sumsOf(output);
  const isRight = code === 0 && passed > 0 && failed === 0;
  if (!isRight) console.log(output);
  return { passed, failed: isRight ? 0 : Math.max(1, failed) };
}

/** @throws with the command's output if the command fails */
export async function checked(command: string, args: readonly string[], cwd?: string): Promise<void> {
  const { code, output } = await end(command, args, { cwd }, INSTALL_LIMIT_MS);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${output}`);
}

/** Runs a command until it ends, or kills it and its children at the time limit. */
async function end(
  command: string,
  args: readonly string[],
  { cwd, env }: CommandOptions,
  limitMs: number,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-MAX_OUTPUT);
    });
  }
  const late = setTimeout(() => {
    output += `\nended after ${limitMs / 1000} s\n`;
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, limitMs);
  try {
    const [code] = (await once(child, "close")) as [number | null];
    return { code, output };
  } finally {
    clearTimeout(late);
  }
}
