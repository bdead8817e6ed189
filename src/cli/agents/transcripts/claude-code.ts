import { fieldOf, textField } from "../../../base/capture/captured-message.ts";
import type { TranscriptEntries, TranscriptEntry } from "./entries.ts";
import type { TranscriptLine } from "./jsonl.ts";

/** Text that Claude Code records as a user message although the user did not type it. */
const COMMAND =
  /^\s*<(command-name|command-message|command-args|local-command-stdout|bash-stdout|bash-input)>/;
const INTERRUPTED = "[Request interrupted by user";

/** Parses a line of `~/.claude/projects/<folder>/<session>.jsonl`. */
export function claudeCodeEntries({ value }: TranscriptLine): TranscriptEntries | undefined {
  const [type, id] = [textField(value, "type"), textField(value, "uuid")];
  if ((type !== "user" && type !== "assistant") || id === undefined) return undefined;
  // turns of subagents, notices and summaries of the program
  const isAside = ["isSidechain", "isMeta", "isCompactSummary"].some((name) => fieldOf(value, name) === true);
  if (isAside) return undefined;
  const content = fieldOf(fieldOf(value, "message"), "content");
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [{ type: "text", text: content }];
  return {
    id,
    at: textField(value, "timestamp"),
    entries: blocks.flatMap((block) => entryOf(block, type) ?? []),
  };
}

function entryOf(block: unknown, role: "user" | "assistant"): TranscriptEntry | undefined {
  switch (textField(block, "type")) {
    case "text": {
      const text = textField(block, "text") ?? "";
      const isTyped = role === "assistant" || !(COMMAND.test(text) || text.startsWith(INTERRUPTED));
      return isTyped ? { kind: "said", role, text } : undefined;
    }
    case "tool_use": {
      const [id, name] = [textField(block, "id"), textField(block, "name")];
      if (role !== "assistant" || id === undefined || name === undefined) return undefined;
      return { kind: "call", call: { id, name, input: fieldOf(block, "input") } };
    }
    case "tool_result": {
      const id = textField(block, "tool_use_id");
      if (id === undefined) return undefined;
      const isError = fieldOf(block, "is_error") === true;
      return { kind: "result", id, output: outputText(fieldOf(block, "content")), isError };
    }
    default:
      return undefined;
  }
}

/** The text of a tool result, which may consist of blocks; images are skipped. */
function outputText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.flatMap((block: unknown) => textField(block, "text") ?? []).join("\n");
}
