import type { Caller } from "./caller.ts";
import { FORGET, type Forget } from "./forget.ts";
import type { UserIncarnation, WorkspaceId } from "./ids.ts";
import type { Entry, NodeId } from "./node.ts";
import type { Path } from "./uri.ts";

/**
 * `semantic` and `embedding` are public queues; `import` contains accepted large imports, `purge` cleanup
 * work.
 */
export const QUEUES = ["semantic", "embedding", "import", "purge"] as const;
export type QueueName = (typeof QUEUES)[number];

/** Interactive jobs precede bulk jobs of the same queue (storage.md section 6). */
export const CLASSES = ["interactive", "bulk"] as const;
export type JobClass = (typeof CLASSES)[number];

/** The user of a job, in the job's workspace. */
export interface JobOwner {
  readonly user: string;
  /** User incarnation (see Caller). */
  readonly incarnation?: UserIncarnation;
  /** Whether it was begun with an additional key, which never has administrative rights. */
  readonly isKeyed?: true;
}

/** Durable work, written in the transaction that causes it. */
export interface Job {
  readonly queue: QueueName;
  readonly class: JobClass;
  readonly kind: string;
  readonly workspace: WorkspaceId;
  /** Number of the job in its workspace. */
  readonly sequence: number;
  readonly payload: unknown;
  /** Bytes of the payload and of the texts and sources stored for the job; absent: 0. */
  readonly bytes?: number;
  /** The user for whom the job runs; removing the user ends the job. Absent if it runs for the account. */
  readonly owner?: JobOwner;
  /** Causes of the job: waiting for one of them includes this job and its successors. */
  readonly origins: readonly string[];
  /** Number of starts; counted before the job runs, so that a job that crashes the process is counted. */
  readonly attempts: number;
  /**
   * Number of attempts that ended with an error; absent: 0. Other attempts ended with the process, mostly for
   * other reasons.
   */
  readonly failures?: number;
  /** Number of process crashes while the job ran; an orderly shutdown does not count. */
  readonly lost?: number;
  /** Earliest start, Unix time in ms. */
  readonly dueAt: number;
  /** Jobs with the same key are merged as long as none of them has started. */
  readonly sameAs?: string;
  readonly claimed?: boolean;
  /** Call or job that caused this job, as a W3C traceparent; the first if there are several. */
  readonly trace?: string;
}

export interface NewJob
  extends Pick<Job, "queue" | "class" | "kind" | "workspace" | "payload" | "origins" | "sameAs">,
    Partial<Pick<Job, "dueAt" | "owner">> {
  /** Bytes stored for the job besides the payload. */
  readonly waitingBytes?: number;
}

export const jobOwner = ({
  user,
  userIncarnation,
  key,
}: Pick<Caller, "user" | "userIncarnation" | "key">): JobOwner => ({
  user,
  ...(userIncarnation !== undefined && { incarnation: userIncarnation }),
  ...(key && { isKeyed: true }),
});

/** A job that failed for good and is not retried. */
export interface DeadLetter {
  readonly queue: QueueName;
  readonly kind: string;
  readonly workspace: WorkspaceId;
  readonly sequence: number;
  readonly reason: string;
  /** Time of the failure, Unix time in ms. */
  readonly at: number;
  /** Number of starts; absent in records of earlier versions. */
  readonly attempts?: number;
  /** Fields for a retry; absent for large payloads and in records of earlier versions. */
  readonly job?: Pick<Job, "class" | "payload" | "bytes" | "owner" | "sameAs">;
}

export const DIRECTORY_LAYERS = "directory-layers";
/** Enqueues the layers jobs of many directories, some at a time. */
export const STALE_DIRECTORIES = "stale-directories";
export const FILE_LAYERS = "file-layers";
export const DESCRIBE = "describe";
export const REMEMBER = "remember";
export const PURGE = "purge";
export const ERASE = "erase";
export const SWEEP = "sweep";
export const TRIM = "trim";
export const IMPORT = "import";
export const EMBED_NODES = "embed-nodes";
export const FILL_SPACE = "fill-space";
export const DROP_SPACE = "drop-space";
export const EXPIRE = "expire";
export const COPY = "copy";
export const RESTORE_SNAPSHOT = "restore-snapshot";
export const COMMIT_SESSION = "commit-session";

export interface FileLayers {
  readonly files: readonly (readonly [node: NodeId, generation: number, bytes: number])[];
}

export interface DirectoryLayers {
  readonly node: NodeId;
}

