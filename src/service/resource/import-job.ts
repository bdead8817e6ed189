import { invalidArgument, ServiceError } from "../../domain/errors.ts";
import { IMPORT, type Job, jobOwner } from "../../domain/job.ts";
import type { Path } from "../../domain/uri.ts";
import type { FetchedVersion, ImportSource, Opening, SourceHead } from "../../ingest/source.ts";
import { rootName } from "../../ingest/source-name.ts";
import type { TaskRecord } from "../../workspace/records.ts";
import { reserve, unreserve } from "../../workspace/requests/reservations.ts";
import { putTask, updateTask } from "../../workspace/requests/tasks.ts";
import type { SecretReport } from "../../workspace/secret-guard.ts";
import { locate } from "../../workspace/tree/locate.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import { type ImportDeps, type Imported, runImport } from "../run-import.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant } from "../tenants.ts";
import { type ImportOrder, immediateAnswer, importTask, importTaskResult } from "./import-order.ts";
import { chooseRoot, type ImportTarget } from "./import-root.ts";

/** Maximum value of the uint32 fields that report progress. */
const MAX_TOLD_BYTES = 2 ** 32 - 1;

type Order = ImportOrder & { readonly root: Path };

/** Metadata of a queued source; 0 files and bytes until it is opened. */
export interface Accepted {
  readonly head: SourceHead;
  readonly files: number;
  readonly bytes: number;
  readonly warnings: readonly string[];
}

/** Reserves the root and enqueues a durable job. Nothing is visible before the job has ended. */
export async function enqueueImport(
  deps: ImportDeps,
  call: ServiceCall,
  tenant: Tenant,
  place: ImportTarget,
  order: ImportOrder,
  { head, files, bytes, warnings }: Accepted,
): Promise<Imported> {
  const { workspace } = tenant;
  const name = rootName(head.name, head.isDirectory);
  return workspace.locks.run("accept an import", async () => {
    const root = chooseRoot(tenant, place, name, head.identity);
    const imported: Imported = { rootUri: workspace.uris.format(root), errors: [], warnings };
    tenant.owner.access?.check(root, imported.rootUri, "write");
    await workspace.transact((draft) => {
      reserve(draft, imported.rootUri, head.identity);
      putTask(draft, {
        ...importTask(tenant, order, { status: "pending", stage: "queued", total: files }),
        result: importTaskResult(imported),
      });
      deps.queue.enqueue(draft, {
        queue: "import",
        class: "bulk",
        kind: IMPORT,
        workspace: workspace.incarnation,
        owner: jobOwner(call.caller),
        payload: { ...order, root } satisfies ImportOrder & { root: readonly string[] },
        origins: [order.task],
        sameAs: undefined,
        // a waiting upload is already counted as an upload
        waitingBytes: order.spec.kind === "upload" ? 0 : bytes,
      });
      deps.queue.admit(draft, workspace.incarnation);
      call.keepAnswer?.(draft, {
        ...immediateAnswer(String(order.meta.source), imported),
        taskId: order.task,
      });
      return () => undefined;
    });
    return imported;
  });
}

/**
 * Runs an accepted import. Errors of the source become the task's error; all others are retried. Removing the
 * user or cancelling the task ends the import: nothing is stored, and the root is released.
 */
export async function importJob(deps: ImportDeps, job: Job, signal: AbortSignal): Promise<void> {
  const order = job.payload as Order;
  const tenant = await deps.tenants.openForJob(job, order.caller);
  if (!tenant) return;
  const { workspace } = tenant;
  try {
    workspace.checkAllowed(workspace.kv);
    await work(deps, tenant, job, order, signal);
  } catch (error) {
    if (deps.tenants.hasOwner(job)) throw error;
    deps.follower.progress(order.task, undefined);
    await workspace.forServer.transact((draft) => {
      // the removal of the user has released the root, which may be reserved for another import by now
      deps.queue.settle(draft, job);
      return () => undefined;
    });
  }
}

