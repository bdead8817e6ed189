import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../crash/random.ts";
import { ROOT_KEY } from "../crash/server.ts";
import { type Cluster, type Node, retried } from "./cluster.ts";
import { type Append, check, digestOf, type Read, type Violations } from "./history.ts";

const ACCOUNTS = 4;
const LOGS = 3;
/** Callers that ask any server, and callers that each ask one only. */
const FREE_CALLERS = 6;
const AFTER_FAILURE_MS = 100;
/** Appends to a file before the next one is begun: long enough that files leave the records for the bucket. */
const MAX_APPENDS = 400;
const PADDING = "x".repeat(60);

const HTTP_OK = 200;
const HTTP_NOT_FOUND = 404;
const HTTP_CONFLICT = 409;

export interface Account {
  readonly name: string;
  readonly key: string;
}

export interface LogFile {
  readonly account: Account;
  readonly uri: string;
  /** Unique over all accounts. */
  readonly name: string;
}

/** The file to which is appended at the moment. */
interface Log {
  file: LogFile;
  appends: number;
}

/** Callers who append numbers to files and read them, and what they saw. */
export class Load {
  readonly accounts: Account[] = [];
  readonly #cluster: Cluster;
  readonly #random: Random;
  readonly #logs: Log[] = [];
  readonly #files: LogFile[] = [];
  readonly #appends: Append[] = [];
  readonly #reads: Read[] = [];
  #failed = 0;
  #items = 0;
  #names = 0;

  constructor(cluster: Cluster, random: Random) {
    this.#cluster = cluster;
    this.#random = random;
  }

  async prepare(): Promise<void> {
    for (let i = 0; i < ACCOUNTS; i++) {
      const name = `acme-${i}`;
      const body = { account_id: name, admin_user_id: "ann" };
      const { result } = await retried(
        () => this.#cluster.ask(this.#anyNode(), ROOT_KEY, "POST", "admin/accounts", body),
        ({ status }) => status === HTTP_OK,
      );
      const account = { name, key: (result as { user_key: string }).user_key };
      this.accounts.push(account);
      for (let log = 0; log < LOGS; log++) this.#logs.push({ file: await this.create(account), appends: 0 });
    }
  }

