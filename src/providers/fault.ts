/**
 * Why a provider gave no usable answer: `later` — it is away, busy or slow, and another attempt may succeed;
 * `wrong` — every call will fail until an operator fixes the settings or the server; `input` — it refused
 * this input, or gave no vectors for it, and may accept others.
 */
export type FaultKind = "later" | "wrong" | "input";

/** The message is for the operator's log: it contains no key, and nothing that was sent or received. */
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
