import { ConcurrencyLimit } from "../concurrency-limit.ts";
import { type CallPolicy, type GuardedProvider, ProviderGuard } from "../provider-guard.ts";
import type { LanguageDeps } from "./remote-language.ts";

interface Calls extends GuardedProvider {
  /** Concurrency limits: `requests` running, `waiting` queued. */
  readonly manner: Omit<CallPolicy, "slots"> & { readonly requests: number; readonly waiting: number };
  /** Purpose of the calls, for logs and traces. */
  readonly work: string;
}

/** Guarded and traced calls of one kind to one model. */
export class GuardedCalls {
  readonly #guard: ProviderGuard;
  readonly #manner: CallPolicy;
  readonly #facts: { readonly provider: string; readonly model: string; readonly purpose: string };
  readonly #trace: LanguageDeps["trace"];

  constructor(
    { manner, work, ...guarded }: Calls,
    model: { readonly provider: string; readonly model: string },
    deps: LanguageDeps,
  ) {
    const { provider, model: name } = model;
    this.#manner = { ...manner, slots: new ConcurrencyLimit(manner.requests, manner.waiting) };
    this.#guard = new ProviderGuard(guarded, deps.timing, deps.log.child({ provider, model: name, work }));
    this.#facts = { provider, model: name, purpose: work };
    this.#trace = deps.trace;
  }

  /** See ProviderGuard.call. */
  run<T>(attempt: (ended: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#guard.call(
      this.#manner,
      (ended) => this.#trace.step("ask provider", this.#facts, () => attempt(ended)),
      signal,
    );
  }

  close(): void {
    this.#guard.close();
  }
}
