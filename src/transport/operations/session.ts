import { create, type JsonObject } from "@bufbuild/protobuf";
import {
  type GetSessionContextRequest,
  MessagePartSchema,
  type SessionMessage,
  SessionMessageSchema,
  SessionService,
} from "../../../gen/ctxdb/v1/session_pb.ts";
import { invalidArgument } from "../../domain/errors.ts";
import type { MessagePart } from "../../domain/message.ts";
import type { SessionRules } from "../../domain/session.ts";
import type { Cursors } from "../../service/cursors.ts";
import type { ForgetOperationDeps } from "../../service/follow-forget.ts";
import { MIN_RECALL_TOKENS, type RecallResult, recall } from "../../service/search/recall.ts";
import type { SearchDeps } from "../../service/search/run-search.ts";
import type { ServiceCall } from "../../service/service-call.ts";
import { addMessage, addMessages } from "../../service/session/add-message.ts";
import { type CommitDeps, commitSession } from "../../service/session/commit-session.ts";
import { createOwnSession } from "../../service/session/create-session.ts";
import { deleteSession } from "../../service/session/delete-session.ts";
import { getSession } from "../../service/session/get-session.ts";
import { getSessionContext, type StoredMessage } from "../../service/session/get-session-context.ts";
import { listSessions } from "../../service/session/list-sessions.ts";
import { recordUsage } from "../../service/session/record-usage.ts";
import { JSON_TEXT, type PreEncodedMessage } from "../message-fields.ts";
import { type Operation, unary } from "../operation.ts";

const { method } = SessionService;

export const sessionOperations = (
  deps: CommitDeps &
    SearchDeps &
    ForgetOperationDeps & { readonly rules: SessionRules; readonly cursors: Cursors },
): Operation[] => [
  unary(method.createSession, (call, request) => createOwnSession(deps, call, request)),
  unary(method.listSessions, (call, request) => listSessions(deps, call, request)),
  unary(method.getSession, (call, request) => getSession(deps, call, request)),
  unary(method.deleteSession, (call, request) => deleteSession(deps, call, request)),
  unary(method.addMessage, (call, request) => addMessage(deps, call, request)),
  unary(method.addMessages, (call, request) => addMessages(deps, call, request)),
  unary(method.recordUsage, (call, request) => recordUsage(deps, call, request)),
  unary(method.commitSession, (call, request) => commitSession(deps, call, request)),
  unary(method.getSessionContext, async (call, request) => {
    const recalled = await recalledFor(deps, call, request);
    const spent = recalled?.tokens ?? 0;
    const { messages, ...context } = await getSessionContext(deps, call, { ...request, spent });
    return {
      ...context,
      messages: messages.map((said) => new SaidMessage(said)),
      ...(recalled && { recalled: recalled.text }),
    };
  }),
];

/** The recall block of a session, if requested. */
async function recalledFor(
  deps: SearchDeps,
  call: ServiceCall,
  { sessionId, tokenBudget, recallBudget }: GetSessionContextRequest,
): Promise<RecallResult | undefined> {
  if (recallBudget === undefined) return undefined;
  if (tokenBudget !== undefined && recallBudget > tokenBudget)
    throw invalidArgument("recall_budget", "must not be larger than token_budget");
  const blockTokenBudget = Math.max(MIN_RECALL_TOKENS, recallBudget);
  return recall(deps, call, { sessionId, tokenBudget: recallBudget, blockTokenBudget, targetUris: [] });
}

/** A message of a session: its JSON is the stored line; its parts are converted on demand. */
class SaidMessage implements SessionMessage, PreEncodedMessage {
  readonly $typeName = SessionMessageSchema.typeName;
  readonly id: string;
  readonly role: string;
  readonly createdAt: string;
  readonly [JSON_TEXT]: string;
  readonly #parts: readonly MessagePart[];

  constructor({ message, line }: StoredMessage) {
    this.id = message.id;
    this.role = message.role;
    this.createdAt = message.created_at;
    this[JSON_TEXT] = line;
    this.#parts = message.parts;
  }

  get parts() {
    return this.#parts.map((part) => create(MessagePartSchema, partOf(part)));
  }
}

function partOf(part: MessagePart) {
  if (part.type === "text") return part;
  if (part.type === "context") {
    const { context_type, ...rest } = part;
    return { ...rest, contextType: context_type };
  }
  return {
    type: part.type,
    toolId: part.tool_id,
    toolName: part.tool_name,
    skillUri: part.skill_uri,
    toolInput: part.tool_input as JsonObject | undefined,
    toolOutput: part.tool_output,
    toolStatus: part.tool_status,
  };
}
