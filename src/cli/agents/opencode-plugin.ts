import {
  type CapturedPart,
  fieldOf,
  textField,
  textPart,
  toolPart,
} from "../../base/capture/captured-message.ts";
import { CLIENT_VARIABLES } from "../../base/client-variables.ts";
import { messageOf } from "../../base/faults.ts";
import type { CliEnvironment, Profile } from "../profiles.ts";
import { FLUSH_MS, flush, isFlushing } from "./flush.ts";
import { HOOK_END_MS, hookLimitMs } from "./hook-limit.ts";
import { openHookLog } from "./hook-log.ts";
import { type HookDeps, runHook } from "./run-hook.ts";
import { HookQueue } from "./spool.ts";
import { digest, targetFolder } from "./state-folder.ts";

const AGENT = "opencode";
/** Maximum time in ms that opencode's exit is delayed by the last flush. */
const LAST_FLUSH_MS = 200;
/** Maximum number of open messages and of sessions; the oldest are dropped. */
const MAX_OPEN = 200;
const MAX_PARTS = 200;
const OWN_TOOL = /^ctxdb[_-]/;

/** Hooks as defined by `@opencode-ai/plugin`, without that dependency. */
export interface OpencodeHooks {
  readonly "chat.message": (
    input: { readonly sessionID: string },
    output: { readonly message: { readonly id: string }; readonly parts: unknown[] },
  ) => Promise<void>;
  readonly event: (input: { readonly event: unknown }) => Promise<void>;
  readonly dispose: () => Promise<void>;
}

export interface OpencodeAround {
  readonly env: CliEnvironment;
  readonly target: Profile;
  readonly now: () => number;
}

/**
 * The hooks of an opencode process: recalled memories are added to a prompt, finished messages are queued at
 * once, and a flush sends them when the session is idle. No hook throws.
 */
export function opencodeHooks({ env, target, now }: OpencodeAround): OpencodeHooks {
  const limit = hookLimitMs(env);
  const folder = targetFolder(env, target);
  const log = openHookLog(env, () => new Date(now()));
  const spool = new HookQueue(folder, now);
  const messages = new OpenMessages();
  const talked = new Set<string>();
  const asides = new Set<string>();
  const flushFor = (ms: number) => flush({ folder, target, now, log, signal: AbortSignal.timeout(ms) });
  const deps = (): HookDeps => {
    const end = now() + limit - HOOK_END_MS;
    return {
      folder,
      target,
      project: env[CLIENT_VARIABLES.project] || undefined,
      now,
      log,
      leftMs: () => Math.max(end - now(), 0),
      startFlush: () => void flushFor(FLUSH_MS),
    };
  };
  const keep = (session: string, id: string, role: "user" | "assistant", parts: readonly CapturedPart[]) => {
    if (parts.length === 0) return;
    addTo(talked, session);
    const at = new Date(now()).toISOString();
    spool.add({ agent: AGENT, session, work: { kind: "messages", messages: [{ id, role, at, parts }] } });
  };
  const safely = async (about: string, work: () => Promise<void> | void): Promise<void> => {
    try {
      await within(limit, work());
    } catch (error) {
      log(`${AGENT} ${about}: ${messageOf(error)}`);
    }
  };
  const onEvent = async (event: unknown): Promise<void> => {
    const properties = fieldOf(event, "properties");
    const info = fieldOf(properties, "info");
    const session = textField(properties, "sessionID") ?? textField(info, "sessionID") ?? "";
    switch (textField(event, "type")) {
      case "session.created":
        if (textField(info, "parentID")) addTo(asides, textField(info, "id") ?? "");
        return;
      case "message.part.updated":
        messages.note(fieldOf(properties, "part"));
        return;
      case "message.updated": {
        const [id, role] = [textField(info, "id") ?? "", textField(info, "role")];
        const isDone = fieldOf(fieldOf(info, "time"), "completed") !== undefined;
        if (role !== "assistant" || !isDone) return;
        const parts = messages.take(id);
        if (!asides.has(session)) keep(session, id, "assistant", parts);
        return;
      }
      case "session.compacted":
        spool.add({ agent: AGENT, session, work: { kind: "commit" } });
        await runHook(deps(), AGENT, { moment: "shortened", session });
        return;
      case "session.idle":
        if (spool.names().length > 0 && !isFlushing(folder, now)) void flushFor(FLUSH_MS);
        return;
      default:
    }
  };
  return {
    "chat.message": ({ sessionID: session }, { message, parts }) =>
      safely("chat.message", async () => {
        if (asides.has(session)) return;
        const prompt = parts
          .filter((part) => textField(part, "type") === "text" && fieldOf(part, "synthetic") !== true)
          .flatMap((part) => textField(part, "text") ?? [])
          .join("\n");
        const end = now() + limit;
        const text = await runHook(deps(), AGENT, { moment: "prompt", session, prompt });
        // store the prompt after the recall: otherwise the recall would find it
        const said = textPart(prompt);
        if (said) keep(session, message.id, "user", [said]);
        if (text === "" || now() > end) return;
        const id = `prt_zzz${digest(message.id)}`;
        parts.push({ id, sessionID: session, messageID: message.id, type: "text", text, synthetic: true });
      }),
    event: ({ event }) => safely("event", () => onEvent(event)),
    dispose: () =>
      safely("dispose", async () => {
        for (const session of talked) spool.add({ agent: AGENT, session, work: { kind: "commit" } });
        talked.clear();
        await flushFor(LAST_FLUSH_MS);
      }),
  };
}

/** Settles like `work`, or rejects after `ms` milliseconds. */
async function within(ms: number, work: Promise<void> | void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`given up after ${ms} ms`)), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Parts of unfinished messages, by message and part. */
class OpenMessages {
  readonly #messages = new Map<string, Map<string, CapturedPart>>();

  note(part: unknown): void {
    const [id, message] = [textField(part, "id"), textField(part, "messageID")];
    const captured = partOf(part);
    if (id === undefined || message === undefined || captured === undefined) return;
    const parts = this.#messages.get(message) ?? new Map<string, CapturedPart>();
    if (parts.size < MAX_PARTS || parts.has(id)) parts.set(id, captured);
    this.#messages.set(message, parts);
    const [oldest] = this.#messages.keys();
    if (this.#messages.size > MAX_OPEN && oldest !== undefined) this.#messages.delete(oldest);
  }

  take(message: string): CapturedPart[] {
    const parts = this.#messages.get(message);
    this.#messages.delete(message);
    return [...(parts?.values() ?? [])];
  }
}

function partOf(part: unknown): CapturedPart | undefined {
  if (textField(part, "type") === "text")
    return fieldOf(part, "synthetic") === true ? undefined : textPart(textField(part, "text") ?? "");
  if (textField(part, "type") !== "tool") return undefined;
  const [id, name, state] = [textField(part, "callID"), textField(part, "tool"), fieldOf(part, "state")];
  const status = textField(state, "status");
  const isOver = status === "completed" || status === "error";
  if (id === undefined || name === undefined || !isOver || OWN_TOOL.test(name)) return undefined;
  const output = textField(state, status === "error" ? "error" : "output") ?? "";
  return toolPart({ id, name, input: fieldOf(state, "input") }, output, status === "error");
}

function addTo(set: Set<string>, value: string): void {
  const [oldest] = set;
  if (set.size >= MAX_OPEN && oldest !== undefined && !set.has(value)) set.delete(oldest);
  set.add(value);
}
