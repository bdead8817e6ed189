import type { Lease } from "../../base/budget.ts";
import { invalidArgument, ServiceError } from "../../domain/errors.ts";
import { checkTags } from "../../domain/tags.ts";
import type { ImportSource, SourceHead, SourceSpec } from "../../ingest/source.ts";
import { rootName } from "../../ingest/source-name.ts";
import { getTask, putTask } from "../../workspace/requests/tasks.ts";
import { type ImportDeps, type Imported, runImport } from "../run-import.ts";
import type { ServiceCall } from "../service-call.ts";
import { errorOf } from "../task-error.ts";
import type { Tenant } from "../tenants.ts";
import { uploadId } from "../upload-id.ts";
import { checkTimeout, queueStatus, waitForJobs } from "../wait-for-jobs.ts";
import { type Accepted, enqueueImport } from "./import-job.ts";
import {
  type AddedResource,
  type ImportOrder,
  type ImportTerms,
  immediateAnswer,
  importTask,
  importTaskResult,
} from "./import-order.ts";
import { chooseRoot, type ImportTarget, importTargetOf, type PlaceInput } from "./import-root.ts";
import { specOf } from "./imported-source.ts";

/** Maximum number of files and bytes of an import that completes before the response. */
const SMALL_FILES = 200;
const SMALL_BYTES = 16 * 1024 * 1024;

/** Memory per byte of a file: its content and its text. */
const READ_COST = 2;
/** Lease of a call whose memory is not counted. */
const UNCOUNTED: Lease = { amount: 0, resize: () => undefined, release: () => undefined };

/** Maximum bytes of metadata stored with an import's root. */
const MAX_NOTE_BYTES = 16 * 1024;
const MAX_SOURCE_NAME_BYTES = 1024;

export interface AddResourceInput extends PlaceInput {
  readonly path?: string | undefined;
  readonly tempPath?: string | undefined;
  readonly tempFileId?: string | undefined;
  readonly sourceName?: string | undefined;
  readonly reason: string;
  readonly instruction: string;
  readonly wait: boolean;
  readonly timeout?: number | undefined;
  readonly buildIndex?: boolean | undefined;
  readonly summarize: boolean;
  readonly strict?: boolean | undefined;
  readonly ignoreDirs: string;
  readonly include: string;
  readonly exclude: string;
  readonly tags?: readonly string[] | undefined;
  /** Whether to import with a task even if the import is small. */
  readonly isQueued?: boolean | undefined;
}

/**
 * POST resources: imports a source. Small sources are readable and searchable on return, large ones are
 * imported by a task.
 */
export async function addResource(
  deps: ImportDeps,
  call: ServiceCall,
  input: AddResourceInput,
): Promise<AddedResource> {
  const timeout = checkTimeout(input.timeout);
  checkLength("reason", input.reason, MAX_NOTE_BYTES);
  checkLength("instruction", input.instruction, MAX_NOTE_BYTES);
  checkLength("source_name", input.sourceName ?? "", MAX_SOURCE_NAME_BYTES);
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const screened = await tenant.workspace.secrets.screenFields(call.reply, input, ["reason", "instruction"]);
  const place = importTargetOf(tenant.workspace.uris, input);
  checkTarget(tenant, place);
  const { spec, shown } = sourceOf(deps, call, tenant, input);
  const id = deps.ids();
  const watch = deps.follower.watchJobs(id, !input.wait);
  try {
    const imported = await begin({ deps, call, tenant, place, id, spec, input: screened, shown });
    const { rootUri } = imported;
    deps.follower.endTaskAfterJobs(tenant.workspace, { id, user: call.caller.user });
    if (!input.wait) return { ...immediateAnswer(shown, imported), taskId: id };
    await waitForJobs(watch, {
      operation: "resources",
      timeout,
      call,
      details: { root_uri: rootUri, task_id: id },
    });
    const { errors, warnings } = imported.isAccepted ? outcomeOf(tenant, call, id, imported) : imported;
    const failed = [...watch.semantic.errors, ...watch.embedding.errors].map(({ message }) => message);
    const status = failed.length > 0 ? "error" : "success";
    return {
      ...immediateAnswer(shown, { rootUri, errors: [...errors, ...failed], warnings }),
      status,
      queueStatus: queueStatus(watch),
    };
  } catch (error) {
    deps.follower.abandonUnlessFollowed(id);
    throw error;
  }
}

interface Beginning {
  readonly deps: ImportDeps;
  readonly call: ServiceCall;
  readonly tenant: Tenant;
  readonly place: ImportTarget;
  readonly id: string;
  readonly spec: SourceSpec;
  readonly input: AddResourceInput;
  readonly shown: string;
}

