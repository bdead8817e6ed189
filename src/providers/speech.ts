import type { CallContext, CallScope, Media } from "./language.ts";

/** A model that transcribes recordings. */
export interface SpeechModel {
  readonly provider: string;
  readonly model: string;
  /**
   * The transcript in the spoken language; "" if nobody speaks. VLM_FAILED if the recording is refused or the
   * answer invalid; UNAVAILABLE: temporary, or until an operator acts. Rejects with the reason of `signal`
   * once it is aborted.
   */
  transcribe(recording: Media, asking: Pick<CallContext, "signal" | "count">): Promise<string>;
  /** Ends running calls. */
  close(): void;
}

/** A speech model as upper layers use it. */
export interface Transcriber {
  /** Identifies everything that affects the answers, including the model. */
  readonly name: string;
  /** The transcript, or undefined without a usable answer. Rejects only with the reason of `signal`. */
  transcribe(recording: Media, asked: Pick<CallScope, "workspace" | "signal">): Promise<string | undefined>;
}
