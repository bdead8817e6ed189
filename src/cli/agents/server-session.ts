import { type CapturedMessage, textField } from "../../base/capture/captured-message.ts";
import type { Profile } from "../profiles.ts";
import { type RestAnswer, restCall, Unreachable } from "./rest-call.ts";
import { digest } from "./state-folder.ts";

/** Characters that are invalid in session ids, and the maximum length of an id. */
const NOT_IN_ID = /[^A-Za-z0-9_.@-]/g;
const MAX_ID = 64;
/** Maximum length in characters of a hook's text in a prompt: agents truncate or reject longer ones. */
const RECALL_CHARACTERS = 8000;
const RECALL_TOKENS = 1500;
const MAX_QUERY = 4000;

/** Fields of a message; an error about one of them does not concern other messages. */
const OF_MESSAGE = /^(?:id|role|content|parts)\b/;

/** The server refused the data and would refuse it again. */
export class Refused extends Error {
  readonly code: string;
  /** Whether the content of one message is the reason, such as a secret; others may be accepted. */
  readonly isOfMessage: boolean;

  constructor({ code = "", message = "", field = "" }: RestAnswer) {
    super(`${code}: ${message}`);
    this.code = code;
    this.isOfMessage = code === "INVALID_ARGUMENT" && OF_MESSAGE.test(field);
  }
}

/** Error codes for which the same call may succeed later or with another key. */
const LATER = new Set([
  "UNAVAILABLE",
  "RESOURCE_EXHAUSTED",
  "DEADLINE_EXCEEDED",
  "INTERNAL",
  "UNAUTHENTICATED",
  "PERMISSION_DENIED",
]);

/** The server-side session for an agent's session. */
export class ServerSession {
  readonly #target: Profile;
  readonly #agent: string;
  readonly id: string;

  constructor(target: Profile, agent: string, session: string) {
    this.#target = target;
    this.#agent = agent;
    const id = `${agent}-${session}`.replace(NOT_IN_ID, "-");
    const isPlain = id === `${agent}-${session}` && id.length <= MAX_ID;
    this.id = isPlain ? id : `${agent}-${digest(session)}`.slice(0, MAX_ID);
  }

  /** Memories relevant to a prompt that this session has not received yet; "" if none. */
  async recall(
    prompt: string,
    options: { readonly project?: string; readonly restart: boolean; readonly signal: AbortSignal },
  ): Promise<string> {
    const { project, restart, signal } = options;
    const found = await this.#post(
      "search/recall",
      {
        query: prompt.slice(0, MAX_QUERY).toWellFormed(),
        session_id: this.id,
        character_budget: RECALL_CHARACTERS,
        token_budget: RECALL_TOKENS,
        ...(project && { project }),
        ...(restart && { restart }),
      },
      signal,
    );
    return (textField(found, "added") ?? "").slice(0, RECALL_CHARACTERS);
  }

  /** Adds a message; repeated calls store it only once. */
  async add({ id, role, parts }: CapturedMessage, signal: AbortSignal): Promise<void> {
    const path = `sessions/${encodeURIComponent(this.id)}/messages`;
    await this.#post(path, { id, role, parts }, signal);
  }

  /** Starts a commit in the background. */
  async commit(signal: AbortSignal): Promise<void> {
    await this.#post(`sessions/${encodeURIComponent(this.id)}/commit`, { wait: false }, signal);
  }

  /**
   * Calls an operation of the session, and creates the session if it is missing. Throws Unreachable and
   * Refused.
   */
  async #post(path: string, body: object, signal: AbortSignal): Promise<unknown> {
    const call = { method: "POST", path, body, signal } as const;
    let answer = await restCall(this.#target, this.#agent, call);
    if (answer.code === "NOT_FOUND") {
      const made = { method: "POST", path: "sessions", body: { session_id: this.id }, signal } as const;
      const { code } = await restCall(this.#target, this.#agent, made);
      if (code === undefined || code === "ALREADY_EXISTS")
        answer = await restCall(this.#target, this.#agent, call);
    }
    if (answer.code === undefined) return answer.result;
    if (LATER.has(answer.code) || answer.http >= 500)
      throw new Unreachable(`${answer.code}: ${answer.message}`, answer.code);
    throw new Refused(answer);
  }
}
