import type { Log } from "../base/log.ts";
import { ServiceError } from "../domain/errors.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import { ProviderFault } from "./fault.ts";
import type { Adviser, CallScope, LanguageModel, Media, ModelQuestion, SpentTokens } from "./language.ts";
import type { Reranker, RerankModel } from "./rerank.ts";
import type { SpeechModel, Transcriber } from "./speech.ts";
import type { ModelUse } from "./usage.ts";

export interface MeterDeps {
  readonly log: Log;
  readonly count: (workspace: WorkspaceId, use: ModelUse) => void;
  /** Language model tokens that an account has used on the current day (UTC). */
  readonly spentToday: (workspace: WorkspaceId) => number;
  /**
   * Maximum of these tokens per day for an account; undefined if unlimited. A question that has started is
   * completed.
   */
  readonly maxPerDay: (workspace: WorkspaceId) => number | undefined;
}

/**
 * Counts the tokens of questions, enforces the accounts' budgets, and converts every failure to a missing
 * answer with a log line.
 */
class Meter {
  /** Identifies everything that affects the answers. */
  readonly name: string;
  readonly #model: Pick<LanguageModel, "provider" | "model">;
  readonly #deps: MeterDeps;
  readonly #log: Log;
  /** Accounts whose exhausted budget was logged, until they may ask again. */
  readonly #told = new Set<number>();

  constructor(model: Pick<LanguageModel, "provider" | "model">, deps: MeterDeps) {
    const { provider, model: name } = model;
    this.name = `${provider}/${name}`;
    this.#model = model;
    this.#deps = deps;
    this.#log = deps.log.child({ provider, model: name });
  }

  /** `ask` receives the function that counts the tokens of an attempt. */
  async run<T>(
    prompt: string,
    { workspace, signal }: Pick<CallScope, "workspace" | "signal">,
    ask: (count: (spent: SpentTokens) => void) => Promise<T>,
  ): Promise<T | undefined> {
    signal.throwIfAborted();
    if (this.#isSpent(workspace)) return undefined;
    const { provider, model } = this.#model;
    try {
      return await ask((spent) =>
        this.#deps.count(workspace, { provider, model, kind: "language", ...spent }),
      );
    } catch (error) {
      signal.throwIfAborted();
      this.#say(prompt, error);
      return undefined;
    }
  }

  #isSpent(workspace: WorkspaceId): boolean {
    const { spentToday } = this.#deps;
    const maxPerDay = this.#deps.maxPerDay(workspace);
    if (maxPerDay === undefined) return false;
    const isSpent = spentToday(workspace) >= maxPerDay;
    if (isSpent && !this.#told.has(workspace))
      this.#log.warn(
        { workspace, maxPerDay },
        "an account has used up its daily tokens; continuing without the model",
      );
    if (isSpent) this.#told.add(workspace);
    else this.#told.delete(workspace);
    return isSpent;
  }

  /** Logs a failure, except outages: the guard has already logged them. */
  #say(prompt: string, error: unknown): void {
    if (error instanceof ServiceError && error.code === "UNAVAILABLE") return;
    const cause = error instanceof Error ? error.cause : undefined;
    const reason =
      cause instanceof ProviderFault ? cause.message : error instanceof Error ? error.name : "it failed";
    this.#log.warn({ prompt, reason }, "the model gave no usable answer; continuing without one");
  }
}

export class MeteredLanguage implements Adviser {
  readonly #model: LanguageModel;
  readonly #meter: Meter;

  constructor(model: LanguageModel, deps: MeterDeps) {
    this.#model = model;
    this.#meter = new Meter(model, deps);
  }

  get name(): string {
    return this.#meter.name;
  }

  ask<T>(question: ModelQuestion<T>, { isUrgent = false, ...asked }: CallScope): Promise<T | undefined> {
    const { signal } = asked;
    return this.#meter.run(question.prompt, asked, (count) =>
      this.#model.generate(question, { signal, isUrgent, count }),
    );
  }
}

export class MeteredSpeech implements Transcriber {
  readonly #model: SpeechModel;
  readonly #meter: Meter;

  constructor(model: SpeechModel, deps: MeterDeps) {
    this.#model = model;
    this.#meter = new Meter(model, deps);
  }

  get name(): string {
    return this.#meter.name;
  }

  transcribe(recording: Media, asked: Pick<CallScope, "workspace" | "signal">): Promise<string | undefined> {
    const { signal } = asked;
    return this.#meter.run("transcription", asked, (count) =>
      this.#model.transcribe(recording, { signal, count }),
    );
  }
}

export class MeteredRerank implements Reranker {
  readonly #model: RerankModel;
  readonly #meter: Meter;

  constructor(model: RerankModel, deps: MeterDeps) {
    this.#model = model;
    this.#meter = new Meter(model, deps);
  }

  relevance(
    query: string,
    texts: readonly string[],
    asked: Pick<CallScope, "workspace" | "signal">,
  ): Promise<number[] | undefined> {
    const { signal } = asked;
    return this.#meter.run("rerank", asked, (count) =>
      this.#model.relevance(query, texts, { signal, count }),
    );
  }
}