  /** Calls until `isOver`. */
  async run(isOver: () => boolean): Promise<void> {
    const free = Array.from({ length: FREE_CALLERS }, () => this.#call(() => this.#anyNode(), isOver));
    const bound = this.#cluster.nodes.map((node) => this.#call(() => node, isOver));
    await Promise.all([...free, ...bound]);
  }

  /** An empty file to which nobody but the caller appends. */
  async create(account: Account): Promise<LogFile> {
    const uri = `ctx://resources/log-${this.#names++}.txt`;
    await retried(
      () =>
        this.#cluster.ask(this.#anyNode(), account.key, "POST", "content/write", {
          uri,
          content: "",
          mode: "create",
        }),
      // an attempt without an answer may have made it
      ({ status }) => status === HTTP_OK || status === HTTP_CONFLICT,
    );
    const file = { account, uri, name: `${account.name} ${uri}` };
    this.#files.push(file);
    return file;
  }

  /** The number that the next append adds, as it stands in the file. */
  get nextLine(): string {
    return `${this.#items + 1} ${PADDING}`;
  }

  /** Whether the append was acknowledged. */
  async append({ account, uri, name: file }: LogFile, node = this.#anyNode()): Promise<boolean> {
    const item = ++this.#items;
    const start = performance.now();
    const body = { uri, content: `${item} ${PADDING}\n`, mode: "append" };
    const { status } = await this.#cluster.ask(node, account.key, "POST", "content/write", body);
    const isAcknowledged = status === HTTP_OK;
    this.#appends.push({ file, item, isAcknowledged, start, end: performance.now() });
    if (!isAcknowledged) this.#failed++;
    return isAcknowledged;
  }

  /** Whether the read was answered. */
  async read(file: LogFile, node = this.#anyNode()): Promise<boolean> {
    const start = performance.now();
    const items = await this.#itemsOf(file, node);
    if (items) {
      const seen = { count: items.length, digest: digestOf(items) };
      this.#reads.push({ file: file.name, ...seen, start, end: performance.now() });
    } else this.#failed++;
    return items !== undefined;
  }

  /** Compares what callers saw with what a server reads from the store. */
  async check(node: Node): Promise<Violations> {
    const finals = new Map<string, readonly number[]>();
    for (const file of this.#files) {
      const items = await retried(
        () => this.#itemsOf(file, node),
        (found) => found !== undefined,
      );
      finals.set(file.name, items ?? []);
    }
    return check(finals, this.#appends, this.#reads);
  }

  /**
   * Compares what a server answers with the state at a moment between two times. Counts as lost what was
   * acknowledged before, as doubled what was begun afterwards. The load then goes on from the restored state.
   */
  async rewind(
    node: Node,
    { before, after }: { readonly before: number; readonly after: number },
  ): Promise<{ readonly lost: string[]; readonly doubled: string[]; readonly stale: string[] }> {
    const found: Violations = { lost: [], doubled: [], stale: [] };
    const present = new Set<number>();
    const files = this.#files.splice(0);
    for (const file of files) {
      const items = await retried(
        () => this.#itemsOf(file, node, true),
        (answer) => answer !== undefined,
      );
      if (items) this.#files.push(file);
      const own = this.#appends.filter((append) => append.file === file.name);
      for (const item of items ?? []) present.add(item);
      if (new Set(items).size !== (items?.length ?? 0)) found.doubled.push(`${file.name}: an item twice`);
      for (const { item, isAcknowledged, start, end } of own) {
        if (isAcknowledged && end < before && !present.has(item)) found.lost.push(`${file.name}: ${item}`);
        if (start > after && present.has(item)) found.doubled.push(`${file.name}: ${item}`);
      }
    }
    const kept = this.#appends.filter(({ item }) => present.has(item));
    this.#appends.splice(0, this.#appends.length, ...kept);
    this.#reads.length = 0;
    for (const log of this.#logs) log.appends = MAX_APPENDS - 1;
    return found;
  }

  get counts() {
    const acknowledged = this.#appends.filter(({ isAcknowledged }) => isAcknowledged).length;
    return { acknowledged, reads: this.#reads.length, failed: this.#failed, files: this.#files.length };
  }

  async #call(nodeOf: () => Node, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const log = this.#random.pick(this.#logs);
      const isAnswered = this.#random.chance(0.5)
        ? await this.#appendTo(log, nodeOf())
        : await this.read(log.file, nodeOf());
      if (!isAnswered) await sleep(AFTER_FAILURE_MS);
    }
  }

  async #appendTo(log: Log, node: Node): Promise<boolean> {
    if (++log.appends === MAX_APPENDS) {
      log.file = await this.create(log.file.account);
      log.appends = 0;
    }
    return this.append(log.file, node);
  }

  /** Undefined: it is not known. Null, if it `mayBeMissing`: there is no such file. */
  async #itemsOf(file: LogFile, node: Node): Promise<number[] | undefined>;
  async #itemsOf(file: LogFile, node: Node, mayBeMissing: true): Promise<number[] | null | undefined>;
  async #itemsOf({ account, uri }: LogFile, node: Node, mayBeMissing?: true) {
    const path = `content/read?uri=${encodeURIComponent(uri)}`;
    const { status, result } = await this.#cluster.ask(node, account.key, "GET", path);
    if (mayBeMissing && status === HTTP_NOT_FOUND) return null;
    if (status !== HTTP_OK) return undefined;
    return String(result)
      .split("\n")
      .filter(Boolean)
      .map((line) => Number(line.split(" ")[0]));
  }

  #anyNode(): Node {
    return this.#random.pick(this.#cluster.nodes);
  }
}
