import { createHash } from "node:crypto";
import type { Client } from "@ctxdb/client";
import { unless } from "./files.ts";

/** A message of a prompt, in the format of the AI SDK and of frameworks built on it. */
export interface PromptMessage {
  readonly role: string;
  readonly content: unknown;
}

/** A user message, with the data that identifies it in later calls. */
export interface UserTurn {
  /** Hash of all messages up to and including this one. */
  readonly key: string;
  /** Position in the prompt. */
  readonly index: number;
  readonly text: string;
}

export interface TalkOptions {
  /** Id of the session in which the conversation is stored; it is created if it does not exist. */
  readonly sessionId: string;
  /** Maximum number of tokens that a turn adds to the prompt. Default: 2,000. */
  readonly tokenBudget?: number;
  /** A folder of resources: resources outside it are not recalled. */
  readonly project?: string;
  /** Seconds after which the model is called without recalled text. Default: 2. */
  readonly timeoutSeconds?: number;
  /** Called when memory failed; the model is called anyway. Default: prints a warning to the console. */
  readonly onError?: (error: unknown) => void;
}

/** A prompt with recalled text, and the turn that it belongs to. */
export interface Reminded<M> {
  readonly prompt: M[];
  readonly turn: UserTurn | undefined;
}

/** Maximum number of turns whose recalled text is kept. */
const MAX_TURNS = 1_000;
const DEFAULT_TIMEOUT_SECONDS = 2;

/**
 * Memory for one conversation with any model: adds recalled text before the user's words and stores the messages
 * afterwards.
 *
 * Text recalled for a turn stays at the same position with the same bytes in all later calls of this object, so
 * that a provider's prompt cache stays valid.
 */
export class Talk {
  readonly #client: Client;
  readonly #options: TalkOptions;
  readonly #recalled = new Map<string, string>();
  #session: Promise<unknown> | undefined;

  constructor(client: Client, options: TalkOptions) {
    this.#client = client;
    this.#options = options;
  }

  /**
   * Returns the prompt with recalled text. Recalls for the last turn unless its text is cached. Never
   * rejects.
   */
  async remind<M extends PromptMessage>(prompt: readonly M[]): Promise<Reminded<M>> {
    const turns = userTurns(prompt);
    const turn = turns.at(-1);
    if (turn !== undefined && !this.#recalled.has(turn.key)) {
      const added = await this.#quietly(() => this.#recall(turn));
      if (added !== undefined) this.#note(turn.key, added);
    }
    return { prompt: withTexts(prompt, turns, this.#recalled), turn };
  }

  /** Adds a turn and its answer to the session; a repeated turn is stored only once. Never rejects. */
  async keep({ key, text }: UserTurn, said: string): Promise<void> {
    const messages = [
      { role: "user", content: text, id: `${key}-user` },
      { role: "assistant", content: said, id: `${key}-assistant` },
    ].filter(({ content }) => content.trim() !== "");
    if (messages.length === 0) return;
    await this.#quietly(async () => {
      await this.#open();
      await this.#client.sessions.addMessages({ sessionId: this.#options.sessionId, messages }, this.#limit);
    });
  }

  /** Extracts memories from the messages since the last commit. Returns their number. */
  async commit(): Promise<number> {
    await this.#open();
    const { memoriesExtracted } = await this.#client.sessions.commit({ sessionId: this.#options.sessionId });
    return memoriesExtracted ?? 0;
  }

  async #recall({ text }: UserTurn): Promise<string> {
    if (text.trim() === "") return "";
    await this.#open();
    const { sessionId, tokenBudget, project } = this.#options;
    // text recalled by an earlier process is missing in these prompts
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

  #open(): Promise<unknown> {
    const { sessionId } = this.#options;
    this.#session ??= unless("ALREADY_EXISTS", () =>
      this.#client.sessions.create({ sessionId }, this.#limit),
    ).catch((error: unknown) => {
      // a later call tries again
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

/** The text of a message; "" if it has none. */
function textOf({ role, content }: PromptMessage): string {
  if (role === "system") return "";
  if (typeof content === "string") return content;
  const texts: string[] = [];
  if (Array.isArray(content))
    for (const part of content) if (part?.type === "text") texts.push(String(part.text));
  return texts.join("\n");
}

/**
 * The user's messages, oldest first. Their keys exclude system prompts, which may contain the current time.
 */
function userTurns(prompt: readonly PromptMessage[]): UserTurn[] {
  const turns: UserTurn[] = [];
  let key = "";
  for (const [index, message] of prompt.entries()) {
    if (message.role !== "user" && message.role !== "assistant") continue;
    const text = textOf(message);
    key = createHash("sha256")
      .update(JSON.stringify([key, message.role, text]))
      .digest("hex");
    if (message.role === "user") turns.push({ key, index, text });
  }
  return turns;
}

/** Inserts the recalled texts, by key of the turn, before the user's messages. */
function withTexts<M extends PromptMessage>(
  prompt: readonly M[],
  turns: readonly UserTurn[],
  texts: ReadonlyMap<string, string>,
): M[] {
  const changed = [...prompt];
  for (const { key, index } of turns) {
    const text = texts.get(key);
    const message = prompt[index];
    if (text === undefined || text === "" || message === undefined) continue;
    const { content } = message;
    const parts = typeof content === "string" ? [{ type: "text", text: content }] : (content as unknown[]);
    changed[index] = { ...message, content: [{ type: "text", text }, ...parts] };
  }
  return changed;
}
