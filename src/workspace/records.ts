import { isObject } from "../base/expect.ts";
import type { Details } from "../domain/errors.ts";
import type { UserIncarnation, WorkspaceId } from "../domain/ids.ts";
import { type Message, SPEAKERS } from "../domain/message.ts";
import {
  type Author,
  CHANGE_KINDS,
  type ChangeKind,
  type ChunkRange,
  type Entry,
  type NodeId,
  type NodeRecord,
} from "../domain/node.ts";
import { areTags } from "../domain/tags.ts";
import type { Path } from "../domain/uri.ts";
import {
  isList,
  isMissingOr,
  isNumber,
  isText,
  isTexts,
  objects,
  RecordKind,
} from "../storage/record-codec.ts";
import type { NodeFacts } from "./tree/node-table.ts";

/**
 * JSON records of a workspace: their structure in format 1 of the data directory, and their decoders. Some
 * subfolders have a records.ts of their own, and so does the index (src/index/segments/record.ts). keys.ts
 * lists the keys. Layers, inline contents and chunks have other formats.
 */

export const ENTRIES = objects<Entry>(
  "entry",
  ({ node, kind, generation, size, created, modified, chunks, version, history }) =>
    isNumber(node) &&
    (kind === "file" || kind === "directory") &&
    isNumber(generation) &&
    isNumber(size) &&
    isNumber(created) &&
    isNumber(modified) &&
    isMissingOr(chunks, isChunkRange) &&
    isMissingOr(version, isNumber) &&
    isMissingOr(history, isHistory),
);

const isHistory = (value: unknown): boolean =>
  isObject(value) && isNumber(value.first) && isNumber(value.bytes);

const isChunkRange = (value: unknown): boolean =>
  isObject(value) && isNumber(value.partition) && isNumber(value.first) && isNumber(value.count);

export const NODE_RECORDS = objects<NodeRecord>(
  "node",
  ({ directory, name, derived, meta }) =>
    isNumber(directory) &&
    isText(name) &&
    (derived === undefined || isObject(derived)) &&
    (meta === undefined || isObject(meta)),
);

/**
 * An earlier version of a file: generation and size of its content, time (Unix time in ms), author and cause.
 * A tuple to save space, because there are many.
 */
export type VersionRecord = readonly [
  generation: number,
  size: number,
  modified: number,
  by?: Author | null,
  change?: ChangeKind,
];

export const VERSIONS = new RecordKind<VersionRecord>(
  "version",
  (value) =>
    Array.isArray(value) &&
    value.slice(0, 3).every(isNumber) &&
    value.length >= 3 &&
    isMissingOr(value[3] ?? undefined, (by) => isText(by) || isNumber(by)) &&
    isMissingOr(value[4], (change) => CHANGE_KINDS.some((known) => known === change)),
);

/** A line of `messages.jsonl`. */
export const MESSAGES = objects<Message>(
  "message",
  ({ id, role, parts, created_at }) =>
    isText(id) && SPEAKERS.some((speaker) => speaker === role) && isList(parts) && isText(created_at),
);

/** Paths whose use is counted when the archive is committed. */
export const PATHS = new RecordKind<Path>("path", isTexts);
/** Source identities for which roots are reserved. */
export const TEXTS = new RecordKind<string>("text", isText);
/** Nodes of episodes. */
export const NODE_IDS = new RecordKind<NodeId>("node id", isNumber);

