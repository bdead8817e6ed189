import { EventLoopYielder } from "../../base/event-loop.ts";
import { itemAt, valueFor } from "../../base/expect.ts";
import type { NodeId } from "../../domain/node.ts";
import type { Path } from "../../domain/uri.ts";
import { prefixRange } from "../../storage/kv.ts";
import { link } from "../../workspace/relations/relations.ts";
import { countMemories } from "../../workspace/sessions/commits.ts";
import { locate, type Owner } from "../../workspace/tree/locate.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { newFactKey } from "../memory-id.ts";
import { changeFactFile, type FactDeps, type FoundFacts, factFileOf } from "./change-fact-file.ts";
import { directoryOf, fileFor, type Homes, TopicFiles } from "./choose-fact-file.ts";
import type { Fact } from "./fact.ts";
import type { FactText } from "./fact-file.ts";
import { appendSteps, type FactFile, type FactSource, factText } from "./fact-file.ts";
import { mergeSteps, type NewFact } from "./merge-facts.ts";
import { supersedeInOtherFiles } from "./supersede-facts.ts";

/** Maximum number of a category's files that are searched for the same topic. */
const MAX_NAMES = 5000;
/** Maximum number of cases that start with the same words. */
const MAX_NAMESAKES = 100;
const FILES_AT_ONCE = 8;
const SAID_IN = "said in";

/** The archive from which facts were extracted. */
export interface Origin {
  readonly workspace: Workspace;
  readonly owner: Owner;
  readonly homes: Homes;
  /** Node of the session, its id, and the number of the archive. */
  readonly node: NodeId;
  readonly session: string;
  readonly archive: number;
}

interface Plan {
  readonly path: Path;
  readonly facts: readonly Fact[];
}

/**
 * Merges facts into the files of their topics, one transaction per file, which also counts the additions, and
 * links each file to the episodes with its facts. Known facts change nothing, so that repeating an
 * interrupted job, or an archive with the same content, adds nothing.
 */
export async function persistFacts(
  deps: FactDeps,
  origin: Origin,
  facts: readonly Fact[],
  episodeOf: (message: string) => Path | undefined,
  signal: AbortSignal,
): Promise<void> {
  const plans = await plan(origin, facts);
  for (let at = 0; at < plans.length; at += FILES_AT_ONCE) {
    signal.throwIfAborted();
    await Promise.all(
      plans.slice(at, at + FILES_AT_ONCE).map(async ({ path, facts }) => {
        const { workspace, owner } = origin;
        const kept = await writeFacts(deps, origin, path, facts);
        const episodes = new Map(
          facts
            .flatMap(({ sources }) => sources.map(episodeOf))
            .flatMap((to) => (to ? [[to.join("/"), to]] : [])),
        );
        if (kept && episodes.size > 0) await link(workspace, owner, path, [...episodes.values()], SAID_IN);
      }),
    );
  }
  await supersedeInOtherFiles(deps, origin, newFacts(origin, facts), signal);
}

/** Chooses the target file of each fact. */
async function plan({ workspace, owner, homes }: Origin, facts: readonly Fact[]): Promise<Plan[]> {
  const yielder = new EventLoopYielder(workspace.incarnation);
  const files = new Map<string, TopicFiles>();
  const plans = new Map<string, { path: Path; facts: Fact[] }>();
  for (const fact of facts) {
    await yielder.yieldIfDue();
    const directory = directoryOf(homes, fact.category);
    const place = directory.join("/");
    if (!files.has(place)) files.set(place, await filesIn(workspace, owner, directory));
    const path = [
      ...directory,
      fact.category === "cases"
        ? caseName(workspace, owner, directory, fact, plans)
        : fileFor(fact, valueFor(files, place)),
    ];
    const known = plans.get(path.join("/"));
    if (known) known.facts.push(fact);
    else plans.set(path.join("/"), { path, facts: [fact] });
  }
  return [...plans.values()];
}

