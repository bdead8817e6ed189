import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../../support/temporary-folder.ts";

export const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));
const MAIN = "dist/src/main.js";
/** A server that says nothing for this long does not start at all. */
const START_LIMIT_MS = 30_000;

export interface Running {
  readonly pid: number;
  readonly port: number;
  /** From the start of the process to its ready line. */
  readonly startedInMs: number;
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
}

/** Starts the built server, by `npm start` where asked, on the given data directory or one of its own, and waits for its ready line. */
export async function startServer(options: { readonly byNpm?: boolean; readonly dataDir?: string } = {}): Promise<Running> {
  const folder = options.dataDir === undefined ? await temporaryFolder() : { path: options.dataDir, remove: async () => undefined };
  const [command, args] = options.byNpm ? ["npm", ["start", "--silent"]] : [process.execPath, [MAIN]];
  const env = { ...process.env, CTXDB_DATA_DIR: folder.path, CTXDB_PORT: "0" };
  const began = performance.now();
  const child = spawn(command, args, { cwd: REPOSITORY, env, stdio: ["ignore", "pipe", "inherit"], detached: true });
  const line = await readyLine(child, (text) => text.includes('"msg":"listening"'));
  const startedInMs = performance.now() - began;
  const { port } = JSON.parse(line) as { port: number };
  const stop = async (signal: "SIGTERM" | "SIGKILL" = "SIGTERM") => {
    await end(child, signal);
    await folder.remove();
  };
  return { pid: child.pid!, port, startedInMs, stop };
}

/** Runs a TypeScript file of this folder as a server: it prints its port in one line. */
export async function startChildServer(file: string, args: readonly string[]): Promise<Running> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const began = performance.now();
  const child = spawn(process.execPath, ["--import", "tsx", path, ...args], {
    cwd: REPOSITORY,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const port = Number(await readyLine(child, (text) => /^\d+$/.test(text)));
  return { pid: child.pid!, port, startedInMs: performance.now() - began, stop: () => end(child) };
}

/** The first line that fits; what follows is read and dropped. */
function readyLine(child: ChildProcess, fits: (line: string) => boolean): Promise<string> {
  const stdout = child.stdout!;
  return new Promise((resolve, reject) => {
    let text = "";
    const late = setTimeout(() => reject(new Error(`not ready after ${START_LIMIT_MS} ms: ${text.slice(-500)}`)), START_LIMIT_MS);
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
      reject(new Error(`ended with ${code} before it was ready (is it built? npm run build): ${text.slice(-500)}`));
    });
  });
}

/** The whole group, so that what npm started ends with it. */
async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  process.kill(-child.pid!, signal);
  await ended;
}
