import type { CallContext, CallScope } from "./language.ts";

/** A model that judges how well texts answer a query. */
export interface RerankModel {
  readonly provider: string;
  readonly model: string;
  /**
   * How well each text answers, in order: 0 to 1. UNAVAILABLE without an answer within seconds, VLM_FAILED
   * for an invalid one. Rejects with the reason of `signal` once it is aborted.
   */
  relevance(
    query: string,
    texts: readonly string[],
    asking: Pick<CallContext, "signal" | "count">,
  ): Promise<number[]>;
  /** Ends running calls. */
  close(): void;
}

/** A reranking model as upper layers use it. */
export interface Reranker {
  /**
   * Like RerankModel.relevance; undefined without a usable answer: the order stays. Rejects only with the
   * reason of `signal`.
   */
  relevance(
    query: string,
    texts: readonly string[],
    asked: Pick<CallScope, "workspace" | "signal">,
  ): Promise<number[] | undefined>;
}
