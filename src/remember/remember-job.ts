import type { Job, Remember } from "../domain/job.ts";
import type { Message } from "../domain/message.ts";
import type { Owner } from "../workspace/locate.ts";
import { finishArchive } from "../workspace/session-changes.ts";
import { findingsOf, keepFindings } from "../workspace/session-findings.ts";
import { countUses } from "../workspace/session-uses.ts";
import type { Archive } from "../workspace/sessions.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Extractor, Fact } from "./fact.ts";
import { homesOf } from "./fact-places.ts";
import { knownFacts } from "./known-facts.ts";
import { type EpisodeDeps, persistEpisodes } from "./persist-episodes.ts";
import { type FactDeps, type Origin, persistFacts } from "./persist-facts.ts";
import { type Spoken, type Utterance, utterancesOf } from "./utterance.ts";

export interface RememberDeps extends EpisodeDeps, FactDeps {
  readonly extractor: Extractor;
  readonly workspaceOf: (incarnation: number) => Promise<Workspace | undefined>;
  /** Whose spaces an archive's user and agent have. */
  readonly ownerOf: (of: Pick<Archive, "user" | "agent">) => Owner;
  /** L0 and L1 of an archive. Injected: how texts are summarised is known to `enrich`. */
  readonly summarize: (
    archive: Archive,
    asked: { readonly account: number; readonly signal: AbortSignal },
  ) => Promise<{ readonly abstract: string; readonly overview: string }>;
}

/**
 * The second phase of a commit: usage counts, episodes, facts, then layers and statistics of the archive in the change that settles the job. Every step can be
 * repeated; a session that was deleted meanwhile is passed over.
 */
export async function rememberArchive(deps: RememberDeps, job: Job, signal: AbortSignal): Promise<void> {
  const { session, archive: number } = job.payload as Remember;
  const workspace = await deps.workspaceOf(job.workspace);
  const archive = await workspace?.sessions.archive(session, number);
  if (!workspace || !archive) return;
  const owner = deps.ownerOf(archive);
  await countUses(workspace, owner, session, number, signal);
  if (!archive.remembered)
    await remember(deps, { workspace, owner, homes: homesOf(archive), node: session, ...archive }, archive.said, signal);
  const layers = await deps.summarize(archive, { account: job.workspace, signal });
  await workspace.commit((draft) => {
    draft.isBeyondQuota = true;
    finishArchive(draft, workspace, session, number, { layers, memories: 0 });
    deps.queue.settle(draft, job);
    return () => undefined;
  });
}

async function remember(deps: RememberDeps, origin: Origin, said: readonly Message[], signal: AbortSignal): Promise<void> {
  const utterances = utterancesOf(said.map(spoken));
  const episodeOf = await persistEpisodes(deps, origin, utterances, signal);
  const facts = await findFacts(deps.extractor, origin, utterances, signal);
  await persistFacts(deps, origin, facts, episodeOf, signal);
}

/** Found once: a job that begins again goes on with what it had found. */
async function findFacts(extractor: Extractor, origin: Origin, utterances: readonly Utterance[], signal: AbortSignal): Promise<Fact[]> {
  const { workspace, node, archive } = origin;
  const kept = extractor.isRepeatable ? undefined : findingsOf<Fact[]>(workspace, node, archive);
  if (kept) return kept;
  const context = { account: workspace.incarnation, known: () => knownFacts(origin, utterances) };
  const facts = await extractor.extract({ utterances }, signal, context);
  if (!extractor.isRepeatable) await keepFindings(workspace, node, archive, facts);
  return facts;
}

/** What a message says, and the calls it reports; a context that it names is stored elsewhere. */
function spoken({ id, role, parts, created_at }: Message): Spoken {
  return {
    id,
    role,
    text: parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"),
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
    createdAt: Date.parse(created_at),
  };
}