const TASK_STATUSES = ["pending", "running", "completed", "failed", "cancelled"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** A task that a caller can follow. */
export interface TaskRecord {
  readonly id: string;
  readonly user: string;
  readonly type: string;
  readonly status: TaskStatus;
  readonly stage: string;
  readonly done: number;
  readonly total: number;
  /** Unix time in ms. */
  readonly created: number;
  readonly updated: number;
  readonly result?: Details;
  readonly error?: { readonly code: string; readonly message: string; readonly details?: Details };
}

export const TASKS = objects<TaskRecord>(
  "task",
  ({ id, user, type, status, stage, done, total, created, updated, result, error }) =>
    isText(id) &&
    isText(user) &&
    isText(type) &&
    TASK_STATUSES.some((known) => known === status) &&
    isText(stage) &&
    isNumber(done) &&
    isNumber(total) &&
    isNumber(created) &&
    isNumber(updated) &&
    isMissingOr(result, isObject) &&
    isMissingOr(error, isObject),
);

/** A first answer under an idempotency key. */
export interface FirstAnswerRecord {
  /** Hash of the request: a different request with the same key is refused. */
  readonly bodyHash: string;
  /** The encoded response message in base64. */
  readonly message: string;
  readonly etag?: string;
  /** Unix time in ms. */
  readonly at: number;
}

export const FIRST_ANSWERS = objects<FirstAnswerRecord>(
  "first answer",
  ({ bodyHash, message, etag, at }) =>
    isText(bodyHash) && isText(message) && isMissingOr(etag, isText) && isNumber(at),
);

export interface UploadRecord {
  readonly incarnation: WorkspaceId;
  readonly user: string;
  /** User incarnation (see Caller). */
  readonly userIncarnation?: UserIncarnation;
  /** Last segment of the client's file name. */
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  readonly sha256: string;
  /** Unix time in ms. */
  readonly created: number;
}

export const UPLOADED = objects<UploadRecord>(
  "upload",
  ({ incarnation, user, userIncarnation, name, size, sha256, created }) =>
    isNumber(incarnation) &&
    isText(user) &&
    isMissingOr(userIncarnation, isNumber) &&
    isText(name) &&
    isNumber(size) &&
    isText(sha256) &&
    isNumber(created),
);

/** Records of one batch of an unfinished builder. */
export interface StageRecord {
  readonly nodes: NodeId[];
  readonly versions: [node: NodeId, generation: number][];
  readonly chunks: ChunkRange[];
  readonly relations: [from: NodeId, to: NodeId][];
}

export const STAGES = objects<StageRecord>(
  "stage",
  ({ nodes, versions, chunks, relations }) =>
    isList(nodes) && isList(versions) && isList(chunks) && isList(relations),
);

/** A content-addressed file, and the number of records that refer to it. */
export interface BlobRecord {
  readonly references: number;
  readonly bytes: number;
  /** Time when the last reference was removed, Unix time in ms. */
  readonly freedAt?: number;
}

export const BLOBS = objects<BlobRecord>(
  "blob",
  ({ references, bytes, freedAt }) =>
    isNumber(references) && isNumber(bytes) && isMissingOr(freedAt, isNumber),
);

/** Use counts of a node, from which hotness is computed. */
export interface Usage {
  readonly activeCount: number;
  /** Time of the last use, Unix time in ms. */
  readonly usedAt: number;
}

export const USAGES = objects<Usage>(
  "usage",
  ({ activeCount, usedAt }) => isNumber(activeCount) && isNumber(usedAt),
);

/** A property that a client stores with a node; meaningless to the server. */
export interface DeadProperty {
  readonly namespace: string;
  readonly name: string;
  /** A self-contained XML fragment. */
  readonly value: string;
  readonly language?: string | undefined;
}

export const NODE_PROPERTIES = new RecordKind<readonly DeadProperty[]>(
  "list of properties",
  (value) =>
    Array.isArray(value) &&
    value.every(
      (one: unknown) =>
        isObject(one) &&
        isText(one.namespace) &&
        isText(one.name) &&
        isText(one.value) &&
        isMissingOr(one.language, isText),
    ),
);

/** The tags of a node, sorted. */
export const NODE_TAGS = new RecordKind<readonly string[]>(
  "list of tags",
  (value) => isTexts(value) && areTags(value),
);

/** Stored bytes of a workspace, as counted for its quota. */
export interface StoredRecord {
  readonly bytes: number;
  /** The part for contents of earlier versions; absent if there are none. */
  readonly versions?: number;
  /** Number of files, directories and sections; absent if there are none. */
  readonly nodes?: number;
  /** Number of chunks of these nodes; absent if there are none. */
  readonly chunks?: number;
  /** Which record kinds are counted (COUNTED_KINDS). */
  readonly kinds?: string;
}

export const STORED_BYTES = objects<StoredRecord>(
  "count of bytes",
  ({ bytes, versions, nodes, chunks, kinds }) =>
    isNumber(bytes) &&
    [versions, nodes, chunks].every((count) => isMissingOr(count, isNumber)) &&
    isMissingOr(kinds, isText),
);

/** A relation between two ends. */
export interface RelationRecord {
  readonly reason: string;
  /** Time of the first link, Unix time in ms. */
  readonly createdAt: number;
}

export const RELATIONS = objects<RelationRecord>(
  "relation",
  ({ reason, createdAt }) => isText(reason) && isNumber(createdAt),
);

/**
 * A single change of state. The journal contains them in commit order; the tables in memory are derived from
 * them.
 */
export type ChangeFact =
  | { readonly put: NodeFacts }
  | { readonly cut: NodeId }
  | { readonly used: readonly [node: NodeId, activeCount: number] }
  | { readonly tagged: readonly [node: NodeId, tags: readonly string[]] }
  | { readonly added: ChunkRange }
  | { readonly dropped: ChunkRange };

/** Facts of one commit; a transaction has one or more consecutive records. */
export interface JournalRecord {
  /** Unix time in ms. */
  readonly at: number;
  readonly facts: readonly ChangeFact[];
}

export const JOURNAL_RECORDS = objects<JournalRecord>(
  "journal record",
  ({ at, facts }) => isNumber(at) && isList(facts),
);

/** Checkpoint of a workspace's node table. */
export interface Checkpoint {
  readonly file: string;
  /** Number of the first journal record after the checkpoint. */
  readonly sequence: number;
}

export const CHECKPOINTS = objects<Checkpoint>(
  "checkpoint",
  ({ file, sequence }) => isText(file) && isNumber(sequence),
);

/** A part of a session's recall block. Its text is stored, so that the block never changes. */
export interface RecalledPart {
  /** Node that the text is from; the part is removed with the node. */
  readonly node: NodeId;
  readonly kind: "profile" | "memory" | "resource" | "skill";
  readonly uri: string;
  readonly category: string;
  readonly score: number;
  /** Text of the part, as shown in the block. */
  readonly text: string;
  /** URIs of nodes with nearly the same text. */
  readonly alsoIn: readonly string[];
}

export const RECALLED_PARTS = objects<RecalledPart>(
  "recalled part",
  ({ node, kind, uri, category, score, text, alsoIn }) =>
    isNumber(node) &&
    isText(kind) &&
    isText(uri) &&
    isText(category) &&
    isNumber(score) &&
    isText(text) &&
    isTexts(alsoIn),
);

/**
 * Range of sequence numbers of a block, `first` to `last`; empty if `last` is smaller. Numbers are never
 * reused.
 */
export interface RecalledExtent {
  readonly first: number;
  readonly last: number;
  /**
   * Number of the turn's first part; absent in the extent of the whole block and in records of earlier
   * versions.
   */
  readonly from?: number;
}

export const RECALLED_EXTENTS = objects<RecalledExtent>(
  "recalled extent",
  ({ first, last, from }) => isNumber(first) && isNumber(last) && (from === undefined || isNumber(from)),
);
