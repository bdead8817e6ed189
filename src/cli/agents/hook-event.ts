import { fieldOf, textField } from "../../base/capture/captured-message.ts";

/** Agents whose hooks `ctxdb hook` understands. */
export const HOOK_AGENTS = ["claude-code", "codex"] as const;

/** An event in a session. */
export type Moment =
  | "start"
  /** The agent has compacted its context: recalled text is gone from it. */
  | "shortened"
  | "prompt"
  | "turn"
  | "compact"
  | "end";

export interface HookEvent {
  readonly moment: Moment;
  /** As the agent names it. */
  readonly session: string;
  readonly prompt?: string;
  readonly transcript?: string;
}

/** Event names, which Claude Code and Codex share. */
const MOMENTS: Readonly<Record<string, Moment>> = {
  SessionStart: "start",
  UserPromptSubmit: "prompt",
  Stop: "turn",
  PreCompact: "compact",
  PostCompact: "shortened",
  SessionEnd: "end",
};
const MAX_SESSION_CHARACTERS = 200;

/** An event that an agent gave as JSON; undefined if it is unknown or empty. */
export function hookEvent(event: string, input: unknown): HookEvent | undefined {
  const session = textField(input, "session_id");
  const moment = Object.hasOwn(MOMENTS, event) ? MOMENTS[event] : undefined;
  if (moment === undefined || !session || session.length > MAX_SESSION_CHARACTERS) return undefined;
  const isShortened = moment === "start" && ["compact", "clear"].includes(textField(input, "source") ?? "");
  // a subagent's turns are no conversation with the user
  if (textField(input, "agent_id") !== undefined && fieldOf(input, "agent_id") !== "") return undefined;
  return {
    moment: isShortened ? "shortened" : moment,
    session,
    prompt: textField(input, "prompt"),
    transcript: textField(input, "transcript_path"),
  };
}
