import type { NodeId } from "./node.ts";

/**
 * Enqueues the layers jobs of many directories, some at a time: a transaction that enqueued thousands of jobs
 * would block the event loop.
 */
export const STALE_DIRECTORIES = "stale-directories";

export interface StaleDirectories {
  readonly nodes: readonly NodeId[];
}
