import { atOnce, EventLoopYielder } from "../../base/event-loop.ts";
import { invalidArgument } from "../../domain/errors.ts";
import { type Message, type MessageInput, messageTokenSteps, parseMessage } from "../../domain/message.ts";
import type { SessionRules } from "../../domain/session.ts";
import { timeIn } from "../../domain/text/iso-time.ts";
import { recordSteps } from "../../storage/record-codec.ts";
import { retryConflicts } from "../../workspace/conflict.ts";
import { type Addition, appendMessage } from "../../workspace/sessions/session-changes.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { openSession, requireActiveSession } from "./own-session.ts";
import { screenMessage } from "./screen-message.ts";

/**
 * Maximum bytes of a message, and of a batch, as lines of `messages.jsonl`; above the body limit, because
 * JSON may lengthen text.
 */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
/** Maximum bytes of a message with its tool records and a thousand URIs. */
const MAX_CHANGE_BYTES = 2 * MAX_MESSAGE_BYTES;
/** Tolerance in ms for callers' clocks that are ahead. */
const CLOCK_SKEW_MS = 60_000;
const OWN_ID = /^[\x20-\x7e]{1,128}$/;

/**
 * Number of messages and parts above which the change is made in steps: each tool call and each use is a
 * record.
 */
const MAX_AT_ONCE = 600;
/** Maximum number of messages per batch, because one transaction contains all. */
const MAX_BATCH = 500;

export interface NewMessage extends MessageInput {
  readonly id?: string | undefined;
  readonly createdAt?: string | undefined;
}

export interface AddMessageInput extends NewMessage {
  readonly sessionId: string;
}

export interface AddMessagesDeps {
  readonly tenants: Tenants;
  readonly ids: () => string;
  readonly rules: SessionRules;
}

type Deps = AddMessagesDeps;

interface AddedMessages {
  sessionId: string;
  messageCount: number;
}

/**
 * POST sessions/{session_id}/messages: appends a message; the time does not depend on the session's length.
 * Messages are stored in the order of acknowledgement.
 */
export async function addMessage(
  deps: Deps,
  call: ServiceCall,
  input: AddMessageInput,
): Promise<AddedMessages> {
  const prepare = async (workspace: Workspace) => {
    const uri = sessionUri(workspace, call, input.sessionId);
    const message = await workspace.secrets.watch(call.reply, (found) =>
      screenMessage(workspace.secrets, input, { uri }, found),
    );
    return [
      await new EventLoopYielder(workspace.incarnation).through(newLineSteps(deps, workspace, message)),
    ];
  };
  return append(deps, call, input.sessionId, prepare);
}

/** POST sessions/{session_id}/messages/batch: appends all messages in one step, or none. */
export async function addMessages(
  deps: Deps,
  call: ServiceCall,
  input: { readonly sessionId: string; readonly messages: readonly NewMessage[] },
): Promise<AddedMessages> {
  const { sessionId, messages } = input;
  checkBatch(messages);
  const { workspace } = await deps.tenants.openOrCreate(call.caller);
  const { secrets } = workspace;
  const uri = sessionUri(workspace, call, sessionId);
  const screened: NewMessage[] = [];
  await secrets.watch(call.reply, async (found) => {
    for (const [i, message] of messages.entries())
      screened.push(await screenMessage(secrets, message, { at: `messages[${i}].`, uri }, found));
  });
  return appendMessages(deps, call, { sessionId, messages: screened });
}

export const sessionUri = ({ uris }: Workspace, { caller }: ServiceCall, id: string): string =>
  uris.format(["session", caller.user, id]);

function checkBatch(messages: readonly NewMessage[]): void {
  if (messages.length > MAX_BATCH)
    throw invalidArgument("messages", `must have at most ${MAX_BATCH} messages`);
}

/**
 * Like addMessages, for messages whose secrets are already handled. `within` runs in the transaction, after
 * the messages.
 */
