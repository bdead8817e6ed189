import type { Client } from "@ctxdb/client";
import { Talk, type TalkOptions, type UserTurn } from "@ctxdb/records";
import type {
  ProcessLLMRequestArgs,
  ProcessLLMRequestResult,
  ProcessOutputResultArgs,
  Processor,
  ProcessorMessageResult,
} from "@mastra/core/processors";
import type { RequestContext } from "@mastra/core/request-context";

/** Maximum number of conversations whose recalled text is kept. */
const MAX_TALKS = 1_000;
/** The key under which Mastra passes the thread of a call. */
const MEMORY_KEY = "MastraMemory";

export interface CtxdbMemoryProcessorOptions extends Omit<TalkOptions, "sessionId"> {
  /**
   * Id of the session in which a conversation is stored. Default: the thread id of the call; a call without a
   * thread has no memory.
   */
  readonly sessionId?: string | ((context: RequestContext | undefined) => string | undefined);
}

/** The turn of a request, in the state that a processor keeps for it. */
interface RequestState {
  talk?: Talk;
  turn?: UserTurn;
}

/**
 * Memory for an agent's conversations: adds recalled text before the user's words and stores the messages
 * afterwards.
 *
 * Pass the same object as `inputProcessors` and `outputProcessors`. Recalled text is only added to the prompt,
 * never to the messages that Mastra stores.
 */
export class CtxdbMemoryProcessor implements Processor<"ctxdb-memory"> {
  readonly id = "ctxdb-memory";
  readonly name = "ctxdb memory";
  readonly #clientOf: (context: RequestContext | undefined) => Client;
  readonly #options: CtxdbMemoryProcessorOptions;
  readonly #talks = new Map<string, { readonly client: Client; readonly talk: Talk }>();

  /**
   * `client` may be a function, so that each user of an application has a separate client and separate
   * memories.
   */
  constructor(
    client: Client | ((context: RequestContext | undefined) => Client),
    options: CtxdbMemoryProcessorOptions = {},
  ) {
    this.#clientOf = typeof client === "function" ? client : () => client;
    this.#options = options;
  }

  /** Extracts memories from a conversation since its last commit. Returns their number. */
  async commit(context: RequestContext | string): Promise<number> {
    const talk = typeof context === "string" ? this.#talks.get(context)?.talk : this.#talkOf(context);
    return (await talk?.commit()) ?? 0;
  }

  async processLLMRequest({
    prompt,
    state,
    requestContext,
  }: ProcessLLMRequestArgs): Promise<ProcessLLMRequestResult> {
    const talk = this.#talkOf(requestContext);
    if (talk === undefined) return undefined;
    const reminded = await talk.remind(prompt);
    const request: RequestState = { talk, ...(reminded.turn && { turn: reminded.turn }) };
    Object.assign(state, request);
    return { prompt: reminded.prompt };
  }

  async processOutputResult({
    messages,
    result,
    state,
  }: ProcessOutputResultArgs): Promise<Awaited<ProcessorMessageResult>> {
    const { talk, turn } = state as RequestState;
    if (talk !== undefined && turn !== undefined && result.finishReason === "stop")
      await talk.keep(turn, result.text);
    return messages;
  }

  #talkOf(context: RequestContext | undefined): Talk | undefined {
    const { sessionId: given, ...options } = this.#options;
    const sessionId = typeof given === "function" ? given(context) : (given ?? threadOf(context));
    if (sessionId === undefined) return undefined;
    const client = this.#clientOf(context);
    const known = this.#talks.get(sessionId);
    const talk = known?.client === client ? known.talk : new Talk(client, { ...options, sessionId });
    // the most recently used one moves to the end
    this.#talks.delete(sessionId);
    this.#talks.set(sessionId, { client, talk });
    const [oldest] = this.#talks.keys();
    if (this.#talks.size > MAX_TALKS && oldest !== undefined) this.#talks.delete(oldest);
    return talk;
  }
}

function threadOf(context: RequestContext | undefined): string | undefined {
  const memory: unknown = context?.get(MEMORY_KEY);
  if (typeof memory !== "object" || memory === null || !("thread" in memory)) return undefined;
  const { thread } = memory;
  return typeof thread === "object" && thread !== null && "id" in thread ? String(thread.id) : undefined;
}
