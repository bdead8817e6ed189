import type { JobOwner } from "../../domain/job.ts";
import { FIRST_FREE_NODE, type NodeId } from "../../domain/node.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { keyPages, prefixRange } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import type { ForgetPlanRecord, MemoryStep, MessagesStep } from "../../workspace/requests/forget-plans.ts";
import { putTask } from "../../workspace/requests/tasks.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { WantedFact, Whose } from "./find-memories.ts";
import { forgetJob } from "./forget-job.ts";
import type { ForgetPlan } from "./plan.ts";
import type { Targets } from "./targets.ts";

/** Maximum number of nodes listed in a job; with more, the job scans the whole account. */
const MAX_NAMED_NODES = 500;
/** Maximum number of messages per step, and of their bytes. */
const MESSAGES_PER_STEP = 100;
const BYTES_PER_STEP = 2 * 1024 * 1024;
/** Maximum bytes of steps per transaction, and of one transaction: one message may need 30 MB of digests. */
const BYTES_PER_CHANGE = 1024 * 1024;
const MAX_CHANGE_BYTES = 64 * 1024 * 1024;
const PAGE = 1000;

/** Stage of a task until everything planned is removed. */
export const FORGETTING = "forgetting";

/** The user of a forget operation, and the task that tracks it. */
export interface ForgetOrder
  extends Pick<ForgetPlanRecord, "task" | "origins" | "asked" | "answer" | "later" | "session"> {
  readonly jobOwner: JobOwner;
  /** Nodes of additional sessions with removed content. */
  readonly sessions?: readonly NodeId[];
}

/** Numbers of removed and redacted items, by kind. */
export const countsOf = ({ facts, episodes, said }: ForgetPlan): ForgetPlanRecord["counts"] => ({
  facts: facts.length,
  episodes: episodes.filter(({ isSelected }) => isSelected).length,
  messages: said.length,
});

/**
 * Stores a plan before any change: first its steps, then in one transaction the plan and the job that erases
 * the disk. From then on, the plan will be carried out exactly, even if the process dies: by the caller, a
 * repeated request, or the job. Steps without a stored plan contain only numbers and digests; the next plan
 * overwrites or deletes them.
 */
export async function storePlan(
  deps: { readonly queue: JobQueue },
  whose: Whose,
  plan: ForgetPlan,
  { jobOwner, sessions: further = [], ...order }: ForgetOrder,
): Promise<void> {
  const { workspace, owner } = whose;
  await dropSteps(workspace, owner.user);
  await putSteps(whose, plan);
  const now = workspace.clock();
  const nodes = changedNodes(plan);
  const touched = [...new Set([...nodes, ...nodes.flatMap((node) => directoriesAbove(workspace, node))])];
  const sessions = [...new Set([...plan.said.map(({ node }) => node), ...further])];
  const isNamed = touched.length + sessions.length <= MAX_NAMED_NODES;
  const { task, origins } = order;
  const record: ForgetPlanRecord = {
    ...order,
    agent: owner.agent,
    counts: countsOf(plan),
    phrases: plan.targets.wanted.map(({ phrase: { words }, minShare }) => ({ words, minShare })),
    uris: [...plan.targets.uris],
    ...("path" in plan.wish && { path: plan.wish.path }),
    nodes,
    directories: touched.filter((node) => workspace.entryOf(node)?.entry.kind === "directory"),
    archives: archivesOf(workspace, owner.user, plan),
  };
  const job = forgetJob(
    workspace.incarnation,
    jobOwner,
    {
      user: owner.user,
      began: now,
      ...(task !== undefined && { task }),
      ...(isNamed && { nodes: touched, sessions }),
    },
    origins,
  );
  await workspace.transact(
    (draft) => {
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
      draft.put(draft.keys.forgetPlan(owner.user), encodeRecord(record));
      deps.queue.enqueue(draft, job);
      return () => undefined;
    },
    { maxBytes: MAX_CHANGE_BYTES },
  );
}

