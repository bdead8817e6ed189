import type { Logger } from "pino";
import { Counter, type Registry } from "prom-client";
import { textPart, toolPart } from "../../base/capture/captured-message.ts";
import { EventLoopYielder } from "../../base/event-loop.ts";
import { LruCache } from "../../base/lru-cache.ts";
import { sha256 } from "../../base/sha256.ts";
import type { Caller } from "../../domain/caller.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { PartInput } from "../../domain/message.ts";
import { MIN_RECALL_TOKENS, recall } from "../../service/search/recall.ts";
import { leaveTurnOut, recalledTurns } from "../../service/search/recalled-turns.ts";
import type { SearchDeps } from "../../service/search/run-search.ts";
import type { ServiceCall } from "../../service/service-call.ts";
import type { NewMessage } from "../../service/session/add-message.ts";
import {
  type CaptureDeps,
  captureMessages,
  ensureSession,
  passOverMessages,
} from "../../service/session/capture-messages.ts";
import { latestSession } from "../../service/session/latest-session.ts";
import { answerSession, noteAnswerSession } from "../../service/session/session-of-response.ts";
import type { RunningCall } from "../call.ts";
import {
  type ChatPart,
  type ChatRequest,
  derivedSession,
  type IdentifiedConversation,
  type IdentifiedMessage,
} from "./conversation.ts";
import { UnreadableJson } from "./json-spans.ts";
import { RecallDeadline } from "./recall-deadline.ts";

export type SessionMemoryDeps = SearchDeps & CaptureDeps;

export interface SessionMemoryOptions {
  readonly deps: SessionMemoryDeps;
  readonly log: Logger;
  readonly registry: Registry;
  /** Maximum tokens inserted before a user's text; 0: none. */
  readonly recallTokens: number;
  /** Maximum time in ms that a call waits for recall. */
  readonly recallMs: number;
  /** Delay in seconds after which captured messages are committed. */
  readonly commitSeconds: number;
}

/** A user's turn without a recall block. */
export interface NewTurn {
  readonly name: string;
  readonly query: string;
  /** Texts of the conversation, which recall need not repeat. */
  readonly known: readonly string[];
}

/** Time limit in ms for looking up earlier blocks, which only an unresponsive store exceeds. */
const LOOK_UP_MS = 2000;
/** Maximum tokens of all blocks in a conversation, as a multiple of one turn's tokens. */
const TURNS_OF_TOKENS = 8;
const MAX_BLOCK_TOKENS = 32_000;
const MAX_QUERY = 4000;
/** Idle time in ms after which a conversation with the same beginning counts as a new one. */
const RENEW_MS = 60 * 60_000;
/** Maximum characters read from a text, and parts stored per message. */
const MAX_TEXT = 64 * 1024;
const MAX_PARTS = 100;
/** Number of messages captured per transaction. */
const BATCH = 100;
/** Maximum number of tracked conversations, and of responses with a known session. */
const MAX_KNOWN = 10_000;
/** Number of messages before the first new one that are searched for the tool call of a new result. */
const LOOK_BACK = 4;

const NOTHING: ReadonlyMap<string, string> = new Map();

/** Blocks by turn, and all turns with a stored block, even an empty one. */
type FoundTurns = Awaited<ReturnType<typeof recalledTurns>>;

/** Last captured state of a conversation. */
interface Progress {
  readonly count: number;
  readonly id: string;
}

/** Captures conversations and recalls context for them. Its failures never fail a call. */
export class SessionMemory {
  readonly #options: SessionMemoryOptions;
  readonly #progress = new LruCache<Progress>(MAX_KNOWN);
  readonly #sessions = new LruCache<string>(MAX_KNOWN);
  readonly #recalls: Counter<"outcome">;
  readonly #captures: Counter<"outcome">;

