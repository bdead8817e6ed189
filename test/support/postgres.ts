import { type ChildProcess, execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Connection } from "../../src/storage/postgres/connection.ts";
import { silentLog } from "./silent-log.ts";
import { startTied } from "./tied-process.ts";

const run = promisify(execFile);
/**
 * PostgreSQL refuses to run as root; in that case it runs as the user of Debian's package. A parent of its folder
 * may be closed to this user.
 */
const AS_POSTGRES = [
  ...["--reuid", "postgres", "--regid", "postgres", "--clear-groups"],
  ...["--inh-caps", "+dac_read_search", "--ambient-caps", "+dac_read_search"],
];
const DEBIAN = "/usr/lib/postgresql";
const PORT = 5432;
const ATTEMPTS = 600;
const PAUSE_MS = 50;

/** The folder with PostgreSQL's programs: the newest version installed from Debian's packages. */
function programs(): string | undefined {
  if (!existsSync(DEBIAN)) return undefined;
  const versions = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
  return versions
    .map((version) => join(DEBIAN, version, "bin"))
    .find((bin) => existsSync(join(bin, "initdb")));
}

/** Without PostgreSQL its suites fail in CI; elsewhere they are skipped with a message. */
export const hasPostgres = programs() !== undefined || process.env.CI !== undefined;
if (!hasPostgres) process.stderr.write("PostgreSQL is not installed: its suites are skipped\n");

export interface Postgres {
  readonly url: string;
  /** Empties the database and returns its URL. */
  empty(): Promise<string>;
  /** Kills the server without a checkpoint and starts it again. */
  restart(): Promise<void>;
  /** Closes all connections and refuses new ones until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a separate PostgreSQL server in a temporary folder and connects through a socket there. */
export async function startPostgres(settings: readonly string[] = []): Promise<Postgres> {
  return serveFrom(await newDatabase(await newFolder()), settings);
}

/** As `startPostgres`, with a folder that stays, and that may have a database of before. */
export async function startPostgresIn(folder: string): Promise<Postgres> {
  await mkdir(folder, { recursive: true });
  const place = await placeIn(folder);
  await formerEnded(place);
  const server = await serveFrom(existsSync(place.data) ? place : await newDatabase(place));
  return { ...server, stop: server.pause };
}

/** A PostgreSQL server whose WAL is archived, so that it can be restored to any later moment. */
export interface ArchivedPostgres extends Postgres {
  /** Takes a base backup while the server runs. */
  backup(): Promise<void>;
  /** Starts a new server with the state that this one had at a time of its clock, from backup and archive. */
  restoreTo(time: string): Promise<Postgres>;
}

export async function startArchivedPostgres(): Promise<ArchivedPostgres> {
  const place = await newDatabase(await newFolder());
  const { folder } = place;
  const [archive, backup] = [join(folder, "archive"), join(folder, "backup")];
  await place.run("mkdir", [archive]);
  const server = await serveFrom(place, [
    "archive_mode=on",
    `archive_command=test ! -f ${archive}/%f && cp %p ${archive}/%f`,
  ]);
  return {
    ...server,
    backup: () => baseBackup(place, backup, ["-X", "none"]),
    async restoreTo(time) {
      const restored = await newFolder();
      await place.run("cp", ["-a", backup, restored.data]);
      await place.run("touch", [join(restored.data, "recovery.signal")]);
      return serveFrom(restored, [
        `restore_command=cp ${archive}/%f %p`,
        `recovery_target_time=${time}`,
        "recovery_target_action=promote",
      ]);
    },
  };
}

/** A PostgreSQL server with a synchronous standby: a change is acknowledged once both have it on disk. */
export interface ReplicatedPostgres extends Postgres {
  /**
   * Kills the server and removes its files, promotes the standby, calls `promoted` with its URL, and gives it a
   * standby of its own.
   */
  failOver(promoted: (url: string) => void): Promise<void>;
}

export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  let place = await newDatabase(await newFolder());
  let primary = await serveFrom(place);
  let [standbyPlace, standby] = await startStandby(place, primary);
  return {
    get url() {
      return primary.url;
    },
    empty: () => primary.empty(),
    restart: () => primary.restart(),
    pause: () => primary.pause(),
    resume: () => primary.resume(),
    async failOver(promoted) {
      // a server that was restarted may have changes that the standby has not received
      await whenTrue(primary.url, IS_SYNCHRONOUS);
      await primary.pause();
      await primary.stop();
      await execute(standby.url, "SELECT pg_promote()");
      await whenTrue(standby.url, IS_PRIMARY);
      [place, primary] = [standbyPlace, standby];
      promoted(primary.url);
      [standbyPlace, standby] = await startStandby(place, primary);
    },
    async stop() {
      await standby.stop();
      await primary.stop();
    },
  };
}

