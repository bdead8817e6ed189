import type { CallContext, CallScope, Media } from "./language.ts";

/** A model that transcribes recordings. */
export interface SpeechModel {
  readonly provider: string;
  readonly model: string;
  /**
   * The transcript in the spoken language; "" without speech. Rejects with VLM_FAILED if the recording is
   * refused or the response invalid; with UNAVAILABLE temporarily or until an operator intervenes; with the
   * signal's reason once it is aborted.
   */
  transcribe(recording: Media, asking: Pick<CallContext, "signal" | "count">): Promise<string>;
  /** Aborts running calls. */
  close(): void;
}

/** Access to a speech model for the layers above. */
export interface Transcriber {
  /** Identifies the model and everything else that affects its answers. */
  readonly name: string;
  /** The transcript; undefined without a usable response. Rejects only with the signal's reason. */
  transcribe(recording: Media, asked: Pick<CallScope, "workspace" | "signal">): Promise<string | undefined>;
}
