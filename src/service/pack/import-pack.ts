import { lastOf, valueFor } from "../../base/expect.ts";
import { alreadyExists, failedPrecondition, invalidArgument, permissionDenied } from "../../domain/errors.ts";
import { fileLayersJobs, type NewJob } from "../../domain/job.ts";
import { checkRemovable, checkVisible } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import { embeddingJobs } from "../../enrich/embed-nodes-job.ts";
import { type BuiltPack, buildPack } from "../../ingest/pack/build-pack.ts";
import { type PackManifest, packScope } from "../../ingest/pack/format.ts";
import { openPack, type Pack } from "../../ingest/pack/read-pack.ts";
import type { FileReading } from "../../ingest/prepare-file.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { alone } from "../../workspace/access/grants-and-groups.ts";
import { retryConflicts } from "../../workspace/conflict.ts";
import type { Uploads } from "../../workspace/requests/uploads.ts";
import { moveToTrash } from "../../workspace/trash/trash.ts";
import { Builder, type NewChunk } from "../../workspace/tree/builder.ts";
import { locate, partitionOwner } from "../../workspace/tree/locate.ts";
import {
  attachNode,
  checkNotDerived,
  ensureDirectory,
  type PendingCleanup,
} from "../../workspace/tree/tree.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import { enqueueDirectoryLayers, purgeJobs } from "../after-change.ts";
import { GrowingMemory } from "../growing-memory.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant } from "../tenants.ts";
import { uploadId } from "../upload-id.ts";
import { checkTimeout, type QueueStatus, queueStatus, waitForJobs } from "../wait-for-jobs.ts";
import type { ExportDeps } from "./export-pack.ts";

export interface PackDeps extends ExportDeps, FileReading {
  readonly queue: JobQueue;
  readonly layerChunk: (text: string, title: string, level: 0 | 1) => NewChunk;
  readonly ids: () => string;
  readonly uploads: Pick<Uploads, "find" | "fileOf">;
}

export interface ImportPackInput {
  readonly tempPath?: string | undefined;
  readonly tempFileId?: string | undefined;
  readonly parent: string;
  readonly onConflict?: string | undefined;
  readonly force: boolean;
  readonly vectorize?: boolean | undefined;
  readonly wait: boolean;
  readonly timeout?: number | undefined;
}

export interface ImportedPack {
  uri: string;
  /** Number of files written. */
  files: number;
  queueStatus?: QueueStatus;
}

type OnConflict = "fail" | "overwrite" | "skip";
const ON_CONFLICT: readonly OnConflict[] = ["fail", "overwrite", "skip"];
const FIELD = "temp_path";

/** Options of a pack import. */
interface Order {
  readonly parent: Path;
  readonly onConflict: OnConflict;
  readonly index: boolean;
  /** Origin of the enqueued jobs. */
  readonly origin: string;
}

/**
 * POST pack/import: verifies the whole pack, builds it invisibly, and makes it visible in one transaction.
 */
export async function importPack(
  deps: PackDeps,
  call: ServiceCall,
  input: ImportPackInput,
): Promise<ImportedPack> {
  const timeout = checkTimeout(input.timeout);
  const asked = input.force ? "overwrite" : (input.onConflict ?? "fail");
  const onConflict = ON_CONFLICT.find((one) => one === asked);
  if (onConflict === undefined) throw invalidArgument("on_conflict", "must be fail, overwrite or skip");
  const upload = uploadId(input);
  if (upload === undefined) throw invalidArgument(FIELD, "temp_path or temp_file_id is required");
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const { workspace, owner } = tenant;
  const parent = workspace.uris.parse(input.parent);
  checkVisible(owner, parent, workspace.uris.format(parent));
  if (packScope(parent) === undefined)
    throw permissionDenied(
      workspace.uris.format(parent),
      "a pack cannot be imported here: choose a folder of resources, skills or memories",
    );
  deps.uploads.find(upload, workspace.incarnation, call.caller);
  const order: Order = {
    parent,
    onConflict,
    index: input.vectorize ?? true,
    origin: deps.ids(),
  };
  const watch = input.wait ? deps.queue.watch({ origin: order.origin }) : undefined;
  try {
    const imported = await open(deps, call, tenant, await deps.uploads.fileOf(upload), order);
    if (!watch) return imported;
    await waitForJobs(watch, {
      operation: "pack/import",
      timeout,
      call,
      details: { uri: imported.uri },
    });
    return { ...imported, queueStatus: queueStatus(watch) };
  } finally {
    watch?.release();
  }
}

async function open(
  deps: PackDeps,
  call: ServiceCall,
  tenant: Tenant,
  file: string,
  order: Order,
): Promise<ImportedPack> {
  const { uris, locks } = tenant.workspace;
  const rootOf = (manifest: PackManifest): Path => {
    const root = [...order.parent, manifest.root];
    const uri = uris.format(root);
    if (packScope(root) !== manifest.scope)
      throw invalidArgument(
        "parent",
        `a pack of ${manifest.scope} cannot be imported into ${uris.format(order.parent)}`,
      );
    checkRemovable(tenant.owner, root, uri, "parent");
    return root;
  };
  // one upload may be imported by many calls at once, each of which has its list and a file of it in memory
  const memory = new GrowingMemory(call);
  const hold = (bytes: number) => memory.add(bytes);
  let pack: Pack | undefined;
  try {
    const opened = await openPack(file, { ...deps.packLimits, field: FIELD, hold }, rootOf, call.signal);
    pack = opened;
    const root = rootOf(opened.manifest);
    return await locks.run(`import ${uris.format(root)}`, () =>
      bring(deps, call, tenant, opened, root, order),
    );
  } finally {
    await pack?.close();
    memory.release();
  }
}

