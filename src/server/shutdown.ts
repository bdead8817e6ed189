import type { App } from "../app/app.ts";
import type { Log } from "../base/log.ts";

/** The server must end within 5 s of SIGTERM; the rest is reserved for the last log line. */
const STOP_LIMIT_MS = 4800;
/** Time in ms to write the last log lines, whose reader may hang. */
const LAST_LINES_MS = 100;
/** Interval in ms between checks for pending system requests. */
const LOOK_MS = 20;

export interface StopDeps {
  readonly app: Pick<App, "close" | "open">;
  readonly log: Log;
  /** Resolves once the log is flushed. */
  readonly closeLog: () => Promise<void>;
  readonly limitMs?: number;
}

/**
 * Ends the process: with `status` if everything closed, otherwise by SIGKILL at the time limit. Later calls
 * have no effect.
 */
export function stopOnce({
  app,
  log,
  closeLog,
  limitMs = STOP_LIMIT_MS,
}: StopDeps): (status: number) => void {
  let isStopping = false;
  const giveUp = (why: string) => {
    log.fatal(
      { open: app.open, requests: requestsUnderWay() },
      `${why}: killing the process; the named components and requests did not end`,
    );
    void endOf(closeLog).then(killSelf);
  };
  return (status) => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => giveUp(`not stopped within ${limitMs} ms`), limitMs);
    app
      .close()
      .then(async () => {
        // process.exit would wait for threads blocked in system calls (a hanging store, a DNS lookup)
        if (app.open.length > 0) return giveUp("not stopped cleanly");
        while (requestsUnderWay().length > 0) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
        await endOf(closeLog);
        process.exit(status);
      })
      .catch((error: unknown) => log.error({ err: error }, "the server could not be closed"));
  };
}

/** Pending system requests on threads of the process, such as DNS lookups. */
const requestsUnderWay = (): string[] =>
  process.getActiveResourcesInfo().filter((name) => /^(?:FSReq|CloseReq|GetAddrInfo|GetNameInfo)/.test(name));

const endOf = (closeLog: () => Promise<void>): Promise<void> =>
  Promise.race([closeLog(), new Promise<void>((resolve) => setTimeout(resolve, LAST_LINES_MS))]);

const killSelf = () => process.kill(process.pid, "SIGKILL");