/** Imports small local sources directly, and enqueues a task for all others. */
async function begin({
  deps,
  call,
  tenant,
  place,
  id,
  spec,
  input,
  shown,
}: Beginning): Promise<Imported & { readonly isAccepted: boolean }> {
  const head = await deps.sources.head(spec);
  const accepting = (order: ImportOrder, about: Accepted) =>
    enqueueImport(deps, call, tenant, place, order, about);
  if (head) {
    const order = orderOf(id, call, spec, head, input, shown);
    return { ...(await accepting(order, { head, files: 0, bytes: 0, warnings: [] })), isAccepted: true };
  }
  const filter = { ignoreDirs: input.ignoreDirs, include: input.include, exclude: input.exclude };
  let lease: Lease | undefined;
  const source = await deps.sources.open(spec, filter, {
    signal: call.signal,
    workspace: tenant.workspace.incarnation,
    onFetched: () => undefined,
  });
  try {
    if (source.files.length === 0)
      throw invalidArgument(
        "path",
        "there is nothing to import: the source is empty, or all of its files are excluded",
      );
    const order = orderOf(id, call, spec, source, input, shown);
    const { bytes, warnings, files } = source;
    const isSmall = !input.isQueued && files.length <= SMALL_FILES && bytes <= SMALL_BYTES;
    lease = isSmall ? roomFor(call, READ_COST * bytes) : undefined;
    const imported = lease
      ? await importNow(deps, call, tenant, source, place, order)
      : await accepting(order, { head: source, files: files.length, bytes, warnings });
    return { ...imported, isAccepted: lease === undefined };
  } finally {
    lease?.release();
    await source.close?.();
  }
}

/** Undefined if calls of the account use too much memory; a task then imports the source. */
function roomFor(call: ServiceCall, bytes: number): Lease | undefined {
  try {
    return call.reserve?.(bytes) ?? UNCOUNTED;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "RESOURCE_EXHAUSTED") return undefined;
    throw error;
  }
}

/** Result of a queued import; throws the error that ended it. */
function outcomeOf(
  { workspace }: Tenant,
  call: ServiceCall,
  id: string,
  begun: Imported,
): Pick<Imported, "errors" | "warnings"> {
  const task = getTask(workspace.kv, workspace.keys, call.caller.user, id);
  if (!task) return begun;
  if (task.error) throw errorOf(task.error);
  // the import was dead-lettered for an internal error, which is in the log
  if (task.status === "pending")
    throw new ServiceError("INTERNAL", "the import failed with an internal error; see the server log");
  const { errors = [], warnings = [] } = (task.result ?? {}) as Partial<Imported>;
  return { errors, warnings };
}

/** Refuses a target that the caller may not write, before the source is read. */
function checkTarget({ workspace: { uris }, owner }: Tenant, place: ImportTarget): void {
  if ("exact" in place) owner.access?.check(place.exact, uris.format(place.exact), "write");
  else owner.access?.checkAlone(place.parent, uris.format(place.parent));
}

function checkLength(field: string, text: string, limit: number): void {
  if (Buffer.byteLength(text) > limit) throw invalidArgument(field, `must have at most ${limit} bytes`);
}

function sourceOf(
  deps: ImportDeps,
  call: ServiceCall,
  { workspace }: Tenant,
  input: AddResourceInput,
): { spec: SourceSpec; shown: string } {
  const upload = uploadId(input);
  if (input.path !== undefined && upload !== undefined)
    throw invalidArgument("path", "cannot be combined with temp_path: give one of them");
  if (upload !== undefined) {
    const { name: file } = deps.uploads.find(upload, workspace.incarnation, call.caller);
    const name = input.sourceName || file;
    return { spec: { kind: "upload", id: upload, name, file }, shown: name };
  }
  if (input.path === undefined)
    throw invalidArgument("path", "give exactly one of path, temp_path and temp_file_id");
  return { spec: specOf(input.path), shown: input.path };
}

function orderOf(
  id: string,
  call: ServiceCall,
  spec: SourceSpec,
  source: SourceHead,
  input: AddResourceInput,
  shown: string,
): ImportOrder {
  const { user, agent } = call.caller;
  const {
    ignoreDirs,
    include,
    exclude,
    tags: given = [],
    reason,
    instruction,
    summarize,
    strict = true,
    buildIndex = true,
  } = input;
  const tags = checkTags(given, "tags");
  const terms: ImportTerms = {
    kind: spec.kind,
    ignore_dirs: ignoreDirs,
    include,
    exclude,
    strict,
    build_index: buildIndex,
    summarize,
  };
  return {
    task: id,
    caller: { user, agent },
    spec,
    filter: { ignoreDirs, include, exclude },
    strict,
    index: buildIndex,
    meta: { source: shown, source_id: source.identity, reason, instruction, import: terms },
    ...(tags.length > 0 && { tags }),
  };
}

function importNow(
  deps: ImportDeps,
  call: ServiceCall,
  tenant: Tenant,
  source: ImportSource,
  place: ImportTarget,
  order: ImportOrder,
) {
  const name = rootName(source.name, source.isDirectory);
  const lock =
    "exact" in place
      ? tenant.workspace.uris.format(place.exact)
      : tenant.workspace.uris.format([...place.parent, name]);
  return tenant.workspace.locks.run(`import ${lock}`, () =>
    runImport(deps, tenant, {
      ...order,
      source,
      origin: order.task,
      chooseRoot: () => chooseRoot(tenant, place, name, source.identity),
      signal: call.signal,
      report: call.reply,
      onProgress: () => undefined,
      onLink: (draft, imported, built) => {
        deps.queue.admit(draft, tenant.workspace.incarnation);
        const task = importTask(tenant, order, { status: "running", stage: "layers", total: built });
        putTask(draft, { ...task, result: importTaskResult(imported) });
        call.keepAnswer?.(draft, {
          ...immediateAnswer(String(order.meta.source), imported),
          taskId: order.task,
        });
      },
    }),
  );
}
