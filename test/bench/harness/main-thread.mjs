/**
 * Preloaded into a server (NODE_OPTIONS=--import): says on stderr how long the main thread was held, `held <ms> <Unix time in ms>`, where it was more than REPORT_MS.
 * Measured is the CPU time of the main thread between two ticks of a timer, which a busy machine does not stretch.
 */
import fs from "node:fs";
import { isMainThread } from "node:worker_threads";

const TICK_MS = 2;
const REPORT_MS = 20;
const NS_PER_MS = 1e6;

if (isMainThread && fs.existsSync(`/proc/self/task/${process.pid}/schedstat`)) {
  const file = fs.openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
  const line = Buffer.alloc(128);
  /** CPU time of the main thread in ms: the first number of the line. */
  const used = () =>
    Number.parseInt(line.toString("latin1", 0, fs.readSync(file, line, 0, line.length, 0)), 10) / NS_PER_MS;
  let before = used();
  setInterval(() => {
    const now = used();
    if (now - before > REPORT_MS) fs.writeSync(2, `held ${(now - before).toFixed(1)} ${Date.now()}\n`);
    before = now;
  }, TICK_MS).unref();
}
