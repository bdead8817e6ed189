/**
 * Why a provider gave no usable response. `later`: it is unreachable, busy or slow, and a retry may succeed.
 * `wrong`: every call fails until an operator fixes the settings or the server. `input`: it refused this
 * input, or returned no vectors for it, but may accept other input.
 */
export type FaultKind = "later" | "wrong" | "input";

/**
 * A failed call to a provider. The message is for the operator's log and contains no key and no sent or
 * received data.
 */
export class ProviderFault extends Error {
  override readonly name = "ProviderFault";
  readonly kind: FaultKind;
  /** Value of Retry-After in ms. */
  readonly retryAfterMs: number;

  constructor(kind: FaultKind, message: string, retryAfterMs = 0) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
