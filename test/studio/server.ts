import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { temporaryFolder } from "../support/temporary-folder.ts";

export const ROOT_KEY = "the-root-key-of-the-tests";

/** The built server as a separate process, which can be killed and restarted. */
export interface BuiltServer {
  readonly url: string;
  readonly dataDir: string;
  /** Makes a REST call; throws the message of an error. */
  rest<T>(call: string, body?: object | FormData, headers?: Record<string, string>): Promise<T>;
  /** Ends it with SIGKILL, without notice to clients. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

interface ServerOptions {
  readonly keyed?: boolean;
  /** Additional settings. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts a server with a root key, or without keys. */
export async function startServer({
  keyed = false,
  settings = {},
}: ServerOptions = {}): Promise<BuiltServer> {
  const folder = await temporaryFolder();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    CTXDB_PORT: String(port),
    CTXDB_DATA_DIR: folder.path,
    CTXDB_EMBEDDING_PROVIDER: "light",
    CTXDB_LOG_FORMAT: "json",
    ...(keyed && { CTXDB_ROOT_API_KEY: ROOT_KEY }),
    ...settings,
  };
  let child: ChildProcess | undefined;
  const start = async () => {
    child = spawn(process.execPath, ["dist/src/main.js"], { env, stdio: ["ignore", "pipe", "inherit"] });
    await listening(child);
  };
  const kill = async () => {
    if (child === undefined || child.exitCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  await start();
  return {
    url,
    dataDir: folder.path,
    start,
    kill,
    rest: async (call, body, headers = {}) => {
      const [method = "GET", path = ""] = call.split(" ");
      const isForm = body instanceof FormData;
      const answer = await fetch(`${url}/api/v1/${path}`, {
        method,
        headers: {
          ...(keyed && headers["X-API-Key"] === undefined && { "X-API-Key": ROOT_KEY }),
          ...(body !== undefined && !isForm && { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      });
      const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } };
      if (error !== undefined) throw new Error(`${call}: ${error.message}`);
      return result as never;
    },
    close: async () => {
      await kill();
      await folder.remove();
    },
  };
}

async function listening(child: ChildProcess): Promise<void> {
  if (child.stdout === null) throw new Error("the server has no output");
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('"listening"')) break;
  }
  child.stdout.resume();
  if (child.exitCode !== null) throw new Error(`the server ended with status ${child.exitCode}`);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}
