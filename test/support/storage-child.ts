/**
 * A process with a data directory of its own choice, for tests that kill it. Arguments: folder, mode.
 * `write`: numbers acknowledged writes on stdout until it is killed. `hold`: says `open` and waits. Where the
 * folder cannot be opened: the reason on stderr, status 3.
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
