import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { TYPESCRIPT_LOADER } from "../../../src/base/processes/child-process.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

export const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));
const MAIN = "dist/src/main.js";
const WATCH = new URL("main-thread.mjs", import.meta.url).href;
/** A server that prints nothing for this long counts as unable to start. */
const START_LIMIT_MS = 30_000;

export interface Running {
  readonly pid: number;
  readonly port: number;
  /** Time from the start of the process to its ready line. */
  readonly startedInMs: number;
  stop(): Promise<void>;
  /** Kills it with SIGKILL; a given data directory stays. */
  kill(): Promise<void>;
}

export interface StartOptions {
  readonly byNpm?: boolean;
  /** A data directory that stays afterwards. If missing, a temporary one is used and removed. */
  readonly dataDir?: string;
  /** Called with each time the main thread was blocked for more than 20 ms, in ms of its CPU time. */
  readonly onHeld?: (stretchMs: number) => void;
  /** Settings that override those of the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Starts the built server on its own data directory (with `npm start` if requested) and waits for its ready
 * line.
 */
export async function startServer(options: StartOptions = {}): Promise<Running> {
  const folder =
    options.dataDir === undefined
      ? await temporaryFolder()
      : { path: options.dataDir, remove: async () => undefined };
  const [command, args] = options.byNpm ? ["npm", ["start", "--silent"]] : [process.execPath, [MAIN]];
  // the embedding model of the main space uses several cores while it works: only benches of it turn it on
  const env = {
    CTXDB_EMBEDDING_PROVIDER: "light",
    ...process.env,
    CTXDB_DATA_DIR: folder.path,
    CTXDB_PORT: "0",
    ...(options.onHeld && { NODE_OPTIONS: `--import ${WATCH}` }),
    ...options.env,
  };
  const began = performance.now();
  const child = spawn(command, args, {
    cwd: REPOSITORY,
    env,
    stdio: ["ignore", "pipe", options.onHeld ? "pipe" : "inherit"],
    detached: true,
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    for (const [, held] of chunk.toString().matchAll(/^held ([\d.]+)/gm)) options.onHeld?.(Number(held));
  });
  const line = await readyLine(child, (text) => text.includes('"msg":"listening"'));
  const startedInMs = performance.now() - began;
  const { port } = JSON.parse(line) as { port: number };
  const endBy = (signal: NodeJS.Signals) => async () => {
    await end(child, signal);
    await folder.remove();
  };
  return { pid: child.pid!, port, startedInMs, stop: endBy("SIGTERM"), kill: endBy("SIGKILL") };
}

/** Runs a TypeScript file of this folder as a server that prints its port in one line. */
export async function startChildServer(file: string, args: readonly string[]): Promise<Running> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const began = performance.now();
  const child = spawn(process.execPath, [...TYPESCRIPT_LOADER, path, ...args], {
    cwd: REPOSITORY,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const port = Number(await readyLine(child, (text) => /^\d+$/.test(text)));
  const startedInMs = performance.now() - began;
  return { pid: child.pid!, port, startedInMs, stop: () => end(child), kill: () => end(child, "SIGKILL") };
}

/** Returns the first matching line; later output is read and discarded. */
function readyLine(child: ChildProcess, fits: (line: string) => boolean): Promise<string> {
  const stdout = child.stdout!;
  return new Promise((resolve, reject) => {
    let text = "";
    const late = setTimeout(
      () => reject(new Error(`not ready after ${START_LIMIT_MS} ms: ${text.slice(-500)}`)),
      START_LIMIT_MS,
    );
    const look = (chunk: Buffer) => {
      text += chunk.toString();
      const line = text.split("\n").slice(0, -1).find(fits);
      if (line === undefined) return;
      clearTimeout(late);
      stdout.off("data", look).resume();
      resolve(line);
    };
    stdout.on("data", look);
    child.once("error", reject);
    child.once("exit", (code) => {
      clearTimeout(late);
      reject(
        new Error(`ended with ${code} before it was ready (is it built? npm run build): ${text.slice(-500)}`),
      );
    });
  });
}

/** Kills the whole process group, which includes processes that npm started. */
async function end(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  process.kill(-child.pid!, signal);
  await ended;
}
