import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type App, openApp } from "../app/app.ts";
import { isObject } from "../base/expect.ts";
import { openLog } from "../base/log.ts";
import { packageVersion } from "../base/package-root.ts";
import type { Config } from "../config/config.ts";
import { readConfig } from "../config/env.ts";
import { holderOf } from "../storage/open.ts";

/** Files are created readable only by the server's user. */
const PRIVATE_UMASK = 0o077;
/**
 * File in the data directory with the address and key of an embedded server, for other processes of the same
 * user.
 */
const ADDRESS_FILE = "embedded.json";
/** Limits for waiting until another process has opened the folder and responds. */
const ATTEMPTS = 50;
const PAUSE_MS = 300;
const ANSWER_MS = 2000;

/** Address and key of a running server. */
export interface ReachedServer {
  readonly address: string;
  readonly key: string;
}

/**
 * A server for a data directory within an agent's process. A second process with the same folder uses the
 * first one's server, and opens the folder itself once the first process has ended.
 */
export class EmbeddedServer {
  readonly #settings: Readonly<Record<string, string>>;
  #app: App | undefined;
  #closeLog: () => Promise<void> = () => Promise.resolve();
  #folder = "";

  /** `settings`: variables that override the environment. */
  constructor(settings: Readonly<Record<string, string>>) {
    this.#settings = settings;
  }

  /** Opens the folder, or finds the server that has it open. Rejects with a StartError if neither works. */
  async reach(): Promise<ReachedServer> {
    process.umask(PRIVATE_UMASK);
    const key = randomBytes(32).toString("hex");
    const config = readConfig({
      ...this.#settings,
      CTXDB_HOST: "127.0.0.1",
      CTXDB_PORT: "0",
      CTXDB_ROOT_API_KEY: key,
    });
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === ATTEMPTS;
      if ((await holderOf(config.dataDir)) === undefined || isLast)
        try {
          return await this.#open(config, key);
        } catch (error) {
          // another process may have opened the folder first
          if (isLast || (await holderOf(config.dataDir)) === undefined) throw error;
        }
      const other = await reachedIn(config.dataDir);
      if (other !== undefined) return other;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  async close(): Promise<void> {
    const app = this.#app;
    this.#app = undefined;
    if (app === undefined) return;
    await rm(join(this.#folder, ADDRESS_FILE), { force: true });
    await app.close();
    await this.#closeLog();
  }

  async #open(config: Config, key: string): Promise<ReachedServer> {
    // stdout carries the MCP protocol
    const { log, close } = openLog(config.logLevel, { format: config.logFormat, descriptor: 2 });
    this.#app = await openApp(config, log, packageVersion(import.meta.url));
    this.#closeLog = close;
    this.#folder = config.dataDir;
    const reached = { address: `http://127.0.0.1:${this.#app.port}`, key };
    const aside = join(config.dataDir, `${ADDRESS_FILE}.${process.pid}`);
    await writeFile(aside, JSON.stringify(reached), { mode: 0o600 });
    await rename(aside, join(config.dataDir, ADDRESS_FILE));
    return reached;
  }
}

/** The embedded server that another process runs for the folder, if it responds. */
async function reachedIn(folder: string): Promise<ReachedServer | undefined> {
  try {
    const found: unknown = JSON.parse(await readFile(join(folder, ADDRESS_FILE), "utf8"));
    if (!isObject(found)) return undefined;
    const { address, key } = found;
    if (typeof address !== "string" || typeof key !== "string") return undefined;
    const answer = await fetch(`${address}/health`, { signal: AbortSignal.timeout(ANSWER_MS) });
    await answer.body?.cancel();
    return answer.ok ? { address, key } : undefined;
  } catch {
    // the file is incomplete, or left by a killed process
    return undefined;
  }
}
