import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openApp } from "./app.ts";
import { openLog } from "./base/log.ts";
import { packageRoot } from "./base/package-root.ts";
import type { Config } from "./config/config.ts";

/**
 * Serves until a signal ends the process: the ready line on stdout, SIGTERM and SIGINT for a clean end. Resolves with the URL once the server
 * listens; rejects where it cannot start.
 */
export async function serve(config: Config): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(packageRoot(import.meta.url), "package.json"), "utf8")) as { version: string };
  const { log, close: closeLog } = openLog(config.logLevel);
  const app = await openApp(config, log, version);
  const { host, port } = app;
  const url = `${config.tls ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
  // whoever starts the server waits for this line, however little else is to be logged
  const ready = log.child({}, { level: "info" });
  ready.info(
    { host, port, url, version, data_dir: config.dataDir, keys: config.rootApiKey === undefined ? "none" : "required" },
    "listening",
  );
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, "stopping");
    app
      .close()
      .then(closeLog)
      .finally(() => process.exit(0));
  };
  process.on("SIGTERM", () => stop("SIGTERM"));
  process.on("SIGINT", () => stop("SIGINT"));
  return url;
}
