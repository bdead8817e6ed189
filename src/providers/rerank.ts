import type { CallContext, CallScope } from "./language.ts";

/** A model that scores how well texts answer a query. */
export interface RerankModel {
  readonly provider: string;
  readonly model: string;
  /**
   * Scores how well each text answers the query, in order, 0 to 1. Rejects with UNAVAILABLE without a
   * response within seconds, with VLM_FAILED for an invalid one, and with the signal's reason once it is
   * aborted.
   */
  relevance(
    query: string,
    texts: readonly string[],
    asking: Pick<CallContext, "signal" | "count">,
  ): Promise<number[]>;
  /** Aborts running calls. */
  close(): void;
}

/** Access to a reranking model for the layers above. */
export interface Reranker {
  /**
   * Like RerankModel.relevance; undefined without a usable response, in which case the order stays. Rejects
   * only with the signal's reason.
   */
  relevance(
    query: string,
    texts: readonly string[],
    asked: Pick<CallScope, "workspace" | "signal">,
  ): Promise<number[] | undefined>;
}