const changedNodes = ({ facts, episodes }: ForgetPlan): NodeId[] => [
  ...new Set([...facts, ...episodes].map(({ place }) => place.entry.node)),
];

function directoriesAbove({ table }: Workspace, node: NodeId): NodeId[] {
  const above: NodeId[] = [];
  for (let at = table.parentOf(node); at >= FIRST_FREE_NODE; at = table.parentOf(at)) above.push(at);
  return above;
}

/** Archives with redacted messages, and archives with messages that support removed memories. */
function archivesOf(
  { kv, sessions }: Workspace,
  user: string,
  { said, targets }: { readonly said: ForgetPlan["said"]; readonly targets: Targets },
): ForgetPlanRecord["archives"] {
  const archives = new Map<string, readonly [NodeId, number]>();
  for (const { node, archive } of said) archives.set(`${node}/${archive}`, [node, archive]);
  for (const source of targets.sourceArchives) {
    const [session = "", archive = ""] = source.split("\n");
    const node = sessions.find(kv, user, session)?.node;
    if (node !== undefined) archives.set(`${node}/${archive}`, [node, Number(archive)]);
  }
  return [...archives.values()];
}

/** Deletes steps that belong to no stored plan. */
async function dropSteps(workspace: Workspace, user: string): Promise<void> {
  for await (const page of keyPages(workspace.kv, prefixRange(workspace.keys.forgetPlans(user), PAGE)))
    await workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      for (const key of page) draft.delete(key);
      return () => undefined;
    });
}

async function putSteps({ workspace, owner }: Whose, plan: ForgetPlan): Promise<void> {
  const { keys } = workspace;
  let steps: (readonly [key: string, value: Uint8Array])[] = [];
  let bytes = 0;
  const put = async () => {
    const made = steps;
    [steps, bytes] = [[], 0];
    if (made.length === 0) return;
    await workspace.transact(
      (draft) => {
        draft.isBeyondQuota = true;
        for (const [key, value] of made) draft.put(key, value);
        return () => undefined;
      },
      { maxBytes: MAX_CHANGE_BYTES },
    );
  };
  const add = async (of: "m" | "n", step: number, record: MessagesStep | MemoryStep) => {
    const value = encodeRecord(record);
    steps.push([keys.forgetStep(owner.user, of, step), value]);
    bytes += value.byteLength;
    if (bytes >= BYTES_PER_CHANGE || steps.length >= PAGE) await put();
  };
  let step = 0;
  for (const one of messagesSteps(plan.said)) await add("m", step++, one);
  for (const one of memorySteps(plan)) await add("n", step++, one);
  await put();
}

function* messagesSteps(said: ForgetPlan["said"]): Generator<MessagesStep> {
  for (let at = 0; at < said.length; ) {
    const session = said[at]?.node;
    if (session === undefined) return;
    const messages: MessagesStep["messages"][number][] = [];
    for (let bytes = 0; bytes < BYTES_PER_STEP && messages.length < MESSAGES_PER_STEP; at++) {
      const one = said[at];
      if (one?.node !== session) break;
      bytes += one.bytes;
      messages.push({ archive: one.archive, sequence: one.sequence, gone: [...one.gone] });
    }
    yield { session, messages };
  }
}

/** Episodes come first, so that facts are removed last. */
function* memorySteps({ facts, episodes }: ForgetPlan): Generator<MemoryStep> {
  for (const { place, owner, isGone, gone } of episodes)
    yield { node: place.entry.node, agent: owner.agent, episode: { isGone, gone } };
  const files = new Map<NodeId, WantedFact[]>();
  for (const fact of facts) {
    const { node } = fact.place.entry;
    const known = files.get(node);
    if (known) known.push(fact);
    else files.set(node, [fact]);
  }
  for (const [node, wanted] of files)
    for (const { owner } of wanted.slice(0, 1))
      yield { node, agent: owner.agent, keys: wanted.map(({ key }) => key) };
}
