import { EventLoopYielder } from "../../base/event-loop.ts";
import { lastOf } from "../../base/expect.ts";
import { includes } from "../../domain/access.ts";
import { directoryLayersJob, purgeJob, trimJob } from "../../domain/job.ts";
import type { NodeId } from "../../domain/node.ts";
import { isInMemories } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import { keyPages, pairPages, prefixRange } from "../../storage/kv.ts";
import { endsOfKey, nodeEnd } from "../../workspace/keys.ts";
import { endPathOf } from "../../workspace/relations/ends.ts";
import { alone, relationKeysBelow } from "../../workspace/relations/relations.ts";
import { FIRST_ANSWER_LIFE_MS, putFirstAnswer } from "../../workspace/requests/first-answers.ts";
import {
  FORGET_PLANS,
  type ForgetPlanRecord,
  MEMORY_STEPS,
  MESSAGES_STEPS,
  type MemoryStep,
} from "../../workspace/requests/forget-plans.ts";
import { getTask, putTask } from "../../workspace/requests/tasks.ts";
import { locate, type Owner } from "../../workspace/tree/locate.ts";
import { unlink } from "../../workspace/tree/tree.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import { changeFactFile, type FactDeps } from "../facts/change-fact-file.ts";
import { factText } from "../facts/fact-file.ts";
import { readFacts, rewritten, withoutFacts } from "../facts/fact-text.ts";
import { type MemoryFile, memoryFile } from "../memory-files.ts";
import type { Whose } from "./find-memories.ts";
import { KeyWords } from "./key-words.ts";
import { type RedactEpisodeDeps, redactEpisode } from "./redact-episodes.ts";
import {
  dropAllRecalled,
  dropAnswers,
  redactSaid,
  redactSessions,
  type SessionDeps,
} from "./redact-sessions.ts";
import { sentenceSteps, withoutSentences } from "./redact-text.ts";
import { Targets } from "./targets.ts";

const PAGE = 500;
const STEPS_PER_PAGE = 50;
const PAGE_BYTES = 2 * 1024 * 1024;

export interface ForgetDeps extends FactDeps, RedactEpisodeDeps, SessionDeps {
  /**
   * Removes a session as part of a plan, if it still exists. Injected, because sessions are removed by the
   * service layer.
   */
  readonly removeSession: (workspace: Workspace, user: string, session: string) => Promise<void>;
}

/** The stored plan of a user. Call it under the user's `memoriesLock`. */
export const storedPlan = ({ kv, keys }: Workspace, user: string): ForgetPlanRecord | undefined =>
  FORGET_PLANS.read(kv, keys.forgetPlan(user));

/**
 * Carries out the stored plan of a user, if any, and returns it. Does not search again: each step is deleted
 * in its transaction, so that an interrupted plan continues where it stopped. The last transaction, in which
 * `within` runs, deletes the plan and stores the answer.
 */
export async function carryOut(
  deps: ForgetDeps,
  whose: Whose,
  signal: AbortSignal,
  within: (draft: WorkspaceDraft, plan: ForgetPlanRecord) => void = () => undefined,
): Promise<ForgetPlanRecord | undefined> {
  const { workspace, owner } = whose;
  const plan = storedPlan(workspace, owner.user);
  if (!plan) return undefined;
  const targets = targetsOf(plan);
  const nodes = new Set(plan.nodes);
  for await (const [key, value] of stepsOf(workspace, owner.user, "m")) {
    signal.throwIfAborted();
    await redactSaid(workspace, MESSAGES_STEPS.decode(value, key), targets, (draft) => draft.delete(key));
  }
  await redactSessions(deps, workspace, owner.user, { targets, nodes, archives: plan.archives }, signal);
  await dropAnswers(workspace, owner.user, targets);
  for await (const [key, value] of stepsOf(workspace, owner.user, "n")) {
    signal.throwIfAborted();
    await changeMemory(deps, whose, { plan, targets, key, step: MEMORY_STEPS.decode(value, key) });
    if (workspace.kv.get(key)) await dropKeys(workspace, [key]);
  }
  if (plan.path) await removeRest(deps, whose, plan.path);
  // prevents running recalls from storing earlier content, and removes parts that they have stored
  workspace.forgets.set(owner.user, (workspace.forgets.get(owner.user) ?? 0) + 1);
  await dropAllRecalled(workspace, owner.user, targets, nodes);
  if (plan.session !== undefined) await deps.removeSession(workspace, owner.user, plan.session);
  await workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    for (const node of plan.directories)
      if (workspace.entryOf(node))
        deps.queue.enqueue(
          draft,
          directoryLayersJob(workspace.incarnation, node, plan.origins, workspace.clock()),
        );
    draft.delete(draft.keys.forgetPlan(owner.user));
    answer(deps, draft, whose, plan);
    within(draft, plan);
    return () => undefined;
  });
  return plan;
}

