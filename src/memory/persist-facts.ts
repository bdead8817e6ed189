import { EventLoopYielder } from "../base/event-loop.ts";
import { itemAt, lastOf, valueFor } from "../base/expect.ts";
import { sha256 } from "../base/sha256.ts";
import { directoryLayersJob, LAYERS_DELAY_MS, type NewJob } from "../domain/job.ts";
import type { Entry, NodeId } from "../domain/node.ts";
import { textOf } from "../domain/text/decode.ts";
import type { Path } from "../domain/uri.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { prefixRange } from "../storage/kv.ts";
import { Conflict, retryConflicts } from "../workspace/conflict.ts";
import { link } from "../workspace/relations/relations.ts";
import { countMemories } from "../workspace/sessions/changes.ts";
import { Builder, type BuiltNode, type NewChunk } from "../workspace/tree/builder.ts";
import { locate, type Owner, partitionOwner } from "../workspace/tree/locate.ts";
import { ensureDirectory, linkBuilt } from "../workspace/tree/tree.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Fact } from "./fact.ts";
import {
  appendSteps,
  type FactFile,
  type FactSource,
  factLayers,
  factText,
  type KnownFact,
  MAX_EDITED_BYTES,
  mergeSteps,
} from "./fact-file.ts";
import { directoryOf, fileFor, type Homes, TopicFiles } from "./fact-places.ts";

/** Files of a category that are looked at for one about the same topic. */
const MAX_NAMES = 5000;
/** Cases that begin with the same words. */
const MAX_NAMESAKES = 100;
const FILES_AT_ONCE = 8;
const SAID_IN = "said in";

export interface FactDeps {
  readonly queue: JobQueue;
  /** The chunks of a text. Injected: how texts are cut belongs to `enrich`. */
  readonly chunk: (
    text: string,
    about: { readonly title: string; readonly kind: "markdown" },
  ) => Promise<NewChunk[]>;
  readonly vectorJobs: VectorJobs;
}

/** The jobs that make the main vectors of new chunks. Injected: what is embedded how is known to `enrich`. */
export type VectorJobs = (workspace: Workspace, indexed: Builder["indexed"]) => NewJob[];

/** The archive that facts come from. */
export interface Origin {
  readonly workspace: Workspace;
  readonly owner: Owner;
  readonly homes: Homes;
  /** The node of the session, its id, and the number of the archive. */
  readonly node: NodeId;
  readonly session: string;
  readonly archive: number;
}

interface Plan {
  readonly path: Path;
  readonly facts: readonly Fact[];
}

/**
 * Brings facts into the files of their topics, each file in one change that counts what it added, and points
 * from each file to the episodes in which its facts were said. What is known already changes nothing, so that
 * an interrupted job, and an archive that says the same again, add nothing.
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
        const uri = workspace.uris.format(path);
        const kept = await workspace.locks.run(uri, () =>
          retryConflicts(() => writeFacts(deps, origin, path, facts)),
        );
        const episodes = new Map(
          facts
            .flatMap(({ sources }) => sources.map(episodeOf))
            .flatMap((to) => (to ? [[to.join("/"), to]] : [])),
        );
        if (kept && episodes.size > 0) await link(workspace, owner, path, [...episodes.values()], SAID_IN);
      }),
    );
  }
}

/** Target file of each fact. */
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

async function filesIn(workspace: Workspace, owner: Owner, path: Path): Promise<TopicFiles> {
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
 * Cases are not merged: each has its own file, and the same case is known by its problem and what solved it.
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
    const text = planned?.text ?? (entry && factFileOf(workspace, entry)?.facts[0]?.text);
    if ((!planned && !entry) || text === fact.text || n >= MAX_NAMESAKES) return name;
  }
}

const factFileOf = (workspace: Workspace, entry: Entry): FactFile | undefined =>
  workspace.entryOf(entry.node)?.record.meta?.facts as FactFile | undefined;

