import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fieldOf } from "../../base/capture/captured-message.ts";
import { codeOf, messageOf } from "../../base/faults.ts";
import type { Profile } from "../profiles.ts";
import { isLocked, lockFile } from "./file-lock.ts";
import type { HookLog } from "./hook-log.ts";
import { parsed, Unreachable } from "./rest-call.ts";
import { Refused, ServerSession } from "./server-session.ts";
import { HookQueue, type SpooledRecord } from "./spool.ts";
import { digest, ownFolder } from "./state-folder.ts";
import { readTranscript } from "./transcripts/transcript.ts";

/** Time limit of a flush in ms. A slower process is considered hung, and its lock stale. */
export const FLUSH_MS = 30_000;
const STALE_MS = 2 * FLUSH_MS;
const CALL_MS = 10_000;
const LOCK = "lock";
/** Maximum number of passes over the queue; records that arrive during a pass wait for the next one. */
const MAX_ROUNDS = 100;
/** Number of messages after which the progress in a transcript is saved. */
const NOTE_EVERY = 20;
const MAX_NOTES = 5000;
/** Error codes that may concern a single session; others stop the flush. */
const OF_SESSION: ReadonlySet<string | undefined> = new Set(["RESOURCE_EXHAUSTED", "INTERNAL"]);

export interface FlushDeps {
  /** State folder of the target. */
  readonly folder: string;
  readonly target: Profile;
  readonly now: () => number;
  readonly log: HookLog;
  /** Aborts the flush; unsent records stay in the queue. */
  readonly signal: AbortSignal;
}

/**
 * Sends the queued records of a target in order, and removes each once the server has stored it. Does nothing
 * if another flush holds the lock, because that flush checks the queue again before it ends. Never throws;
 * unsent records stay queued.
 */
export async function flush(deps: FlushDeps): Promise<void> {
  const { folder, now, log, signal } = deps;
  const spool = new HookQueue(folder, now);
  try {
    for (let round = 0; round < MAX_ROUNDS && spool.names().length > 0 && !signal.aborted; round++) {
      const unlock = lockFile(join(ownFolder(folder), LOCK), now, STALE_MS);
      if (unlock === undefined) return;
      let sent: number;
      try {
        sent = await sendAll(deps, spool);
      } finally {
        unlock();
      }
      if (sent === 0) return;
    }
  } catch (error) {
    log(`flush: ${messageOf(error)}`);
  }
}

/** Whether a running flush will process records added before this call. */
export const isFlushing = (folder: string, now: () => number): boolean =>
  isLocked(join(folder, LOCK), now, STALE_MS);

/** Makes one pass over all records; returns how many left the queue. */
async function sendAll(deps: FlushDeps, spool: HookQueue): Promise<number> {
  const blocked = new Set<string>();
  let sent = 0;
  for (const name of spool.names()) {
    if (deps.signal.aborted) break;
    const record = readRecord(spool, name);
    if (record === undefined) continue;
    const key = `${record.agent}/${record.session}`;
    // later records of this session must wait, to keep messages in order
    if (blocked.has(key)) continue;
    try {
      await send(deps, record);
      spool.remove(name);
      sent++;
    } catch (error) {
      if (error instanceof Unreachable) {
        deps.log(`${key}: kept for later: ${error.message}`);
        if (!OF_SESSION.has(error.code)) break;
        blocked.add(key);
      } else {
        deps.log(`${key}: ${record.work.kind} is put aside: ${messageOf(error)}`);
        spool.reject(name);
        sent++;
      }
    }
  }
  return sent;
}

function readRecord(spool: HookQueue, name: string): SpooledRecord | undefined {
  try {
    return spool.read(name);
  } catch (error) {
    // another process has already sent the record
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function send(deps: FlushDeps, { agent, session, work }: SpooledRecord): Promise<void> {
  const server = new ServerSession(deps.target, agent, session);
  const signal = () => AbortSignal.any([deps.signal, AbortSignal.timeout(CALL_MS)]);
  try {
    if (work.kind === "commit") await server.commit(signal());
    else if (work.kind === "messages")
      for (const message of work.messages) await add(server, message, signal);
    else {
      const onRefused = ({ message }: Refused) => deps.log(`${server.id}: a message is left out: ${message}`);
      await sendTranscript(deps.folder, { agent, session, ...work }, server, signal, onRefused);
    }
  } catch (error) {
    // the user deleted the session, so its messages must not be stored again
    if (error instanceof Refused && error.code === "SESSION_EXPIRED")
      deps.log(`${server.id}: dropped, the session was deleted`);
    else throw error;
  }
}

/** Adds a message; commits the session first if its buffer is full. */
async function add(
  server: ServerSession,
  message: Parameters<ServerSession["add"]>[0],
  signal: () => AbortSignal,
): Promise<void> {
  try {
    await server.add(message, signal());
  } catch (error) {
    if (!(error instanceof Unreachable && error.code === "RESOURCE_EXHAUSTED")) throw error;
    await server.commit(signal());
    await server.add(message, signal());
  }
}

export interface TranscriptPart {
  readonly agent: string;
  readonly session: string;
  readonly path: string;
  /** Expected minimum size in bytes; a shorter file is an error, because it was replaced or truncated. */
  readonly size: number;
}

/**
 * Sends the unsent part of a transcript and returns the number of messages. `onRefused` is called for each
 * message whose content the server refuses.
 */
export async function sendTranscript(
  folder: string,
  { agent, session, path, size }: TranscriptPart,
  server: ServerSession,
  signal: () => AbortSignal,
  onRefused: (error: Refused) => void,
): Promise<number> {
  const notes = ownFolder(join(folder, "read"));
  const note = join(notes, `${digest(`${agent}/${session}/${path}`)}.json`);
  const actual = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (actual < size) throw new Error(`${path} is gone, or shorter than it was`);
  const before = offsetIn(note);
  const from = before <= actual ? before : 0;
  let [at, noted, sent] = [from, 0, 0];
  try {
    for (const { messages, resumeAt } of readTranscript(agent, path, from, actual)) {
      for (const message of messages) {
        try {
          await add(server, message, signal);
          sent++;
        } catch (error) {
          if (!(error instanceof Refused && error.isOfMessage)) throw error;
          // otherwise every later read would begin with this message again and end there
          onRefused(error);
        }
      }
      at = resumeAt;
      if (sent - noted >= NOTE_EVERY) {
        noted = sent;
        writeNote(note, at);
      }
    }
  } finally {
    if (at !== before) writeNote(note, at);
    dropOldNotes(notes);
  }
  return sent;
}

function offsetIn(note: string): number {
  try {
    const offset = fieldOf(parsed(readFileSync(note, "utf8")), "offset");
    return typeof offset === "number" && Number.isSafeInteger(offset) && offset >= 0 ? offset : 0;
  } catch {
    return 0;
  }
}

function writeNote(note: string, offset: number): void {
  writeFileSync(`${note}.part`, JSON.stringify({ offset }), { mode: 0o600 });
  renameSync(`${note}.part`, note);
}

/**
 * Removes the oldest progress notes. Without a note, the transcript is sent again, and the server ignores
 * known messages.
 */
function dropOldNotes(notes: string): void {
  const names = readdirSync(notes);
  if (names.length <= MAX_NOTES) return;
  const aged = names.map((name) => ({ name, time: statSync(join(notes, name)).mtimeMs }));
  aged.sort((a, b) => a.time - b.time);
  for (const { name } of aged.slice(0, names.length - MAX_NOTES)) rmSync(join(notes, name), { force: true });
}
