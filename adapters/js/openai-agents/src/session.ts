import type { Client } from "@ctxdb/client";
import { keyPath, Log, remember, type Said, sessionName } from "@ctxdb/records";
import type { AgentInputItem, Session } from "@openai/agents";

export interface CtxdbSessionOptions {
  /** Id of the conversation, any text. */
  readonly sessionId: string;
  /** Folder of the items; without it the caller's part of the agent space `openai-agents`. */
  readonly root?: string;
}

/** Stands for bytes in JSON, which has none. */
const BYTES = "$bytes";

/**
 * Items of one conversation in the order in which they were added, those of one call whole or not at all; the
 * same files as those of the Python package.
 *
 * They are not searched. `remember` makes memories of the conversation.
 */
export class CtxdbSession implements Session {
  readonly #client: Client;
  readonly #options: CtxdbSessionOptions;
  #log: Promise<Log> | undefined;

  constructor(client: Client, options: CtxdbSessionOptions) {
    this.#client = client;
    this.#options = options;
  }

  async getSessionId(): Promise<string> {
    return this.#options.sessionId;
  }

  /** The last `limit` items, all without it, the oldest first. */
  async getItems(limit?: number): Promise<AgentInputItem[]> {
    const items = await (await this.#open()).latest(limit);
    return items.map(withBytes);
  }

  async addItems(items: AgentInputItem[]): Promise<void> {
    await (await this.#open()).append(items.map(withoutBytes));
  }

  /** Removes the last item and gives it; of several callers one alone is given an item. */
  async popItem(): Promise<AgentInputItem | undefined> {
    const item = await (await this.#open()).pop();
    return item === undefined ? undefined : withBytes(item);
  }

  /** Removes the items; what was remembered of them stays. */
  async clearSession(): Promise<void> {
    await (await this.#open()).clear();
  }

  /** Makes memories of what was said; how many. What has been remembered before is not remembered again. */
  async remember(): Promise<number> {
    // the place tells messages with the same words apart
    const said = (await this.getItems()).map((item, place): Said => ({ ...saidIn(item), mark: `${place}` }));
    return remember(this.#client, sessionName("openai-agents", this.#options.sessionId), said);
  }

  #open(): Promise<Log> {
    this.#log ??= this.#folder()
      .then((folder) => new Log(this.#client, folder))
      .catch((error: unknown) => {
        // a later call asks again
        this.#log = undefined;
        throw error;
      });
    return this.#log;
  }

  async #folder(): Promise<string> {
    const { root, sessionId } = this.#options;
    if (root !== undefined) return root;
    const { user } = await this.#client.system.status();
    return `ctx://agent/openai-agents/${user}/sessions/${keyPath(sessionId)}`;
  }
}

const withoutBytes = (item: AgentInputItem): unknown =>
  JSON.parse(
    JSON.stringify(item, (_, value: unknown) =>
      value instanceof Uint8Array ? { [BYTES]: Buffer.from(value).toString("base64") } : value,
    ),
  );

const withBytes = (item: unknown): AgentInputItem =>
  JSON.parse(JSON.stringify(item), (_, value: unknown) =>
    typeof value === "object" && value !== null && BYTES in value && typeof value[BYTES] === "string"
      ? new Uint8Array(Buffer.from(value[BYTES], "base64"))
      : value,
  ) as AgentInputItem;

/** Role and text of a message; empty for calls of tools, reasoning and the like. */
function saidIn(item: AgentInputItem): { readonly role: string; readonly text: string } {
  if (!("role" in item) || !("content" in item)) return { role: "", text: "" };
  const { role, content } = item;
  const parts = typeof content === "string" ? [{ text: content }] : content;
  const texts = parts.map((part) => ("text" in part ? String(part.text) : "")).filter(Boolean);
  return { role, text: texts.join("\n").trim() };
}
