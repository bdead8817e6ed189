import { readdirSync, readFileSync } from "node:fs";
import { ROOT_KEY, Server } from "../crash/server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Text that only its own tenant may ever see. */
const MARKERS = { acme: "marker-of-acme-7f3a", beta: "marker-of-beta-9c1e" } as const;
const MAX_LAST_WORDS = 20_000;
export type TenantName = keyof typeof MARKERS;

interface Answer<T> {
  readonly status: "ok" | "error";
  readonly result: T;
  readonly error?: { readonly code: string; readonly message: string };
}

/**
 * The built server with two tenants, each with a file that contains its marker, and a third, well-behaved
 * tenant.
 */
export class Target {
  readonly port: number;
  readonly keys: Readonly<Record<TenantName | "calm", string>>;
  readonly #server: Server;
  readonly #remove: () => Promise<void>;
  #written = 0;

  private constructor(server: Server, port: number, keys: Target["keys"], remove: () => Promise<void>) {
    this.#server = server;
    this.port = port;
    this.keys = keys;
    this.#remove = remove;
  }

  static async open(): Promise<Target> {
    const folder = await temporaryFolder();
    const settings = {
      CTXDB_EMBEDDING_PROVIDER: "light",
      CTXDB_URL_ALLOW_PRIVATE: "false",
      CTXDB_LOG_FORMAT: "json",
    };
    const server = new Server({ dataDir: folder.path, sources: folder.path, settings });
    const port = await server.ready();
    if (port === undefined) throw new Error(`the server has not started: build first\n${server.errors}`);
    const keys: Record<string, string> = {};
    for (const account of ["acme", "beta", "calm"]) {
      const body = { account_id: account, admin_user_id: "ann" };
      keys[account] = (
        await rest<{ user_key: string }>(port, ROOT_KEY, "POST /admin/accounts", body)
      ).user_key;
    }
    const target = new Target(server, port, keys as Target["keys"], folder.remove);
    for (const tenant of ["acme", "beta"] as const) await target.#seed(tenant);
    return target;
  }

  async #seed(tenant: TenantName): Promise<void> {
    const key = this.keys[tenant];
    const content = `# Owls\n\nOwls of ${tenant} sleep by day. ${MARKERS[tenant]}\n`;
    for (const uri of ["ctx://resources/notes/a.md", "ctx://resources/notes/b.md"])
      await rest(this.port, key, "POST /content/write", { uri, content, mode: "create", wait: true });
    await rest(this.port, key, "POST /sessions", { session_id: "monday" });
    await rest(this.port, key, "POST /sessions/monday/messages", { role: "user", content: MARKERS[tenant] });
  }

  /** Returns the marker of another tenant that occurs in an answer to `caller`, or undefined if none does. */
  leak(caller: TenantName | undefined, answer: string): string | undefined {
    const foreign = Object.entries(MARKERS).filter(([tenant]) => tenant !== caller);
    return foreign.find(([, marker]) => answer.includes(marker))?.[0];
  }

  /** Writes another file as the well-behaved tenant. Throws if the write is refused. */
  async work(): Promise<void> {
    const number = ++this.#written;
    const body = { uri: `ctx://resources/kept/${number}.md`, content: `kept ${number}`, mode: "create" };
    await rest(this.port, this.keys.calm, "POST /content/write", body);
  }

  /**
   * Returns how many of the well-behaved tenant's files cannot be read back unchanged, and the number of all.
   */
  async lost(): Promise<[lost: number, of: number]> {
    let lost = 0;
    for (let number = 1; number <= this.#written; number++) {
      const content = await rest<string>(
        this.port,
        this.keys.calm,
        `GET /content/read?uri=ctx://resources/kept/${number}.md`,
      );
      if (content !== `kept ${number}`) lost++;
    }
    return [lost, this.#written];
  }

  get running(): boolean {
    return this.#server.running;
  }

  /** Returns log lines from level error on, which are unexpected. */
  get errors(): string[] {
    return this.#server.logged(50);
  }

  /** Output of the process in addition to its log, before it ended. */
  get lastWords(): string {
    return this.#server.errors.slice(-MAX_LAST_WORDS);
  }

  /** Open files and sockets, and resident memory in MiB, as shown by Linux. */
  usage(): { readonly files: number; readonly mebibytes: number } {
    const { pid } = this.#server;
    const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
    return { files: readdirSync(`/proc/${pid}/fd`).length, mebibytes: Math.round((pages * 4096) / 2 ** 20) };
  }

  /** Stops the server and returns what went wrong while it ended. */
  async close(): Promise<string | undefined> {
    const complaint = await this.#server.stop();
    await this.#remove();
    return complaint;
  }
}

async function rest<T>(port: number, key: string, call: string, body?: object): Promise<T> {
  const [method = "GET", path = ""] = call.split(" ");
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: { "X-API-Key": key, ...(body && { "Content-Type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { status, result, error } = (await answer.json()) as Answer<T>;
  if (status !== "ok") throw new Error(`${call}: ${error?.code} ${error?.message}`);
  return result;
}
