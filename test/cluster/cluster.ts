import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { ROOT_KEY, Server } from "../crash/server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { Gate, type Target } from "./gate.ts";

/** Limit of a call in ms, so that a server that does not go on holds up nobody for long. */
const CALL_MS = 3000;
/** Limit in ms until a call is answered again after the last fault. */
const SETTLE_MS = 120_000;
const AGAIN_MS = 100;
const PRELOAD = new URL("mutant.mjs", import.meta.url).href;

/** One server with all that it is connected to. */
export interface Node {
  readonly folder: string;
  /** In front of the store. */
  readonly store: Gate;
  /** In front of this server, for the other ones. */
  readonly peers: Gate;
  readonly settings: Readonly<Record<string, string>>;
  server: Server;
  port: number;
}

export interface Answer {
  /** 0: none. */
  readonly status: number;
  readonly result?: unknown;
}

/** A server as the store describes it. */
export interface MemberState {
  readonly number: number;
  readonly url: string;
  readonly accounts: readonly string[];
}

/** Servers over one store, each behind gates. */
export class Cluster {
  readonly nodes: Node[] = [];
  #store: URL;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #ends: (() => Promise<unknown>)[] = [];
  readonly #mutant: string | undefined;

  /** `store`: the URL of a database that is reached by a socket in a folder. */
  constructor(store: string, settings: Readonly<Record<string, string>>, mutant?: string) {
    this.#store = new URL(store);
    this.#settings = settings;
    this.#mutant = mutant;
  }

  /** Adds a server with an empty disk. */
  async add(): Promise<Node> {
    const folder = await temporaryFolder();
    this.#ends.push(folder.remove);
    const socket = socketOf(this.#store);
    const store = await this.#gate({ path: join(folder.path, "..", basename(socket)) }, socket);
    const peers = await this.#gate({ host: "127.0.0.1", port: 0 });
    const url = new URL(this.#store);
    url.searchParams.set("host", join(folder.path, ".."));
    const settings = {
      ...this.#settings,
      CTXDB_STORE: url.href,
      CTXDB_PEER_URL: `http://127.0.0.1:${peers.port}`,
      ...(this.#mutant && { CLUSTER_MUTANT: this.#mutant }),
    };
    const dataDir = join(folder.path, "data");
    const node: Node = {
      folder: dataDir,
      store,
      peers,
      settings,
      server: this.#serve(dataDir, settings),
      port: 0,
    };
    this.nodes.push(node);
    await listening(node);
    return node;
  }

  /** Ends a server by `end` and starts it again, with an empty disk if it `isBlank`. */
  async restart(node: Node, end: (server: Server) => Promise<unknown>, isBlank = false): Promise<void> {
    await end(node.server);
    node.peers.target = undefined;
    if (isBlank) await rm(node.folder, { recursive: true, force: true });
    node.server = this.#serve(node.folder, node.settings);
    await listening(node);
  }

  /** Sends the next connections of all servers to another database. */
  pointTo(store: string): void {
    this.#store = new URL(store);
    for (const node of this.nodes) node.store.target = socketOf(this.#store);
  }

  /**
   * Kills all servers, and starts the first one again with its disk over another database. Returns a function that
   * starts the others.
   */
  async moveTo(store: string): Promise<() => Promise<void>> {
    for (const { server } of this.nodes) await server.kill();
    this.pointTo(store);
    const [first, ...others] = this.nodes.splice(0);
    const startOne = async (node: Node) => {
      this.nodes.push(node);
      await this.restart(node, async () => undefined);
    };
    if (first) await startOne(first);
    return async () => {
      for (const node of others) await startOne(node);
    };
  }

  /** Kills all servers and starts one with an empty disk, which has nothing but the store. */
  async startAnew(): Promise<Node> {
    for (const node of this.nodes.splice(0)) await node.server.kill();
    return this.add();
  }

  async end(): Promise<void> {
    for (const { server, store, peers } of this.nodes) {
      store.release();
      peers.release();
      server.signal("SIGCONT");
      await server.kill();
    }
    for (const end of this.#ends.reverse()) await end();
  }

  async ask({ port }: Node, key: string, method: string, path: string, body?: object): Promise<Answer> {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, {
        method,
        headers: { "X-API-Key": key, "Content-Type": "application/json" },
        signal: AbortSignal.timeout(CALL_MS),
        ...(body && { body: JSON.stringify(body) }),
      });
      const { result } = (await answer.json()) as { result?: unknown };
      return { status: answer.status, result };
    } catch {
      return { status: 0 };
    }
  }

  /** Undefined if it is not known at the moment. */
  async members(node: Node): Promise<readonly MemberState[] | undefined> {
    const { status, result } = await this.ask(node, ROOT_KEY, "GET", "observer/members");
    return status === 200 ? (result as { readonly members: readonly MemberState[] }).members : undefined;
  }

  #serve(dataDir: string, settings: Readonly<Record<string, string>>): Server {
    return new Server({ dataDir, sources: dataDir, settings, ...(this.#mutant && { preload: PRELOAD }) });
  }

  async #gate(at: Parameters<typeof Gate.open>[0], target?: Target): Promise<Gate> {
    const gate = await Gate.open(at, target);
    this.#ends.push(() => gate.close());
    return gate;
  }
}

const socketOf = ({ searchParams }: URL): string =>
  join(String(searchParams.get("host")), `.s.PGSQL.${searchParams.get("port")}`);

async function listening(node: Node): Promise<void> {
  const { server } = node;
  const port = await server.ready();
  if (port === undefined)
    throw new Error(`a server did not start: ${server.errors} ${server.logged(40).at(-1)}`);
  node.port = port;
  node.peers.target = port;
}

/** Asks until the answer is as wanted. */
export async function retried<T>(ask: () => Promise<T>, isDone: (answer: T) => boolean): Promise<T> {
  const until = performance.now() + SETTLE_MS;
  for (;;) {
    const answer = await ask();
    if (isDone(answer)) return answer;
    if (performance.now() > until)
      throw new Error(`no answer after ${SETTLE_MS} ms: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
