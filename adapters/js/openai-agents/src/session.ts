import type { Client } from "@ctxdb/client";
import { keyPath, Log, remember, type Said, sessionName } from "@ctxdb/records";
import type { AgentInputItem, Session } from "@openai/agents";

export interface CtxdbSessionOptions {
  /** Id of the conversation; may be any text. */
  readonly sessionId: string;
  /** Folder of the items. Default: the caller's part of the agent space `openai-agents`. */
  readonly root?: string;
}

/** Represents bytes in JSON, which has no type for them. */
const BYTES = "$bytes";

/**
 * The items of one conversation in the order in which they were added. The items of one call are stored either
 * all or none, in the same files as those of the Python package.
 *
 * They are not searchable. `remember` extracts memories from the conversation.
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

  /** Returns the last `limit` items (by default all), oldest first. */
  async getItems(limit?: number): Promise<AgentInputItem[]> {
    const items = await (await this.#open()).latest(limit);
    return items.map(withBytes);
  }

  async addItems(items: AgentInputItem[]): Promise<void> {
    await (await this.#open()).append(items.map(withoutBytes));
  }

  /** Removes the last item and returns it. Of several callers only one receives an item. */
  async popItem(): Promise<AgentInputItem | undefined> {
    const item = await (await this.#open()).pop();
    return item === undefined ? undefined : withBytes(item);
  }

  /** Removes the items. Memories extracted from them stay. */
  async clearSession(): Promise<void> {
    await (await this.#open()).clear();
  }

  /** Extracts memories from the messages and returns their number. Messages are never processed twice. */
  async remember(): Promise<number> {
    // the position distinguishes messages with the same text
    const said = (await this.getItems()).map((item, place): Said => ({ ...saidIn(item), mark: `${place}` }));
    return remember(this.#client, sessionName("openai-agents", this.#options.sessionId), said);
  }

  #open(): Promise<Log> {
    this.#log ??= this.#folder()
      .then((folder) => new Log(this.#client, folder))
      .catch((error: unknown) => {
        // a later call tries again
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

/** Returns role and text of a message; empty for tool calls, reasoning and similar items. */
function saidIn(item: AgentInputItem): { readonly role: string; readonly text: string } {
  if (!("role" in item) || !("content" in item)) return { role: "", text: "" };
  const { role, content } = item;
  const parts = typeof content === "string" ? [{ text: content }] : content;
  const texts = parts.map((part) => ("text" in part ? String(part.text) : "")).filter(Boolean);
  return { role, text: texts.join("\n").trim() };
}
