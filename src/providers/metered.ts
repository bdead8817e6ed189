import type { Log } from "../base/log.ts";
import { ServiceError } from "../domain/errors.ts";
import { ProviderFault } from "./fault.ts";
import type { Adviser, Asked, LanguageModel, Question } from "./language.ts";
import type { ModelUse } from "./usage.ts";

export interface MeterDeps {
  readonly log: Log;
  readonly count: (account: number, use: ModelUse) => void;
  /** Tokens of language models that an account has spent on the day of the clock (UTC). */
  readonly spentToday: (account: number) => number;
  /** Of these it may spend so many; a question that has begun is brought to its end. undefined = as many as it likes. */
  readonly maxPerDay: number | undefined;
}

/** Counts what questions cost, holds accounts to their budget, and makes of every failure a missing answer with a line in the log. */
export class MeteredLanguage implements Adviser {
  readonly name: string;
  readonly #model: LanguageModel;
  readonly #deps: MeterDeps;
  readonly #log: Log;
  /** Accounts whose spent budget the log has told of, until they may ask again. */
  readonly #told = new Set<number>();

  constructor(model: LanguageModel, deps: MeterDeps) {
    const { provider, model: name } = model;
    this.name = `${provider}/${name}`;
    this.#model = model;
    this.#deps = deps;
    this.#log = deps.log.child({ provider, model: name });
  }

  async ask<T>(question: Question<T>, { account, signal, isUrgent = false }: Asked): Promise<T | undefined> {
    signal.throwIfAborted();
    if (this.#isSpent(account)) return undefined;
    const { provider, model } = this.#model;
    const count = (spent: { readonly prompt: number; readonly completion: number }) =>
      this.#deps.count(account, { provider, model, kind: "language", ...spent });
    try {
      return await this.#model.generate(question, { signal, isUrgent, count });
    } catch (error) {
      signal.throwIfAborted();
      this.#say(question.prompt, error);
      return undefined;
    }
  }

  #isSpent(account: number): boolean {
    const { maxPerDay, spentToday } = this.#deps;
    if (maxPerDay === undefined) return false;
    const isSpent = spentToday(account) >= maxPerDay;
    if (isSpent && !this.#told.has(account))
      this.#log.warn({ account, maxPerDay }, "an account has spent its tokens of the day; it goes on without the language model");
    if (isSpent) this.#told.add(account);
    else this.#told.delete(account);
    return isSpent;
  }

  /** What keeps the provider from answering at all was said by its guard. */
  #say(prompt: string, error: unknown): void {
    if (error instanceof ServiceError && error.code === "UNAVAILABLE") return;
    const cause = error instanceof Error ? error.cause : undefined;
    const reason = cause instanceof ProviderFault ? cause.message : error instanceof Error ? error.name : "it failed";
    this.#log.warn({ prompt, reason }, "the language model gave no usable answer; it goes on without");
  }
}
