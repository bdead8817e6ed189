import { lastOf } from "../../base/expect.ts";
import { alreadyExists, failedPrecondition, invalidArgument, notFound } from "../../domain/errors.ts";
import { fileLayersJobs } from "../../domain/job.ts";
import { NO_NODE, type NodeId } from "../../domain/node.ts";
import { checkRemovable } from "../../domain/scope.ts";
import { isInside, type Path } from "../../domain/uri.ts";
import { embeddingJobs } from "../../enrich/embed-nodes-job.ts";
import { pendingLayers } from "../../jobs/pending-layers.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { KvReader, KvSnapshot } from "../../storage/kv.ts";
import { alone } from "../../workspace/access/grants-and-groups.ts";
import { Conflict, retryConflicts } from "../../workspace/conflict.ts";
import { moveToTrash } from "../../workspace/trash/trash.ts";
import { Builder } from "../../workspace/tree/builder.ts";
import { type BuiltCopy, buildCopy } from "../../workspace/tree/copy.ts";
import { type Located, locate, partitionOwner } from "../../workspace/tree/locate.ts";
import { attachNode, checkNotDerived, ensureDirectory } from "../../workspace/tree/tree.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import { enqueueDirectoryLayers, purgeJobs } from "../after-change.ts";
import type { Tenant } from "../tenants.ts";

/** Number of nodes in a copy above which it is linked in steps. */
const MAX_AT_ONCE = 64;

/** Source and destination of a copy; the caller may write at the destination. */
export interface CopyEnds {
  readonly from: Path;
  readonly to: Path;
  /** Whether the copy replaces what is at the destination, of either kind. */
  readonly isReplacing?: boolean;
}

export interface CopyRequest extends CopyEnds {
  /** Origin of the enqueued jobs. */
  readonly origin: string;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
  /** Runs in the transaction that makes the copy visible. */
  readonly onLink: (draft: WorkspaceDraft, count: number) => void;
}

/** The source of a copy. Throws if the caller may not copy it to the destination. */
export function checkCopy(
  reader: KvReader,
  { workspace, owner }: Tenant,
  { from, to, isReplacing }: CopyEnds,
): Located {
  const [fromUri, toUri] = [workspace.uris.format(from), workspace.uris.format(to)];
  const source = locate(reader, workspace.keys, owner, from);
  if (!source) throw notFound("resource", fromUri);
  if (!source.entry)
    throw failedPrecondition(fromUri, "this folder is created by the server and cannot be copied");
  checkNotDerived(workspace, source.entry, fromUri);
  // a task checks again, because grants may have changed since it was accepted
  owner.access?.checkWhole(from, fromUri, source.entry.node);
  owner.access?.check(to, toUri, "write");
  if (isInside(to, from)) throw invalidArgument("to_uri", "a folder cannot be copied into itself");
  if (isInside(from, to)) throw invalidArgument("to_uri", "must not be a folder that contains the source");
  const target = locate(reader, workspace.keys, owner, to);
  if (target?.entry) {
    checkNotDerived(workspace, target.entry, toUri);
    if (!isReplacing) throw alreadyExists("resource", toUri);
    checkRemovable(owner, to, toUri, "to_uri");
  } else if (target && target.kind !== source.kind)
    throw failedPrecondition(toUri, `a ${source.kind} cannot replace a ${target.kind}`);
  return source;
}

/**
 * Copies a file or directory from one snapshot: everything is built invisibly, then one transaction makes it
 * visible together with its jobs. Returns the number of visible files and directories.
 */
export function runCopy(queue: JobQueue, tenant: Tenant, request: CopyRequest): Promise<number> {
  const { workspace } = tenant;
  // of two copies to the same destination, the second is refused before it is built
  return workspace.locks.run(`copy ${workspace.uris.format(request.to)}`, () =>
    retryConflicts(() => copyOnce(queue, tenant, request)),
  );
}

