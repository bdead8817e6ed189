import { appendFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CliEnvironment } from "../profiles.ts";
import { ownFolder, stateFolder } from "./state-folder.ts";

const MAX_LOG_BYTES = 1024 * 1024;
const MAX_LINE_CHARACTERS = 500;
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Writes one line. Never throws, because a hook cannot report errors. */
export type HookLog = (line: string) => void;

export const hookLogFile = (env: CliEnvironment): string => join(stateFolder(env), "hook.log");

/**
 * Logs to the state folder, because an agent may show or obey what a hook prints. Two files alternate, so
 * that the log never exceeds twice its limit.
 */
export function openHookLog(env: CliEnvironment, now: () => Date): HookLog {
  return (line) => {
    try {
      const file = hookLogFile(env);
      ownFolder(stateFolder(env));
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES)
        renameSync(file, `${file}.1`);
      const text = line.replace(CONTROL, " ").slice(0, MAX_LINE_CHARACTERS);
      appendFileSync(file, `${now().toISOString()} ${text}\n`, { mode: 0o600 });
    } catch {
      // a full disk or another user's folder must not affect the agent
    }
  };
}
