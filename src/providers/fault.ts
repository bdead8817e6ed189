/**
 * Why a provider gave no usable answer: `later` — it is away, busy or slow, and another attempt may succeed;
 * `wrong` — every call will fare the same until somebody mends the settings or the server; `input` — it did
 * not take this input, or gave no vectors for it, and may well take another.
 */
export type FaultKind = "later" | "wrong" | "input";

/** The message is for the log of the operator: it holds nothing of what was sent or answered, and no key. */
export class ProviderFault extends Error {
  override readonly name = "ProviderFault";
  readonly kind: FaultKind;
  /** Retry-After in ms. */
  readonly retryAfterMs: number;

  constructor(kind: FaultKind, message: string, retryAfterMs = 0) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
