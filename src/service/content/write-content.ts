import type { Lease } from "../../base/budget.ts";
import { lastOf, present } from "../../base/expect.ts";
import { alreadyExists, invalidArgument, notFound, ServiceError } from "../../domain/errors.ts";
import { fileLayersJobs } from "../../domain/job.ts";
import type { Entry } from "../../domain/node.ts";
import { checkWritable } from "../../domain/scope.ts";
import { skillOfDocument } from "../../domain/skill.ts";
import type { Path } from "../../domain/uri.ts";
import { embeddingJobs } from "../../enrich/embedding-jobs.ts";
import { type FileReading, prepareFile } from "../../ingest/prepare.ts";
import { headOfDocument } from "../../ingest/skill-source.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Draft } from "../../storage/draft.ts";
import { Conflict, retryConflicts } from "../../workspace/conflict.ts";
import { Builder } from "../../workspace/tree/builder.ts";
import { entryOf, type Located, locate, partitionOwner } from "../../workspace/tree/locate.ts";
import { checkNotDerived, ensureDirectory, linkBuilt } from "../../workspace/tree/tree.ts";
import type { ServiceCall } from "../call.ts";
import { enqueueCleanup } from "../cleanup.ts";
import { describeSkill } from "../describe-skill.ts";
import type { Tenant, Tenants } from "../tenants.ts";
import { checkTimeout, type QueueStatus, queueStatus, waitDrained } from "../waiting.ts";

export interface WriteDeps extends FileReading {
  readonly tenants: Tenants;
  readonly queue: JobQueue;
  readonly ids: () => string;
}

export interface WriteInput {
  readonly uri: string;
  readonly content: string;
  readonly mode?: string | undefined;
  readonly wait: boolean;
  readonly timeout?: number | undefined;
}

export interface WriteResult {
  uri: string;
  mode: string;
  /** Bytes of the content that was sent. */
  writtenBytes: number;
  queueStatus?: QueueStatus;
}

/** Every append reads and rewrites the whole file. */
const MAX_APPENDED_BYTES = 16 * 1024 * 1024;
/** Memory per byte of the file that is made: what was there, what becomes of it, its text. */
const APPEND_COST = 3;

type Mode = "replace" | "append" | "create";
const MODES: readonly Mode[] = ["replace", "append", "create"];

/** POST content/write: `replace` (default) and `append` need the file, `create` makes it with its parents. */
export async function writeContent(
  deps: WriteDeps,
  call: ServiceCall,
  input: WriteInput,
): Promise<WriteResult> {
  const mode = MODES.find((one) => one === (input.mode ?? "replace"));
  if (mode === undefined) throw invalidArgument("mode", "must be replace, append or create");
  const timeout = checkTimeout(input.timeout);
  const tenant = await deps.tenants.writing(call.caller);
  const { uris } = tenant.workspace;
  const path = uris.parse(input.uri);
  const uri = uris.format(path);
  checkWritable(call.caller, path, uri, "uri");
  const sent = Buffer.from(input.content.toWellFormed());
  const origin = deps.ids();
  const watch = input.wait ? deps.queue.watch({ origin }) : undefined;
  try {
    const written: WriteResult = { uri, mode, writtenBytes: sent.byteLength };
    const keep = (draft: Draft) => call.keepAnswer?.(draft, written);
    const change = {
      path,
      uri,
      mode,
      sent,
      origin,
      ifMatch: call.ifMatch,
      keep,
      reserve: (bytes: number) => call.reserve?.(bytes),
      signal: call.signal,
    };
    const entry = await tenant.workspace.locks.run(uri, () =>
      retryConflicts(() => write(deps, tenant, change)),
    );
    if (entry.hash) call.reply.etag = entry.hash;
    if (!watch) return written;
    await waitDrained(watch, { operation: "content/write", timeout, signal: call.signal });
    return { ...written, queueStatus: queueStatus(watch) };
  } finally {
    watch?.release();
  }
}

interface WriteChange {
  readonly path: Path;
  readonly uri: string;
  readonly mode: Mode;
  readonly sent: Uint8Array;
  readonly origin: string;
  readonly ifMatch: readonly string[] | undefined;
  readonly keep: (draft: Draft) => void;
  readonly reserve: (bytes: number) => Lease | undefined;
  readonly signal: AbortSignal;
}

