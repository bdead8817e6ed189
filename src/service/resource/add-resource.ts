import { invalidArgument } from "../../domain/errors.ts";
import { IMPORT } from "../../domain/job.ts";
import type { Source, SourceSpec } from "../../ingest/source.ts";
import { rootName } from "../../ingest/source-name.ts";
import { reserve } from "../../workspace/reservations.ts";
import { putTask, type TaskRecord } from "../../workspace/tasks.ts";
import type { ServiceCall } from "../call.ts";
import type { ImportDeps } from "../import-deps.ts";
import { type Imported, runImport } from "../run-import.ts";
import type { Tenant } from "../tenants.ts";
import { uploadId } from "../upload-id.ts";
import { checkTimeout, type QueueStatus, queueStatus, waitDrained } from "../waiting.ts";
import { chooseRoot } from "./choose-root.ts";
import type { ImportOrder, ImportTerms } from "./import-order.ts";
import { type Place, type PlaceInput, placeOf } from "./place.ts";

/** Up to these sizes an import is stored before the answer (ruling R4). */
const SMALL_FILES = 200;
const SMALL_BYTES = 16 * 1024 * 1024;

/** Of what is kept with the root of an import and read with it ever after. */
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
}

export interface AddedResource {
  status: "success" | "error";
  rootUri: string;
  /** As the caller named it (ruling C9). */
  sourcePath: string;
  errors: string[];
  warnings: string[];
  queueStatus?: QueueStatus;
  taskId?: string;
}

/** POST resources. Small sources are readable and findable when the call returns, large ones are worked off by a task. */
export async function addResource(deps: ImportDeps, call: ServiceCall, input: AddResourceInput): Promise<AddedResource> {
  const timeout = checkTimeout(input.timeout);
  checkLength("reason", input.reason, MAX_NOTE_BYTES);
  checkLength("instruction", input.instruction, MAX_NOTE_BYTES);
  checkLength("source_name", input.sourceName ?? "", MAX_SOURCE_NAME_BYTES);
  const tenant = await deps.tenants.writing(call.caller);
  const place = placeOf(tenant.workspace.uris, input);
  const { spec, shown } = sourceOf(deps, call, tenant, input);
  const source = await deps.openSource(spec, { ignoreDirs: input.ignoreDirs, include: input.include, exclude: input.exclude });
  if (source.files.length === 0) throw invalidArgument("path", "nothing to import");
  const id = deps.ids();
  const watch = deps.follower.watch(id, !input.wait);
  try {
    const order = orderOf(id, call, spec, source, input, shown);
    const isSmall = source.files.length <= SMALL_FILES && source.bytes <= SMALL_BYTES;
    const {
      rootUri,
      warnings,
      errors: unread,
    } = isSmall ? await importNow(deps, call, tenant, source, place, order) : await accept(deps, call, tenant, source, place, order);
    deps.follower.follow(tenant.workspace, { id, user: call.caller.user });
    const added: AddedResource = { status: "success", rootUri, sourcePath: shown, errors: [...unread], warnings: [...warnings] };
    if (!input.wait) return { ...added, taskId: id };
    await waitDrained(watch, { operation: "resources", timeout, signal: call.signal, details: { root_uri: rootUri, task_id: id } });
    const failed = [...watch.semantic.errors, ...watch.embedding.errors].map(({ message }) => message);
    return { ...added, ...(failed.length > 0 && { status: "error", errors: [...unread, ...failed] }), queueStatus: queueStatus(watch) };
  } catch (error) {
    deps.follower.abandonUnfollowed(id);
    throw error;
  }
}

function checkLength(field: string, text: string, limit: number): void {
  if (Buffer.byteLength(text) > limit) throw invalidArgument(field, `longer than ${limit} bytes`);
}

