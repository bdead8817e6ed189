/** Tokens used by a model call. */
export interface ModelUse {
  readonly provider: string;
  readonly model: string;
  /** Budgets count `language` alone. */
  readonly kind: "language" | "embedding";
  /** Tokens in, and out: 0 of a model that embeds. */
  readonly prompt: number;
  readonly completion: number;
}
