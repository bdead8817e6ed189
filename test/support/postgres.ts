import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Connection } from "../../src/storage/postgres/connection.ts";
import { silentLog } from "./silent-log.ts";

const run = promisify(execFile);
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
export async function startPostgres(): Promise<Postgres> {
  return serveFrom(await newDatabase());
}

/** A PostgreSQL server whose WAL is archived, so that it can be restored to any later moment. */
export interface ArchivedPostgres extends Postgres {
  /** Takes a base backup while the server runs. */
  backup(): Promise<void>;
  /** Starts a new server with the state that this one had at a time of its clock, from backup and archive. */
  restoreTo(time: string): Promise<Postgres>;
}

export async function startArchivedPostgres(): Promise<ArchivedPostgres> {
  const place = await newDatabase();
  const { bin, folder, user } = place;
  const [archive, backup] = [join(folder, "archive"), join(folder, "backup")];
  await run("mkdir", [archive], user);
  const server = await serveFrom(place, [
    "archive_mode=on",
    `archive_command=test ! -f ${archive}/%f && cp %p ${archive}/%f`,
  ]);
  return {
    ...server,
    async backup() {
      const at = ["-h", folder, "-p", String(PORT), "-U", "ctxdb"];
      await run(
        join(bin, "pg_basebackup"),
        [...at, "-D", backup, "-X", "none", "-c", "fast", "--no-sync"],
        user,
      );
    },
    async restoreTo(time) {
      const restored = await newFolder();
      await run("cp", ["-a", `${backup}/.`, restored.data], user);
      await run("touch", [join(restored.data, "recovery.signal")], user);
      return serveFrom(restored, [
        `restore_command=cp ${archive}/%f %p`,
        `recovery_target_time=${time}`,
        "recovery_target_action=promote",
      ]);
    },
  };
}

interface Place {
  /** The folder with PostgreSQL's programs. */
  readonly bin: string;
  readonly folder: string;
  readonly data: string;
  readonly user: { readonly uid?: number; readonly gid?: number };
}

async function newFolder(): Promise<Place> {
  const bin = programs();
  if (bin === undefined) throw new Error("PostgreSQL is not installed: apt-get install postgresql");
  // the server may run as another user than the tests and must be able to enter the folder
  const folder = await mkdtemp(join(tmpdir(), "ctxdb-postgres-"));
  const data = join(folder, "data");
  await mkdir(data);
  return { bin, folder, data, user: await userOf(folder, data) };
}

async function newDatabase(): Promise<Place> {
  const place = await newFolder();
  const options = ["-U", "ctxdb", "-A", "trust", "--no-sync", "-E", "UTF8", "--wal-segsize=1"];
  await run(join(place.bin, "initdb"), ["-D", place.data, ...options], place.user);
  return place;
}

async function serveFrom(
  { bin, folder, data, user }: Place,
  furtherSettings: readonly string[] = [],
): Promise<Postgres> {
  const url = `postgres:///postgres?user=ctxdb&host=${encodeURIComponent(folder)}&port=${PORT}`;
  let server: ChildProcess | undefined;
  const start = async () => {
    const settings = ["listen_addresses=", `unix_socket_directories=${folder}`, `port=${PORT}`];
    const args = ["-D", data, ...[...settings, ...furtherSettings].flatMap((setting) => ["-c", setting])];
    server = spawn(join(bin, "postgres"), args, { ...user, stdio: "ignore" });
    await whenUp(url);
  };
  const end = async (signal: NodeJS.Signals) => {
    // Ctrl-C may have stopped it already
    if (server?.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server?.once("exit", resolve));
    server?.kill(signal);
    await ended;
  };
  await start();
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
    resume: start,
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

async function whenUp(url: string): Promise<void> {
  for (let attempt = 0; ; attempt++)
    try {
      // a server that is being restored answers before it has reached the moment
      return await execute(url, "DO $$ BEGIN ASSERT NOT pg_is_in_recovery(); END $$");
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
}

/** PostgreSQL refuses to run as root; in that case it runs as the user created by Debian's package. */
async function userOf(...folders: string[]): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (flag) => Number((await run("id", [flag, "postgres"])).stdout)),
  );
  for (const folder of folders) {
    await chown(folder, uid ?? 0, gid ?? 0);
    await chmod(folder, 0o700);
  }
  return { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) };
}