/** The words and URIs of a plan; its messages and memories are in its steps. */
function targetsOf({ phrases, uris }: ForgetPlanRecord): Targets {
  const targets = new Targets(
    phrases.map(({ words, minShare }) => ({ phrase: new KeyWords(words), minShare, sources: new Set() })),
  );
  for (const uri of uris) targets.uris.add(uri);
  return targets;
}

async function* stepsOf(
  { kv, keys }: Workspace,
  user: string,
  of: "m" | "n",
): AsyncGenerator<[key: string, value: Uint8Array]> {
  const range = { ...prefixRange(keys.forgetSteps(user, of), STEPS_PER_PAGE), maxBytes: PAGE_BYTES };
  for await (const page of pairPages(kv, range)) yield* page;
}

/** Updates the task, and stores the answer for a repetition with the same idempotency key. */
function answer(
  { queue }: Pick<ForgetDeps, "queue">,
  draft: WorkspaceDraft,
  { workspace, owner }: Whose,
  { task: id, counts, later }: ForgetPlanRecord,
): void {
  const task = id === undefined ? undefined : getTask(draft, draft.keys, owner.user, id);
  if (task) putTask(draft, { ...task, stage: "clearing", result: { ...counts }, updated: workspace.clock() });
  if (!later) return;
  putFirstAnswer(draft, workspace, owner.user, later.hash, later.record);
  queue.enqueue(draft, trimJob(workspace.incarnation, later.record.at + FIRST_ANSWER_LIFE_MS));
}

interface PlannedMemory {
  readonly plan: ForgetPlanRecord;
  readonly targets: Targets;
  readonly step: MemoryStep;
  /** Key of the step's record. */
  readonly key: string;
}

/** Changes one memory file as planned; no effect if the file no longer exists. */
async function changeMemory(
  deps: ForgetDeps,
  { workspace, owner: user }: Whose,
  { plan, targets, step, key }: PlannedMemory,
): Promise<void> {
  const owner = { ...user, agent: step.agent };
  const place = memoryFile(workspace, owner, step.node);
  if (!place) return;
  const within = (draft: WorkspaceDraft) => draft.delete(key);
  if (step.episode) {
    const { isGone, gone } = step.episode;
    if (isGone) await dropRelations(workspace, owner, place);
    await redactEpisode(deps, workspace, owner, { place, isGone, gone: new Set(gone), within }, targets);
    return;
  }
  if (targets.uris.has(workspace.uris.format(place.path))) await dropRelations(workspace, owner, place);
  const keys = new Set(step.keys);
  await changeFactFile(
    deps,
    { workspace, owner, path: place.path },
    {
      isBeyondQuota: true,
      origins: plan.origins,
      within: (draft) => {
        within(draft);
        return true;
      },
      decide: async ({ located, known, text }) => {
        if (text === undefined || located?.entry?.node !== step.node || place.category === "events")
          return undefined;
        const before = readFacts(text, known, place.category);
        const after = withoutFacts(before.file, keys);
        if (after === before.file) return undefined;
        const made = rewritten(before, after);
        // the file contains other text of the user
        if (made.text === factText(after)) return made;
        const yielder = new EventLoopYielder(workspace.incarnation);
        return { ...made, text: await yielder.through(withoutSelectedSteps(made.text, targets)) };
      },
    },
  );
}

function* withoutSelectedSteps(text: string, targets: Targets): Generator<undefined, string> {
  const sentences = yield* sentenceSteps(text);
  const selected = yield* targets.selectedSteps([{ text, sentences }], []);
  return withoutSentences(
    text,
    sentences.filter((sentence) => selected.has(sentence)),
  );
}

/**
 * Whether a plan may remove the node at a path. Otherwise the node is skipped: a plan must end even if the
 * user has lost access.
 */
const mayRemove = ({ user, access }: Owner, path: Path, node: NodeId): boolean =>
  isInMemories(path) &&
  (path[0] !== "user" || path[1] === user) &&
  (access === undefined || (includes(access.levelAt(path), "write") && !access.holdsLess(node, "write")));

/** Removes other content at a path below memories: notes and empty directories. */
async function removeRest(deps: ForgetDeps, { workspace, owner }: Whose, path: Path): Promise<void> {
  const located = locate(workspace.kv, workspace.keys, owner, path);
  if (!located?.entry || path.length <= 3 || !mayRemove(owner, path, located.node)) return;
  const { entry, directory } = located;
  await dropRelations(workspace, owner, { path, entry });
  await workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    const now = locate(draft, draft.keys, owner, path);
    if (now?.node !== located.node || !now.entry) return () => undefined;
    if (!mayRemove(owner, path, now.node)) return () => undefined;
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
  workspace.transact((draft: WorkspaceDraft) => {
    draft.isBeyondQuota = true;
    for (const key of keys) draft.delete(key);
    return () => undefined;
  });
