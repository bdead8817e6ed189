import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { StartError } from "../../src/base/start-error.ts";
import { readConfig } from "../../src/config/env.ts";
import { ProcessLock } from "../../src/storage/level/process-lock.ts";
import type { Ends } from "../support/ends.ts";
import { startPostgresIn } from "../support/postgres.ts";
import { startS3In } from "../support/s3.ts";
import { startTied } from "../support/tied-process.ts";
import { Gate } from "./gate.ts";

const SERVERS = 3;
const MAIN = "dist/src/main.js";
/** Interval in ms between looks for a killed server that has not ended yet. */
const LOOK_MS = 20;
const INFO = 30;

/** With a store further settings are valid. The servers get others. */
const IN_CLUSTER = {
  CTXDB_STORE: "postgres:///postgres",
  CTXDB_OBJECTS: "s3://contents/cluster",
  CTXDB_OBJECTS_ACCESS_KEY: "none",
  CTXDB_OBJECTS_SECRET_KEY: "none",
};

/** A built server with settings of the environment. Its log goes to stdout, except for its ready line. */
class Member {
  readonly #child;
  /** The port that the server listens on. */
  readonly ready: Promise<number>;
  /** Resolves once the process has ended. */
  readonly ended: Promise<void>;

  constructor(settings: Readonly<Record<string, string>>) {
    const env = { ...process.env, ...settings };
    this.#child = startTied({ program: process.execPath, args: [MAIN], endBy: "KILL", env }, "pipe");
    this.#child.stderr.pipe(process.stderr);
    this.ended = once(this.#child, "close").then(() => undefined);
    this.ready = new Promise((resolve, reject) => {
      createInterface({ input: this.#child.stdout }).on("line", (line) => {
        const port = /"port":(\d+).*"msg":"listening"/.exec(line)?.[1];
        if (port === undefined) process.stdout.write(`${line}\n`);
        else resolve(Number(port));
      });
      this.ended.then(() => reject(new StartError("a server of the cluster has ended")));
    });
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.ended;
  }
}

/**
 * Serves as `npm start` does, with the same settings, by three servers behind a TCP balancer: each connection goes
 * to the next server. All that they store is below the data directory, so that another start goes on with it.
 * Resolves if a server ends by itself.
 */
export async function serveBalanced(ends: Ends): Promise<void> {
  const { dataDir, host, port } = readConfig(IN_CLUSTER);
  await mkdir(dataDir, { recursive: true });
  const lock = await ProcessLock.take(dataDir);
  ends.add(() => lock.release());
  const postgres = startPostgresIn(join(dataDir, "postgres"));
  ends.add(() => postgres.then(({ stop }) => stop()));
  const s3 = startS3In(join(dataDir, "objects"));
  ends.add(() => s3.then(({ stop }) => stop()));
  const settings = {
    CTXDB_PORT: "0",
    CTXDB_STORE: (await postgres).url,
    ...(await s3).settings("cluster"),
  };
  let balancer: Gate | undefined;
  // answers of the last calls still pass while the servers end
  ends.add(async () => balancer?.close());
  const members: Member[] = [];
  ends.add(() => Promise.all(members.map((member) => member.stop())));
  for (let i = 1; i <= SERVERS; i++) {
    const folder = join(dataDir, "servers", String(i));
    await formerEnded(folder);
    members.push(new Member({ ...settings, CTXDB_DATA_DIR: folder }));
  }
  const ports = await Promise.all(members.map((member) => member.ready));
  balancer = await Gate.open({ host, port }, ports);
  const ready = {
    level: INFO,
    time: Date.now(),
    host,
    port: balancer.port,
    servers: ports,
    msg: "listening",
  };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
  await Promise.race(members.map(({ ended }) => ended));
}

/** Waits for a server that was killed together with its parent. */
async function formerEnded(folder: string): Promise<void> {
  while ((await ProcessLock.holder(folder)) !== undefined)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}
