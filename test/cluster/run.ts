import { once } from "node:events";
import { ROOT_KEY, Server } from "../crash/server.ts";
import { startPostgres } from "../support/postgres.ts";
import { startS3 } from "../support/s3.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SERVERS = 3;
const FIRST_PORT = 1933;

/** `npm run cluster`: runs PostgreSQL, an object store and three servers on this machine until Ctrl-C. */
async function run(): Promise<void> {
  const stop = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  const ends: (() => Promise<unknown>)[] = [];
  const end = async () => {
    for (const one of ends.reverse())
      await one().catch((error: unknown) => process.stderr.write(`${error}\n`));
  };
  try {
    const postgres = await startPostgres();
    ends.push(() => postgres.stop());
    const s3 = await startS3();
    ends.push(() => s3.stop());
    const store = await postgres.empty();
    for (let i = 0; i < SERVERS; i++) {
      const folder = await temporaryFolder();
      ends.push(folder.remove);
      const settings = { CTXDB_STORE: store, CTXDB_PORT: String(FIRST_PORT + i), ...s3.settings("cluster") };
      const server = new Server({ dataDir: folder.path, sources: folder.path, fromSource: true, settings });
      ends.push(() => server.stop());
      const port = await server.ready();
      if (port === undefined) throw new Error("a server did not start: is its port free?");
      process.stdout.write(`http://127.0.0.1:${port}\n`);
    }
    process.stdout.write(`root key: ${ROOT_KEY}\nPostgreSQL: ${store}\nCtrl-C ends all\n`);
    await stop;
  } finally {
    await end();
  }
}

await run();
