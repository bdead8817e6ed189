import { atOnce } from "../../base/event-loop.ts";
import { lastOf } from "../../base/expect.ts";
import type { JobOwner } from "../../domain/job.ts";
import { directoryLayersJob, purgeJob } from "../../domain/job.ts";
import { FIRST_FREE_NODE, type NodeId } from "../../domain/node.ts";
import type { Path } from "../../domain/uri.ts";
import { keyPages, prefixRange } from "../../storage/kv.ts";
import type { WorkspaceDraft } from "../../workspace/draft.ts";
import { endsOfKey, nodeEnd } from "../../workspace/keys.ts";
import { endPathOf } from "../../workspace/relations/ends.ts";
import { alone, relationKeysBelow } from "../../workspace/relations/relations.ts";
import { putTask } from "../../workspace/requests/tasks.ts";
import { locate, type Owner } from "../../workspace/tree/locate.ts";
import { unlink } from "../../workspace/tree/tree.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { changeFactFile, type FactDeps } from "../change-fact-file.ts";
import { factText } from "../fact-file.ts";
import { readFacts, rewritten, withoutFacts } from "../fact-text.ts";
import type { MemoryFile } from "../memory-files.ts";
import type { WantedFact, Whose } from "./find-memories.ts";
import { forgetJob } from "./forget-job.ts";
import type { ForgetPlan } from "./plan.ts";
import { type RedactEpisodeDeps, redactEpisode } from "./redact-episodes.ts";
import {
  dropAllRecalled,
  dropAnswers,
  redactSaid,
  redactSessions,
  type SessionDeps,
} from "./redact-sessions.ts";
import { sentenceSpans, withoutSentences } from "./redact-text.ts";
import type { Targets } from "./targets.ts";

/** Maximum number of nodes listed in a job; above it, the job scans the whole account. */
const MAX_NAMED_NODES = 500;
const PAGE = 500;

/** Stage of a task until all planned items are removed. */
export const FORGETTING = "forgetting";

export type ForgetDeps = FactDeps & RedactEpisodeDeps & SessionDeps;

/** For whom to forget, and how to track the work. */
export interface ForgetOrder {
  /** The task of its own, if any. */
  readonly task?: string;
  readonly jobOwner: JobOwner;
  /** A session to remove as a whole. */
  readonly session?: NodeId;
  /** Origins of the follow-up jobs, including the task. */
  readonly origins: readonly string[];
}

/** Numbers of removed and redacted items. */
export interface Forgotten {
  readonly facts: number;
  readonly episodes: number;
  readonly messages: number;
}

export const countsOf = ({ facts, episodes, said }: ForgetPlan): Forgotten => ({
  facts: facts.length,
  episodes: episodes.filter(({ isSelected }) => isSelected).length,
  messages: said.length,
});

/**
 * Records the start of a forget operation before any change. The job that erases the disk waits for the end
 * of `carryOut`; if the process dies, the job starts anyway, and its task reports that not everything was
 * found.
 */
export function beginForget(
  deps: Pick<ForgetDeps, "queue">,
  { workspace, owner }: Whose,
  plan: ForgetPlan,
  { task, jobOwner, session, origins }: ForgetOrder,
): Promise<void> {
  const now = workspace.clock();
  const nodes = touchedNodes(workspace, plan);
  const said = plan.said.map(({ node }) => node);
  const sessions = [...new Set(session === undefined ? said : [...said, session])];
  const isNamed = nodes.length + sessions.length <= MAX_NAMED_NODES;
  const job = forgetJob(
    workspace.incarnation,
    jobOwner,
    {
      user: owner.user,
      began: now,
      ...(task !== undefined && { task }),
      ...(isNamed && { nodes, sessions }),
    },
    origins,
  );
  return workspace.commit((draft) => {
    draft.isBeyondQuota = true;
    if (task !== undefined)
      putTask(draft, {
        id: task,
        user: owner.user,
        type: "forget",
        status: "running",
        stage: FORGETTING,
        done: 0,
        total: 1,
        created: now,
        updated: now,
      });
    deps.queue.enqueue(draft, job);
    return () => undefined;
  });
}

/**
 * Removes what a plan lists. Facts go last, so that a plan made after a crash still finds their messages;
 * every step is idempotent. `within` runs in the last transaction.
 */
export async function carryOut(
  deps: ForgetDeps,
  whose: Whose,
  plan: ForgetPlan,
  order: ForgetOrder,
  signal: AbortSignal,
): Promise<void> {
  const { workspace, owner } = whose;
  const { targets, said, facts, episodes } = plan;
  const nodes = new Set([...facts, ...episodes].map(({ place }) => place.entry.node));
  await redactSaid(workspace, said, targets, signal);
  await redactSessions(deps, workspace, owner.user, { targets, nodes, said }, signal);
  await dropAnswers(workspace, owner.user, targets);
  for (const episode of episodes) {
    signal.throwIfAborted();
    await redactEpisode(deps, workspace, owner, episode, targets);
    if (episode.isGone) await dropRelations(workspace, owner, episode.place);
  }
  await removeFacts(deps, workspace, plan, order.origins);
  if ("path" in plan.wish) await removeRest(deps, whose, plan.wish.path);
  // prevents earlier recalls from storing anything, and removes the parts that they stored
  workspace.forgets.set(owner.user, (workspace.forgets.get(owner.user) ?? 0) + 1);
  await dropAllRecalled(workspace, owner.user, targets, nodes);
  await renewDirectories(deps, workspace, plan, order);
}

