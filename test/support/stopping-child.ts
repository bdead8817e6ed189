/**
 * A process that is stopped with SIGTERM while something hangs. Argument: what hangs. `close`: one part of
 * the app never closes. `all`: closing never finishes. `thread`: everything closes, but a thread reads a pipe
 * that has no writer. `nothing`: nothing hangs.
 */
import { execFileSync } from "node:child_process";
import { open } from "node:fs";
import { Closers } from "../../src/base/closers.ts";
import { openLog } from "../../src/base/log.ts";
import { stopOnce } from "../../src/server/shutdown.ts";

const [what = "", pipe = ""] = process.argv.slice(2);
const { log, close: closeLog } = openLog("info", { format: "json" });
const closers = new Closers({ eachMs: 50, totalMs: 200 });
closers.add("store", "storage", () => undefined);
if (what === "close") closers.add("model of a peer that hangs", "work", () => new Promise(() => undefined));
if (what === "thread") {
  execFileSync("mkfifo", [pipe]);
  open(pipe, "r", () => undefined);
}
const app = {
  get open() {
    return closers.open;
  },
  close: async () => {
    if (what === "all") await new Promise(() => undefined);
    await closers.close();
  },
};
const stop = stopOnce({ app, log, closeLog, limitMs: 500 });
process.on("SIGTERM", () => stop(7));
setInterval(() => undefined, 60_000);
process.stdout.write("open\n");
