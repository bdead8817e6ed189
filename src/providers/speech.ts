import type { CallContext, CallScope, Media } from "./language.ts";

/** A model that writes down what a recording says. */
export interface SpeechModel {
  readonly provider: string;
  readonly model: string;
  /**
   * What is said, in the language in which it is said; "" where nothing is. VLM_FAILED where the recording is
   * not taken or the answer is none; UNAVAILABLE: not now, or not before somebody mends it. Rejects with the
   * reason of `signal` once it is aborted.
   */
  transcribe(recording: Media, asking: Pick<CallContext, "signal" | "count">): Promise<string>;
  /** Ends what is under way. */
  close(): void;
}

/** A speech model as the rings above ask it. */
export interface Transcriber {
  /** Identifies everything that shapes the answers, the model included. */
  readonly name: string;
  /** The transcript, or undefined without a usable answer. Rejects only with the reason of `signal`. */
  transcribe(recording: Media, asked: Pick<CallScope, "workspace" | "signal">): Promise<string | undefined>;
}
