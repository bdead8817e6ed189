/** Tokens used by a model call. */
export interface ModelUse {
  readonly provider: string;
  readonly model: string;
  /** Only `language` counts against budgets. */
  readonly kind: "language" | "embedding";
  /** Input tokens; `completion` is 0 for embedding models. */
  readonly prompt: number;
  readonly completion: number;
}
