import type { CapturedCall } from "../../../base/capture/captured-message.ts";
import type { TranscriptLine } from "./jsonl.ts";

/** What a line of a transcript says, in terms that all agents share. */
export type TranscriptEntry =
  | { readonly kind: "said"; readonly role: "user" | "assistant"; readonly text: string }
  | { readonly kind: "call"; readonly call: CapturedCall }
  | { readonly kind: "result"; readonly id: string; readonly output: string; readonly isError: boolean };

export interface TranscriptEntries {
  /** Names the line for ever, within its transcript. */
  readonly id: string;
  readonly at?: string;
  readonly entries: readonly TranscriptEntry[];
}

/** Reads one line of the transcripts of one agent; undefined for what was not said. */
export type ReadEntries = (line: TranscriptLine) => TranscriptEntries | undefined;
