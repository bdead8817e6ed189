import { monotonicFactory } from "ulid";
import type { Clock } from "./clock.ts";

/** Generates unique ids for tasks, uploads and sessions: ULIDs, monotonic even if the clock is set back. */
export type Ids = () => string;

export function createIds(clock: Clock): Ids {
  const next = monotonicFactory();
  return () => next(clock());
}