  constructor(options: SessionMemoryOptions) {
    this.#options = options;
    const registers = [options.registry];
    const labelNames = ["outcome"] as const;
    this.#recalls = new Counter({
      name: "ctxdb_gateway_recalls_total",
      help: "Recalls of the gateway by outcome: told, nothing told, too late, failed",
      labelNames,
      registers,
    });
    this.#captures = new Counter({
      name: "ctxdb_gateway_captures_total",
      help: "Requests of the gateway by what became of their messages: captured, switched off, failed",
      labelNames,
      registers,
    });
  }

  /**
   * Session of an unnamed conversation. `begins`: it has only one message. Undefined if the session cannot be
   * determined.
   */
  async sessionOf(call: ServiceCall, request: ChatRequest, begins: boolean): Promise<string | undefined> {
    const { previous, kept } = request;
    const known = previous === undefined ? undefined : await this.#sessionOfAnswer(call, previous);
    if (known !== undefined) return known;
    const name = derivedSession(request);
    if (previous !== undefined || kept !== undefined) return name;
    try {
      return await latestSession(this.#options.deps, call, { name, begins, renewAfterMs: RENEW_MS });
    } catch (error) {
      this.note("the gateway could not find the session of a conversation", error);
      return undefined;
    }
  }

  /**
   * Records the session of a response, for a later request that continues it, even after a restart. Never
   * rejects.
   */
  async noteAnswer(caller: Caller, answer: string, session: string): Promise<void> {
    this.#sessions.set(keyOf(caller, answer), session);
    try {
      await noteAnswerSession(this.#options.deps, serviceCall(caller), { answer, session });
    } catch (error) {
      this.note("the gateway could not note the session of an answer", error);
    }
  }

  async #sessionOfAnswer(call: ServiceCall, answer: string): Promise<string | undefined> {
    const known = this.#sessions.get(keyOf(call.caller, answer));
    if (known !== undefined) return known;
    try {
      return await answerSession(this.#options.deps, call, answer);
    } catch (error) {
      this.note("the gateway could not find the session of an answer", error);
      return undefined;
    }
  }

  /**
   * Recall blocks for the turns of a conversation, by name. Earlier turns get the same block as before;
   * `asked` gets a new one if it never had one. Never rejects.
   */
  async blocks(
    call: RunningCall,
    session: string,
    turns: readonly string[],
    asked: NewTurn | undefined,
  ): Promise<ReadonlyMap<string, string>> {
    if (this.#options.recallTokens === 0) return NOTHING;
    const { deps } = this.#options;
    const { caller } = call;
    const found: FoundTurns = { blocks: NOTHING, asked: new Map() };
    const lookUp = async (prepare: (call: ServiceCall) => Promise<unknown>): Promise<FoundTurns> => {
      const work = async () => {
        await prepare(serviceCall(caller));
        return recalledTurns(deps, serviceCall(caller), { sessionId: session, turns });
      };
      try {
        return await new RecallDeadline(LOOK_UP_MS).within(work(), () => found);
      } catch (error) {
        this.note("the gateway could not look up the recall blocks of a conversation", error);
        return found;
      }
    };
    const before = await lookUp(async (within) => asked && ensureSession(deps, within, session));
    if (asked === undefined || before.asked.has(asked.name)) return before.blocks;
    const isKept = await this.#recall(call, session, asked);
    // the stored record decides: another request may have given the turn a block, or left it without one
    const turn = asked.name;
    const after = await lookUp(
      async (within) => isKept || leaveTurnOut(deps, within, { sessionId: session, turn }),
    );
    const { blocks } = after === found ? before : after;
    if (after.asked.has(turn) && !blocks.has(turn)) this.#recalls.inc({ outcome: "nothing told" });
    if (blocks.has(turn)) this.#recalls.inc({ outcome: "told" });
    return blocks;
  }

  /**
   * Adds the new messages of a conversation to a session; a message that is sent again is added only once.
   * With `isOff`, marks them so that they are never added. Never rejects.
   */
  async capture(
    caller: Caller,
    session: string,
    { messages, answerId }: IdentifiedConversation,
    answer: readonly ChatPart[] | undefined,
    isOff: boolean,
  ): Promise<void> {
    const key = keyOf(caller, session);
    try {
      const known = this.#progress.get(key);
      const from = known && messages[known.count - 1]?.id === known.id ? known.count : 0;
      if (isOff) {
        const ids = [...messages.slice(from).map(({ id }) => id), answerId];
        await passOverMessages(this.#options.deps, serviceCall(caller), { sessionId: session, ids });
      } else {
        const yielder = new EventLoopYielder(caller.accountIncarnation);
        const added = await newMessages(messages, from, yielder);
        if (answer)
          added.push({ id: answerId, role: "assistant", parts: await partsOf(answer, new Map(), yielder) });
        await this.#add(caller, session, added);
      }
      const isAnswered = isOff || answer !== undefined;
      const last = isAnswered ? answerId : messages.at(-1)?.id;
      if (last !== undefined)
        this.#progress.set(key, { count: messages.length + (isAnswered ? 1 : 0), id: last });
      this.#captures.inc({ outcome: isOff ? "switched off" : "captured" });
    } catch (error) {
      // do not recreate a deleted session
      if (error instanceof ServiceError && error.code === "SESSION_EXPIRED") return;
      this.#captures.inc({ outcome: "failed" });
      this.note("the gateway could not capture a conversation", error);
    }
  }

  /** Logs a failure: as a warning, or as information if the caller can cause it. */
  note(what: string, error: unknown): void {
    const { log } = this.#options;
    if (error instanceof ServiceError && error.http < 500) log.info({ code: error.code }, what);
    else log.warn({ err: error }, what);
  }

  async #add(caller: Caller, session: string, added: readonly Captured[]): Promise<void> {
    const kept = added.filter(({ parts }) => parts.length > 0);
    const commitAfterMs = this.#options.commitSeconds * 1000;
    for (let at = 0; at < kept.length; at += BATCH)
      await captureMessages(this.#options.deps, serviceCall(caller), {
        sessionId: session,
        messages: kept.slice(at, at + BATCH),
        commitAfterMs,
      });
  }

  /** Creates a turn's block; false if that fails or takes too long. */
  async #recall(call: RunningCall, session: string, { name, query, known }: NewTurn): Promise<boolean> {
    const tokens = Math.max(MIN_RECALL_TOKENS, this.#options.recallTokens);
    const deadline = new RecallDeadline(this.#options.recallMs);
    const reserve = (bytes: number) => call.reserve(bytes);
    const asking = recall(
      this.#options.deps,
      { ...serviceCall(call.caller), signal: deadline.signal, reserve },
      {
        query: query.slice(0, MAX_QUERY).toWellFormed(),
        sessionId: session,
        tokenBudget: tokens,
        blockTokenBudget: Math.min(MAX_BLOCK_TOKENS, tokens * TURNS_OF_TOKENS),
        targetUris: [],
      },
      { name, known, keep: deadline.keep },
    );
    try {
      await deadline.within(asking, () => undefined);
      if (deadline.isLate) this.#recalls.inc({ outcome: "too late" });
      return !deadline.isLate;
    } catch (error) {
      // a deleted session gets no block
      if (error instanceof ServiceError && error.code === "NOT_FOUND") return false;
      this.#recalls.inc({ outcome: "failed" });
      this.note("the gateway continues without a recall", error);
      return false;
    }
  }
}

/** Hashed, because names come from callers and providers and may be long. */
const keyOf = ({ account, accountIncarnation, user, userIncarnation }: Caller, name: string): string =>
  sha256(JSON.stringify([account, accountIncarnation, user, userIncarnation, name]));

const NEVER = new AbortController().signal;

/** A call for work that continues after the caller's request has ended. */
const serviceCall = (caller: Caller): ServiceCall => ({ caller, signal: NEVER, reply: {} });

type Captured = Pick<NewMessage, "id" | "role"> & { readonly parts: readonly PartInput[] };

type Call = Extract<ChatPart, { kind: "call" }>;

async function newMessages(
  messages: readonly IdentifiedMessage[],
  from: number,
  yielder: EventLoopYielder,
): Promise<Captured[]> {
  const calls = new Map<string, Call>();
  const added: Captured[] = [];
  for (let at = Math.max(0, from - LOOK_BACK); at < messages.length; at++) {
    const message = messages[at];
    if (message === undefined) continue;
    const parts = partsRead(message);
    for (const part of parts) if (part.kind === "call") calls.set(part.id, part);
    if (at >= from)
      added.push({ id: message.id, role: message.role, parts: await partsOf(parts, calls, yielder) });
    await yielder.yieldIfDue();
  }
  return added;
}

/** The readable parts of a message; an unreadable part does not affect the others. */
export function partsRead({ items }: Pick<IdentifiedMessage, "items">): readonly ChatPart[] {
  try {
    return items.flatMap(({ read }) => read());
  } catch (error) {
    if (error instanceof UnreadableJson) return [];
    throw error;
  }
}

/** Yields between parts, because redacting a long one takes milliseconds. */
async function partsOf(
  parts: readonly ChatPart[],
  calls: ReadonlyMap<string, Call>,
  yielder: EventLoopYielder,
): Promise<PartInput[]> {
  const kept: PartInput[] = [];
  for (const part of parts.slice(0, MAX_PARTS)) {
    const found = keptPart(part, calls);
    if (found !== undefined) kept.push(found);
    await yielder.yieldIfDue();
  }
  return kept;
}

/** Undefined for a part that cannot be stored, such as a too deeply nested input. */
function keptPart(part: ChatPart, calls: ReadonlyMap<string, Call>): PartInput | undefined {
  try {
    return partOf(part, calls);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Converts a part for a session: shortened, with suspected secrets redacted. */
function partOf(part: ChatPart, calls: ReadonlyMap<string, Call>): PartInput | undefined {
  if (part.kind === "text") return textPart(part.text.slice(0, MAX_TEXT));
  const call = part.kind === "call" ? part : calls.get(part.id);
  const { id, name = "", input = {} } = call ?? { id: part.id };
  const isResult = part.kind === "result";
  const output = isResult ? part.output.slice(0, MAX_TEXT) : "";
  const kept = toolPart({ id, name, input }, output, isResult && part.isError);
  if (kept.type !== "tool") return undefined;
  const { tool_id: toolId, tool_name: toolName, tool_input: toolInput } = kept;
  const named = { type: "tool", toolId, ...(toolName !== "" && { toolName }), toolInput };
  if (!isResult) return { ...named, toolStatus: "pending" };
  return { ...named, toolOutput: kept.tool_output, toolStatus: kept.tool_status };
}
