import { EventLoopYielder } from "../../base/event-loop.ts";
import type { Message } from "../../domain/message.ts";
import type { NodeId } from "../../domain/node.ts";
import { pairPages, prefixRange } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { retryConflicts } from "../../workspace/conflict.ts";
import { FIRST_ANSWERS, MESSAGES, PATHS } from "../../workspace/records.ts";
import type { ForgetPlanRecord, MessagesStep } from "../../workspace/requests/forget-plans.ts";
import { type NumberedPart, recalledExtent, recalledParts } from "../../workspace/sessions/recalled.ts";
import { type Redaction, redactMessages } from "../../workspace/sessions/redact-messages.ts";
import type { FoundSession, SessionArchive } from "../../workspace/sessions/sessions.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import { wordsOf } from "./key-words.ts";
import { redactSteps, type Select } from "./redact-message.ts";
import { sentenceSteps } from "./redact-text.ts";
import { sentencesWith, type Targets } from "./targets.ts";

/** Maximum bytes of a transaction; a single message may have 8 MiB. */
const MAX_CHANGE_BYTES = 16 * 1024 * 1024;
const PAGE = 500;
/** Maximum bytes of a page of first answers, which may have a megabyte each. */
const PAGE_BYTES = 1024 * 1024;

export interface SessionDeps {
  /**
   * Creates L0 and L1 of an archive without a language model. Injected, because summarising belongs to
   * `enrich`.
   */
  readonly archiveLayers: (
    said: readonly Message[],
    archive: Pick<SessionArchive, "name" | "messages">,
  ) => { readonly abstract: string; readonly overview: string };
}

/** Rewrites the messages of a step in one transaction, in which `within` runs. */
export async function redactSaid(
  workspace: Workspace,
  { session: node, messages }: MessagesStep,
  targets: Targets,
  within: (draft: WorkspaceDraft) => void,
): Promise<void> {
  const yielder = new EventLoopYielder(workspace.incarnation);
  const redactions: Redaction[] = [];
  for (const { archive, sequence, gone } of messages) {
    const line = workspace.kv.get(workspace.keys.message(node, archive, sequence));
    if (!line) continue;
    const digests = new Set(gone);
    const select: Select = (texts) => sentencesWith(texts, digests);
    const { message } = await yielder.through(redactSteps(MESSAGES.decode(line), targets, select));
    redactions.push({ archive, sequence, message });
  }
  await workspace.transact(
    (draft) => {
      draft.isBeyondQuota = true;
      if (workspace.sessions.record(draft, node)) redactMessages(draft, workspace, node, redactions);
      within(draft);
      return () => undefined;
    },
    { maxBytes: MAX_CHANGE_BYTES },
  );
}

/** Redacts other records of sessions: layers of archives, recalled parts, findings, uses. Idempotent. */
export async function redactSessions(
  deps: SessionDeps,
  workspace: Workspace,
  user: string,
  {
    targets,
    nodes,
    archives,
  }: {
    readonly targets: Targets;
    /** Nodes of memories that change. */
    readonly nodes: ReadonlySet<NodeId>;
    /** Archives whose messages change, or support removed memories. */
    readonly archives: ForgetPlanRecord["archives"];
  },
  signal: AbortSignal,
): Promise<void> {
  const touched = new Set(archives.map(([session, archive]) => `${session}/${archive}`));
  for await (const session of workspace.sessions.of(workspace.kv, user)) {
    signal.throwIfAborted();
    for (let archive = 1; archive <= session.record.archives; archive++)
      if (
        touched.has(`${session.node}/${archive}`) ||
        (await hasSelectedLayer(workspace, session.node, archive, targets))
      )
        await renewLayers(deps, workspace, session.node, archive);
    await dropRecalled(workspace, session, targets, nodes);
    await dropUses(workspace, session.node, targets);
  }
}

/** Whether a sentence of a text is selected. */
function* selectsSteps(text: string, targets: Targets): Generator<undefined, boolean> {
  if (!(yield* targets.concernSteps(text))) return false;
  for (const { words } of yield* sentenceSteps(text)) if (yield* targets.isSelectedSteps(words)) return true;
  return false;
}

async function hasSelectedLayer(
  { sessions, kv, incarnation }: Workspace,
  session: NodeId,
  archive: number,
  targets: Targets,
): Promise<boolean> {
  const yielder = new EventLoopYielder(incarnation);
  for (const level of [0, 1] as const) {
    const layer = sessions.layer(kv, session, archive, level) ?? "";
    if (await yielder.through(selectsSteps(layer, targets))) return true;
  }
  return false;
}

