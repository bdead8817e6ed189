import { EventLoopYielder } from "../../base/event-loop.ts";
import type { Message } from "../../domain/message.ts";
import { messageTokens } from "../../domain/message.ts";
import { archiveName } from "../../domain/session.ts";
import { estimateTokens } from "../../domain/text/tokens.ts";
import { MESSAGES } from "../../workspace/records.ts";
import type { FoundSession } from "../../workspace/sessions/sessions.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { findSession } from "./own-session.ts";

const DEFAULT_BUDGET = 128_000;
/**
 * Number of messages read per page, newest first: as many as the budget should hold for the mean line length,
 * within limits.
 */
const PAGE = 500;
const MIN_PAGE = 16;
/** Tokens per byte of English JSONL; Chinese has more, so that fewer messages fit. */
const TOKENS_PER_BYTE = 0.25;
/**
 * Maximum bytes of the messages in a response, regardless of the token budget, because it is built in memory.
 */
const MAX_BYTES = 16 * 1024 * 1024;
/** Maximum number of abstracts of earlier archives. */
const MAX_ABSTRACTS = 100;

/** A message with its line in `messages.jsonl`. */
export interface StoredMessage {
  readonly message: Message;
  readonly line: string;
}

export interface SessionContext {
  latestArchiveOverview: string;
  preArchiveAbstracts: { archiveId: string; abstract: string }[];
  messages: StoredMessage[];
  estimatedTokens: number;
}

class Budget {
  spent: number;
  readonly #limit: number;

  constructor(limit: number, spent = 0) {
    this.#limit = limit;
    this.spent = spent;
  }

  get left(): number {
    return this.#limit - this.spent;
  }

  /** Spends the tokens if they fit; returns whether they do. */
  takes(tokens: number): boolean {
    if (this.spent + tokens > this.#limit) return false;
    this.spent += tokens;
    return true;
  }
}

/**
 * GET sessions/{session_id}/context: context for a model within a token budget. First the overview of the
 * newest archive (or its abstract if only that fits), then uncommitted messages from the newest back to the
 * first that does not fit, then abstracts of earlier archives, newest first.
 */
export async function getSessionContext(
  deps: { tenants: Tenants },
  call: ServiceCall,
  input: {
    readonly sessionId: string;
    readonly tokenBudget?: number | undefined;
    /** Tokens of the budget that are reserved for other content. */
    readonly spent?: number;
  },
): Promise<SessionContext> {
  const { workspace } = await deps.tenants.openOrEmpty(call.caller);
  const snapshot = workspace.kv.snapshot();
  try {
    const session = findSession(snapshot, workspace, call.caller, input.sessionId);
    const budget = new Budget(input.tokenBudget ?? DEFAULT_BUDGET, input.spent);
    const layer = (archive: number, level: 0 | 1) =>
      workspace.sessions.layer(snapshot, session.node, archive, level);
    const { archives } = session.record;
    const latest = [layer(archives, 1), layer(archives, 0)].find(
      (text) => text !== undefined && budget.takes(tokensOf(text)),
    );
    const messages = await liveMessages(workspace, snapshot, session, budget, call.signal);
    const abstracts: SessionContext["preArchiveAbstracts"] = [];
    for (let archive = archives - 1; archive > 0 && abstracts.length < MAX_ABSTRACTS; archive--) {
      const abstract = layer(archive, 0);
      if (abstract === undefined) continue;
      if (!budget.takes(tokensOf(abstract))) break;
      abstracts.push({ archiveId: archiveName(archive), abstract });
    }
    return {
      latestArchiveOverview: latest ?? "",
      preArchiveAbstracts: abstracts,
      messages,
      estimatedTokens: budget.spent,
    };
  } finally {
    snapshot.close();
  }
}

const tokensOf = (text: string): number => Math.ceil(estimateTokens(text));

async function liveMessages(
  { sessions, incarnation }: Workspace,
  snapshot: ReturnType<Workspace["kv"]["snapshot"]>,
  { node, record }: FoundSession,
  budget: Budget,
  signal: AbortSignal,
): Promise<StoredMessage[]> {
  const messages: StoredMessage[] = [];
  const { messages: count, bytes } = record.buffer;
  const fitting = budget.left / (TOKENS_PER_BYTE * (bytes / Math.max(1, count)) + 1);
  const atOnce = Math.min(PAGE, Math.max(MIN_PAGE, Math.ceil(fitting)));
  const yielder = new EventLoopYielder(incarnation);
  let length = 0;
  for await (const page of sessions.newestFirst(snapshot, node, record, atOnce)) {
    signal.throwIfAborted();
    for (const line of page) {
      const message = MESSAGES.parse(line);
      length += line.length;
      if (length > MAX_BYTES || !budget.takes(messageTokens(message))) return messages.reverse();
      messages.push({ message, line });
      await yielder.yieldIfDue();
    }
  }
  return messages.reverse();
}
