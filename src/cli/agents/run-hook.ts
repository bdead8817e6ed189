import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../base/faults.ts";
import type { Profile } from "../profiles.ts";
import { isFlushing } from "./flush.ts";
import type { HookEvent } from "./hook-event.ts";
import type { HookLog } from "./hook-log.ts";
import { ServerSession } from "./server-session.ts";
import { HookQueue, type Work } from "./spool.ts";
import { digest, ownFolder } from "./state-folder.ts";

export interface HookDeps {
  /** State folder of the target. */
  readonly folder: string;
  readonly target: Profile;
  /** Resource folder to which recall is limited. */
  readonly project?: string;
  readonly now: () => number;
  readonly log: HookLog;
  /** Remaining time in ms. */
  readonly leftMs: () => number;
  /** Starts a process that sends the queue; does not wait for it. */
  readonly startFlush: () => void;
}

/**
 * Runs a hook for an event: recalls memories for a prompt, or queues messages. Returns the text to insert for
 * the model, or "". Never throws.
 */
export async function runHook(deps: HookDeps, agent: string, event: HookEvent): Promise<string> {
  const { folder, now, log } = deps;
  const about = `${agent}/${event.session} ${event.moment}`;
  const spool = new HookQueue(folder, now);
  try {
    for (const work of workOf(event)) spool.add({ agent, session: event.session, work });
  } catch (error) {
    log(`${about}: lost unless \`ctxdb backfill ${agent}\` finds it: ${messageOf(error)}`);
  }
  try {
    if (event.moment === "shortened")
      writeFileSync(ownMark(folder, agent, event.session), "", { mode: 0o600 });
    // retry records that an earlier hook could not send
    if (spool.names().length > 0 && !isFlushing(folder, now)) deps.startFlush();
    return event.moment === "prompt" ? await recalled(deps, agent, event) : "";
  } catch (error) {
    log(`${about}: ${messageOf(error)}`);
    return "";
  }
}

function workOf({ moment, transcript }: HookEvent): Work[] {
  if (moment === "start" || moment === "prompt" || moment === "shortened") return [];
  const size = transcript === undefined ? 0 : (statSync(transcript, { throwIfNoEntry: false })?.size ?? 0);
  const read: Work[] =
    transcript === undefined || size === 0 ? [] : [{ kind: "transcript", path: transcript, size }];
  return moment === "turn" ? read : [...read, { kind: "commit" }];
}

async function recalled(deps: HookDeps, agent: string, { session, prompt }: HookEvent): Promise<string> {
  if (!prompt?.trim()) return "";
  const mark = ownMark(deps.folder, agent, session);
  const restart = statSync(mark, { throwIfNoEntry: false }) !== undefined;
  const server = new ServerSession(deps.target, agent, session);
  const left = deps.leftMs();
  if (left === 0) throw new Error("there is no time left for a recall");
  const text = await server.recall(prompt, {
    project: deps.project,
    restart,
    signal: AbortSignal.timeout(left),
  });
  if (restart) rmSync(mark, { force: true });
  return text;
}

/** Marker file of a session whose recall must start again. */
const ownMark = (folder: string, agent: string, session: string): string =>
  join(ownFolder(join(folder, "shortened")), digest(`${agent}/${session}`));
