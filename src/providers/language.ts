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
  /** Stand behind the material, in their order; only for models that take such. */
  readonly media?: readonly Media[];
  /**
   * The form of the answer: an object whose members are all required, without bounds that JSON Schema would
   * have to say. Bounds are for whoever asks.
   */
  readonly answer: ZodType<T>;
}

/** As the provider counted them, or estimated where it did not. */
export interface SpentTokens {
  readonly prompt: number;
  readonly completion: number;
}

export interface CallContext {
  readonly signal: AbortSignal;
  /** A caller waits: at most one attempt of seconds. Otherwise a few attempts of minutes. */
  readonly isUrgent: boolean;
  /** Hears what every attempt has cost, whatever becomes of its answer. */
  readonly count: (spent: SpentTokens) => void;
}

/** A language model behind a provider. */
export interface LanguageModel {
  readonly provider: string;
  readonly model: string;
  /**
   * An answer of the form asked for. Material reaches the model between marks that it cannot contain, with
   * the order to take it for data. An answer that is nearly JSON is repaired, once; one that is not, or of
   * another form, is VLM_FAILED, as is a refused question. UNAVAILABLE: not now, or not before somebody mends
   * it. Rejects with the reason of `signal` once it is aborted.
   */
  generate<T>(question: ModelQuestion<T>, asking: CallContext): Promise<T>;
  /** Ends what is under way. */
  close(): void;
}

export interface CallScope extends Pick<CallContext, "signal"> {
  /** Incarnation of the account for which the question is asked, and on whose budget. */
  readonly workspace: WorkspaceId;
  readonly isUrgent?: boolean;
}

/** A language model as the rings above ask it. */
export interface Adviser {
  /** Identifies everything that shapes the answers, the model included. */
  readonly name: string;
  /**
   * An answer, or undefined where there is no usable one: whoever asks goes on without. Rejects only with the
   * reason of `signal`.
   */
  ask<T>(question: ModelQuestion<T>, asked: CallScope): Promise<T | undefined>;
}