async function startStandby(of: Place, { url }: Postgres): Promise<[Place, Postgres]> {
  const place = await newFolder();
  await baseBackup(of, place.data, ["-X", "stream", "--write-recovery-conf"]);
  const standby = await serveFrom(place, ["wal_retrieve_retry_interval=100ms"], IS_STANDBY);
  await execute(url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await execute(url, "SELECT pg_reload_conf()");
  await whenTrue(url, IS_SYNCHRONOUS);
  return [place, standby];
}

const IS_PRIMARY = "NOT pg_is_in_recovery()";
const IS_STANDBY = "pg_is_in_recovery()";
const IS_SYNCHRONOUS =
  "EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming')";

/** Takes a base backup while the server runs. */
async function baseBackup(of: Place, to: string, options: readonly string[]): Promise<void> {
  const at = ["-h", of.folder, "-p", String(PORT), "-U", "ctxdb"];
  await of.run(join(of.bin, "pg_basebackup"), [...at, "-D", to, ...options, "-c", "fast", "--no-sync"]);
}

interface Place {
  /** The folder with PostgreSQL's programs. */
  readonly bin: string;
  readonly folder: string;
  /** The database; missing at first. */
  readonly data: string;
  /** Options of setpriv for the user that owns the folder. */
  readonly as: readonly string[];
  /** Runs a program as that user. */
  run(program: string, args: readonly string[]): Promise<unknown>;
}

const newFolder = async (): Promise<Place> => placeIn(await mkdtemp(join(tmpdir(), "ctxdb-postgres-")));

async function placeIn(folder: string): Promise<Place> {
  const bin = programs();
  if (bin === undefined) throw new Error("PostgreSQL is not installed: apt-get install postgresql");
  const as = process.getuid?.() === 0 ? AS_POSTGRES : [];
  if (as.length > 0) await run("chown", ["postgres:postgres", folder]);
  await chmod(folder, 0o700);
  const runAs = (program: string, args: readonly string[]) => run("setpriv", [...as, "--", program, ...args]);
  return { bin, folder, data: join(folder, "data"), as, run: as.length > 0 ? runAs : run };
}

async function newDatabase(place: Place): Promise<Place> {
  const options = ["-U", "ctxdb", "-A", "trust", "--no-sync", "-E", "UTF8", "--wal-segsize=1"];
  // a database that is half made after a kill is made again
  const made = `${place.data}.new`;
  await rm(made, { recursive: true, force: true });
  await place.run(join(place.bin, "initdb"), ["-D", made, ...options]);
  await rename(made, place.data);
  return place;
}

/**
 * `isUp`: condition in SQL that holds once the server can be used after its first start. A server that is started
 * again is a primary: a standby only after it was promoted.
 */
async function serveFrom(
  { bin, folder, data, as }: Place,
  furtherSettings: readonly string[] = [],
  isUp = IS_PRIMARY,
): Promise<Postgres> {
  const url = `postgres:///postgres?user=ctxdb&host=${encodeURIComponent(folder)}&port=${PORT}`;
  let server: ChildProcess | undefined;
  const hasEnded = () => server === undefined || server.exitCode !== null || server.signalCode !== null;
  const start = async (isReady = IS_PRIMARY) => {
    const settings = ["listen_addresses=", `unix_socket_directories=${folder}`, `port=${PORT}`];
    const args = ["-D", data, ...[...settings, ...furtherSettings].flatMap((setting) => ["-c", setting])];
    server = startTied({ program: join(bin, "postgres"), args, endBy: "QUIT", as }, "ignore");
    await whenTrue(url, isReady, hasEnded);
  };
  const end = async (signal: NodeJS.Signals) => {
    if (hasEnded()) return;
    const ended = new Promise((resolve) => server?.once("exit", resolve));
    server?.kill(signal);
    await ended;
  };
  await start(isUp);
  return {
    url,
    async empty() {
      await execute(url, "DROP SCHEMA IF EXISTS ctxdb CASCADE");
      return url;
    },
    async restart() {
      await end("SIGQUIT");
      await start();
    },
    pause: () => end("SIGQUIT"),
    resume: () => start(),
    async stop() {
      await end("SIGINT");
      await rm(folder, { recursive: true });
    },
  };
}

/** Returns the rows of a query. */
export async function rowsOf<R>(url: string, text: string): Promise<R[]> {
  const connection = new Connection(url, silentLog);
  try {
    return await connection.query<R>(text, []);
  } finally {
    await connection.close();
  }
}

/** Runs statements in a database. */
export async function execute(url: string, text: string): Promise<void> {
  const connection = new Connection(url, silentLog);
  try {
    await connection.query(text);
  } finally {
    await connection.close();
  }
}

/** Waits until a server answers and a condition holds. A server that is being restored answers before that. */
async function whenTrue(url: string, condition: string, hasEnded = () => false): Promise<void> {
  for (let attempt = 0; ; attempt++)
    try {
      if (hasEnded()) throw new Error("the PostgreSQL server has ended");
      return await execute(url, `DO $$ BEGIN ASSERT ${condition}; END $$`);
    } catch (error) {
      if (attempt === ATTEMPTS || hasEnded())
        throw new Error(`a PostgreSQL server is not as it should be: ${condition}`, { cause: error });
      await pause();
    }
}

/** Waits until a server that was killed with its parent has ended with all its processes. */
async function formerEnded({ data }: Place): Promise<void> {
  const found = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "");
  const pid = Number.parseInt(found, 10);
  const isIt = async () => (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).includes(data);
  for (let attempt = 0; attempt < ATTEMPTS && pid > 0 && (await isIt()); attempt++) await pause();
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
