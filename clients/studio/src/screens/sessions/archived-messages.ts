import type { JsonObject } from "@bufbuild/protobuf";
import type { ShownMessage } from "./message.tsx";

/** A message as stored in a line of `messages.jsonl`. */
interface Line {
  readonly id: string;
  readonly role: string;
  readonly created_at: string;
  readonly parts: readonly {
    readonly type: string;
    readonly text?: string;
    readonly uri?: string;
    readonly abstract?: string;
    readonly tool_name?: string;
    readonly tool_input?: JsonObject;
    readonly tool_output?: string;
    readonly tool_status?: string;
  }[];
}

/** The messages of an archive, oldest first; invalid lines are skipped. */
export function archivedMessages(jsonl: string): ShownMessage[] {
  return jsonl.split("\n").flatMap((line) => {
    try {
      const { id, role, created_at, parts } = JSON.parse(line) as Line;
      return [
        {
          id,
          role,
          createdAt: created_at,
          parts: parts.map(({ tool_name, tool_input, tool_output, tool_status, ...rest }) => ({
            ...rest,
            toolName: tool_name,
            toolInput: tool_input,
            toolOutput: tool_output,
            toolStatus: tool_status,
          })),
        },
      ];
    } catch {
      return [];
    }
  });
}
