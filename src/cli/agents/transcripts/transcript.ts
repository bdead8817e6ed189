import {
  type CapturedCall,
  type CapturedMessage,
  textPart,
  toolPart,
} from "../../../base/capture/captured-message.ts";
import { claudeCodeEntries } from "./claude-code.ts";
import { codexEntries } from "./codex.ts";
import type { ReadEntries, TranscriptEntries } from "./entries.ts";
import { readLines } from "./jsonl.ts";

const READERS: Readonly<Record<string, ReadEntries>> = {
  "claude-code": claudeCodeEntries,
  codex: codexEntries,
};

export interface TranscriptStep {
  readonly messages: readonly CapturedMessage[];
  /** Offset at which to resume once the messages are stored. */
  readonly resumeAt: number;
}

/** Maximum number of tool calls waiting for a result; an interrupted call never gets one. */
const MAX_OPEN_CALLS = 64;
/** This server's own tools, whose results are already stored. */
const OWN_TOOL = /^mcp__\w*ctxdb/;

/**
 * Messages of a transcript between the offsets `from` and `to`. A tool call and its result become one part;
 * if the result is still missing, the next read starts at the call. Repeated reads yield the same message
 * ids.
 */
export function* readTranscript(
  agent: string,
  path: string,
  from: number,
  to: number,
): Generator<TranscriptStep> {
  const read = READERS[agent];
  if (read === undefined) throw new Error(`there is no reader for transcripts of ${agent}`);
  const open = new Map<string, CapturedCall & { readonly start: number }>();
  for (const line of readLines(path, from, to)) {
    const found = read(line);
    const messages = found === undefined ? [] : messagesOf(found, line.start, open);
    const [first] = open.values();
    yield { messages, resumeAt: first?.start ?? line.end };
  }
}

function messagesOf(
  { id, at, entries }: TranscriptEntries,
  start: number,
  open: Map<string, CapturedCall & { readonly start: number }>,
): CapturedMessage[] {
  const messages: CapturedMessage[] = [];
  const add = (role: "user" | "assistant", part: CapturedMessage["parts"][number]) => {
    const last = messages.at(-1);
    if (last?.role === role) messages.splice(-1, 1, { ...last, parts: [...last.parts, part] });
    else
      messages.push({
        id: messages.length === 0 ? id : `${id}.${messages.length}`,
        role,
        ...(at && { at }),
        parts: [part],
      });
  };
  for (const entry of entries) {
    if (entry.kind === "said") {
      // the user has continued, so open calls were interrupted
      if (entry.role === "user") open.clear();
      const part = textPart(entry.text);
      if (part) add(entry.role, part);
    } else if (entry.kind === "call") {
      if (!OWN_TOOL.test(entry.call.name) && open.size < MAX_OPEN_CALLS)
        open.set(entry.call.id, { ...entry.call, start });
    } else {
      const call = open.get(entry.id);
      open.delete(entry.id);
      if (call) add("assistant", toolPart(call, entry.output, entry.isError));
    }
  }
  return messages;
}