async function bring(
  deps: PackDeps,
  call: ServiceCall,
  tenant: Tenant,
  pack: Pack,
  root: Path,
  order: Order,
): Promise<ImportedPack> {
  const { workspace, owner } = tenant;
  const nothing: ImportedPack = { uri: workspace.uris.format(root), files: 0 };
  // do not build a pack that would be refused or skipped
  if (isSkipped(workspace.kv, tenant, pack, root, order)) return nothing;
  const builder = new Builder(workspace, await workspace.partitionFor(partitionOwner(owner, root)), {
    by: owner.author,
    change: "import",
  });
  let built: BuiltPack | undefined;
  let isLinked = false;
  try {
    const { contents, clock, incarnation, secrets } = workspace;
    built = await secrets.watch(call.reply, (found) =>
      buildPack(
        { ...deps, contents, clock, incarnation, secrets, found },
        pack,
        builder,
        order.index,
        call.signal,
      ),
    );
    const imported = await link(deps, call, tenant, { pack, built, builder, root, order, nothing });
    isLinked = imported !== nothing;
    return imported;
  } finally {
    if (!isLinked) await builder.abandon();
    built?.release();
  }
}

/** Whether the import is skipped because its root exists; throws on a conflict. */
function isSkipped(
  reader: Parameters<typeof locate>[0],
  { workspace, owner }: Tenant,
  { kinds, manifest }: Pack,
  root: Path,
  { onConflict }: Order,
): boolean {
  const uri = workspace.uris.format(root);
  const found = locate(reader, workspace.keys, owner, root);
  if (!found?.entry) return false;
  if (onConflict === "skip") return true;
  if (onConflict === "fail") throw alreadyExists("resource", uri);
  checkNotDerived(workspace, found.entry, uri);
  const kind = valueFor(kinds, manifest.root);
  if (found.kind !== kind) throw failedPrecondition(uri, `a ${kind} cannot replace a ${found.kind}`);
  return false;
}

interface Linking {
  readonly pack: Pack;
  readonly built: BuiltPack;
  readonly builder: Builder;
  readonly root: Path;
  readonly order: Order;
  /** Response if nothing is written. */
  readonly nothing: ImportedPack;
}

/** Makes the built content visible, unless it must be skipped. Large packs are linked with yields. */
function link(deps: PackDeps, call: ServiceCall, tenant: Tenant, linking: Linking): Promise<ImportedPack> {
  const { pack, root, order, nothing } = linking;
  const { workspace } = tenant;
  const origins = [order.origin];
  let cleanup: PendingCleanup = { purge: [], stale: [] };
  let answer = nothing;
  const prepare = function* (draft: WorkspaceDraft): Generator<void> {
    cleanup = { purge: [], stale: [] };
    answer = nothing;
    if (isSkipped(draft, tenant, pack, root, order)) return;
    answer = { ...nothing, files: pack.manifest.files };
    cleanup = linkRoot(draft, tenant, linking);
    yield* enqueueWork(deps.queue, draft, workspace, linking, purgeJobs(workspace, cleanup));
  };
  const decide = (draft: WorkspaceDraft) => {
    enqueueDirectoryLayers(draft, deps.queue, workspace, cleanup, origins);
    deps.queue.admit(draft, workspace.incarnation);
    call.keepAnswer?.(draft, answer);
    if (answer !== nothing)
      draft.onDurable(() => {
        workspace.hasRelations = true;
      });
    return () => answer;
  };
  const change = () => retryConflicts(() => workspace.transactLarge(prepare, decide));
  // grants on replaced nodes must not change meanwhile
  return order.onConflict === "overwrite" ? alone(workspace, change) : change();
}

function linkRoot(
  draft: WorkspaceDraft,
  { workspace, owner }: Tenant,
  { builder, built, root }: Linking,
): PendingCleanup {
  const parent = ensureDirectory(draft, workspace, owner, root.slice(0, -1), workspace.uris.format(root));
  builder.putRest(draft);
  const { meta } = built;
  const replaced = draft.entry(parent, lastOf(root));
  // grants from before the import continue to apply at this path
  if (replaced) workspace.sharing.carryOver(draft, replaced.node, built.root.entry.node, workspace.table);
  const cleanup = attachNode(draft, workspace, parent, lastOf(root), built.root, {
    ...(meta && { meta }),
    takeOut: (directory, name, entry) =>
      moveToTrash(draft, workspace, owner, { directory, name, entry, path: root }, "replace"),
  });
  return { ...cleanup, stale: [...cleanup.stale, parent] };
}

/** Enqueues jobs for nodes that are not visible yet. */
function* enqueueWork(
  queue: JobQueue,
  draft: WorkspaceDraft,
  workspace: Workspace,
  { builder, built, order }: Linking,
  purge: Iterable<NewJob>,
): Generator<void> {
  const origins = [order.origin];
  const { incarnation } = workspace;
  for (const jobs of [
    fileLayersJobs(incarnation, builder.versions, origins),
    embeddingJobs(queue, workspace, builder.indexed, origins),
    purge,
  ]) {
    for (const job of jobs) {
      queue.enqueue(draft, job);
      yield;
    }
  }
  enqueueDirectoryLayers(draft, queue, workspace, { stale: built.bare }, origins);
}
