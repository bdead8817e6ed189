import { once } from "node:events";
import { parseArgs } from "node:util";
import { sayFatal } from "../../src/base/log.ts";
import { ROOT_KEY, Server } from "../crash/server.ts";
import { Ends } from "../support/ends.ts";
import { startPostgres } from "../support/postgres.ts";
import { startS3 } from "../support/s3.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { serveBalanced } from "./balanced.ts";

const SERVERS = 3;
const FIRST_PORT = 1933;

/** Starts PostgreSQL, an object store and servers in temporary folders, and prints how they are reached. */
async function serveApart(ends: Ends): Promise<void> {
  const postgres = await startPostgres();
  ends.add(() => postgres.stop());
  const s3 = await startS3();
  ends.add(() => s3.stop());
  const store = await postgres.empty();
  for (let i = 0; i < SERVERS; i++) {
    const folder = await temporaryFolder();
    ends.add(folder.remove);
    const settings = { CTXDB_STORE: store, CTXDB_PORT: String(FIRST_PORT + i), ...s3.settings("cluster") };
    const server = new Server({ dataDir: folder.path, sources: folder.path, fromSource: true, settings });
    ends.add(() => server.stop());
    const port = await server.ready();
    if (port === undefined) throw new Error("a server did not start: is its port free?");
    process.stdout.write(`http://127.0.0.1:${port}\n`);
  }
  process.stdout.write(`root key: ${ROOT_KEY}\nPostgreSQL: ${store}\nCtrl-C ends all\n`);
  await new Promise(() => undefined);
}

/**
 * `npm run cluster`: runs PostgreSQL, an object store and three servers on this machine until Ctrl-C. With
 * `--balanced` it takes the place of `npm start`: one port, and the same settings.
 */
async function run(): Promise<void> {
  const { values } = parseArgs({ options: { balanced: { type: "boolean", default: false } } });
  const signals = ["SIGINT", "SIGTERM"] as const;
  const stop = Promise.race(signals.map((signal) => once(process, signal)));
  // npm sends a signal to its group once more; what is being ended must not be cut short
  for (const signal of signals) process.on(signal, () => undefined);
  const ends = new Ends();
  const serving = (values.balanced ? serveBalanced(ends) : serveApart(ends)).then(() => {
    throw new Error("a server has ended");
  });
  try {
    await Promise.race([serving, stop]);
  } catch (error) {
    sayFatal(error);
    process.exitCode = 1;
  }
  await ends.run();
  process.exit();
}

await run();