/** Nodes whose records contained removed content: files, and directories with derived layers. */
function touchedNodes(workspace: Workspace, { facts, episodes }: ForgetPlan): NodeId[] {
  const nodes = new Set<NodeId>();
  for (const { place } of [...facts, ...episodes]) {
    nodes.add(place.entry.node);
    for (const directory of directoriesAbove(workspace, place.entry.node)) nodes.add(directory);
  }
  return [...nodes];
}

function directoriesAbove({ table }: Workspace, node: NodeId): NodeId[] {
  const above: NodeId[] = [];
  for (let at = table.parentOf(node); at >= FIRST_FREE_NODE; at = table.parentOf(at)) above.push(at);
  return above;
}

/** Removes facts from their files, one transaction per file; removes files without facts. */
async function removeFacts(
  deps: ForgetDeps,
  workspace: Workspace,
  { facts, targets }: ForgetPlan,
  origins: readonly string[],
): Promise<void> {
  const files = new Map<NodeId, WantedFact[]>();
  for (const fact of facts) {
    const { node } = fact.place.entry;
    files.set(node, [...(files.get(node) ?? []), fact]);
  }
  for (const [node, wanted] of files) {
    const [first] = wanted;
    if (!first) continue;
    const { place, owner } = first;
    const keys = new Set(wanted.map(({ key }) => key));
    if (targets.uris.has(workspace.uris.format(place.path))) await dropRelations(workspace, owner, place);
    await changeFactFile(
      deps,
      { workspace, owner, path: place.path },
      {
        isBeyondQuota: true,
        origins,
        decide: ({ located, known, text }) => {
          if (text === undefined || located?.entry?.node !== node || place.category === "events")
            return undefined;
          const before = readFacts(text, known, place.category);
          const after = withoutFacts(before.file, keys);
          if (after === before.file) return undefined;
          const made = rewritten(before, after);
          // the file contains other text of the user
          return made.text === factText(after)
            ? made
            : { ...made, text: withoutSelected(made.text, targets) };
        },
      },
    );
  }
}

function withoutSelected(text: string, targets: Targets): string {
  const sentences = sentenceSpans(text);
  const selected = atOnce(targets.selectedSteps([{ text, sentences }], []));
  return withoutSentences(
    text,
    sentences.filter((sentence) => selected.has(sentence)),
  );
}

/** Removes other content at a path of memories: notes beside the facts, empty directories. */
async function removeRest(deps: ForgetDeps, { workspace, owner }: Whose, path: Path): Promise<void> {
  const located = locate(workspace.kv, workspace.keys, owner, path);
  if (!located?.entry || path.length <= 3) return;
  const { entry, directory } = located;
  await dropRelations(workspace, owner, { path, entry });
  await workspace.commit((draft) => {
    draft.isBeyondQuota = true;
    const now = locate(draft, draft.keys, owner, path);
    if (now?.node !== located.node || !now.entry) return () => undefined;
    const { purge } = unlink(draft, workspace, directory, lastOf(path), now.entry);
    deps.queue.enqueue(draft, purgeJob(workspace.incarnation, { removed: purge }));
    return () => undefined;
  });
}

/** Removes relations of removed nodes. */
const dropRelations = (
  workspace: Workspace,
  owner: Owner,
  { path, entry }: Pick<MemoryFile, "path" | "entry">,
): Promise<void> =>
  alone(workspace, async () => {
    if (!workspace.hasRelations) return;
    const { kv, keys } = workspace;
    const found = await relationKeysBelow(workspace, endPathOf(owner, path));
    for (const side of ["o", "i"] as const)
      for await (const page of keyPages(kv, prefixRange(keys.relations(side, nodeEnd(entry.node)), PAGE)))
        for (const key of page) {
          const [end, other] = endsOfKey(keys.allRelationsOf(side), key);
          found.push(key, keys.relation(side === "o" ? "i" : "o", other, end));
        }
    for (let at = 0; at < found.length; at += PAGE) await dropKeys(workspace, found.slice(at, at + PAGE));
  });

const dropKeys = (workspace: Workspace, keys: readonly string[]): Promise<void> =>
  workspace.commit((draft: WorkspaceDraft) => {
    draft.isBeyondQuota = true;
    for (const key of keys) draft.delete(key);
    return () => undefined;
  });

/** Rebuilds the layers of every directory that may mention removed content. */
function renewDirectories(
  deps: Pick<ForgetDeps, "queue">,
  workspace: Workspace,
  plan: ForgetPlan,
  { origins }: ForgetOrder,
): Promise<void> {
  const directories = touchedNodes(workspace, plan).filter(
    (node) => workspace.entryOf(node)?.entry.kind === "directory",
  );
  return workspace.commit((draft) => {
    draft.isBeyondQuota = true;
    for (const node of directories)
      deps.queue.enqueue(draft, directoryLayersJob(workspace.incarnation, node, origins, workspace.clock()));
    return () => undefined;
  });
}
