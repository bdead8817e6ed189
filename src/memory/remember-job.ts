import { EventLoopYielder } from "../base/event-loop.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import { type Job, payloadOf, REMEMBER } from "../domain/job.ts";
import type { Message } from "../domain/message.ts";
import type { NodeId } from "../domain/node.ts";
import { countUses, findingsOf, finishArchive, keepFindings } from "../workspace/sessions/commits.ts";
import type { SessionArchive } from "../workspace/sessions/sessions.ts";
import type { Owner } from "../workspace/tree/locate.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type EpisodeDeps, persistEpisodes } from "./episodes/persist-episodes.ts";
import { homesOf } from "./facts/choose-fact-file.ts";
import { type Extractor, FACTS, type Fact } from "./facts/fact.ts";
import { allCurrentFacts, factsOnTopicsOf } from "./facts/known-facts.ts";
import { type Origin, persistFacts } from "./facts/persist-facts.ts";
import type { ForgetDeps } from "./forget/carry-out.ts";
import { carryOutForgetRequests, type SaidRequest } from "./forget/carry-out-requests.ts";
import { memoriesLock } from "./forget/clear-job.ts";
import { FORGOTTEN } from "./forget/redact-text.ts";
import { forgetRequestSteps, mayAskToForget } from "./forget/requests.ts";
import { originLookup, type SpokenMessage, timeLookup, type Utterance, utterancesOf } from "./utterance.ts";

export interface RememberDeps extends EpisodeDeps, ForgetDeps {
  readonly extractor: Extractor;
  /** Reads the rest of a long archive, because a language model is only asked about its beginning. */
  readonly further: Extractor;
  readonly workspaceOf: (incarnation: WorkspaceId) => Promise<Workspace | undefined>;
  /** The workspace with the access of an archive's user, and the owners of user and agent spaces. */
  readonly tenantOf: (
    job: Job,
    of: Pick<SessionArchive, "user" | "agent">,
  ) => Promise<{ readonly workspace: Workspace; readonly owner: Owner } | undefined>;
  /** Creates L0 and L1 of an archive. Injected, because summarising belongs to `enrich`. */
  readonly summarize: (
    archive: SessionArchive & {
      /** All messages; for a long archive, those at the beginning and end. */
      readonly said: readonly Message[];
    },
    asked: { readonly workspace: WorkspaceId; readonly signal: AbortSignal },
  ) => Promise<{ readonly abstract: string; readonly overview: string }>;
}

/** Number of messages and bytes processed at once; bounds the memory for sessions of any size. */
const PART_MESSAGES = 2000;
const PART_BYTES = 4 * 1024 * 1024;
/** Maximum number of forget requests per archive. */
const MAX_REQUESTS = 20;
/** Maximum bytes of an archive from which memories are extracted; all of it is stored. */
const MAX_REMEMBERED_BYTES = 32 * 1024 * 1024;

/**
 * The second phase of a commit: usage counts, episodes, facts, then layers and statistics of the archive in
 * the transaction that settles the job. Every step is idempotent. A session deleted meanwhile is skipped, and
 * removing its user ends the job. Messages are read in parts, so that memory does not grow with the archive.
 */
export async function rememberArchive(deps: RememberDeps, job: Job, signal: AbortSignal): Promise<void> {
  const { session, archive: number } = payloadOf(job, REMEMBER);
  const server = await deps.workspaceOf(job.workspace);
  const archive = server?.table.isReachable(session) ? server.sessions.archive(session, number) : undefined;
  const tenant = archive && (await deps.tenantOf(job, archive));
  if (!tenant) return;
  const { workspace, owner } = tenant;
  const requests = archive.remembered ? [] : await requestsIn(workspace, session, archive);
  if (requests.length > 0 && job.owner) {
    const order = { jobOwner: job.owner, origins: job.origins };
    await carryOutForgetRequests(deps, tenant, requests, order, signal);
  }
  // do not extract content that is being forgotten
  await workspace.locks.share(memoriesLock(owner.user), () =>
    rememberFor(deps, tenant, { job, session, number }, signal),
  );
}

async function rememberFor(
  deps: RememberDeps,
  { workspace, owner }: { readonly workspace: Workspace; readonly owner: Owner },
  { job, session, number }: { readonly job: Job; readonly session: NodeId; readonly number: number },
  signal: AbortSignal,
): Promise<void> {
  const archive = workspace.sessions.archive(session, number);
  if (!archive) return;
  await countUses(workspace, owner, session, number, signal);
  if (!archive.remembered) {
    const origin: Origin = { workspace, owner, homes: homesOf(archive), node: session, ...archive };
    let extractor = deps.extractor;
    for await (const part of partsOf(workspace, session, archive)) {
      await remember({ ...deps, extractor }, origin, part, signal);
      extractor = deps.further;
    }
  }
  const said = await workspace.sessions.firstAndLastMessages(session, archive);
  const layers = await deps.summarize({ ...archive, said }, { workspace: job.workspace, signal });
  await workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    finishArchive(draft, workspace, session, number, { layers, memories: 0 });
    deps.queue.settle(draft, job);
    return () => undefined;
  });
}

