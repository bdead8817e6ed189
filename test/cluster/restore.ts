import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Random } from "../crash/random.ts";
import { ROOT_KEY } from "../crash/server.ts";
import { Ends } from "../support/ends.ts";
import { type ArchivedPostgres, rowsOf, startArchivedPostgres } from "../support/postgres.ts";
import { startS3 } from "../support/s3.ts";
import { Cluster, type Node, retried } from "./cluster.ts";
import { Load } from "./load.ts";

const SERVERS = 2;
const LEASE_SECONDS = 3;
/** Restores of the same moment: the second one has the number of the first one's timeline. */
const RESTORES = 2;
const FILES = 6;
/** Above the size that is kept in the records. */
const LARGE = 40_000;
const MAX_SHOWN = 20;
const OK = 200;
const NOT_FOUND = 404;
const CONFLICT = 409;

const uriOf = (file: number) => `ctx://resources/large-${file}.txt`;
const contentOf = (file: number, version: string) => `${file} ${version} heron `.repeat(LARGE / 16);

/** An account with large files, which change after the moment. */
class LargeFiles {
  readonly #cluster: Cluster;
  readonly #name = "large";
  #key = "";

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async prepare(): Promise<void> {
    const body = { account_id: this.#name, admin_user_id: "ann" };
    const { result } = await this.#done(ROOT_KEY, "POST", "admin/accounts", body);
    this.#key = (result as { user_key: string }).user_key;
    for (let file = 0; file < FILES; file++) await this.#write(file, "before", "create");
  }

  /** Replaces and removes files, makes one, and then deletes the account. */
  async change(): Promise<void> {
    for (let file = 0; file < FILES; file += 2) await this.#write(file, "after", "replace");
    for (let file = 1; file < FILES; file += 2)
      await this.#done(this.#key, "DELETE", `fs?uri=${encodeURIComponent(uriOf(file))}&permanent=true`);
    await this.#write(FILES, "after", "create");
    await this.#done(ROOT_KEY, "DELETE", `admin/accounts/${this.#name}`);
  }

  /** What differs from the state before `change`. */
  async faults(node: Node): Promise<string[]> {
    const faults: string[] = [];
    for (let file = 0; file <= FILES; file++) {
      const path = `content/read?uri=${encodeURIComponent(uriOf(file))}`;
      const { status, result } = await retried(
        () => this.#cluster.ask(node, this.#key, "GET", path),
        (answer) => answer.status === OK || answer.status === NOT_FOUND,
      );
      const isAsBefore = file === FILES ? status === NOT_FOUND : result === contentOf(file, "before");
      if (!isAsBefore) faults.push(`${uriOf(file)}: status ${status}, ${String(result).slice(0, 20)}`);
    }
    const { result } = await this.#done(this.#key, "POST", "search/find", {
      query: "after heron",
      limit: 50,
    });
    if (JSON.stringify(result).includes("after"))
      faults.push("a find shows what was written after the moment");
    return faults;
  }

  async #write(file: number, version: string, mode: string): Promise<void> {
    const body = { uri: uriOf(file), content: contentOf(file, version), mode };
    await this.#done(this.#key, "POST", "content/write", body);
  }

  #done(key: string, method: string, path: string, body?: object) {
    const [node] = this.#cluster.nodes;
    if (!node) throw new Error("no server runs");
    return retried(
      () => this.#cluster.ask(node, key, method, path, body),
      // an attempt without an answer may have done it
      ({ status }) => [OK, NOT_FOUND, CONFLICT].includes(status),
    );
  }
}

/** A moment of the database's clock, and times of this process around it. */
interface Moment {
  readonly time: string;
  readonly before: number;
  readonly after: number;
}

async function momentOf(postgres: ArchivedPostgres): Promise<Moment> {
  const before = performance.now();
  const [found] = await rowsOf<{ time: string }>(postgres.url, "SELECT clock_timestamp()::text AS time");
  return { time: found?.time ?? "", before, after: performance.now() };
}

/** Moves all accounts to a server, so that its copies are used. */
async function handOver(cluster: Cluster, load: Load, node: Node): Promise<void> {
  for (const { name } of load.accounts)
    await retried(
      async () => {
        const members = await cluster.members(node);
        const own = members?.find(({ url }) => url === node.settings.CTXDB_PEER_URL);
        if (!own || own.accounts.includes(name)) return own !== undefined;
        const path = `observer/members/${own.number}/move`;
        await cluster.ask(node, ROOT_KEY, "POST", path, { account_id: name });
        return false;
      },
      (isThere) => isThere,
    );
}

const onceOf = (restore: number, file: number) => `ctx://resources/restore-${restore}-${file}.txt`;

/** Files of the first account that do not change any more. */
async function writeOnce(cluster: Cluster, load: Load, restore: number): Promise<void> {
  const [node] = cluster.nodes;
  const [account] = load.accounts;
  if (!node || !account) throw new Error("there is no account");
  for (let file = 0; file < FILES; file++) {
    const body = { uri: onceOf(restore, file), content: "once", mode: "create" };
    await retried(
      () => cluster.ask(node, account.key, "POST", "content/write", body),
      ({ status }) => status === OK || status === CONFLICT,
    );
  }
}

