import { fieldOf, textField } from "../../../base/capture/captured-message.ts";
import { parsed } from "../rest-call.ts";
import type { TranscriptEntries, TranscriptEntry } from "./entries.ts";
import type { TranscriptLine } from "./jsonl.ts";

/** Instructions and environment that Codex sends as user messages. */
const ADDED =
  /^\s*(<(environment_context|user_instructions|turn_aborted|INSTRUCTIONS)\b|# AGENTS\.md instructions)/;
const FAILED = /^Process exited with code (?!0$)\d+$/m;

/**
 * Parses a line of `~/.codex/sessions/<date>/rollout-<session>.jsonl`. The line's offset in the file serves
 * as its id.
 */
export function codexEntries({ start, value }: TranscriptLine): TranscriptEntries | undefined {
  if (textField(value, "type") !== "response_item") return undefined;
  const entries = entriesOf(fieldOf(value, "payload"));
  return { id: `byte-${start}`, at: textField(value, "timestamp"), entries };
}

function entriesOf(item: unknown): TranscriptEntry[] {
  const id = textField(item, "call_id");
  switch (textField(item, "type")) {
    case "message":
      return saidIn(item);
    case "function_call":
    case "custom_tool_call": {
      const name = textField(item, "name");
      const input = textField(item, "arguments") ?? textField(item, "input") ?? "";
      return id === undefined || name === undefined
        ? []
        : [{ kind: "call", call: { id, name, input: parsed(input) ?? input } }];
    }
    case "function_call_output":
    case "custom_tool_call_output": {
      const output = outputText(fieldOf(item, "output"));
      return id === undefined ? [] : [{ kind: "result", id, output, isError: FAILED.test(output) }];
    }
    default:
      return [];
  }
}

function saidIn(item: unknown): TranscriptEntry[] {
  const [role, content] = [textField(item, "role"), fieldOf(item, "content")];
  if ((role !== "user" && role !== "assistant") || !Array.isArray(content)) return [];
  const text = content.flatMap((part: unknown) => textField(part, "text") ?? []).join("\n");
  return role === "user" && ADDED.test(text) ? [] : [{ kind: "said", role, text }];
}

/** An output is a string, an object with a string, or a list of strings. */
function outputText(output: unknown): string {
  if (typeof output === "string") return output;
  if (Array.isArray(output))
    return output.flatMap((part: unknown) => textField(part, "text") ?? []).join("\n");
  return textField(output, "content") ?? "";
}
