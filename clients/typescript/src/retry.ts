import { toCtxdbError } from "./errors.ts";

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

/**
 * Delay in ms before the retry after attempt 0, 1, …: growing, with jitter, and not shorter than the server's
 * Retry-After.
 */
export function pauseBefore(attempt: number, thrown: unknown): number {
  const grown = Math.min(FIRST_PAUSE_MS * 2 ** attempt, MAX_PAUSE_MS) * (0.5 + Math.random());
  return Math.max(grown, (toCtxdbError(thrown).retryAfter ?? 0) * 1000);
}

/** Resolves after a time, or when the signal aborts. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener("abort", end);
  });
}
