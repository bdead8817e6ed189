import type { Lease } from "../../base/budget.ts";
import { lastOf } from "../../base/expect.ts";
import { alreadyExists, invalidArgument, NotAFile, notFound, ServiceError } from "../../domain/errors.ts";
import { fileLayersJobs } from "../../domain/job.ts";
import type { ChangeKind, Entry } from "../../domain/node.ts";
import type { Path } from "../../domain/uri.ts";
import { embeddingJobs } from "../../enrich/embed-nodes-job.ts";
import { type FileReading, prepareFile } from "../../ingest/prepare-file.ts";
import { screenFile } from "../../ingest/screen-file.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Draft } from "../../storage/draft.ts";
import { Conflict, retryConflicts } from "../../workspace/conflict.ts";
import type { FoundSecrets } from "../../workspace/found-secrets.ts";
import type { SecretReport } from "../../workspace/secret-guard.ts";
import { Builder } from "../../workspace/tree/builder.ts";
import { type Located, locate, partitionOwner } from "../../workspace/tree/locate.ts";
import { attachNode, checkNotDerived, ensureDirectory } from "../../workspace/tree/tree.ts";
import { enqueueLayersAndPurges } from "../after-change.ts";
import { describeSkill, skillAt } from "../describe-skill.ts";
import type { Tenant, Tenants } from "../tenants.ts";

export interface WriteDeps extends FileReading {
  readonly tenants: Tenants;
  readonly queue: JobQueue;
  readonly ids: () => string;
}

export interface WriteChange {
  readonly path: Path;
  readonly uri: string;
  /** `create` requires that no file exists, `replace` and `append` that one does; `put` accepts both. */
  readonly mode: "replace" | "append" | "create" | "put";
  /** Whether to index the file's chunks; default true. */
  readonly isIndexed?: boolean;
  /** Kind of change in the file's versions. */
  readonly kind: ChangeKind;
  /** Creates the new content from the current file. The lease is released once the content is written. */
  readonly content: (before: Located | undefined) => Promise<{
    bytes: Uint8Array;
    lease?: Lease | undefined;
    /** Number of bytes at the start that the file already has. */
    known?: number;
  }>;
  /** Receives the secrets in the content; undefined for content that was stored before. */
  readonly report: SecretReport | undefined;
  readonly origin: string;
  readonly ifMatch: readonly string[] | undefined;
  /** Runs in the transaction that makes the content visible. */
  readonly keep: (draft: Draft, entry: Entry) => void;
  readonly signal: AbortSignal;
}

/** Modes of the API. */
export type WriteMode = Exclude<WriteChange["mode"], "put">;
const MODES: readonly WriteMode[] = ["replace", "append", "create"];

export function writeModeOf(mode = "replace"): WriteMode {
  const known = MODES.find((one) => one === mode);
  if (known === undefined) throw invalidArgument("mode", "must be replace, append or create");
  return known;
}

/** Writes a file's content; one change per file at a time. Errors as documented for WriteContent. */
export function writeFile(deps: WriteDeps, tenant: Tenant, change: WriteChange): Promise<Entry> {
  const { locks, secrets } = tenant.workspace;
  const attempts = (found?: FoundSecrets) => retryConflicts(() => write(deps, tenant, change, found));
  return locks.run(change.uri, () => (change.report ? secrets.watch(change.report, attempts) : attempts()));
}

async function write(
  deps: WriteDeps,
  tenant: Tenant,
  change: WriteChange,
  found: FoundSecrets | undefined,
): Promise<Entry> {
  const { workspace, owner } = tenant;
  found?.clear();
  const before = locate(workspace.kv, workspace.keys, owner, change.path);
  checkState(workspace, before, change);
  const { bytes, lease, known = 0 } = await change.content(before);
  try {
    const place = { field: "content", uri: change.uri };
    const screened =
      found && (await screenFile(workspace.secrets, lastOf(change.path), bytes, place, found, known));
    return await writeBytes(deps, tenant, change, before, screened ?? bytes);
  } finally {
    lease?.release();
  }
}

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
  // names of derived files are chosen when the file is linked
  const prepared = await prepareFile({ ...deps, contents: workspace.contents }, name, bytes, {
    workspace: workspace.incarnation,
    strict: false,
    index: change.isIndexed ?? true,
    isTaken: () => false,
    signal: change.signal,
  });
  const builder = new Builder(workspace, await workspace.partitionFor(partitionOwner(owner, path)), {
    by: owner.author,
    change: change.kind,
  });
  try {
    const built = await builder.addFile(
      prepared.file,
      before?.entry ? { node: before.entry.node, created: before.entry.created } : {},
    );
    return await workspace.transact((draft) => {
      const now = locate(draft, workspace.keys, owner, path);
      checkState(workspace, now, change);
      if (now?.entry?.generation !== before?.entry?.generation) throw new Conflict(uri);
      const directory = ensureDirectory(draft, workspace, owner, path.slice(0, -1), uri);
      const linked = attachNode(draft, workspace, directory, name, built);
      builder.putRest(draft);
      for (const job of fileLayersJobs(workspace.incarnation, builder.versions, [change.origin]))
        deps.queue.enqueue(draft, job);
      for (const job of embeddingJobs(deps.queue, workspace, builder.indexed, [change.origin]))
        deps.queue.enqueue(draft, job);
      enqueueLayersAndPurges(draft, deps.queue, workspace, linked);
      if (skill) describeSkill(draft, deps.queue, tenant, skill.name, skill.description, change.origin);
      deps.queue.admit(draft, workspace.incarnation);
      change.keep(draft, linked.entry);
      return () => linked.entry;
    });
  } catch (error) {
    await builder.abandon();
    throw error;
  } finally {
    prepared.release();
  }
}

/** Throws if the mode, If-Match or the existing node does not allow the change. */
export function checkState(
  workspace: Tenant["workspace"],
  found: Located | undefined,
  { uri, mode, ifMatch }: Pick<WriteChange, "uri" | "mode" | "ifMatch">,
): void {
  if (found?.kind === "directory") throw new NotAFile(uri);
  checkNotDerived(workspace, found?.entry, uri);
  if (found && mode === "create") throw alreadyExists("file", uri);
  if (!found && mode !== "create" && mode !== "put") throw notFound("file", uri);
  if (ifMatch === undefined) return;
  const etag = found?.entry?.hash ?? "";
  if (!ifMatch.includes(etag) && !(found && ifMatch.includes("*")))
    throw new ServiceError(
      "FAILED_PRECONDITION",
      `${uri}: the content has changed; read it again and send its new etag as If-Match`,
      {
        resource: uri,
        reason: "etag",
        etag,
      },
    );
}