export async function appendMessages(
  deps: AddMessagesDeps,
  call: ServiceCall,
  input: { readonly sessionId: string; readonly messages: readonly NewMessage[] },
  within?: (draft: WorkspaceDraft, workspace: Workspace) => void,
): Promise<AddedMessages> {
  const { sessionId, messages } = input;
  checkBatch(messages);
  const prepare = async (workspace: Workspace) => {
    const yielder = new EventLoopYielder(workspace.incarnation);
    const additions: Addition[] = [];
    let bytes = 0;
    for (const [i, message] of messages.entries()) {
      const addition = await yielder.through(newLineSteps(deps, workspace, message, `messages[${i}].`));
      bytes += addition.line.byteLength;
      if (bytes > MAX_MESSAGE_BYTES)
        throw invalidArgument(
          "messages",
          `must have at most ${MAX_MESSAGE_BYTES} bytes together: send several batches`,
        );
      additions.push(addition);
    }
    return additions;
  };
  return append(deps, call, sessionId, prepare, within);
}

/** Creates a message, in steps. Throws INVALID_ARGUMENT naming its field, prefixed with `at`. */
function* newLineSteps(
  { ids, rules }: Deps,
  workspace: Workspace,
  input: NewMessage,
  at = "",
): Generator<undefined, Addition> {
  if (input.id !== undefined && !OWN_ID.test(input.id))
    throw invalidArgument(`${at}id`, "must be 1 to 128 printable ASCII characters");
  const now = workspace.clock();
  const said = timeIn(input.createdAt, `${at}created_at`) ?? now;
  if (said > now + CLOCK_SKEW_MS) throw invalidArgument(`${at}created_at`, "must not be in the future");
  if (said < 0) throw invalidArgument(`${at}created_at`, "must not be before 1970");
  const canonical = (uri: string) => workspace.uris.format(workspace.uris.parse(uri));
  const { role, parts } = parseMessage(input, canonical, at, rules.speakers);
  const created_at = new Date(Math.min(said, now)).toISOString();
  const message: Message = { id: input.id ?? ids(), role, parts, created_at };
  yield;
  const line = yield* recordSteps(message);
  if (line.byteLength > MAX_MESSAGE_BYTES)
    throw invalidArgument(`${at}parts`, `a message must have at most ${MAX_MESSAGE_BYTES} bytes`);
  yield;
  const tokens = yield* messageTokenSteps(message);
  return { message, line, tokens, isOwnId: input.id !== undefined };
}

async function append(
  deps: Deps,
  call: ServiceCall,
  sessionId: string,
  prepare: (workspace: Workspace) => Promise<readonly Addition[]>,
  within?: (draft: WorkspaceDraft, workspace: Workspace) => void,
): Promise<AddedMessages> {
  const { workspace, owner } = await deps.tenants.openOrCreate(call.caller);
  const additions = await prepare(workspace);
  const added = { sessionId, messageCount: 0 };
  const write = function* (draft: WorkspaceDraft): Generator<undefined> {
    if (deps.rules.areOpenedByUse) openSession(draft, workspace, owner, sessionId);
    added.sessionId = requireActiveSession(draft, workspace, call.caller, sessionId).id;
    for (const addition of additions) {
      // read again: the previous message changed the counts in the draft
      const found = requireActiveSession(draft, workspace, call.caller, sessionId);
      added.messageCount = yield* appendMessage(draft, workspace, found, addition, workspace.clock());
      yield;
    }
  };
  const decide = (draft: WorkspaceDraft) => {
    within?.(draft, workspace);
    call.keepAnswer?.(draft, added);
    return () => added;
  };
  const parts = additions.reduce((count, { message }) => count + 1 + message.parts.length, 0);
  if (parts > MAX_AT_ONCE) return retryConflicts(() => workspace.transactLarge(write, decide));
  return workspace.transact(
    (draft) => {
      atOnce(write(draft));
      return decide(draft);
    },
    { maxBytes: MAX_CHANGE_BYTES },
  );
}
