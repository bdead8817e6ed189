import { systemClock } from "../base/clock.ts";
import { type OpencodeHooks, opencodeHooks } from "./agents/opencode-plugin.ts";
import { targetOf } from "./target.ts";

/** The opencode plugin; the file may export nothing else. Options are CTXDB_* settings. */
export const Ctxdb = async (
  _: unknown,
  options: Readonly<Record<string, string>> = {},
): Promise<OpencodeHooks> => {
  const env = { ...process.env, ...options };
  return opencodeHooks({ env, target: await targetOf({}, env), now: systemClock });
};
