import { z } from "zod";
import { MemoryService } from "../../../../gen/ctxdb/v1/memory_pb.ts";
import {
  type MessagePart,
  type SessionMessage,
  SessionService,
} from "../../../../gen/ctxdb/v1/session_pb.ts";
import { invalidArgument, ServiceError } from "../../../domain/errors.ts";
import { listWithinBudget, maxTokens } from "../answer-budget.ts";
import type { OperationInvoker } from "../operation-invoker.ts";
import { dataTool, isRefusal, type Tool, tool } from "../tool.ts";

const CONTEXT_TOKENS = 8000;
const MOST_MESSAGES = 100;
const SESSIONS_SHOWN = 20;

const remember = dataTool({
  name: "remember",
  title: "Remember",
  description:
    "Stores messages of a conversation in a session and extracts memories from them, which recall and find then return. " +
    "Give the messages word for word, above all those of the user: facts, preferences, decisions. In later calls, use the session_id of the answer. " +
    "Or give one statement, which is stored word for word as a fact; or only a session_id, to extract memories from the messages that its session already holds.",
  effect: "adds",
  input: {
    messages: z
      .array(
        z.strictObject({ role: z.enum(["user", "assistant"]).default("user"), content: z.string().min(1) }),
      )
      .min(1)
      .max(MOST_MESSAGES)
      .optional()
      .describe("Messages, oldest first."),
    statement: z
      .string()
      .min(1)
      .optional()
      .describe(
        "Instead of messages, for a fact outside of a conversation or one that the user wants kept word for word: one line, for example: The deploy key is rotated every Friday.",
      ),
    session_id: z
      .string()
      .min(1)
      .optional()
      .describe("Id of the session; created if it does not exist. Default: a new session."),
    commit: z
      .boolean()
      .default(true)
      .describe(
        "Extract memories now. false: only store the messages, because more will follow; the next call with true extracts from all.",
      ),
  },
  output: {
    session_id: z.string().optional(),
    kept_messages: z.int(),
    memories_extracted: z.int().optional().describe("Absent while they are still being extracted."),
    uri: z.string().optional().describe("Of a statement: the file that holds it."),
    is_new: z.boolean().optional().describe("Of a statement: it was not known before."),
  },
  run: async (asker, { messages, statement, session_id, commit }) => {
    if (messages !== undefined && statement !== undefined)
      throw invalidArgument("messages", "cannot be combined with statement: give one of them");
    if (messages === undefined && statement === undefined && session_id === undefined)
      throw invalidArgument("messages", "give messages, a statement, or the session_id of stored messages");
    if (statement !== undefined) {
      const { createMemory } = MemoryService.method;
      const { memory, created } = await asker.ask(createMemory, {
        statement,
        origin: "agent",
      });
      const uri = memory?.uri ?? "";
      return {
        text: `${created ? "Remembered" : "Already known"}: ${memory?.statement ?? ""} (${uri})`,
        data: { kept_messages: 0, uri, is_new: created },
      };
    }
    return keep(asker, messages ?? [], session_id, commit);
  },
});

interface Message {
  readonly role: string;
  readonly content: string;
}

async function keep(
  asker: OperationInvoker,
  messages: readonly Message[],
  session: string | undefined,
  isCommitted: boolean,
) {
  const { method } = SessionService;
  if (messages.length === 0 && !isCommitted)
    throw invalidArgument("commit", "must be true if there are no messages");
  const sessionId = session ?? (await asker.ask(method.createSession, {})).sessionId;
  for (const [stored, message] of messages.entries()) {
    await addMessage(asker, sessionId, message).catch((error: unknown) => {
      throw stored === 0 ? error : partly(error, stored, messages.length, sessionId);
    });
  }
  const data = { session_id: sessionId, kept_messages: messages.length };
  const kept =
    messages.length > 0
      ? `Stored ${messages.length} messages in session ${sessionId}`
      : `Committed session ${sessionId}`;
  if (!isCommitted) return { text: `${kept}.`, data };
  asker.progress?.tell("extracting memories");
  try {
    const { memoriesExtracted = 0 } = await asker.ask(method.commitSession, { sessionId });
    return {
      text: `${kept} and extracted ${memoriesExtracted} memories.`,
      data: { ...data, memories_extracted: memoriesExtracted },
    };
  } catch (error) {
    if (!isRefusal(error, "DEADLINE_EXCEEDED")) throw error;
    return { text: `${kept}; memories are still being extracted.`, data };
  }
}

/** Adds a message; creates the session with the first one. */
async function addMessage(asker: OperationInvoker, sessionId: string, message: Message): Promise<void> {
  const { method } = SessionService;
  try {
    await asker.ask(method.addMessage, { sessionId, ...message });
  } catch (error) {
    if (!isRefusal(error, "NOT_FOUND")) throw error;
    await asker.ask(method.createSession, { sessionId }).catch((failure: unknown) => {
      // a concurrent call has created the session
      if (!isRefusal(failure, "ALREADY_EXISTS")) throw failure;
    });
    await asker.ask(method.addMessage, { sessionId, ...message });
  }
}

function partly(error: unknown, stored: number, all: number, sessionId: string): unknown {
  if (!(error instanceof ServiceError)) return error;
  const message = `${error.message}; ${stored} of ${all} messages are stored in session ${sessionId}; send the others again`;
  return new ServiceError(error.code, message, error.details, { cause: error });
}

const sessionContext = tool({
  name: "session_context",
  title: "Context of a session",
  description:
    "Returns the context of a session, to continue it: the overview of its newest archive, one sentence for each earlier archive, and the messages since, within max_tokens. " +
    "Without session_id: lists the sessions.",
  effect: "reads",
  input: {
    session_id: z.string().min(1).optional().describe("Id of the session."),
    max_tokens: maxTokens(CONTEXT_TOKENS),
  },
  run: async (asker, { session_id, max_tokens }) => {
    const { method } = SessionService;
    if (session_id === undefined) {
      const { sessions } = await asker.ask(method.listSessions, { limit: SESSIONS_SHOWN });
      if (sessions.length === 0) return "There are no sessions yet.";
      const lines = sessions.map(
        (one) =>
          `${one.sessionId}: updated ${one.updatedAt}, ${one.messageCount} messages since the last commit`,
      );
      return listWithinBudget("", lines, max_tokens, () => undefined);
    }
    const context = await asker.ask(method.getSessionContext, {
      sessionId: session_id,
      tokenBudget: max_tokens,
    });
    const blocks = [
      ...context.preArchiveAbstracts
        .toReversed()
        .map((archive) => `${archive.archiveId}: ${archive.abstract}`),
      ...(context.latestArchiveOverview === "" ? [] : [context.latestArchiveOverview]),
      ...context.messages.map(messageText),
    ];
    return blocks.length === 0 ? `Session ${session_id} is empty.` : blocks.join("\n\n");
  },
});

const messageText = ({ role, parts }: SessionMessage): string => `${role}: ${parts.map(partText).join("\n")}`;

function partText(part: MessagePart): string {
  if (part.type === "context") return `[${part.uri}${part.abstract ? `: ${part.abstract}` : ""}]`;
  if (part.type === "tool")
    return `[tool ${part.toolName ?? ""} ${part.toolStatus ?? ""}: ${part.toolOutput ?? ""}]`;
  return part.text ?? "";
}

export const rememberingTools: readonly Tool[] = [remember, sessionContext];