function sourceOf(
  deps: ImportDeps,
  call: ServiceCall,
  { workspace }: Tenant,
  input: AddResourceInput,
): { spec: SourceSpec; shown: string } {
  const upload = uploadId(input);
  if (input.path !== undefined && upload !== undefined) throw invalidArgument("path", "give path or temp_path, not both");
  if (upload !== undefined) {
    const { name } = deps.uploads.find(upload, workspace.incarnation, call.caller.user);
    return { spec: { kind: "upload", id: upload, name: input.sourceName || name }, shown: input.sourceName || name };
  }
  if (input.path === undefined) throw invalidArgument("path", "required: path, temp_path or temp_file_id names the source");
  return { spec: { kind: "path", path: input.path }, shown: input.path };
}

function orderOf(id: string, call: ServiceCall, spec: SourceSpec, source: Source, input: AddResourceInput, shown: string): ImportOrder {
  const { caller } = call;
  const { ignoreDirs, include, exclude, reason, instruction, summarize, strict = true, buildIndex = true } = input;
  const terms: ImportTerms = { kind: spec.kind, ignore_dirs: ignoreDirs, include, exclude, strict, build_index: buildIndex, summarize };
  return {
    task: id,
    caller,
    spec,
    filter: { ignoreDirs, include, exclude },
    strict,
    index: buildIndex,
    meta: { source: shown, source_id: source.identity, reason, instruction, import: terms },
  };
}

const taskOf = (tenant: Tenant, order: ImportOrder, task: Pick<TaskRecord, "status" | "stage" | "total">): TaskRecord => {
  const now = tenant.workspace.clock();
  return { id: order.task, user: order.caller.user, type: "add_resource", done: 0, created: now, updated: now, ...task };
};

function importNow(deps: ImportDeps, call: ServiceCall, tenant: Tenant, source: Source, place: Place, order: ImportOrder) {
  const name = rootName(source.name, source.isDirectory);
  const lock = "exact" in place ? tenant.workspace.uris.format(place.exact) : tenant.workspace.uris.format([...place.parent, name]);
  return tenant.workspace.locks.run(`import ${lock}`, () =>
    runImport(deps, tenant, {
      ...order,
      source,
      origin: order.task,
      chooseRoot: () => chooseRoot(tenant, place, name, source.identity),
      signal: call.signal,
      onProgress: () => undefined,
      onLink: (draft, rootUri, built) => {
        deps.queue.admit(draft, tenant.workspace.incarnation);
        putTask(draft, { ...taskOf(tenant, order, { status: "running", stage: "layers", total: built }), result: { root_uri: rootUri } });
        call.keepAnswer?.(draft, accepted(order, rootUri, source.warnings));
      },
    }),
  );
}

/** The answer before anybody waited. */
const accepted = (order: ImportOrder, rootUri: string, warnings: readonly string[]): AddedResource => ({
  status: "success",
  rootUri,
  sourcePath: String(order.meta.source),
  errors: [],
  warnings: [...warnings],
  taskId: order.task,
});

/** Reserves the root and leaves the rest to a durable job; nothing is visible before it is whole. */
async function accept(
  deps: ImportDeps,
  call: ServiceCall,
  tenant: Tenant,
  source: Source,
  place: Place,
  order: ImportOrder,
): Promise<Imported> {
  const { workspace } = tenant;
  const name = rootName(source.name, source.isDirectory);
  return workspace.locks.run("accept an import", async () => {
    const root = chooseRoot(tenant, place, name, source.identity);
    const rootUri = workspace.uris.format(root);
    await workspace.commit((draft) => {
      reserve(draft, rootUri, source.identity);
      putTask(draft, {
        ...taskOf(tenant, order, { status: "pending", stage: "queued", total: source.files.length }),
        result: { root_uri: rootUri },
      });
      deps.queue.enqueue(draft, {
        queue: "import",
        class: "bulk",
        kind: IMPORT,
        workspace: workspace.incarnation,
        payload: { ...order, root } satisfies ImportOrder & { root: readonly string[] },
        origins: [order.task],
        sameAs: undefined,
        // an upload waits, and is counted, as an upload
        waitingBytes: order.spec.kind === "upload" ? 0 : source.bytes,
      });
      deps.queue.admit(draft, workspace.incarnation);
      call.keepAnswer?.(draft, accepted(order, rootUri, source.warnings));
      return () => undefined;
    });
    return { rootUri, errors: [], warnings: source.warnings };
  });
}
