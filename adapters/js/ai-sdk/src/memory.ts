import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Middleware,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { type Client, CtxdbError } from "@ctxdb/client";
import { type UserTurn, userTurns, withTexts } from "./conversation.ts";

/** Turns of which it is kept what was recalled. */
const MAX_TURNS = 1_000;
const DEFAULT_TIMEOUT_SECONDS = 2;

export interface CtxdbMemoryOptions {
  /** Id of the session that the conversation is kept in; it is created when it is not there. */
  readonly sessionId: string;
  /** Tokens that one turn adds to the prompt at most; default 2,000. */
  readonly tokenBudget?: number;
  /** A folder of resources: those outside of it are not recalled. */
  readonly project?: string;
  /** Seconds after which a model is asked without what would have been recalled; default 2. */
  readonly timeoutSeconds?: number;
  /** Told when memory failed; the model is asked and answers all the same. Default: a warning on the console. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Memory for one conversation with any model: recalls before the user's words, keeps what was said afterwards.
 *
 * What was recalled for a turn stands at the same place, with the same bytes, in all later calls of this object,
 * so that the prompt cache of a provider stays valid.
 */
export class CtxdbMemory {
  readonly #client: Client;
  readonly #options: CtxdbMemoryOptions;
  readonly #recalled = new Map<string, string>();
  /** The turn that a prompt is about, as the application wrote it. */
  readonly #lastTurn = new WeakMap<LanguageModelV4Prompt, UserTurn>();
  #session: Promise<unknown> | undefined;

  /** For `wrapLanguageModel`. */
  readonly middleware: LanguageModelV4Middleware = {
    specificationVersion: "v4",
    transformParams: async ({ params }) => ({ ...params, prompt: await this.#remind(params.prompt) }),
    wrapGenerate: async ({ doGenerate, params }) => {
      const result = await doGenerate();
      const said = result.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
      if (result.finishReason.unified === "stop") await this.#keep(params, said);
      return result;
    },
    wrapStream: async ({ doStream, params }) => {
      const { stream, ...rest } = await doStream();
      return { ...rest, stream: stream.pipeThrough(this.#listener(params)) };
    },
  };

  constructor(client: Client, options: CtxdbMemoryOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** Makes memories of what was said since the last commit. Returns how many. */
  async commit(): Promise<number> {
    await this.#open();
    const { memoriesExtracted } = await this.#client.sessions.commit({ sessionId: this.#options.sessionId });
    return memoriesExtracted ?? 0;
  }

  /** The prompt with what was recalled, for the last turn anew unless it is known. */
  async #remind(prompt: LanguageModelV4Prompt): Promise<LanguageModelV4Prompt> {
    const turns = userTurns(prompt);
    const last = turns.at(-1);
    if (last !== undefined && !this.#recalled.has(last.key)) {
      const added = await this.#quietly(() => this.#recall(last));
      if (added !== undefined) this.#note(last.key, added);
    }
    const reminded = withTexts(prompt, turns, this.#recalled);
    if (last !== undefined) this.#lastTurn.set(reminded, last);
    return reminded;
  }

  async #recall({ text }: UserTurn): Promise<string> {
    if (text.trim() === "") return "";
    await this.#open();
    const { sessionId, tokenBudget, project } = this.#options;
    // nothing that an earlier process has recalled is in these prompts
    const restart = this.#recalled.size === 0;
    const { added } = await this.#client.search.recall(
      { sessionId, query: text, tokenBudget, project, restart },
      this.#limit,
    );
    return added;
  }

  #note(key: string, added: string): void {
    this.#recalled.set(key, added);
    const [oldest] = this.#recalled.keys();
    if (this.#recalled.size > MAX_TURNS && oldest !== undefined) this.#recalled.delete(oldest);
  }

  /** Collects the words of a stream while it passes, and keeps them when the answer is whole. */
  #listener(
    params: LanguageModelV4CallOptions,
  ): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
    let said = "";
    let isWhole = false;
    return new TransformStream({
      transform(part, controller) {
        if (part.type === "text-delta") said += part.delta;
        if (part.type === "text-start" && said !== "") said += "\n";
        if (part.type === "finish") isWhole = part.finishReason.unified === "stop";
        controller.enqueue(part);
      },
      flush: async () => {
        if (isWhole) await this.#keep(params, said);
      },
    });
  }

  /** Adds the turn to the session. A turn has ids of its own: one that is asked for again is not kept twice. */
  async #keep({ prompt }: LanguageModelV4CallOptions, said: string): Promise<void> {
    const last = this.#lastTurn.get(prompt);
    if (last === undefined) return;
    const messages = [
      { role: "user", content: last.text, id: `${last.key}-user` },
      { role: "assistant", content: said, id: `${last.key}-assistant` },
    ].filter(({ content }) => content.trim() !== "");
    if (messages.length === 0) return;
    await this.#quietly(async () => {
      await this.#open();
      await this.#client.sessions.addMessages({ sessionId: this.#options.sessionId, messages }, this.#limit);
    });
  }

  #open(): Promise<unknown> {
    this.#session ??= this.#client.sessions
      .create({ sessionId: this.#options.sessionId }, this.#limit)
      .catch((error: unknown) => {
        if (error instanceof CtxdbError && error.code === "ALREADY_EXISTS") return;
        this.#session = undefined;
        throw error;
      });
    return this.#session;
  }

  get #limit() {
    return { deadlineSeconds: this.#options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS };
  }

  async #quietly<T>(act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      const tell = this.#options.onError ?? ((fault) => console.warn("ctxdb memory:", fault));
      tell(error);
      return undefined;
    }
  }
}
