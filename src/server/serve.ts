import { openApp } from "../app/app.ts";
import { isLogText, openLog } from "../base/log.ts";
import { packageVersion } from "../base/package-root.ts";
import type { Config } from "../config/config.ts";
import { isStudioBuilt } from "../transport/studio.ts";
import { readyScreen } from "./ready-screen.ts";
import { stopOnce } from "./shutdown.ts";
import { guardProcess } from "./uncaught.ts";

/** Files of the server, its child processes and its crash reports are created readable only by its user. */
const PRIVATE_UMASK = 0o077;

/**
 * Serves until a signal ends the process: prints a line to stdout when ready, and stops cleanly on SIGTERM
 * and SIGINT. `cli`: the command that runs the CLI in this terminal. Rejects if the server cannot start.
 * Exits with status 1 if memory and disk may differ.
 */
export async function serve(config: Config, cli: string): Promise<void> {
  process.umask(PRIVATE_UMASK);
  const version = packageVersion(import.meta.url);
  const { log, close: closeLog } = openLog(config.logLevel, { format: config.logFormat });
  for (const warning of config.warnings) log.warn(warning);
  const app = await openApp(config, log, version);
  const { host, port } = app;
  const url = `${config.tls ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const keyed = config.rootApiKey !== undefined;
  if (isLogText(config.logFormat)) {
    const open = url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
    const { dataDir, loopback } = config;
    process.stdout.write(
      readyScreen({ url: open, version, dataDir, keyed, loopback, studio: isStudioBuilt(), cli }),
    );
  } else {
    // logged at any log level: supervisors wait for this line
    const ready = log.child({}, { level: "info" });
    ready.info(
      { host, port, url, version, data_dir: config.dataDir, keys: keyed ? "required" : "none" },
      "listening",
    );
  }
  const stop = stopOnce({ app, log, closeLog });
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => {
      log.info({ signal }, "stopping");
      stop(0);
    });
  guardProcess({ log, count: app.countUncaught, stop: () => stop(1) });
  // the store has already logged the reason
  if (app.broken.aborted) stop(1);
  else app.broken.addEventListener("abort", () => stop(1));
}
