import { spawn } from "node:child_process";
import { CLIENT_VARIABLES } from "../../base/client-variables.ts";
import { messageOf } from "../../base/faults.ts";
import type { CliEnvironment, Profile } from "../profiles.ts";
import { FLUSH_MS, flush } from "./flush.ts";
import { HOOK_AGENTS, hookEvent } from "./hook-event.ts";
import { HOOK_END_MS, hookLimitMs, LEAST_LIMIT_MS } from "./hook-limit.ts";
import { openHookLog } from "./hook-log.ts";
import { parsed } from "./rest-call.ts";
import { runHook } from "./run-hook.ts";
import { targetFolder } from "./state-folder.ts";

const MAX_EVENT_BYTES = 8 * 1024 * 1024;
const TAIL_BYTES = 16;
const ENDING = /\}\s*$/;

export interface HookProcess {
  readonly env: CliEnvironment;
  readonly in: AsyncIterable<Uint8Array | string>;
  readonly target: () => Promise<Profile>;
  readonly now: () => number;
  /** Time in ms since the process started. */
  readonly elapsedMs: () => number;
  /** Command line of this program without arguments, to start the flush with. */
  readonly self: readonly string[];
}

/**
 * Handles `hook AGENT EVENT`: reads the event as JSON and returns the output. `hook flush` sends the queue.
 * Never throws. If the server does not respond in time, the hook gives up and logs a line.
 */
export async function hookAnswer(args: readonly string[], about: HookProcess): Promise<string> {
  const { env, now } = about;
  const log = openHookLog(env, () => new Date(now()));
  const [agent = "", event = ""] = args;
  try {
    if (agent === "flush") {
      await flushAll(about);
      return "";
    }
    const isKnown = HOOK_AGENTS.some((name) => name === agent);
    if (!isKnown) throw new Error(`unknown agent "${agent}": choose one of ${HOOK_AGENTS.join(", ")}`);
    return await answer(agent, event, about);
  } catch (error) {
    log(`${agent} ${event}: ${messageOf(error)}`);
    return "";
  }
}

async function answer(agent: string, event: string, about: HookProcess): Promise<string> {
  const { env, now } = about;
  const limit = hookLimitMs(env);
  const left = () => Math.max(Math.ceil(limit - about.elapsedMs() - HOOK_END_MS), 0);
  const found = hookEvent(event, await readEvent(about.in, Math.max(left(), LEAST_LIMIT_MS)));
  if (found === undefined) return "";
  const target = await about.target();
  const text = await runHook(
    {
      folder: targetFolder(env, target),
      target,
      project: env[CLIENT_VARIABLES.project] || undefined,
      now,
      log: openHookLog(env, () => new Date(now())),
      leftMs: left,
      startFlush: () => startFlush(about),
    },
    agent,
    found,
  );
  if (text === "") return "";
  const hookSpecificOutput = { hookEventName: event, additionalContext: text };
  return `${JSON.stringify({ hookSpecificOutput })}\n`;
}

/** Starts a detached process: the agent neither waits for it nor kills it. */
function startFlush({ self, env }: HookProcess): void {
  const [program = "", ...args] = self;
  const child = spawn(program, [...args, "hook", "flush"], {
    detached: true,
    stdio: "ignore",
    cwd: "/",
    env: { ...env },
    windowsHide: true,
  });
  child.on("error", () => undefined);
  child.unref();
}

async function flushAll({ env, now, target: targetOf }: HookProcess): Promise<void> {
  const target = await targetOf();
  await flush({
    folder: targetFolder(env, target),
    target,
    now,
    log: openHookLog(env, () => new Date(now())),
    signal: AbortSignal.timeout(FLUSH_MS),
  });
}

/** Reads the JSON input until it is complete, because an agent may not close the stream. */
async function readEvent(input: AsyncIterable<Uint8Array | string>, limitMs: number): Promise<unknown> {
  const late = AbortSignal.timeout(limitMs);
  const given = new Promise<never>((_, reject) => {
    late.addEventListener("abort", () => reject(new Error(`no event within ${limitMs} ms`)));
  });
  return Promise.race([whole(input), given]);
}

async function whole(input: AsyncIterable<Uint8Array | string>): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    const piece = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    bytes += piece.byteLength;
    if (bytes > MAX_EVENT_BYTES) throw new Error(`the event is larger than ${MAX_EVENT_BYTES} bytes`);
    chunks.push(piece);
    const isEnd = ENDING.test(piece.subarray(-TAIL_BYTES).toString("latin1"));
    const event = isEnd ? parsed(Buffer.concat(chunks).toString("utf8")) : undefined;
    if (event !== undefined) return event;
  }
  throw new Error("the event is not JSON");
}
