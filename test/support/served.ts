import { type App, openApp } from "../../src/app/app.ts";
import { configFrom } from "../../src/config/config.ts";
import { silentLog } from "./silent-log.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export const ROOT_KEY = "the-root-key";

export interface Served {
  readonly port: number;
  readonly dataDir: string;
  /** Sends one REST call: the caller's key, `method path`, a body. */
  rest(
    key: string,
    call: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<{
    http: number;
    result?: unknown;
    error?: { code: string; message: string; details?: unknown };
  }>;
  /** Stops it and starts it again over the same data directory; `between` runs while it is stopped. */
  restart(between?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts the whole product on a free port over an empty data directory, with a root key unless `settings`
 * removes it.
 */
export async function serve(settings: Readonly<Record<string, string | undefined>> = {}): Promise<Served> {
  const folder = await temporaryFolder();
  const env = {
    CTXDB_DATA_DIR: folder.path,
    CTXDB_PORT: "0",
    CTXDB_ROOT_API_KEY: ROOT_KEY,
    CTXDB_EMBEDDING_PROVIDER: "light",
    ...settings,
  };
  const config = configFrom(env, { folder: folder.path, read: () => undefined });
  let app: App = await openApp(config, silentLog, "0.0.0");
  return {
    get port() {
      return app.port;
    },
    dataDir: folder.path,
    rest: async (key, call, body, headers = {}) => {
      const [method = "", path = ""] = call.split(" ");
      const json = body !== undefined && !(body instanceof FormData);
      const answer = await fetch(`http://127.0.0.1:${app.port}/api/v1/${path}`, {
        method,
        headers: { "X-API-Key": key, ...(json && { "Content-Type": "application/json" }), ...headers },
        ...(body !== undefined && { body: json ? JSON.stringify(body) : (body as FormData) }),
      });
      const text = await answer.text();
      const tree = answer.headers.get("content-type")?.startsWith("application/json")
        ? JSON.parse(text)
        : { result: text };
      return { ...tree, http: answer.status };
    },
    restart: async (between) => {
      await app.close();
      await between?.();
      app = await openApp(config, silentLog, "0.0.0");
    },
    close: async () => {
      await app.close();
      await folder.remove();
    },
  };
}
