import type { Caller } from "../caller.ts";
import type { Fields } from "../fields.ts";
import {
  type AddMessageRequest,
  type AddMessageResponse,
  type AddMessagesRequest,
  type AddMessagesResponse,
  type CommitSessionRequest,
  type CommitSessionResponse,
  type CreateSessionRequest,
  type CreateSessionResponse,
  type DeleteSessionRequest,
  type DeleteSessionResponse,
  type GetSessionContextRequest,
  type GetSessionContextResponse,
  type GetSessionRequest,
  type GetSessionResponse,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type RecordUsageRequest,
  type RecordUsageResponse,
  SessionService,
  type SessionSummary,
} from "../gen/ctxdb/v1/session_pb.ts";
import type { CallOptions } from "../options.ts";
import { allOf } from "../pages.ts";

/** Conversations of the caller, from which memories are extracted. */
export class Sessions {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async create(
    request: Fields<CreateSessionRequest> = {},
    options?: CallOptions,
  ): Promise<CreateSessionResponse> {
    return (await this.#caller.write(SessionService.method.createSession, request, options)).message;
  }

  /** Returns a page of sessions, most recently changed first. */
  async list(
    request: Fields<ListSessionsRequest> = {},
    options?: CallOptions,
  ): Promise<ListSessionsResponse> {
    return (await this.#caller.read(SessionService.method.listSessions, request, options)).message;
  }

  /** Yields all sessions, page by page. */
  listAll(request: Fields<ListSessionsRequest> = {}, options?: CallOptions): AsyncGenerator<SessionSummary> {
    const { offset: _, ...others } = request;
    // the cursor determines the position, so the offset applies only to the first page
    const ask = (cursor = request.cursor) =>
      this.list(cursor === undefined ? request : { ...others, cursor }, options);
    return allOf(ask, (page) => page.sessions);
  }

  async get(
    request: Fields<GetSessionRequest, "sessionId">,
    options?: CallOptions,
  ): Promise<GetSessionResponse> {
    return (await this.#caller.read(SessionService.method.getSession, request, options)).message;
  }

  /** Deletes a session. Extracted memories stay. */
  async delete(
    request: Fields<DeleteSessionRequest, "sessionId">,
    options?: CallOptions,
  ): Promise<DeleteSessionResponse> {
    return (await this.#caller.write(SessionService.method.deleteSession, request, options)).message;
  }

  /** Appends a message with `content` or `parts`. */
  async addMessage(
    request: Fields<AddMessageRequest, "sessionId" | "role">,
    options?: CallOptions,
  ): Promise<AddMessageResponse> {
    return (await this.#caller.write(SessionService.method.addMessage, request, options)).message;
  }

  /** Appends several messages in one step, either all or none. */
  async addMessages(
    request: Fields<AddMessagesRequest, "sessionId" | "messages">,
    options?: CallOptions,
  ): Promise<AddMessagesResponse> {
    return (await this.#caller.write(SessionService.method.addMessages, request, options)).message;
  }

  /** Records that contexts and a skill were used. */
  async used(
    request: Fields<RecordUsageRequest, "sessionId">,
    options?: CallOptions,
  ): Promise<RecordUsageResponse> {
    return (await this.#caller.write(SessionService.method.recordUsage, request, options)).message;
  }

  /** Archives the messages and extracts memories; waits for these unless `wait` is false. */
  async commit(
    request: Fields<CommitSessionRequest, "sessionId">,
    options?: CallOptions,
  ): Promise<CommitSessionResponse> {
    return (await this.#caller.write(SessionService.method.commitSession, request, options)).message;
  }

  /** Returns the context of a session for a model, within a token budget. */
  async context(
    request: Fields<GetSessionContextRequest, "sessionId">,
    options?: CallOptions,
  ): Promise<GetSessionContextResponse> {
    return (await this.#caller.read(SessionService.method.getSessionContext, request, options)).message;
  }
}
