import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { CliEnvironment, Profile } from "../profiles.ts";
import { sendTranscript } from "./flush.ts";
import { type Refused, ServerSession } from "./server-session.ts";
import { targetFolder } from "./state-folder.ts";

/** Maximum number of files examined. */
const MAX_TRANSCRIPTS = 100_000;
const CALL_MS = 60_000;
/** The session id at the end of a file name. */
const SESSION = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/;

export interface OldTranscript {
  readonly path: string;
  readonly session: string;
  readonly size: number;
  /** Time of the last modification, Unix time in ms. */
  readonly changed: number;
}

/** Folder of old transcripts by agent. */
export const TRANSCRIPT_FOLDERS: Readonly<Record<string, (env: CliEnvironment) => string>> = {
  "claude-code": (env) => join(env.CLAUDE_CONFIG_DIR || join(homeOf(env), ".claude"), "projects"),
  codex: (env) => join(env.CODEX_HOME || join(homeOf(env), ".codex"), "sessions"),
};

const homeOf = (env: CliEnvironment): string => env.HOME ?? env.USERPROFILE ?? "/";

/** An agent's transcripts modified after a time, oldest first. */
export function oldTranscripts(folder: string, since: number): OldTranscript[] {
  const found: OldTranscript[] = [];
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const session = SESSION.exec(basename(name))?.[1];
    if (session === undefined || found.length >= MAX_TRANSCRIPTS) continue;
    const path = join(folder, name);
    const about = statSync(path, { throwIfNoEntry: false });
    if (about?.isFile() && about.mtimeMs >= since)
      found.push({ path, session, size: about.size, changed: about.mtimeMs });
  }
  return found.sort((a, b) => a.changed - b.changed);
}

/**
 * Sends the unsent part of a transcript, requests memory extraction and returns the number of messages. Can
 * be interrupted: a later call resumes. `onRefused` is called for each message that is left out because the
 * server refuses its content. Throws Unreachable and Refused.
 */
export async function backfillTranscript(
  env: CliEnvironment,
  target: Profile,
  agent: string,
  { path, session, size }: OldTranscript,
  interrupted: AbortSignal,
  onRefused: (error: Refused) => void,
): Promise<number> {
  const server = new ServerSession(target, agent, session);
  const signal = () => AbortSignal.any([interrupted, AbortSignal.timeout(CALL_MS)]);
  const part = { agent, session, path, size };
  const sent = await sendTranscript(targetFolder(env, target), part, server, signal, onRefused);
  if (sent > 0) await server.commit(signal());
  return sent;
}