/** Findings are extracted again, and layers are rebuilt from the changed archive. */
async function renewLayers(
  deps: SessionDeps,
  workspace: Workspace,
  session: NodeId,
  number: number,
): Promise<void> {
  const archive = workspace.sessions.archive(session, number);
  if (!archive) return;
  const layers = archive.remembered
    ? deps.archiveLayers(await workspace.sessions.firstAndLastMessages(session, archive), archive)
    : undefined;
  await workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    const { keys } = draft;
    draft.delete(keys.findings(session, number));
    if (layers && draft.get(keys.archiveLayer(session, number, 0)) !== undefined) {
      draft.put(keys.archiveLayer(session, number, 0), Buffer.from(layers.abstract));
      draft.put(keys.archiveLayer(session, number, 1), Buffer.from(layers.overview));
    }
    return () => undefined;
  });
}

/**
 * In all sessions of a user, removes recalled parts that contain selected content or come from these nodes.
 */
export async function dropAllRecalled(
  workspace: Workspace,
  user: string,
  targets: Targets,
  nodes: ReadonlySet<NodeId>,
): Promise<void> {
  for await (const session of workspace.sessions.of(workspace.kv, user))
    await dropRecalled(workspace, session, targets, nodes);
}

/** A concurrent call that appends to the block is repeated, because the end of the block has changed. */
function dropRecalled(
  workspace: Workspace,
  { node: session }: FoundSession,
  targets: Targets,
  nodes: ReadonlySet<NodeId>,
): Promise<void> {
  return retryConflicts(async () => {
    const parts = await recalledParts(workspace.kv, workspace.keys, session);
    const yielder = new EventLoopYielder(workspace.incarnation);
    const dropped: NumberedPart[] = [];
    for (const part of parts) {
      const [, { node, text, uri, alsoIn }] = part;
      const isGone = nodes.has(node) || [uri, ...alsoIn].some((one) => targets.uris.has(one));
      if (isGone || (await yielder.through(selectsSteps(text, targets)))) dropped.push(part);
    }
    if (dropped.length === 0) return;
    await workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      const { keys } = draft;
      for (const [sequence] of dropped) draft.delete(keys.recalledPart(session, sequence));
      const extent = recalledExtent(draft, keys, session);
      draft.put(keys.recalledExtent(session), encodeRecord({ ...extent, last: extent.last + 1 }));
      return () => undefined;
    });
  });
}

/** Removes uncounted uses, which contain the path of what was used. */
async function dropUses(workspace: Workspace, session: NodeId, targets: Targets): Promise<void> {
  const prefix = workspace.keys.allPendingUses(session);
  const yielder = new EventLoopYielder(workspace.incarnation);
  for await (const page of pairPages(workspace.kv, prefixRange(prefix, PAGE))) {
    const gone: (readonly [string, Uint8Array])[] = [];
    for (const [key, value] of page) {
      const path = PATHS.decode(value, key);
      const isNamed = targets.uris.has(workspace.uris.format(path));
      if (isNamed || (await yielder.through(targets.isSelectedSteps(wordsOf(path.join(" "))))))
        gone.push([key, value]);
    }
    if (gone.length > 0) await dropKeys(workspace, gone);
  }
}

/** Removes first answers with selected content; a repeated request is then executed again. */
export async function dropAnswers(workspace: Workspace, user: string, targets: Targets): Promise<void> {
  const yielder = new EventLoopYielder(workspace.incarnation);
  const range = { ...prefixRange(workspace.keys.firstAnswers(user), PAGE), maxBytes: PAGE_BYTES };
  for await (const page of pairPages(workspace.kv, range)) {
    const gone: (readonly [string, Uint8Array])[] = [];
    for (const pair of page) {
      const said = Buffer.from(FIRST_ANSWERS.decode(pair[1], pair[0]).message, "base64").toString();
      if (await yielder.through(targets.concernSteps(said))) gone.push(pair);
    }
    if (gone.length > 0) await dropKeys(workspace, gone);
  }
}

const dropKeys = (workspace: Workspace, pairs: readonly (readonly [key: string, value: Uint8Array])[]) =>
  workspace.transact((draft: WorkspaceDraft) => {
    draft.isBeyondQuota = true;
    for (const [key] of pairs) draft.delete(key);
    return () => undefined;
  });
