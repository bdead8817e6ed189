import { lastOf } from "../../base/expect.ts";
import { sha256 } from "../../base/sha256.ts";
import { includes } from "../../domain/access.ts";
import { directoryLayersJob, LAYERS_DELAY_MS, type NewJob, purgeJob } from "../../domain/job.ts";
import { FIRST_FREE_NODE, type NodeId } from "../../domain/node.ts";
import { textOf } from "../../domain/text/decode.ts";
import type { Path } from "../../domain/uri.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { Conflict, retryConflicts } from "../../workspace/conflict.ts";
import { Builder, type NewChunk } from "../../workspace/tree/builder.ts";
import { putLayers } from "../../workspace/tree/layers.ts";
import { type Located, locate, type Owner, partitionOwner } from "../../workspace/tree/locate.ts";
import { attachNode, ensureDirectory, unlink } from "../../workspace/tree/tree.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import type { FactText } from "./fact-file.ts";
import { type FactFile, factLayers, MAX_EDITED_BYTES } from "./fact-file.ts";

export interface FactDeps {
  readonly queue: JobQueue;
  /** Splits a text into chunks. Injected, because splitting belongs to `enrich`. */
  readonly chunk: (
    text: string,
    about: { readonly title: string; readonly kind: "markdown" },
  ) => Promise<NewChunk[]>;
  readonly vectorJobs: VectorJobs;
}

/** Jobs that make the main vectors of new chunks. Injected, because embedding belongs to `enrich`. */
export type VectorJobs = (workspace: Workspace, indexed: Builder["indexed"]) => NewJob[];

/** Location of a fact file, and the user for whom it is changed. */
export interface FactPlace {
  readonly workspace: Workspace;
  readonly owner: Owner;
  readonly path: Path;
}

/** A fact file before a change. */
export interface FoundFacts {
  readonly located: Located | undefined;
  readonly known: FactFile | undefined;
  /** Undefined if there is no file. */
  readonly text: string | undefined;
}

export interface FactChange {
  /** Returns the new text; undefined for no change. A file without facts is removed. */
  readonly decide: (found: FoundFacts) => FactText | undefined | Promise<FactText | undefined>;
  /** Runs in the transaction that writes the file, with its node; if it returns false, nothing is written. */
  readonly within?: (draft: WorkspaceDraft, node: NodeId) => boolean;
  /** Whether quotas do not apply, because the change shrinks the account's data or belongs to stored data. */
  readonly isBeyondQuota: boolean;
  /** Origins of the follow-up jobs. */
  readonly origins?: readonly string[];
}

export const factFileOf = (workspace: Workspace, node: NodeId): FactFile | undefined =>
  workspace.entryOf(node)?.record.meta?.facts as FactFile | undefined;

/**
 * Whether grants allow the user to write a memory; only grants on an agent shared by the account can deny it.
 */
export const mayWrite = ({ access }: Pick<Owner, "access">, path: Path): boolean =>
  access === undefined || includes(access.levelAt(path), "write");

/**
 * Changes one fact file with its layers and chunks in one transaction; one change at a time. Returns false if
 * the file is gone, has changed since the decision, or may not be written by its user.
 */
export function changeFactFile(deps: FactDeps, place: FactPlace, change: FactChange): Promise<boolean> {
  const { workspace, path } = place;
  return workspace.locks.run(workspace.uris.format(path), () =>
    retryConflicts(() => changeOnce(deps, place, change)),
  );
}

async function changeOnce(deps: FactDeps, place: FactPlace, change: FactChange): Promise<boolean> {
  const { workspace, owner, path } = place;
  if (!mayWrite(owner, path)) return false;
  const located = locate(workspace.kv, workspace.keys, owner, path);
  if (located?.kind === "directory" || (located?.entry?.size ?? 0) >= MAX_EDITED_BYTES) return false;
  const entry = located?.entry;
  const text = entry && textOf(await workspace.contents.read(entry));
  // a binary file written by the user
  if (entry && text === undefined) return false;
  const made = await change.decide({ located, known: entry && factFileOf(workspace, entry.node), text });
  if (!made) return true;
  if (made.file.facts.length + made.file.earlier.length === 0)
    return removeFile(deps, place, located, change);
  const builder = new Builder(workspace, await workspace.partitionFor(partitionOwner(owner, path)));
  const bytes = Buffer.from(made.text);
  const { content, release } = await workspace.contents.store(bytes);
  try {
    const title = made.file.category === "profile" ? "" : made.file.topic;
    const chunks = await deps.chunk(made.text, { title, kind: "markdown" });
    const built = await builder.addFile(
      {
        name: lastOf(path),
        mime: "text/markdown",
        size: bytes.byteLength,
        hash: sha256(bytes),
        content,
        chunks,
      },
      entry ? { node: entry.node, created: entry.created } : {},
    );
    const isWritten = await workspace.transact((draft) => {
      draft.isBeyondQuota = change.isBeyondQuota;
      checkUnchanged(draft, place, located);
      if (change.within?.(draft, built.entry.node) === false) return () => false;
      const directory = ensureDirectory(
        draft,
        workspace,
        owner,
        path.slice(0, -1),
        workspace.uris.format(path),
        {
          unindexed: true,
        },
      );
      const { purge } = attachNode(draft, workspace, directory, lastOf(path), built, {
        meta: { facts: made.file },
      });
      builder.putRest(draft);
      if (purge.length > 0) deps.queue.enqueue(draft, purgeJob(workspace.incarnation, { removed: purge }));
      for (const job of deps.vectorJobs(workspace, builder.indexed)) deps.queue.enqueue(draft, job);
      putLayers(draft, built.entry.node, built.entry.generation, factLayers(made.file, made.text));
      enqueueLayers(deps.queue, draft, workspace, directory, change.origins);
      return () => true;
    });
    if (!isWritten) await builder.abandon();
    return isWritten;
  } catch (error) {
    await builder.abandon();
    throw error;
  } finally {
    release();
  }
}

/** Removes a fact file that has no facts left. */
function removeFile(
  deps: FactDeps,
  place: FactPlace,
  located: Located | undefined,
  change: FactChange,
): Promise<boolean> {
  const { workspace, path } = place;
  return workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    checkUnchanged(draft, place, located);
    if (!located?.entry || change.within?.(draft, located.entry.node) === false) return () => false;
    const { purge, stale } = unlink(draft, workspace, located.directory, lastOf(path), located.entry);
    deps.queue.enqueue(draft, purgeJob(workspace.incarnation, { removed: purge }));
    for (const directory of stale) enqueueLayers(deps.queue, draft, workspace, directory, change.origins);
    return () => true;
  });
}

function checkUnchanged(draft: WorkspaceDraft, place: FactPlace, before: Located | undefined): void {
  if (!mayWrite(place.owner, place.path)) throw new Conflict(lastOf(place.path));
  const now = locate(draft, draft.keys, place.owner, place.path);
  if (now?.entry?.generation !== before?.entry?.generation) throw new Conflict(lastOf(place.path));
}

function enqueueLayers(
  queue: JobQueue,
  draft: WorkspaceDraft,
  workspace: Workspace,
  directory: NodeId,
  origins: readonly string[] = [],
): void {
  if (directory < FIRST_FREE_NODE) return;
  const due = workspace.clock() + LAYERS_DELAY_MS;
  queue.enqueue(draft, directoryLayersJob(workspace.incarnation, directory, origins, due));
}
