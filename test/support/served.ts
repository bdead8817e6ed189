import { join } from "node:path";
import { type App, openApp } from "../../src/app/app.ts";
import { configFrom } from "../../src/config/config.ts";
import { Gate } from "../cluster/gate.ts";
import { newSharedDatabase, onCluster, type SharedDatabase } from "./shared-database.ts";
import { silentLog } from "./silent-log.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export const ROOT_KEY = "the-root-key";
const SERVERS = 3;
/** Long enough not to expire between renewals, however busy the machine. */
const LEASE_SECONDS = "60";

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
  /** Restarts the server over the same data directory; `between` runs while it is stopped. */
  restart(between?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What answers on a port: a server, or several behind a balancer. */
interface Opened {
  readonly port: number;
  /** The port of the server that the next call goes to. */
  readonly next: () => number;
  readonly close: () => Promise<void>;
}

/** Settings with which a server is the only one of its store, or refused over a shared one. */
const OF_ONE = /^CTXDB_(?:STORE|DATA_DIR|BACKUP_\w+)$/;

/**
 * Starts the whole product on a free port over an empty data directory, with a root key unless `settings`
 * removes it. With TEST_CLUSTER=1 it is three servers over one PostgreSQL and one bucket: calls of `rest` go to
 * each of them in turn, and a TCP balancer is on the port.
 */
export async function serve(settings: Environment = {}): Promise<Served> {
  const folder = await temporaryFolder();
  const env = {
    CTXDB_DATA_DIR: folder.path,
    CTXDB_PORT: "0",
    CTXDB_ROOT_API_KEY: ROOT_KEY,
    CTXDB_EMBEDDING_PROVIDER: "light",
    ...settings,
  };
  const isCluster = onCluster && !Object.keys(settings).some((name) => OF_ONE.test(name));
  const database = isCluster ? await newSharedDatabase() : undefined;
  const open = () => (database ? openCluster(env, database) : openOne(env));
  let opened = await open();
  return {
    get port() {
      return opened.port;
    },
    dataDir: folder.path,
    rest: async (key, call, body, headers = {}) => {
      const [method = "", path = ""] = call.split(" ");
      const json = body !== undefined && !(body instanceof FormData);
      const answer = await fetch(`http://127.0.0.1:${opened.next()}/api/v1/${path}`, {
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
      await opened.close();
      await between?.();
      opened = await open();
    },
    close: async () => {
      await opened.close();
      await database?.drop();
      await folder.remove();
    },
  };
}

const appOf = (env: Environment & { readonly CTXDB_DATA_DIR: string }): Promise<App> =>
  openApp(configFrom(env, { folder: env.CTXDB_DATA_DIR, read: () => undefined }), silentLog, "0.0.0");

async function openOne(env: Environment & { readonly CTXDB_DATA_DIR: string }): Promise<Opened> {
  const app = await appOf(env);
  return { port: app.port, next: () => app.port, close: () => app.close() };
}

async function openCluster(
  env: Environment & { readonly CTXDB_DATA_DIR: string },
  { settings }: SharedDatabase,
): Promise<Opened> {
  const apps: App[] = [];
  const close = async () => {
    await Promise.all(apps.map((app) => app.close()));
  };
  try {
    for (let i = 1; i <= SERVERS; i++)
      apps.push(
        await appOf({
          CTXDB_LEASE_SECONDS: LEASE_SECONDS,
          ...env,
          ...settings,
          CTXDB_PORT: "0",
          CTXDB_DATA_DIR: join(env.CTXDB_DATA_DIR, String(i)),
        }),
      );
  } catch (error) {
    await close();
    throw error;
  }
  const ports = apps.map(({ port }) => port);
  const balancer = await Gate.open({ host: "127.0.0.1", port: Number(env.CTXDB_PORT) }, ports);
  let turns = 0;
  return {
    port: balancer.port,
    next: () => ports[turns++ % SERVERS] ?? balancer.port,
    close: async () => {
      await close();
      await balancer.close();
    },
  };
}
