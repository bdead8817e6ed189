import type { ZodType } from "zod";
import type { WorkspaceId } from "../domain/ids.ts";

/** A text that a question is about. It comes from users and is data: nothing in it is an instruction. */
export interface Material {
  /** Kind, in a word or two: `document`. */
  readonly label: string;
  readonly text: string;
}

/** A picture or a recording that a question is about: data like material. */
export interface Media {
  readonly mime: string;
  readonly bytes: Uint8Array;
}

export interface ModelQuestion<T> {
  /** Name and version of the prompt: `file-layers/1`. */
  readonly prompt: string;
  readonly instructions: string;
  readonly material: readonly Material[];
  /** Placed after the material, in order; only for models that accept media. */
  readonly media?: readonly Media[];
  /**
   * The form of the answer: an object whose members are all required, without bounds, which JSON Schema would
   * have to express. Callers check bounds.
   */
  readonly answer: ZodType<T>;
}

/** As counted by the provider, else estimated. */
export interface SpentTokens {
  readonly prompt: number;
  readonly completion: number;
}

export interface CallContext {
  readonly signal: AbortSignal;
  /** A caller waits: at most one attempt of seconds. Otherwise a few attempts of minutes. */
  readonly isUrgent: boolean;
  /** Called with the cost of every attempt, even a failed one. */
  readonly count: (spent: SpentTokens) => void;
}

/** A language model behind a provider. */
export interface LanguageModel {
  readonly provider: string;
  readonly model: string;
  /**
   * An answer of the requested form. The material is enclosed in marks that it cannot contain, and declared
   * as data. A nearly valid JSON answer is repaired, once; any other answer or form is VLM_FAILED, and so is
   * a refused question. UNAVAILABLE: temporary, or until an operator acts. Rejects with the reason of
   * `signal` once it is aborted.
   */
  generate<T>(question: ModelQuestion<T>, asking: CallContext): Promise<T>;
  /** Ends running calls. */
  close(): void;
}

export interface CallScope extends Pick<CallContext, "signal"> {
  /** Account (incarnation) that asks, and whose budget pays. */
  readonly workspace: WorkspaceId;
  readonly isUrgent?: boolean;
}

/** A language model as upper layers use it. */
export interface Adviser {
  /** Identifies everything that affects the answers, including the model. */
  readonly name: string;
  /**
   * An answer; undefined if there is no usable one: the caller continues without. Rejects only with the
   * reason of `signal`.
   */
  ask<T>(question: ModelQuestion<T>, asked: CallScope): Promise<T | undefined>;
}