/** The first MAX_NAMES files in a directory of facts. */
export async function filesIn(workspace: Workspace, owner: Owner, path: Path): Promise<TopicFiles> {
  const files = new TopicFiles();
  const node = locate(workspace.kv, workspace.keys, owner, path)?.node;
  if (!node) return files;
  const yielder = new EventLoopYielder(workspace.incarnation);
  const prefix = workspace.keys.entries(node);
  for (const key of await workspace.kv.keys(prefixRange(prefix, MAX_NAMES))) {
    files.add(key.slice(prefix.length));
    await yielder.yieldIfDue();
  }
  return files;
}

/**
 * File name of a case. Cases are not merged: each has its own file, and equal cases are recognised by problem
 * and solution.
 */
function caseName(
  workspace: Workspace,
  owner: Owner,
  directory: Path,
  fact: Fact,
  plans: ReadonlyMap<string, Plan>,
): string {
  const stem = fileFor(fact, new TopicFiles()).replace(/\.md$/, "");
  for (let n = 1; ; n++) {
    const name = `${stem}${n === 1 ? "" : `-${n}`}.md`;
    const path = [...directory, name];
    const planned = plans.get(path.join("/"))?.facts[0];
    const entry = locate(workspace.kv, workspace.keys, owner, path)?.entry;
    const text = planned?.text ?? (entry && factFileOf(workspace, entry.node)?.facts[0]?.text);
    if ((!planned && !entry) || text === fact.text || n >= MAX_NAMESAKES) return name;
  }
}

/**
 * Writes facts; returns whether the file exists and contains them. A file of MAX_EDITED_BYTES or more is not
 * changed.
 */
function writeFacts(deps: FactDeps, origin: Origin, path: Path, facts: readonly Fact[]): Promise<boolean> {
  const { workspace, owner, node, archive } = origin;
  let added = 0;
  return changeFactFile(
    deps,
    { workspace, owner, path },
    {
      isBeyondQuota: true,
      decide: async (found) => {
        const made = await merge(origin, facts, found);
        added = made.added;
        return added === 0 ? undefined : made;
      },
      within: (draft) => countMemories(draft, workspace, node, archive, added),
    },
  );
}

/** Merges facts; only appends to edited files. */
async function merge(
  origin: Origin,
  facts: readonly Fact[],
  { known, text }: FoundFacts,
): Promise<FactText & { readonly added: number }> {
  const yielder = new EventLoopYielder(origin.workspace.incarnation);
  const { category, topic } = itemAt(facts, 0);
  const found = newFacts(origin, facts);
  const empty: FactFile = { category, topic, facts: [], earlier: [] };
  if (text === undefined || (known && factText(known) === text)) {
    const { file, added } = await yielder.through(mergeSteps(known ?? empty, found));
    return { file, text: factText(file), added };
  }
  const edited = await yielder.through(appendSteps(text, found));
  return {
    file: { ...(known ?? empty), facts: [...(known?.facts ?? []), ...edited.added] },
    text: edited.text,
    added: edited.added.length,
  };
}

function newFacts({ workspace, session, archive }: Origin, facts: readonly Fact[]): NewFact[] {
  return facts.map((fact) => ({
    text: fact.text,
    date: fact.date,
    ...(fact.slot !== undefined && { slot: fact.slot }),
    ...(fact.answer !== undefined && { answer: fact.answer }),
    ...(fact.replaces !== undefined && { replaces: fact.replaces }),
    ...(fact.ends !== undefined && { ends: fact.ends }),
    ...(fact.origin !== undefined && { origin: fact.origin }),
    ...(fact.said !== undefined && { said: fact.said }),
    stored: workspace.clock(),
    key: newFactKey(session, archive, fact.text, fact.date),
    sources: [{ session, archive, messages: fact.sources } satisfies FactSource],
  }));
}