interface Written {
  readonly file: FactFile;
  readonly text: string;
  readonly added: number;
}

/** Whether the file exists and contains the facts; a file of MAX_EDITED_BYTES or more is left as it is. */
async function writeFacts(
  deps: FactDeps,
  origin: Origin,
  path: Path,
  facts: readonly Fact[],
): Promise<boolean> {
  const { workspace, owner, node, archive } = origin;
  const before = locate(workspace.kv, workspace.keys, owner, path);
  if (before?.kind === "directory" || (before?.entry?.size ?? 0) >= MAX_EDITED_BYTES) return false;
  const made = await merge(
    origin,
    facts,
    before?.entry,
    before?.entry && textOf(await workspace.contents.read(before.entry)),
  );
  if (made.added === 0) return true;
  const partition = await workspace.partitionFor(partitionOwner(owner, path));
  const builder = new Builder(workspace, partition);
  const { content, release } = await workspace.contents.store(Buffer.from(made.text));
  try {
    const built = await builder.file(
      await fileOf(deps, lastOf(path), made, content),
      before?.entry ? { node: before.entry.node, created: before.entry.created } : {},
    );
    return await workspace.commit((draft) => {
      draft.isBeyondQuota = true;
      const now = locate(draft, workspace.keys, owner, path);
      if (now?.entry?.generation !== before?.entry?.generation) throw new Conflict(lastOf(path));
      if (!countMemories(draft, workspace, node, archive, made.added)) return () => false;
      const directory = ensureDirectory(
        draft,
        workspace,
        owner,
        path.slice(0, -1),
        workspace.uris.format(path),
        { unindexed: true },
      );
      linkBuilt(draft, workspace, directory, lastOf(path), built, { meta: { facts: made.file } });
      builder.finish(draft);
      for (const job of deps.vectorJobs(workspace, builder.indexed)) deps.queue.enqueue(draft, job);
      putLayers(draft, built, made);
      deps.queue.enqueue(
        draft,
        directoryLayersJob(workspace.incarnation, directory, [], workspace.clock() + LAYERS_DELAY_MS),
      );
      return () => true;
    });
  } catch (error) {
    await builder.abandon();
    throw error;
  } finally {
    release();
  }
}

function putLayers(
  draft: Parameters<Parameters<Workspace["commit"]>[0]>[0],
  { entry }: BuiltNode,
  { file, text }: Written,
): void {
  const { abstract, overview } = factLayers(file, text);
  draft.put(draft.keys.layer(entry.node, entry.generation, 0), Buffer.from(abstract));
  draft.put(draft.keys.layer(entry.node, entry.generation, 1), Buffer.from(overview));
}

async function fileOf(
  deps: FactDeps,
  name: string,
  { file, text }: Written,
  content: Awaited<ReturnType<Workspace["contents"]["store"]>>["content"],
) {
  const bytes = Buffer.from(text);
  const chunks = await deps.chunk(text, {
    title: file.category === "profile" ? "" : file.topic,
    kind: "markdown",
  });
  return { name, mime: "text/markdown", size: bytes.byteLength, hash: sha256(bytes), content, chunks };
}

/** Edited files are only appended to. */
async function merge(
  { workspace, session, archive }: Origin,
  facts: readonly Fact[],
  entry: Entry | undefined,
  text: string | undefined,
): Promise<Written> {
  const yielder = new EventLoopYielder(workspace.incarnation);
  const { category, topic } = itemAt(facts, 0);
  const known = entry && factFileOf(workspace, entry);
  const found: KnownFact[] = facts.map((fact) => ({
    text: fact.text,
    date: fact.date,
    ...(fact.slot !== undefined && { slot: fact.slot }),
    ...(fact.answer !== undefined && { answer: fact.answer }),
    sources: [{ session, archive, messages: fact.sources } satisfies FactSource],
  }));
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
