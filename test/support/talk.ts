import type { Message, PartInput } from "../../src/domain/message.ts";
import { SPECIFIED_SESSIONS } from "../../src/domain/session.ts";
import { addMessage } from "../../src/service/session/add-message.ts";
import { commitSession } from "../../src/service/session/commit-session.ts";
import { createOwnSession } from "../../src/service/session/create-session.ts";
import { deleteSession } from "../../src/service/session/delete-session.ts";
import { getSession } from "../../src/service/session/get-session.ts";
import { getSessionContext } from "../../src/service/session/get-session-context.ts";
import { recordUsage } from "../../src/service/session/record-usage.ts";
import type { Actor } from "./tenant.ts";

/** A session from the user's point of view. */
export class Talk {
  readonly actor: Actor;
  readonly id: string;
  readonly uri: string;

  constructor(actor: Actor, id: string) {
    this.actor = actor;
    this.id = id;
    this.uri = `ctx://session/${actor.caller.user}/${id}`;
  }

  get #deps() {
    return { ...this.actor.house.deps, rules: SPECIFIED_SESSIONS };
  }

  static async begin(actor: Actor, sessionId?: string): Promise<Talk> {
    return new Talk(actor, (await createOwnSession(actor.house.deps, actor.call, { sessionId })).sessionId);
  }

  /** Returns the number of messages in the buffer. */
  async say(content: string, role = "user", id?: string): Promise<number> {
    return (
      await addMessage(this.#deps, this.actor.call, { sessionId: this.id, role, content, parts: [], id })
    ).messageCount;
  }

  async send(...parts: PartInput[]): Promise<number> {
    return (await addMessage(this.#deps, this.actor.call, { sessionId: this.id, role: "assistant", parts }))
      .messageCount;
  }

  use(contexts: readonly string[], skill?: string) {
    return recordUsage(this.#deps, this.actor.call, {
      sessionId: this.id,
      contexts,
      ...(skill && { skill: { uri: skill } }),
    });
  }

  commit(wait = true) {
    return commitSession(this.#deps, this.actor.call, { sessionId: this.id, wait });
  }

  delete() {
    return deleteSession(this.actor.house.deps, this.actor.call, { sessionId: this.id, forget: false });
  }

  get() {
    return getSession(this.actor.house.deps, this.actor.call, { sessionId: this.id });
  }

  context(tokenBudget?: number) {
    return getSessionContext(this.actor.house.deps, this.actor.call, { sessionId: this.id, tokenBudget });
  }

  read(path: string): Promise<string> {
    return this.actor.read(`${this.uri}/${path}`);
  }

  /** Returns the texts of a `messages.jsonl`. */
  async said(folder = ""): Promise<string[]> {
    const lines = (await this.read(`${folder}messages.jsonl`)).split("\n").filter((line) => line !== "");
    return lines.map((line) =>
      (JSON.parse(line) as Message).parts
        .map((part) => (part.type === "text" ? part.text : part.type))
        .join(),
    );
  }

  async archives(): Promise<string[]> {
    const below = await this.actor.tree(`${this.uri}/history`);
    return below.filter((uri) => !uri.endsWith(".jsonl")).map((uri) => uri.slice(this.uri.length + 1));
  }
}
