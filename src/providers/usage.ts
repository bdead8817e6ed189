/** Tokens used by a model call. */
export interface ModelUse {
  readonly provider: string;
  readonly model: string;
  /** Budgets count `language` alone. */
  readonly kind: "language" | "embedding";
  /** Input tokens; `completion` is 0 for embedding models. */
  readonly prompt: number;
  readonly completion: number;
}
