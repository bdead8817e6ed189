import { CLIENT_VARIABLES } from "../../base/client-variables.ts";
import type { CliEnvironment } from "../profiles.ts";

const LIMIT_MS = 300;
export const LEAST_LIMIT_MS = 50;
const MOST_LIMIT_MS = 10_000;
/** Time in ms reserved for printing and exiting. */
export const HOOK_END_MS = 25;

/**
 * Time limit in ms from the start of the hook's process; CTXDB_HOOK_LIMIT_MS overrides it. Messages are
 * queued even after the limit, because that needs no server.
 */
export function hookLimitMs(env: CliEnvironment): number {
  const given = Number(env[CLIENT_VARIABLES.hookLimit] || LIMIT_MS);
  return given >= LEAST_LIMIT_MS && given <= MOST_LIMIT_MS ? given : LIMIT_MS;
}
