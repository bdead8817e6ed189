import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Middleware,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import type { Client } from "@ctxdb/client";
import { Talk, type TalkOptions, type UserTurn } from "@ctxdb/records";

export type CtxdbMemoryOptions = TalkOptions;

/**
 * Memory for one conversation with any model: adds recalled text before the user's words and stores the messages
 * afterwards.
 *
 * Text recalled for a turn stays at the same position with the same bytes in all later calls of this object, so
 * that a provider's prompt cache stays valid.
 */
export class CtxdbMemory {
  readonly #talk: Talk;
  /** The turn that a prompt belongs to, as written by the application. */
  readonly #lastTurn = new WeakMap<LanguageModelV4Prompt, UserTurn>();

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
    this.#talk = new Talk(client, options);
  }

  /** Extracts memories from the messages since the last commit. Returns their number. */
  commit(): Promise<number> {
    return this.#talk.commit();
  }

  async #remind(given: LanguageModelV4Prompt): Promise<LanguageModelV4Prompt> {
    const { prompt, turn } = await this.#talk.remind(given);
    if (turn !== undefined) this.#lastTurn.set(prompt, turn);
    return prompt;
  }

  /** Collects the text of a stream as it passes, and stores it once the answer is complete. */
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

  async #keep({ prompt }: LanguageModelV4CallOptions, said: string): Promise<void> {
    const turn = this.#lastTurn.get(prompt);
    if (turn !== undefined) await this.#talk.keep(turn, said);
  }
}