async function work(
  deps: ImportDeps,
  tenant: Tenant,
  job: Job,
  order: Order,
  signal: AbortSignal,
): Promise<void> {
  const { workspace } = tenant;
  const rootUri = workspace.uris.format(order.root);
  const update = (draft: WorkspaceDraft, change: Partial<TaskRecord>) => {
    const updated = workspace.clock();
    updateTask(draft, { user: order.caller.user, id: order.task }, (task) => ({
      ...task,
      ...change,
      updated,
    }));
  };
  const tell = (stage: string, done: number, total: number) =>
    deps.follower.progress(order.task, { stage, done, total });
  let source: ImportSource | undefined;
  const report: SecretReport = {};
  try {
    const known = knownVersion(tenant, order);
    const opened = await open(deps, order, {
      signal,
      workspace: workspace.incarnation,
      known,
      onFetched: (done, total) => tell("fetching", done, total),
    });
    source = opened;
    const files = opened.files.length;
    if (files === 0)
      throw invalidArgument(
        "path",
        "there is nothing to import: the source is empty, or all of its files are excluded",
      );
    tell("reading", 0, files);
    await workspace.locks.run(`import ${rootUri}`, () =>
      runImport(deps, tenant, {
        ...order,
        meta: { ...order.meta, ...(opened.version && { version: opened.version }) },
        source: opened,
        origin: order.task,
        chooseRoot: () => order.root,
        signal,
        report,
        onProgress: (done) => tell("reading", done, files),
        onLink: (draft, imported, built) => {
          update(draft, {
            status: "running",
            stage: "layers",
            done: 0,
            total: Math.max(built, 1),
            result: importTaskResult(imported),
          });
          unreserve(draft, rootUri);
          deps.queue.settle(draft, job);
          draft.onDurable(() => deps.follower.progress(order.task, undefined));
        },
      }),
    );
  } catch (error) {
    if (signal.aborted || !(error instanceof ServiceError) || !isTheSources(error, source === undefined))
      throw error;
    deps.follower.progress(order.task, undefined);
    await fail(deps, tenant, job, error, rootUri, update);
  } finally {
    const { task, caller } = order;
    const operation = "ResourceService.AddResource";
    workspace.secrets.unreported(report, { operation, requestId: task, user: caller.user });
    await source?.close?.();
  }
}

async function open(
  deps: ImportDeps,
  { spec, filter }: ImportOrder,
  { onFetched, ...opening }: Opening,
): Promise<ImportSource> {
  const told = (bytes: number) => Math.min(bytes, MAX_TOLD_BYTES);
  return deps.sources.open(spec, filter, {
    ...opening,
    onFetched: (done, total) => onFetched(told(done), told(total)),
  });
}

/**
 * Whether an error comes from the source. An unreachable or slow source is not retried, because a caller may
 * be waiting.
 */
const isTheSources = ({ code }: ServiceError, isOpening: boolean): boolean =>
  (isOpening && (code === "UNAVAILABLE" || code === "DEADLINE_EXCEEDED")) ||
  code === "INVALID_ARGUMENT" ||
  code === "NOT_FOUND" ||
  code === "PERMISSION_DENIED" ||
  code === "FAILED_PRECONDITION" ||
  code === "INVALID_URI";

async function fail(
  deps: ImportDeps,
  { workspace }: Tenant,
  job: Job,
  error: ServiceError,
  rootUri: string,
  update: (draft: WorkspaceDraft, change: Partial<TaskRecord>) => void,
): Promise<void> {
  await workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    update(draft, {
      status: "failed",
      stage: "failed",
      error: { code: error.code, message: error.message, ...(error.details && { details: error.details }) },
    });
    unreserve(draft, rootUri);
    return () => undefined;
  });
  await deps.queue.deadLetter(job, error.message);
}

/** Validators of the last import from the same URL, unless the file was changed since. */
function knownVersion(
  { workspace, owner }: Tenant,
  { root, meta }: ImportOrder & { readonly root: Path },
): Opening["known"] {
  const entryAt = (path: Path) => locate(workspace.kv, workspace.keys, owner, path)?.entry;
  const at = entryAt(root);
  const kept = at && workspace.entryOf(at.node)?.record.meta;
  const version = kept?.version as FetchedVersion | undefined;
  if (version === undefined || kept?.source_id !== meta.source_id) return undefined;
  const file = entryAt([...root, version.name]);
  if (file?.kind !== "file" || file.hash !== version.hash) return undefined;
  return { version, read: async () => workspace.contents.read(file) };
}
