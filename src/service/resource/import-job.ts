import { ServiceError } from "../../domain/errors.ts";
import type { Job } from "../../domain/job.ts";
import type { Path } from "../../domain/uri.ts";
import { unreserve } from "../../workspace/reservations.ts";
import { getTask, putTask, type TaskRecord } from "../../workspace/tasks.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import type { ImportDeps } from "../import-deps.ts";
import { runImport } from "../run-import.ts";
import type { Tenant } from "../tenants.ts";
import type { ImportOrder } from "./import-order.ts";

/** Works off a large import. What the source cannot give is the task's error; everything else is tried again. */
export async function importJob(deps: ImportDeps, job: Job, signal: AbortSignal): Promise<void> {
  const order = job.payload as ImportOrder & { readonly root: Path };
  const tenant = await deps.tenants.ofJob(job.workspace, order.caller);
  if (!tenant) return;
  const { workspace } = tenant;
  const rootUri = workspace.uris.format(order.root);
  const update = (draft: WorkspaceDraft, change: Partial<TaskRecord>) => {
    const task = getTask(draft, draft.keys, order.caller.user, order.task);
    if (task) putTask(draft, { ...task, ...change, updated: workspace.clock() });
  };
  try {
    const source = await deps.openSource(order.spec, order.filter);
    deps.follower.progress(order.task, { stage: "reading", done: 0, total: source.files.length });
    await workspace.locks.run(`import ${rootUri}`, () =>
      runImport(deps, tenant, {
        ...order,
        source,
        origin: order.task,
        chooseRoot: () => order.root,
        signal,
        onProgress: (done) => deps.follower.progress(order.task, { stage: "reading", done, total: source.files.length }),
        onLink: (draft, _, built) => {
          update(draft, { status: "running", stage: "layers", done: 0, total: Math.max(built, 1) });
          unreserve(draft, rootUri);
          deps.queue.settle(draft, job);
          draft.onApply(() => deps.follower.progress(order.task, undefined));
        },
      }),
    );
  } catch (error) {
    if (signal.aborted || !(error instanceof ServiceError) || !isTheSources(error)) throw error;
    await fail(deps, tenant, job, error, rootUri, update);
  }
}

const isTheSources = ({ code }: ServiceError): boolean =>
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
  await workspace.commit((draft) => {
    update(draft, {
      status: "failed",
      stage: "failed",
      error: { code: error.code, message: error.message, ...(error.details && { details: error.details }) },
    });
    unreserve(draft, rootUri);
    return () => undefined;
  });
  await deps.queue.bury(job, error.message);
}