async function copyOnce(queue: JobQueue, tenant: Tenant, request: CopyRequest): Promise<number> {
  const { workspace, owner } = tenant;
  const forgets = workspace.forgets.get(partitionOwner(owner, request.from));
  const snapshot = workspace.kv.snapshot();
  try {
    const source = checkCopy(snapshot, tenant, request);
    return await copyFrom(queue, tenant, request, { snapshot, source, forgets });
  } finally {
    snapshot.close();
  }
}

interface Seen {
  readonly snapshot: KvSnapshot;
  readonly source: Located;
  readonly forgets: number | undefined;
}

async function copyFrom(queue: JobQueue, tenant: Tenant, request: CopyRequest, seen: Seen): Promise<number> {
  const { workspace, owner } = tenant;
  const { to, signal, onProgress } = request;
  const partition = await workspace.partitionFor(partitionOwner(owner, to));
  const builder = new Builder(workspace, partition, { by: owner.author, change: "copy" });
  let built: BuiltCopy | undefined;
  let isLinked = false;
  try {
    built = await buildCopy(workspace, builder, {
      snapshot: seen.snapshot,
      from: seen.source,
      to,
      owner,
      pending: await pendingLayers(seen.snapshot, workspace.incarnation),
      signal,
      onProgress,
    });
    await link(queue, tenant, request, seen, builder, built);
    isLinked = true;
    return built.count;
  } finally {
    if (!isLinked) await builder.abandon();
    built?.release();
  }
}

function link(
  queue: JobQueue,
  tenant: Tenant,
  request: CopyRequest,
  seen: Seen,
  builder: Builder,
  built: BuiltCopy,
): Promise<void> {
  const { workspace, owner } = tenant;
  const { to, origin, onLink } = request;
  const { sharing, table } = workspace;
  const toUri = workspace.uris.format(to);
  const origins = [origin];
  let parent: NodeId = NO_NODE;
  const prepare = function* (draft: WorkspaceDraft): Generator<void> {
    // do not link the copy if its source was moved or removed meanwhile
    if (checkCopy(draft, tenant, request).node !== seen.source.node) throw new Conflict(toUri);
    parent = ensureDirectory(draft, workspace, owner, to.slice(0, -1), toUri);
    builder.putRest(draft);
    yield;
    const replaced = draft.entry(parent, lastOf(to));
    // a hidden path stays hidden
    if (replaced) sharing.carryDenied(draft, replaced.node, built.root.entry.node, table);
    const cleanup = attachNode(draft, workspace, parent, lastOf(to), built.root, {
      ...(built.meta && { meta: built.meta }),
      takeOut: (directory, name, entry) =>
        moveToTrash(draft, workspace, owner, { directory, name, entry, path: to }, "replace"),
    });
    const { incarnation } = workspace;
    for (const jobs of [
      fileLayersJobs(incarnation, builder.versions, origins),
      embeddingJobs(queue, workspace, builder.indexed, origins),
      purgeJobs(workspace, cleanup),
    ])
      for (const job of jobs) {
        queue.enqueue(draft, job);
        yield;
      }
    enqueueDirectoryLayers(draft, queue, workspace, { stale: built.bare }, origins);
  };
  const decide = (draft: WorkspaceDraft) => {
    if (workspace.forgets.get(partitionOwner(owner, request.from)) !== seen.forgets)
      throw new Conflict("the memories of the owner");
    enqueueDirectoryLayers(draft, queue, workspace, { stale: [parent] }, origins);
    onLink(draft, built.count);
    return () => undefined;
  };
  const change = () => {
    if (built.count > MAX_AT_ONCE) return workspace.transactLarge(prepare, decide);
    return workspace.transact((draft) => {
      for (const _ of prepare(draft));
      return decide(draft);
    });
  };
  // grants on what is replaced must not change before the commit
  return request.isReplacing ? alone(workspace, change) : change();
}