async function write(deps: WriteDeps, tenant: Tenant, change: WriteChange): Promise<Entry> {
  const { workspace, owner } = tenant;
  const { path, uri } = change;
  const before = locate(workspace.kv, workspace.keys, owner, path);
  checkState(workspace, before, change);
  if (change.mode !== "append") return writeBytes(deps, tenant, change, before, change.sent);
  const entry = entryOf(present(before, `file ${uri}`));
  const size = entry.size + change.sent.byteLength;
  if (size > MAX_APPENDED_BYTES) throw tooLongToAppend(uri, size);
  const lease = change.reserve(APPEND_COST * size);
  try {
    return await writeBytes(
      deps,
      tenant,
      change,
      before,
      Buffer.concat([await workspace.contents.read(entry), change.sent]),
    );
  } finally {
    lease?.release();
  }
}

const tooLongToAppend = (uri: string, size: number) =>
  invalidArgument(
    "content",
    `${uri} would have ${size} bytes; append makes files of at most ${MAX_APPENDED_BYTES}: upload it whole instead`,
  );

async function writeBytes(
  deps: WriteDeps,
  tenant: Tenant,
  change: WriteChange,
  before: Located | undefined,
  bytes: Uint8Array,
): Promise<Entry> {
  const { workspace, owner } = tenant;
  const { path, uri } = change;
  const name = lastOf(path);
  const skill = skillAt(path, bytes);
  // names beside the file are settled when it is linked
  const prepared = await prepareFile({ ...deps, contents: workspace.contents }, name, bytes, {
    workspace: workspace.incarnation,
    strict: false,
    index: true,
    isTaken: () => false,
    signal: change.signal,
  });
  const builder = new Builder(workspace, await workspace.partitionFor(partitionOwner(owner, path)));
  try {
    const built = await builder.file(
      prepared.file,
      before?.entry ? { node: before.entry.node, created: before.entry.created } : {},
    );
    return await workspace.commit((draft) => {
      const now = locate(draft, workspace.keys, owner, path);
      checkState(workspace, now, change);
      if (now?.entry?.generation !== before?.entry?.generation) throw new Conflict(uri);
      const directory = ensureDirectory(draft, workspace, owner, path.slice(0, -1), uri);
      const cleanup = linkBuilt(draft, workspace, directory, name, built);
      builder.finish(draft);
      for (const job of fileLayersJobs(workspace.incarnation, builder.versions, [change.origin]))
        deps.queue.enqueue(draft, job);
      for (const job of embeddingJobs(deps.queue, workspace, builder.indexed, [change.origin]))
        deps.queue.enqueue(draft, job);
      enqueueCleanup(draft, deps.queue, workspace, cleanup);
      if (skill) describeSkill(draft, deps.queue, tenant, skill.name, skill.description, change.origin);
      deps.queue.admit(draft, workspace.incarnation);
      change.keep(draft);
      return () => built.entry;
    });
  } catch (error) {
    await builder.abandon();
    throw error;
  } finally {
    prepared.release();
  }
}

/**
 * What the document of a skill says of it; undefined for any other file, and for a document that says
 * nothing.
 */
function skillAt(
  path: Path,
  bytes: Uint8Array,
): { readonly name: string; readonly description: string } | undefined {
  const name = skillOfDocument(path);
  const head = name === undefined ? undefined : headOfDocument(bytes);
  return name !== undefined && head ? { name, description: head.description } : undefined;
}

function checkState(
  workspace: Tenant["workspace"],
  found: Located | undefined,
  { uri, mode, ifMatch }: WriteChange,
): void {
  if (found?.kind === "directory") throw invalidArgument("uri", `${uri} is a directory`);
  checkNotDerived(workspace, found?.entry, uri);
  if (found && mode === "create") throw alreadyExists("file", uri);
  if (!found && mode !== "create") throw notFound("file", uri);
  if (ifMatch === undefined) return;
  const etag = found?.entry?.hash ?? "";
  if (!ifMatch.includes(etag) && !(found && ifMatch.includes("*")))
    throw new ServiceError("FAILED_PRECONDITION", `${uri} has another content than If-Match names`, {
      resource: uri,
      reason: "etag",
      etag,
    });
}