export interface Purge {
  /** The removed entries, as they were before. */
  readonly removed: readonly Entry[];
  /** Index partition of the owner, if the owner was removed. */
  readonly partition?: number;
  /** Whether the entries are the directories of a removed owner. */
  readonly ofOwner?: true;
}

export interface Remember {
  /** Node of the session's directory. */
  readonly session: NodeId;
  readonly archive: number;
}

/** A picture, recording or video, with the generation to describe. */
export interface DescribeFile {
  readonly node: NodeId;
  readonly generation: number;
}

export interface EmbedNodes {
  readonly nodes: readonly NodeId[];
}

export interface FillSpace {
  readonly space: string;
  /** Position to continue at: earlier chunks already have vectors. */
  readonly from?: readonly [partition: number, doc: number];
}

export interface DropSpace {
  readonly space: string;
}

/** A fact to delete when it expires. */
export interface Expire {
  readonly node: NodeId;
  readonly key: string;
  readonly user: string;
  readonly agent: string;
}

/** An accepted request to copy a file or directory. */
export interface CopyOrder {
  readonly task: string;
  readonly caller: Pick<Caller, "user" | "agent">;
  readonly from: Path;
  readonly to: Path;
  /** Whether the copy replaces what is at its destination. */
  readonly isReplacing?: boolean;
}

/** An accepted request to restore a snapshot. */
export interface RestoreOrder {
  readonly task: string;
  readonly caller: Pick<Caller, "user" | "agent">;
  readonly name: string;
  readonly path: Path;
  /** Whether nodes added since the snapshot are kept. */
  readonly keepAdded: boolean;
}

/** Payloads by kind. Those of imports, erasures and commits are defined by the services that enqueue them. */
interface JobPayloads {
  readonly [FILE_LAYERS]: FileLayers;
  readonly [DIRECTORY_LAYERS]: DirectoryLayers;
  readonly [STALE_DIRECTORIES]: { readonly nodes: readonly NodeId[] };
  readonly [PURGE]: Purge;
  readonly [REMEMBER]: Remember;
  readonly [DESCRIBE]: DescribeFile;
  readonly [EMBED_NODES]: EmbedNodes;
  readonly [FILL_SPACE]: FillSpace;
  readonly [DROP_SPACE]: DropSpace;
  readonly [EXPIRE]: Expire;
  readonly [FORGET]: Forget;
  readonly [COPY]: CopyOrder;
  readonly [RESTORE_SNAPSHOT]: RestoreOrder;
}

/** The payload of a job of this kind. Throws for a job of another kind. */
export function payloadOf<K extends keyof JobPayloads>(
  job: Pick<Job, "kind" | "payload">,
  kind: K,
): JobPayloads[K] {
  if (job.kind !== kind) throw new Error(`a job of the kind ${job.kind}, not ${kind}`);
  return job.payload as JobPayloads[K];
}

/** Maximum number of files per layers job; few enough not to block the event loop. */
export const FILES_PER_JOB = 16;

/** Maximum number of chunks of an interactive job. Jobs that a caller waits for are always interactive. */
export const INTERACTIVE_CHUNKS = 8;

/** Delay in ms before a directory's layers are rebuilt, to batch further changes; none if a caller waits. */
export const LAYERS_DELAY_MS = 200;

/** Rebuilds L0 and L1 of a directory. Repeated requests before the job starts are merged. */
export const directoryLayersJob = (
  workspace: WorkspaceId,
  node: NodeId,
  origins: readonly string[],
  dueAt = 0,
): NewJob => ({
  queue: "semantic",
  class: "interactive",
  kind: DIRECTORY_LAYERS,
  workspace,
  payload: { node } satisfies DirectoryLayers,
  origins,
  sameAs: `${DIRECTORY_LAYERS}/${node}`,
  dueAt,
});

/** Creates L0 and L1 of files, in jobs of a few files each. */
export function fileLayersJobs(
  workspace: WorkspaceId,
  files: FileLayers["files"],
  origins: readonly string[],
): NewJob[] {
  const jobs: NewJob[] = [];
  for (let at = 0; at < files.length; at += FILES_PER_JOB) {
    const payload: FileLayers = { files: files.slice(at, at + FILES_PER_JOB) };
    jobs.push({
      queue: "semantic",
      class: files.length > FILES_PER_JOB ? "bulk" : "interactive",
      kind: FILE_LAYERS,
      workspace,
      payload,
      origins,
      waitingBytes: payload.files.reduce((sum, [, , bytes]) => sum + bytes, 0),
    });
  }
  return jobs;
}

