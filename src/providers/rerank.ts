import type { CallContext, CallScope } from "./language.ts";

/** A model that says how well texts answer a query. */
export interface RerankModel {
  readonly provider: string;
  readonly model: string;
  /**
   * For each text, in their order, how well it answers: 0 to 1. UNAVAILABLE where there is no answer within
   * seconds, VLM_FAILED where it is none. Rejects with the reason of `signal` once it is aborted.
   */
  relevance(
    query: string,
    texts: readonly string[],
    asking: Pick<CallContext, "signal" | "count">,
  ): Promise<number[]>;
  /** Ends what is under way. */
  close(): void;
}

/** A reranking model as the rings above ask it. */
export interface Reranker {
  /**
   * As RerankModel.relevance, or undefined where there is no usable answer: the order stays what it was.
   * Rejects only with the reason of `signal`.
   */
  relevance(
    query: string,
    texts: readonly string[],
    asked: Pick<CallScope, "workspace" | "signal">,
  ): Promise<number[] | undefined>;
}
