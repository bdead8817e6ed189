import { isObject } from "../../base/expect.ts";
import type { Caller } from "../../domain/caller.ts";
import { unavailable } from "../../domain/errors.ts";
import type { RunningCall } from "../call.ts";
import type { JsonObject } from "../rest/json-body.ts";

/** Maximum length of a request id; longer ones, which no client uses, cannot be cancelled. */
const MAX_ID_LENGTH = 128;
const CANCELLED = "notifications/cancelled";

/**
 * Running requests of revisions before 2026-07-28, whose clients cancel with a separate message. Request ids
 * are only unique within a session, so only requests with a session id can be cancelled.
 */
export class RunningRequests {
  readonly #calls = new Map<string, RunningCall>();

  /** Adds a request; the returned function removes it. */
  enter(call: RunningCall, session: string | undefined, { id }: JsonObject): () => void {
    const key = keyOf(call.caller, session, id);
    if (key === undefined || this.#calls.has(key)) return () => undefined;
    this.#calls.set(key, call);
    return () => this.#calls.delete(key);
  }

  /**
   * Aborts the request that a cancellation message refers to, if it is still running. Ignores other messages.
   */
  cancel(caller: Caller, session: string | undefined, { method, params }: JsonObject): void {
    if (method !== CANCELLED || !isObject(params)) return;
    const call = this.#calls.get(keyOf(caller, session, params.requestId) ?? "");
    call?.abort(unavailable("the client has cancelled the request"));
  }
}

function keyOf(caller: Caller, session: string | undefined, id: unknown): string | undefined {
  if (session === undefined || session.length > MAX_ID_LENGTH) return undefined;
  if (typeof id !== "number" && (typeof id !== "string" || id.length > MAX_ID_LENGTH)) return undefined;
  const { account, accountIncarnation, user, userIncarnation } = caller;
  return JSON.stringify([account, accountIncarnation, user, userIncarnation, session, id]);
}
