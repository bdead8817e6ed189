import { fieldOf, textField } from "../../base/capture/captured-message.ts";

/** Agents whose hook events are supported. */
export const HOOK_AGENTS = ["claude-code", "codex"] as const;

/** An event in a session. */
export type Moment =
  | "start"
  /** The agent has compacted its context, which removed recalled text. */
  | "shortened"
  | "prompt"
  | "turn"
  | "compact"
  | "end";

export interface HookEvent {
  readonly moment: Moment;
  /** Session id of the agent. */
  readonly session: string;
  readonly prompt?: string;
  readonly transcript?: string;
}

/** Event names, shared by Claude Code and Codex. */
const MOMENTS: Readonly<Record<string, Moment>> = {
  SessionStart: "start",
  UserPromptSubmit: "prompt",
  Stop: "turn",
  PreCompact: "compact",
  PostCompact: "shortened",
  SessionEnd: "end",
};
const MAX_SESSION_CHARACTERS = 200;

/** Parses an agent's JSON event; undefined if unknown or empty. */
export function hookEvent(event: string, input: unknown): HookEvent | undefined {
  const session = textField(input, "session_id");
  const moment = Object.hasOwn(MOMENTS, event) ? MOMENTS[event] : undefined;
  if (moment === undefined || !session || session.length > MAX_SESSION_CHARACTERS) return undefined;
  const isShortened = moment === "start" && ["compact", "clear"].includes(textField(input, "source") ?? "");
  // a subagent's turns are not a conversation with the user
  if (textField(input, "agent_id") !== undefined && fieldOf(input, "agent_id") !== "") return undefined;
  return {
    moment: isShortened ? "shortened" : moment,
    session,
    prompt: textField(input, "prompt"),
    transcript: textField(input, "transcript_path"),
  };
}
