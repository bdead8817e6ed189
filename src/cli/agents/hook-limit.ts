import { CLIENT_VARIABLES } from "../../base/client-variables.ts";
import type { CliEnvironment } from "../profiles.ts";

const LIMIT_MS = 300;
export const LEAST_LIMIT_MS = 50;
const MOST_LIMIT_MS = 10_000;
/** Left of the limit to print and to end, in ms. */
export const HOOK_END_MS = 25;

/**
 * What a hook may take from the start of its process, in ms; CTXDB_HOOK_LIMIT_MS says otherwise. What was
 * said is noted even where a busy machine has used the time up: that takes no server.
 */
export function hookLimitMs(env: CliEnvironment): number {
  const given = Number(env[CLIENT_VARIABLES.hookLimit] || LIMIT_MS);
  return given >= LEAST_LIMIT_MS && given <= MOST_LIMIT_MS ? given : LIMIT_MS;
}
