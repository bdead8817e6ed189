import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Random } from "../crash/random.ts";
import { ROOT_KEY, Server } from "../crash/server.ts";
import { type Postgres, startPostgres } from "../support/postgres.ts";
import { startS3 } from "../support/s3.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type Append, check, type Read } from "./history.ts";

const SERVERS = 3;
const ACCOUNTS = 4;
const FILES = 3;
const CALLERS = 8;
const LEASE_SECONDS = 3;
/** Time limit of a call in ms, so that a stuck server does not block a caller for long. */
const CALL_MS = 3000;
/** Time limit in ms, counted from the last fault, until all files must be readable again. */
const SETTLE_MS = 120_000;
const AGAIN_MS = 100;
/** Long enough that files move from records to the bucket during a run. */
const PADDING = "x".repeat(60);

interface Node {
  readonly folder: string;
  server: Server;
  port: number;
}

interface Answer {
  /** 0 if there was no answer. */
  readonly status: number;
  readonly result?: unknown;
}

interface Place {
  readonly key: string;
  readonly account: string;
  readonly uri: string;
  /** Unique across all accounts. */
  readonly file: string;
}

/**
 * `npm run test:cluster -- --seconds N --seed S`: runs three servers over one store under load and injects
 * faults chosen from the seed. Fails if an acknowledged write is lost or doubled, or if an answer is stale.
 */
class Cluster {
  readonly #random: Random;
  readonly #postgres: Postgres;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #nodes: Node[] = [];
  readonly #faults = new Map<string, number>();
  readonly #appends: Append[] = [];
  readonly #reads: Read[] = [];
  #failed = 0;
  #items = 0;
  #isOver = false;

  constructor(seed: number, postgres: Postgres, settings: Readonly<Record<string, string>>) {
    this.#random = new Random(seed);
    this.#postgres = postgres;
    this.#settings = settings;
  }

  async start(folders: readonly string[]): Promise<void> {
    for (const folder of folders) {
      const server = this.#serve(folder);
      this.#nodes.push({ folder, server, port: await portOf(server) });
    }
  }

  async end(): Promise<void> {
    for (const { server } of this.#nodes) {
      server.signal("SIGCONT");
      await server.kill();
    }
  }