/** Lets models describe a file. */
export const describeJob = (
  workspace: WorkspaceId,
  payload: DescribeFile,
  origins: readonly string[],
): NewJob => ({
  queue: "semantic",
  class: "bulk",
  kind: DESCRIBE,
  workspace,
  payload,
  origins,
  sameAs: `${DESCRIBE}/${payload.node}/${payload.generation}`,
});

/** Second phase of a commit: layers and memories of an archive, usage counts, statistics. */
export const rememberJob = (
  workspace: WorkspaceId,
  owner: JobOwner,
  { session, archive }: Remember,
  origins: readonly string[],
): NewJob => ({
  queue: "semantic",
  class: "interactive",
  kind: REMEMBER,
  workspace,
  owner,
  payload: { session, archive } satisfies Remember,
  origins,
  sameAs: undefined,
});

/**
 * Makes missing main-space vectors for the current chunks of nodes. Jobs for one node are merged until the
 * first starts.
 */
export const embedNodesJob = (
  workspace: WorkspaceId,
  nodes: readonly NodeId[],
  jobClass: JobClass,
  origins: readonly string[],
): NewJob => ({
  queue: "embedding",
  class: jobClass,
  kind: EMBED_NODES,
  workspace,
  payload: { nodes } satisfies EmbedNodes,
  origins,
  sameAs: nodes.length === 1 ? `${EMBED_NODES}/${jobClass}/${nodes[0]}` : undefined,
});

/** Makes missing main-space vectors for the layers of a directory, after those of its files. */
export const embedDirectoryJob = (workspace: WorkspaceId, node: NodeId, origins: readonly string[]): NewJob =>
  embedNodesJob(workspace, [node], "bulk", origins);

/** Makes the missing vectors of a workspace in a space, one batch per job; each job enqueues the next. */
export const fillSpaceJob = (workspace: WorkspaceId, payload: FillSpace): NewJob => ({
  queue: "embedding",
  class: "bulk",
  kind: FILL_SPACE,
  workspace,
  payload,
  origins: [],
  sameAs: `${FILL_SPACE}/${payload.space}`,
});

/** Removes the vectors of a space that was replaced. */
export const dropSpaceJob = (workspace: WorkspaceId, space: string): NewJob => ({
  queue: "purge",
  class: "bulk",
  kind: DROP_SPACE,
  workspace,
  payload: { space } satisfies DropSpace,
  origins: [],
  sameAs: `${DROP_SPACE}/${space}`,
});

/** Removes the records of unreachable nodes and of everything below them. */
export const purgeJob = (workspace: WorkspaceId, purge: Purge): NewJob => ({
  queue: "purge",
  class: "bulk",
  kind: PURGE,
  workspace,
  payload: purge,
  origins: [],
});

/** Removes unreferenced blobs once no reader can be using them. */
export const sweepJob = (workspace: WorkspaceId, dueAt: number): NewJob => ({
  queue: "purge",
  class: "bulk",
  kind: SWEEP,
  workspace,
  payload: null,
  origins: [],
  sameAs: SWEEP,
  dueAt,
});

/** Removes expired first answers. */
export const trimJob = (workspace: WorkspaceId, dueAt: number): NewJob => ({
  queue: "purge",
  class: "bulk",
  kind: TRIM,
  workspace,
  payload: null,
  origins: [],
  sameAs: TRIM,
  dueAt,
});

/** Deletes an expired fact. Changing the expiry enqueues another job. */
export const expireJob = (
  workspace: WorkspaceId,
  owner: JobOwner,
  expire: Expire,
  dueAt: number,
): NewJob => ({
  queue: "purge",
  class: "bulk",
  kind: EXPIRE,
  workspace,
  owner,
  payload: expire,
  origins: [],
  dueAt,
  sameAs: undefined,
});

/**
 * Erases everything that belonged to an incarnation of an account. `contentsDueAt` (Unix time in ms): when to
 * erase the large contents, which must be all that is left.
 */
export const eraseJob = (workspace: WorkspaceId, contentsDueAt?: number): NewJob => ({
  queue: "purge",
  class: "interactive",
  kind: ERASE,
  workspace,
  payload: contentsDueAt === undefined ? null : { contentsDueAt },
  origins: [],
  sameAs: undefined,
  ...(contentsDueAt !== undefined && { dueAt: contentsDueAt }),
});
