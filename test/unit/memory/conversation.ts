import {
  type SpokenMessage,
  type ToolCall,
  type Utterance,
  utterancesOf,
} from "../../../src/memory/utterance.ts";

export const tool = (
  name: string,
  input: object,
  output: string,
  status: ToolCall["status"] = "completed",
): ToolCall => ({
  name,
  input: JSON.stringify(input),
  output,
  status,
});

export type Line = readonly [role: "user" | "assistant", text: string, ...tools: ToolCall[]];

const MORNING = Date.UTC(2026, 10, 21, 9);

/** Messages one minute apart, called m1, m2 … */
export const spoken = (lines: readonly Line[]): SpokenMessage[] =>
  lines.map(([role, text, ...tools], i) => ({
    id: `m${i + 1}`,
    role,
    text,
    tools,
    createdAt: MORNING + i * 60_000,
  }));

export const conversation = (lines: readonly Line[]): Utterance[] => utterancesOf(spoken(lines));
