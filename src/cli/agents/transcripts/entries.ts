import type { CapturedCall } from "../../../base/capture/captured-message.ts";
import type { TranscriptLine } from "./jsonl.ts";

/** One entry of a transcript, independent of the agent. */
export type TranscriptEntry =
  | { readonly kind: "said"; readonly role: "user" | "assistant"; readonly text: string }
  | { readonly kind: "call"; readonly call: CapturedCall }
  | { readonly kind: "result"; readonly id: string; readonly output: string; readonly isError: boolean };

export interface TranscriptEntries {
  /** Stable id of the entry within its transcript. */
  readonly id: string;
  readonly at?: string;
  readonly entries: readonly TranscriptEntry[];
}

/** Parses one line of an agent's transcript; undefined if it is not part of the conversation. */
export type ReadEntries = (line: TranscriptLine) => TranscriptEntries | undefined;
