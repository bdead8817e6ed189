import { appendFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CliEnvironment } from "../profiles.ts";
import { ownFolder, stateFolder } from "./state-folder.ts";

const MAX_LOG_BYTES = 1024 * 1024;
const MAX_LINE_CHARACTERS = 500;
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Notes one line. Never throws: a hook has nobody to tell. */
export type HookLog = (line: string) => void;

export const hookLogFile = (env: CliEnvironment): string => join(stateFolder(env), "hook.log");

/**
 * A log in the state folder: hooks print nothing that an agent could show or obey. The file before the last
 * one is overwritten, so that it never takes more than twice its limit.
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
      // a full disk or a folder of somebody else's may not disturb the agent
    }
  };
}
