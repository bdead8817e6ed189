import type { CapturedCall } from "../../../base/capture/captured-message.ts";
import type { TranscriptLine } from "./jsonl.ts";

/** A line of a transcript, in terms that all agents share. */
export type TranscriptEntry =
  | { readonly kind: "said"; readonly role: "user" | "assistant"; readonly text: string }
  | { readonly kind: "call"; readonly call: CapturedCall }
  | { readonly kind: "result"; readonly id: string; readonly output: string; readonly isError: boolean };

export interface TranscriptEntries {
  /** Stable id of the line within its transcript. */
  readonly id: string;
  readonly at?: string;
  readonly entries: readonly TranscriptEntry[];
}

/** Reads one line of an agent's transcripts; undefined if it is not part of the conversation. */
export type ReadEntries = (line: TranscriptLine) => TranscriptEntries | undefined;
