import { EventLoopYielder } from "../../base/event-loop.ts";
import type { NodeId } from "../../domain/node.ts";
import { lastNumber } from "../../storage/key-numbers.ts";
import { pairPages, prefixRange } from "../../storage/kv.ts";
import { text } from "../../storage/record-codec.ts";
import { archiveOfMessageKey } from "../../workspace/keys.ts";
import { MESSAGES } from "../../workspace/records.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { redactSteps } from "./redact-message.ts";
import { messageKey, type Targets } from "./targets.ts";

const PAGE = 1000;
const PAGE_BYTES = 2 * 1024 * 1024;

/** A message with selected content. */
export interface SaidMessage {
  readonly session: string;
  /** Node of the session. */
  readonly node: NodeId;
  readonly archive: number;
  readonly sequence: number;
  /** Id of the message. */
  readonly message: string;
  /** Stored bytes of the message. */
  readonly bytes: number;
  /** Digests of the selected sentences. */
  readonly gone: ReadonlySet<string>;
}

/** Finds messages with selected content in all sessions of a user, committed or not. */
export async function findSaid(
  workspace: Workspace,
  user: string,
  targets: Targets,
  signal: AbortSignal,
): Promise<SaidMessage[]> {
  const { kv, keys, sessions } = workspace;
  const yielder = new EventLoopYielder(workspace.incarnation);
  const sources = targets.sourceArchives;
  const found: SaidMessage[] = [];
  for await (const { id: session, node } of sessions.of(kv, user)) {
    const range = { ...prefixRange(keys.sessionMessages(node), PAGE), maxBytes: PAGE_BYTES };
    for await (const page of pairPages(kv, range))
      for (const [key, line] of page) {
        signal.throwIfAborted();
        const [, archive] = archiveOfMessageKey(keys, key);
        const isSource = sources.has(`${session}\n${archive}`);
        if (!isSource && !(await yielder.through(targets.concernSteps(text(line))))) continue;
        const message = MESSAGES.decode(line, key);
        const id = messageKey(session, archive, message.id);
        const made = await yielder.through(
          redactSteps(message, targets, (texts) => targets.selectedSteps(texts, [id])),
        );
        if (made.message === message) continue;
        const sequence = lastNumber(key);
        const { byteLength: bytes } = line;
        found.push({ session, node, archive, sequence, message: message.id, bytes, gone: made.gone });
      }
  }
  return found;
}
