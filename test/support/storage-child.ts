/**
 * A process that opens a data directory, for tests that kill it. Arguments: folder, mode. `write`: prints the
 * numbers of acknowledged writes until it is killed. `hold`: prints `open` and waits. If the folder cannot be
 * opened, it prints the reason to stderr and exits with status 3.
 */
import { openStorage } from "../../src/storage/open.ts";
import { silentLog } from "./silent-log.ts";

const [dataDir = "", mode = ""] = process.argv.slice(2);
const WRITERS = 8;

const storage = await openStorage({ dataDir, log: silentLog, clock: Date.now }).catch((error: Error) => {
  process.stderr.write(error.message);
  process.exit(3);
});

async function write(writer: number): Promise<never> {
  for (let i = 0; ; i++) {
    const key = `${writer}/${i}`;
    const blob = i % 20 === 0 ? await storage.blobs.put("1", Buffer.from(`blob of ${key}`)) : undefined;
    await storage.kv.transact(() => ({
      ops: [{ key, value: Buffer.from(blob?.hash ?? "") }],
      apply: () => undefined,
    }));
    process.stdout.write(`${key}\n`);
  }
}

if (mode === "write") await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
process.stdout.write("open\n");
setInterval(() => undefined, 60_000);
