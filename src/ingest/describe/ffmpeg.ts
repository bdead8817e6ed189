import { type ChildProcess, spawn } from "node:child_process";
import { setPriority } from "node:os";

const COMMAND = "ffmpeg";
const LIMIT_MS = 120_000;
/** Memory limit of ffmpeg in KiB; a small file may declare huge frames. */
const MAX_MEMORY_KIB = 2 * 1024 * 1024;
/** Maximum pixels of a frame: more than 8K video has. */
const MAX_PIXELS = 8192 * 8192;
/** Sets the memory limit, then executes the program `$0`. */
const LIMITED = `ulimit -v ${MAX_MEMORY_KIB}; exec "$0" "$@"`;
const MAX_LAST_WORDS = 500;

export interface FfmpegRun {
  /** Options before `-i`, including the demuxer. */
  readonly before: readonly string[];
  /** A generated path, never one from a user. */
  readonly input: string;
  readonly after: readonly string[];
  readonly maxBytes: number;
}

/**
 * Runs ffmpeg and returns its standard output up to a limit. Rejects if it fails, times out, or `signal`
 * aborts.
 */
export async function runFfmpeg(
  { before, input, after, maxBytes }: FfmpegRun,
  signal: AbortSignal,
): Promise<Buffer> {
  signal.throwIfAborted();
  // ffmpeg may open only this file: a playlist in it could name other files and addresses
  const args = [
    "-nostdin",
    "-hide_banner",
    "-loglevel",
    "error",
    "-protocol_whitelist",
    "file,pipe",
    // each thread holds frames of its own
    "-filter_threads",
    "1",
    "-threads",
    "1",
    "-max_pixels",
    String(MAX_PIXELS),
    ...before,
    "-i",
    input,
    ...after,
    "-threads",
    "1",
    "pipe:1",
  ];
  const isLimited = process.platform !== "win32";
  const given = isLimited ? ["-c", LIMITED, COMMAND, ...args] : args;
  const child = spawn(isLimited ? "/bin/sh" : COMMAND, given, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
  });
  if (child.pid !== undefined) setPriority(child.pid, 10);
  const end = () => child.kill("SIGKILL");
  const limit = setTimeout(end, LIMIT_MS);
  signal.addEventListener("abort", end, { once: true });
  try {
    return await outputOf(child, maxBytes, end);
  } finally {
    clearTimeout(limit);
    signal.removeEventListener("abort", end);
    signal.throwIfAborted();
  }
}

function outputOf(child: ChildProcess, maxBytes: number, end: () => void): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  let lastWords = "";
  child.stdout?.on("data", (part: Buffer) => {
    if (bytes >= maxBytes) return;
    bytes += part.length;
    parts.push(part);
    // the limit is reached, so stop ffmpeg
    if (bytes >= maxBytes) end();
  });
  child.stderr?.on("data", (part: Buffer) => {
    lastWords = `${lastWords}${part}`.slice(-MAX_LAST_WORDS);
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0 || bytes >= maxBytes) resolve(Buffer.concat(parts).subarray(0, maxBytes));
      else reject(new Error(`ffmpeg ended with ${signal ?? code}: ${lastWords.trim()}`));
    });
  });
}

export function hasFfmpeg(): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(COMMAND, ["-version"], { stdio: "ignore", timeout: LIMIT_MS });
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
}
