import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Sums {
  readonly passed: number;
  readonly failed: number;
}

interface RunOptions {
  readonly cwd?: string;
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly limitMs: number;
}

/** Output that is kept of a command; of more the end. */
const MAX_OUTPUT = 1_000_000;

/** Runs a command to its end, or ends it and its children when its time is over. */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, env, limitMs }: RunOptions,
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