/** The user's forget requests in an archive. */
async function requestsIn(
  workspace: Workspace,
  node: NodeId,
  archive: SessionArchive,
): Promise<SaidRequest[]> {
  const yielder = new EventLoopYielder(workspace.incarnation);
  const requests: SaidRequest[] = [];
  let first = archive.first;
  for await (const part of partsOf(workspace, node, archive)) {
    const asked = part.some(({ role, text }) => role === "user" && mayAskToForget(text))
      ? await yielder.through(forgetRequestSteps(utterancesOf(part)))
      : [];
    const { session, archive: number } = archive;
    for (const request of asked) {
      const sequence = first + part.findIndex(({ id }) => id === request.message);
      if (requests.length < MAX_REQUESTS)
        requests.push({ ...request, session, node, archive: number, sequence });
    }
    first += part.length;
  }
  return requests;
}

/** The messages of an archive in parts of bounded size, up to the limit for extraction. */
async function* partsOf(
  { sessions }: Workspace,
  session: NodeId,
  archive: SessionArchive,
): AsyncGenerator<SpokenMessage[]> {
  const yielder = new EventLoopYielder();
  let part: SpokenMessage[] = [];
  let partBytes = 0;
  let allBytes = 0;
  for await (const { message, bytes } of sessions.messagesOfArchive(session, archive.archive, archive)) {
    part.push(spoken(message));
    partBytes += bytes;
    allBytes += bytes;
    if (part.length >= PART_MESSAGES || partBytes >= PART_BYTES) {
      yield part;
      [part, partBytes] = [[], 0];
    }
    if (allBytes >= MAX_REMEMBERED_BYTES) break;
    await yielder.yieldIfDue();
  }
  if (part.length > 0) yield part;
}

async function remember(
  deps: RememberDeps,
  origin: Origin,
  said: readonly SpokenMessage[],
  signal: AbortSignal,
): Promise<void> {
  const utterances = utterancesOf(said);
  const originOf = originLookup(utterances);
  const episodeOf = await persistEpisodes(deps, origin, utterances, originOf, signal);
  const facts = await findFacts(deps.extractor, origin, utterances, signal);
  const times = timeLookup(utterances);
  const known = facts.map((fact) => {
    const said = times(fact.sources)?.[1];
    return { ...fact, origin: originOf(fact.sources), ...(said !== undefined && { said }) };
  });
  await persistFacts(deps, origin, known, episodeOf, signal);
}

/** Finds facts and stores the result, so that a restarted job continues with it. */
async function findFacts(
  extractor: Extractor,
  origin: Origin,
  utterances: readonly Utterance[],
  signal: AbortSignal,
): Promise<Fact[]> {
  const { workspace, node, archive } = origin;
  const kept = extractor.isRepeatable ? undefined : findingsOf(workspace, node, archive, FACTS);
  if (kept) return kept;
  // the rules compare what is said with all that is known, a model with what it is about
  const known = () =>
    extractor.isRepeatable ? allCurrentFacts(origin) : factsOnTopicsOf(origin, utterances);
  const context = { workspace: workspace.incarnation, known };
  const facts = await extractor.extract({ utterances }, signal, context);
  if (!extractor.isRepeatable) await keepFindings(workspace, node, archive, facts);
  return facts;
}

/** Text and tool calls of a message; contexts are stored elsewhere. */
function spoken({ id, role, parts, created_at }: Message): SpokenMessage {
  const createdAt = Date.parse(created_at);
  // an application's instructions to the model are not statements about a person
  if (role === "system") return { id, role: "assistant", text: "", tools: [], createdAt };
  return {
    id,
    role,
    text: parts
      .flatMap((part) => (part.type === "text" ? [part.text.replaceAll(FORGOTTEN, "")] : []))
      .join("\n"),
    tools: parts.flatMap((part) =>
      part.type === "tool"
        ? [
            {
              name: part.tool_name ?? "",
              input: part.tool_input === undefined ? "" : JSON.stringify(part.tool_input),
              output: part.tool_output ?? "",
              status: part.tool_status,
            },
          ]
        : [],
    ),
    createdAt,
  };
}
