import type { ZodType } from "zod";
import type { WorkspaceId } from "../domain/ids.ts";

/** Untrusted text that a question refers to. It is data: instructions in it must be ignored. */
export interface Material {
  /** Kind of text in a word or two, such as `document`. */
  readonly label: string;
  readonly text: string;
}

/** A picture or recording that a question refers to; untrusted data, like Material. */
export interface Media {
  readonly mime: string;
  readonly bytes: Uint8Array;
}

export interface ModelQuestion<T> {
  /** Name and version of the prompt, such as `file-layers/1`. */
  readonly prompt: string;
  readonly instructions: string;
  readonly material: readonly Material[];
  /** Follows the material, in order; only for models that accept media. */
  readonly media?: readonly Media[];
  /**
   * Schema of the answer: an object whose members are all required. It has no bounds, which not every
   * provider's JSON Schema supports; callers check them.
   */
  readonly answer: ZodType<T>;
}

/** As reported by the provider, otherwise estimated. */
export interface SpentTokens {
  readonly prompt: number;
  readonly completion: number;
}

export interface CallContext {
  readonly signal: AbortSignal;
  /**
   * If true, a caller waits: at most one attempt, limited to seconds. Otherwise several attempts, limited to
   * minutes.
   */
  readonly isUrgent: boolean;
  /** Called with the tokens of every attempt, including failed ones. */
  readonly count: (spent: SpentTokens) => void;
}

/** A language model behind a provider. */
export interface LanguageModel {
  readonly provider: string;
  readonly model: string;
  /**
   * Answers a question in the required format. The material is enclosed in markers that it cannot contain,
   * and declared as data. An almost valid JSON answer is repaired once; any other malformed answer, and a
   * refusal, is VLM_FAILED. UNAVAILABLE: temporary, or until an operator intervenes. Rejects with the
   * signal's reason once it is aborted.
   */
  generate<T>(question: ModelQuestion<T>, asking: CallContext): Promise<T>;
  /** Aborts running calls. */
  close(): void;
}

export interface CallScope extends Pick<CallContext, "signal"> {
  /** The account (incarnation) whose budget is charged. */
  readonly workspace: WorkspaceId;
  readonly isUrgent?: boolean;
}

/** Access to a language model for the layers above: counted, within budgets, never failing. */
export interface Adviser {
  /** Identifies the model and everything else that affects its answers. */
  readonly name: string;
  /**
   * The answer; undefined if none is usable, in which case the caller continues without it. Rejects only with
   * the signal's reason.
   */
  ask<T>(question: ModelQuestion<T>, asked: CallScope): Promise<T | undefined>;
}
