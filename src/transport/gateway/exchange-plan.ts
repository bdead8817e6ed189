import { checkIdentifier } from "../../domain/caller.ts";
import { invalidArgument } from "../../domain/errors.ts";
import type { RunningCall } from "../call.ts";
import type { HeaderView } from "../identity.ts";
import {
  type ChatAnswer,
  type ChatRequest,
  type IdentifiedConversation,
  type IdentifiedMessage,
  type InsertionPlace,
  identified,
} from "./conversation.ts";
import { type Insertion, inString, JsonText, spliced, UnreadableJson } from "./json-spans.ts";
import { framed } from "./recall-frame.ts";
import type { GatewayRoute } from "./routes.ts";
import { type NewTurn, partsRead, type SessionMemory } from "./session-memory.ts";

/** Maximum number of messages, and of their characters, given to recall as known context. */
const MAX_KNOWN_MESSAGES = 64;
const MAX_KNOWN_LENGTH = 64 * 1024;
/** Maximum time in ms that the end of a response waits for its capture. */
const CAPTURE_MS = 300;

/** How the gateway handles a request. */
export interface ExchangePlan {
  /** Body for the provider: the caller's bytes with insertions. */
  readonly body: Buffer;
  readonly session?: string;
  /** Whether the response must be read. */
  readonly isRead: boolean;
  /** Must be called with the response, or at the end without one; only the first call counts. */
  readonly capture?: (answer: ChatAnswer | undefined) => Promise<void>;
}

/** Whether a request header disables a feature. */
function isOff(headers: HeaderView, name: string): boolean {
  const value = headers.get(name)?.toLowerCase();
  if (value === undefined || value === "on") return false;
  if (value !== "off") throw invalidArgument(name, "must be on or off");
  return true;
}

/**
 * Reads the request, recalls context for it and inserts it. An unreadable request is passed on unchanged, so
 * that the provider reports the error. Throws only for invalid ctxdb headers.
 */
export async function planExchange(
  memory: SessionMemory,
  call: RunningCall,
  route: GatewayRoute,
  headers: HeaderView,
  body: Buffer,
): Promise<ExchangePlan> {
  const named = headers.get("x-ctxdb-session");
  if (named !== undefined) checkIdentifier("X-Ctxdb-Session", named);
  const isRecalled = !isOff(headers, "x-ctxdb-recall");
  const isCaptured = !isOff(headers, "x-ctxdb-capture") && !route.isCount;
  const isPlain = (headers.get("content-encoding") ?? "identity") === "identity";
  const found = isPlain ? conversationIn(memory, route, body) : undefined;
  if (found === undefined) return { body, isRead: false };
  const { request, conversation } = found;
  const begins = conversation.messages.length <= 1;
  const session = named ?? (await memory.sessionOf(call, request, begins));
  if (session === undefined) return { body, isRead: false };
  const insertions = isRecalled ? await recalled(memory, call, session, request, conversation) : [];
  return {
    body: spliced(body, insertions),
    session,
    isRead: isCaptured,
    ...(!route.isCount && { capture: capturing(memory, call, session, conversation, !isCaptured) }),
  };
}

/** The conversation of a request; undefined if it has none or cannot be parsed. */
function conversationIn(
  memory: SessionMemory,
  { api }: GatewayRoute,
  body: Buffer,
): { readonly request: ChatRequest; readonly conversation: IdentifiedConversation } | undefined {
  try {
    const request = api?.request(new JsonText(body));
    if (request === undefined || request.items.length === 0) return undefined;
    return { request, conversation: identified(request) };
  } catch (error) {
    if (!(error instanceof UnreadableJson)) memory.note("the gateway could not read a request", error);
    return undefined;
  }
}

interface PlacedTurn {
  readonly message: IdentifiedMessage;
  readonly place: InsertionPlace;
}

/** Computes the insertions before the user's turns. */
async function recalled(
  memory: SessionMemory,
  call: RunningCall,
  session: string,
  { items }: ChatRequest,
  { messages }: IdentifiedConversation,
): Promise<Insertion[]> {
  const turns = messages.flatMap((message): PlacedTurn[] => {
    const [item] = message.items;
    return item?.place === undefined ? [] : [{ message, place: item.place }];
  });
  const last = turns.at(-1);
  if (last === undefined) return [];
  // an earlier turn keeps exactly the text that was inserted when it was first sent
  const isAsked = items.at(-1)?.speaker === "user" && messages.at(-1) === last.message;
  const asked = isAsked ? askedBy(messages, last.message) : undefined;
  const names = turns.map(({ message }) => message.id);
  const blocks = await memory.blocks(call, session, names, asked);
  return turns.flatMap(({ message, place }): Insertion[] => {
    const block = blocks.get(message.id);
    return block === undefined ? [] : [insertionOf(place, framed(block))];
  });
}

const insertionOf = (place: InsertionPlace, text: string): Insertion => ({
  at: place.at,
  text:
    place.kind === "text"
      ? inString(`${text}\n\n`)
      : `{"type":${JSON.stringify(place.type)},"text":${JSON.stringify(text)}},`,
});

function askedBy(messages: readonly IdentifiedMessage[], { id, items }: IdentifiedMessage): NewTurn {
  const known: string[] = [];
  let length = 0;
  for (const message of messages.slice(-MAX_KNOWN_MESSAGES).reverse()) {
    const text = textOf(message);
    length += text.length;
    if (length > MAX_KNOWN_LENGTH) break;
    known.push(text);
  }
  return { name: id, query: textOf({ items }), known };
}

const textOf = (message: Pick<IdentifiedMessage, "items">): string =>
  partsRead(message)
    .flatMap((part) => (part.kind === "text" ? [part.text] : []))
    .join("\n");

/**
 * Returns a function whose first call captures the conversation, or with `isOff` marks it so that it is never
 * captured. To be called at the end of the response or of the call, whichever is first.
 */
function capturing(
  memory: SessionMemory,
  call: RunningCall,
  session: string,
  conversation: IdentifiedConversation,
  isOff: boolean,
): (answer: ChatAnswer | undefined) => Promise<void> {
  let isDone = false;
  return (answer) => {
    if (isDone) return Promise.resolve();
    isDone = true;
    const { caller } = call;
    // messages are read from the body, and a busy account may delay their capture until long after the call
    const body = call.takeBody();
    const captured = memory.capture(caller, session, conversation, answer?.parts, isOff);
    const noted = answer?.id === undefined ? undefined : memory.noteAnswer(caller, answer.id, session);
    const work = Promise.all([captured, noted]).finally(() => body?.release());
    return atMost(work, CAPTURE_MS);
  };
}

/** Waits for `work`, at most `ms` milliseconds; `work` then continues. */
function atMost(work: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void work.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
