/**
 * Writes until the file size limit set by its shell makes a write fail, then continues to write. Argument:
 * folder. Prints `ok <key>` for each acknowledged write, `refused <key> <code> <what a reader finds of it>`
 * for each failed one, and `done` at the end.
 */
import { openStorage } from "../../src/storage/open.ts";
import { silentLog } from "./silent-log.ts";

const AFTER_THE_FIRST_REFUSAL = 20;

const { kv } = await openStorage({ dataDir: process.argv[2] ?? "", log: silentLog, clock: Date.now });
let left = Number.POSITIVE_INFINITY;
for (let i = 0; left > 0; i++, left--) {
  const key = String(i).padStart(6, "0");
  try {
    await kv.transact(() => ({
      ops: [{ key, value: Buffer.alloc(100_000, i % 7) }],
      apply: () => undefined,
    }));
    process.stdout.write(`ok ${key}\n`);
  } catch (error) {
    left = Math.min(left, AFTER_THE_FIRST_REFUSAL);
    process.stdout.write(
      `refused ${key} ${(error as { code?: string }).code} ${kv.get(key)?.byteLength ?? "nothing"}\n`,
    );
  }
}
process.stdout.write("done\n");
setInterval(() => undefined, 60_000);