  async run(seconds: number): Promise<boolean> {
    const places = await this.#places();
    const work = [...Array.from({ length: CALLERS }, () => this.#call(places)), this.#disturb()];
    const end = sleep(seconds * 1000).then(() => {
      this.#isOver = true;
    });
    await Promise.all([end, ...work]);
    const finals = new Map<string, readonly number[]>();
    for (const place of places) finals.set(place.file, await this.#final(place));
    const { lost, doubled, stale } = check(finals, this.#appends, this.#reads);
    const report = {
      seconds,
      acknowledged: this.#appends.filter(({ isAcknowledged }) => isAcknowledged).length,
      reads: this.#reads.length,
      failed: this.#failed,
      faults: Object.fromEntries(this.#faults),
      lost: lost.length,
      doubled: doubled.length,
      stale: stale.length,
    };
    process.stdout.write(`${JSON.stringify(report)}\n`);
    const violations = [...lost, ...doubled, ...stale];
    for (const line of violations.slice(0, 20)) process.stdout.write(`${line}\n`);
    return violations.length === 0 && report.acknowledged > 0;
  }

  #serve(folder: string): Server {
    return new Server({ dataDir: folder, sources: folder, settings: this.#settings });
  }

  async #places(): Promise<Place[]> {
    const places: Place[] = [];
    for (let i = 0; i < ACCOUNTS; i++) {
      const account = `acme-${i}`;
      const body = { account_id: account, admin_user_id: "ann" };
      const { result } = await this.#retried(() => this.#ask(ROOT_KEY, "POST", "admin/accounts", body));
      const { user_key: key } = result as { user_key: string };
      for (let file = 0; file < FILES; file++) {
        const uri = `ctx://resources/log-${file}.txt`;
        const empty = { uri, content: "", mode: "create" };
        await this.#retried(() => this.#ask(key, "POST", "content/write", empty));
        places.push({ key, account, uri, file: `${account}/${file}` });
      }
    }
    return places;
  }

  /** Appends numbers to files and reads them through a random server. */
  async #call(places: readonly Place[]): Promise<void> {
    while (!this.#isOver) {
      const place = this.#random.pick(places);
      const { file } = place;
      const start = performance.now();
      if (this.#random.chance(0.5)) {
        const item = ++this.#items;
        const body = { uri: place.uri, content: `${item} ${PADDING}\n`, mode: "append" };
        const { status } = await this.#ask(place.key, "POST", "content/write", body);
        const isAcknowledged = status === 200;
        this.#appends.push({ file, item, isAcknowledged, start, end: performance.now() });
        if (!isAcknowledged) await this.#noteFailure();
      } else {
        const items = await this.#read(place);
        if (items) this.#reads.push({ file, items, start, end: performance.now() });
        else await this.#noteFailure();
      }
    }
  }

  async #noteFailure(): Promise<void> {
    this.#failed++;
    await sleep(AGAIN_MS);
  }

  async #read({ key, uri }: Place): Promise<number[] | undefined> {
    const { status, result } = await this.#ask(key, "GET", `content/read?uri=${encodeURIComponent(uri)}`);
    if (status !== 200) return undefined;
    return String(result)
      .split("\n")
      .filter(Boolean)
      .map((line) => Number(line.split(" ")[0]));
  }

  async #final(place: Place): Promise<number[]> {
    const found = await this.#retried(async () => {
      const items = await this.#read(place);
      return { status: items ? 200 : 0, result: items };
    });
    return found.result as number[];
  }

  async #retried(ask: () => Promise<Answer>): Promise<Answer> {
    const until = performance.now() + SETTLE_MS;
    for (;;) {
      const answer = await ask();
      if (answer.status === 200) return answer;
      if (performance.now() > until) throw new Error(`no answer after ${SETTLE_MS} ms: ${answer.status}`);
      await sleep(AGAIN_MS);
    }
  }

  async #ask(key: string, method: string, path: string, body?: object): Promise<Answer> {
    const { port } = this.#random.pick(this.#nodes);
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

  /** Injects one fault after the other, each until it is over. */
  async #disturb(): Promise<void> {
    const faults: Readonly<Record<string, () => Promise<void>>> = {
      kill: () => this.#restart((server) => server.kill()),
      stop: () => this.#restart(async (server) => void (await server.stop())),
      pause: () => this.#pause(),
      away: () => this.#storeAway(),
      storeKill: () => this.#postgres.restart(),
      drain: () => this.#drain(),
      move: () => this.#move(),
    };
    while (!this.#isOver) {
      await sleep(this.#random.integer(0, 1500));
      if (this.#isOver) return;
      const name = this.#random.pick(Object.keys(faults));
      this.#faults.set(name, (this.#faults.get(name) ?? 0) + 1);
      await faults[name]?.();
    }
  }

  async #restart(end: (server: Server) => Promise<void>): Promise<void> {
    const node = this.#random.pick(this.#nodes);
    await end(node.server);
    node.server = this.#serve(node.folder);
    node.port = await portOf(node.server);
  }

  /** Durations from a moment to longer than the lease. */
  async #pause(): Promise<void> {
    const { server } = this.#random.pick(this.#nodes);
    server.signal("SIGSTOP");
    await sleep(this.#random.integer(0, 2 * LEASE_SECONDS * 1000));
    server.signal("SIGCONT");
  }

  async #storeAway(): Promise<void> {
    await this.#postgres.pause();
    await sleep(this.#random.integer(0, 2 * LEASE_SECONDS * 1000));
    await this.#postgres.resume();
  }

  async #drain(): Promise<void> {
    const number = await this.#anyMember();
    if (number === undefined) return;
    await this.#ask(ROOT_KEY, "POST", `observer/members/${number}/drain`, {});
    await sleep(this.#random.integer(0, 3000));
    await this.#ask(ROOT_KEY, "POST", `observer/members/${number}/drain`, { cancel: true });
  }

  async #move(): Promise<void> {
    const number = await this.#anyMember();
    const account_id = `acme-${this.#random.integer(0, ACCOUNTS - 1)}`;
    await this.#ask(ROOT_KEY, "POST", `observer/members/${number ?? 1}/move`, { account_id });
  }

  async #anyMember(): Promise<number | undefined> {
    const { status, result } = await this.#ask(ROOT_KEY, "GET", "observer/members");
    if (status !== 200) return undefined;
    const { members } = result as { readonly members: readonly { readonly number: number }[] };
    return members.length === 0 ? undefined : this.#random.pick(members).number;
  }
}

async function portOf(server: Server): Promise<number> {
  const port = await server.ready();
  if (port === undefined)
    throw new Error(`a server did not start: ${server.errors} ${server.logged(40).at(-1)}`);
  return port;
}

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: { seconds: { type: "string", default: "60" }, seed: { type: "string", default: "1" } },
  });
  const ends: (() => Promise<unknown>)[] = [];
  try {
    const postgres = await startPostgres();
    ends.push(() => postgres.stop());
    const s3 = await startS3();
    ends.push(() => s3.stop());
    const folders: string[] = [];
    for (let i = 0; i < SERVERS; i++) {
      const folder = await temporaryFolder();
      ends.push(folder.remove);
      folders.push(folder.path);
    }
    const cluster = new Cluster(Number(values.seed), postgres, {
      CTXDB_STORE: await postgres.empty(),
      CTXDB_LEASE_SECONDS: String(LEASE_SECONDS),
      CTXDB_BALANCE_SECONDS: "2",
      CTXDB_EMBEDDING_PROVIDER: "light",
      ...s3.settings("faults"),
    });
    ends.push(() => cluster.end());
    await cluster.start(folders);
    if (!(await cluster.run(Number(values.seconds)))) process.exitCode = 1;
  } finally {
    for (const end of ends.reverse())
      await end().catch((error: unknown) => process.stderr.write(`${error}\n`));
  }
}

await run();