async function versionOf(store: string, load: Load): Promise<number> {
  const [found] = await rowsOf<{ version: number }>(
    store,
    `SELECT version FROM ctxdb.workspaces JOIN ctxdb.directory USING (incarnation)
     WHERE key = 'a/${load.accounts[0]?.name}'`,
  );
  return found?.version ?? 0;
}

/** Changes the first account until it has more changes than in an earlier past. */
async function passVersion(load: Load, store: string, version: number): Promise<void> {
  const [account] = load.accounts;
  if (!account) throw new Error("there is no account");
  const file = await load.create(account);
  while ((await versionOf(store, load)) <= version) await load.append(file);
}

/** Those that a server lacks, or has of a past that was given up. */
async function wronglyOnce(
  cluster: Cluster,
  load: Load,
  { last, restore }: { readonly last: Node; readonly restore: number },
): Promise<string[]> {
  const wrong: string[] = [];
  for (let of = 1; of <= restore; of++)
    for (let file = 0; file < FILES; file++) {
      const path = `content/read?uri=${encodeURIComponent(onceOf(of, file))}`;
      const { status } = await retried(
        () => cluster.ask(last, load.accounts[0]?.key ?? "", "GET", path),
        (answer) => answer.status === OK || answer.status === NOT_FOUND,
      );
      if (status !== (of === restore ? OK : NOT_FOUND)) wrong.push(`${onceOf(of, file)}: status ${status}`);
    }
  return wrong;
}

interface Run {
  readonly seconds: number;
  readonly seed: number;
  readonly mutant: string | undefined;
}

/** Returns the number of violations. */
async function restored({ seconds, seed, mutant }: Run, ends: Ends): Promise<number> {
  const postgres = await startArchivedPostgres();
  ends.add(() => postgres.stop());
  const s3 = await startS3();
  ends.add(() => s3.stop());
  const settings = {
    ...s3.settings("restore"),
    CTXDB_LEASE_SECONDS: String(LEASE_SECONDS),
    CTXDB_BALANCE_SECONDS: "0",
    CTXDB_EMBEDDING_PROVIDER: "light",
  };
  const cluster = new Cluster(postgres.url, settings, mutant);
  ends.add(() => cluster.end());
  for (let server = 0; server < SERVERS; server++) await cluster.add();
  const load = new Load(cluster, new Random(seed));
  await load.prepare();
  const large = new LargeFiles(cluster);
  await large.prepare();
  const runFor = async (ms: number, work: () => Promise<unknown>) => {
    let isOver = false;
    const running = load.run(() => isOver);
    await Promise.all([work(), sleep(ms)]);
    isOver = true;
    await running;
  };
  let moment: Moment | undefined;
  await runFor(seconds * 1000, async () => {
    await postgres.backup();
    await sleep(seconds * 300);
    moment = await momentOf(postgres);
    await large.change();
  });
  if (!moment) throw new Error("there is no moment to restore to");
  await rowsOf(postgres.url, "SELECT pg_switch_wal()::text");
  const written = load.counts.acknowledged;
  await postgres.pause();
  const violations: string[] = [];
  let version = 0;
  const report: Record<string, unknown> = { build: mutant ?? "as it ships", seconds, seed, written };
  for (let restore = 1; restore <= RESTORES; restore++) {
    const other = await postgres.restoreTo(moment.time);
    ends.add(() => other.stop());
    const startOthers = await cluster.moveTo(other.url);
    const node = cluster.nodes[0] ?? (await cluster.add());
    const { lost, doubled } = await load.rewind(node, moment);
    const faults = await large.faults(node);
    Object.assign(report, {
      [`restore ${restore}`]: {
        ...load.counts,
        lost: lost.length,
        later: doubled.length,
        faults: faults.length,
      },
    });
    violations.push(...lost, ...doubled, ...faults);
    await writeOnce(cluster, load, restore);
    // the store passes the version that the copies of the other servers have of another past
    await runFor(seconds * 250, () => passVersion(load, other.url, version));
    await startOthers();
    const last = cluster.nodes.at(-1) ?? node;
    await runFor(seconds * 250, () => handOver(cluster, load, last));
    violations.push(...(await wronglyOnce(cluster, load, { last, restore })));
    version = await versionOf(other.url, load);
  }
  const anew = await load.check(await cluster.startAnew());
  violations.push(...anew.lost, ...anew.doubled, ...anew.stale);
  process.stdout.write(
    `${JSON.stringify({ ...report, "after the last one": load.counts, violations: violations.length })}\n`,
  );
  for (const line of violations.slice(0, MAX_SHOWN)) process.stdout.write(`  ${line}\n`);
  return violations.length;
}

/**
 * `npm run test:restore -- --seconds N --seed S`: servers under load over a database with a base backup and a WAL
 * archive. PostgreSQL restores a moment in the middle of the load to a new server, twice, each time while the
 * servers have copies of what was written later. Fails if they do not serve exactly that moment. With `--prove`
 * it runs a build that does not tell such copies apart, and fails if that is not found.
 */
async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "12" },
      seed: { type: "string", default: "1" },
      prove: { type: "boolean", default: false },
    },
  });
  const ends = new Ends();
  try {
    const mutant = values.prove ? "no-ids" : undefined;
    const given = { seconds: Number(values.seconds), seed: Number(values.seed), mutant };
    const isFound = (await restored(given, ends)) > 0;
    if (isFound !== values.prove) process.exitCode = 1;
  } finally {
    await ends.run();
  }
}

await run();
