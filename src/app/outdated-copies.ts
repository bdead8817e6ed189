import type { Storage } from "../storage/open.ts";
import { bucketOf } from "../workspace/tree/contents.ts";

/** Interval in ms between removals. */
const EVERY_MS = 3600_000;

/**
 * Removes this server's copies of workspaces that it can no longer use, because other servers have deleted or
 * changed them; now and every hour. Returns a function that stops this.
 */
export function removeOutdatedCopies(
  { stores, index, dropCached }: Pick<Storage, "stores" | "index" | "dropCached">,
  report: (what: string, error: unknown) => void,
): () => Promise<void> {
  const stop = new AbortController();
  let running: Promise<void> | undefined;
  const run = () => {
    running ??= stores
      .dropOutdated(async (workspace) => {
        stop.signal.throwIfAborted();
        await index.drop(bucketOf(workspace));
        await dropCached?.(bucketOf(workspace));
      })
      .catch((error: unknown) => {
        if (!stop.signal.aborted) report("removing outdated copies", error);
      })
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(run, EVERY_MS).unref();
  run();
  return async () => {
    clearInterval(timer);
    stop.abort();
    await running;
  };
}
