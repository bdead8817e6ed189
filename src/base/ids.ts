import { monotonicFactory } from "ulid";
import type { Clock } from "./clock.ts";

/**
 * Generates unique names for tasks, uploads and sessions: ULIDs, in order of creation even if the clock goes
 * back.
 */
export type Ids = () => string;

export function createIds(clock: Clock): Ids {
  const next = monotonicFactory();
  return () => next(clock());
}
