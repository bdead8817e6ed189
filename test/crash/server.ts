import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { TYPESCRIPT_LOADER } from "../../src/base/processes/child-process.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const FAIL_POINTS = new URL("fail-points.mjs", import.meta.url).href;
/** A start that neither succeeds nor fails within this time counts as hung. */
const START_LIMIT_MS = 60_000;
/** SIGTERM must end the server within 5 s; the rest allows for a busy machine. */
export const STOP_LIMIT_MS = 8_000;

export const ROOT_KEY = "root-key-of-the-crash-harness";

export interface StartOptions {
  readonly dataDir: string;
  /** The folder that imports by path may read. */
  readonly sources: string;
  /** See fail-points.mjs. */
  readonly failPoint?: string | undefined;
  /** Wraps the command, for example with ulimit. */
  readonly shell?: string;
  /** Runs src instead of the compiled server, except in CI: it starts more slowly, but is never out of date. */
  readonly fromSource?: boolean;
  /** User of the machine as whom the server runs. */
  readonly uid?: number;
  /** A module loaded before the server. */
  readonly preload?: string;
  /** Settings that replace those of a small index. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Limits so low that even a little work seals, merges, evicts and loads segments. */
const SMALL_INDEX = {
  CTXDB_SEAL_DOCS: "40",
  CTXDB_FAISS_MIN_DOCS: "40",
  CTXDB_INDEX_CACHE_BYTES: String(2 ** 20),
};

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The compiled server as a child process. */
export class Server {
  readonly ended: Promise<Ended>;
  readonly #child;
  #output = "";
  #errors = "";

  constructor({
    dataDir,
    sources,
    failPoint,
    shell = 'exec "$@"',
    fromSource,
    uid,
    preload,
    settings = SMALL_INDEX,
  }: StartOptions) {
    const env: NodeJS.ProcessEnv = {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("CTXDB_"))),
      CTXDB_DATA_DIR: dataDir,
      CTXDB_PORT: "0",
      CTXDB_ROOT_API_KEY: ROOT_KEY,
      ...(fromSource && { CTXDB_EMBEDDING_PROVIDER: "light" }),
      CTXDB_LOCAL_PATHS: sources,
      // pages and repositories are on the harness's own web server
      CTXDB_URL_ALLOW_PRIVATE: "true",
      ...settings,
      ...(failPoint && { CRASH_POINT: failPoint }),
    };
    // in CI the build is that of the sources, and starts in a third of the time
    const isSource = fromSource === true && process.env.CI === undefined;
    // a fail point may have to load its module first
    const modules = [...(preload ? [preload] : []), ...(failPoint ? [FAIL_POINTS] : [])];
    const main = [
      ...(isSource ? TYPESCRIPT_LOADER : []),
      ...modules.flatMap((module) => ["--import", module]),
      isSource ? "src/main.ts" : "dist/src/main.js",
    ];
    this.#child = spawn("bash", ["-c", shell, "bash", process.execPath, ...main], {
      cwd: REPOSITORY,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      ...(uid !== undefined && { uid, gid: uid }),
    });
    this.#child.stdout.on("data", (chunk) => {
      this.#output += chunk;
    });
    this.#child.stderr.on("data", (chunk) => {
      this.#errors += chunk;
    });
    this.ended = once(this.#child, "close").then(() => ({
      code: this.#child.exitCode,
      signal: this.#child.signalCode,
    }));
  }

  /** The server's process id; the shell has replaced itself with the server. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  get errors(): string {
    return this.#errors;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Returns log lines of at least this level (pino: 40 warn, 50 error, 60 fatal). */
  logged(level: number): string[] {
    const lines = this.#output.split("\n").filter((line) => line.startsWith("{"));
    return lines.filter((line) => (JSON.parse(line) as { level: number }).level >= level);
  }

  /** Resolves with the port at the ready line, or with undefined if the process ended first. */
  async ready(): Promise<number | undefined> {
    const limit = AbortSignal.timeout(START_LIMIT_MS);
    for (;;) {
      const line = this.#output.split("\n").find((found) => found.includes('"msg":"listening"'));
      if (line?.endsWith("}")) return (JSON.parse(line) as { port: number }).port;
      if (!this.running) return undefined;
      if (limit.aborted)
        throw new Error(
          `neither ready nor ended after ${START_LIMIT_MS} ms: ${this.#output.slice(-500)} ${this.#errors}`,
        );
      await Promise.race([once(this.#child.stdout, "data", { signal: limit }), this.ended]).catch(
        () => undefined,
      );
    }
  }

  /** Returns the processes started by the server, as shown by Linux. */
  get children(): number[] {
    const { pid } = this.#child;
    if (pid === undefined || !this.running) return [];
    try {
      return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
    } catch {
      return [];
    }
  }

  /** Kills one of them, unless it has already ended. */
  killChild(pid: number): void {
    if (this.children.includes(pid)) process.kill(pid, "SIGKILL");
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends SIGKILL and waits for the end of the process. */
  async kill(): Promise<void> {
    this.signal("SIGKILL");
    await this.ended;
  }

  /** Sends SIGTERM; returns a complaint if the process does not end correctly and in time. */
  async stop(): Promise<string | undefined> {
    const began = performance.now();
    this.signal("SIGTERM");
    const late = setTimeout(() => this.signal("SIGKILL"), STOP_LIMIT_MS);
    const { code, signal } = await this.ended;
    clearTimeout(late);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    return code === 0 ? undefined : `SIGTERM ended with ${code ?? signal} after ${seconds} s`;
  }
}
