import type { Branded, UserIncarnation } from "./ids.ts";
/**
 * Number of a node: consecutive per workspace, never reused. 0 means an implicit directory that has no record
 * yet.
 */
export type NodeId = Branded<number, "node">;

/** Converts a number from a record, key or column, or a newly allocated one. */
export const nodeId = (number: number): NodeId => number as NodeId;

export const NO_NODE = nodeId(0);

export type NodeKind = "file" | "directory";

/** Fixed node numbers of the directories that every workspace has. */
export const ROOT = nodeId(1);
export const RESOURCES = nodeId(2);
export const SKILLS = nodeId(3);
export const USERS = nodeId(4);
export const AGENTS = nodeId(5);
export const SESSIONS = nodeId(6);
/** Contains removed items that can be restored. It is not below the root, so its content has no path. */
export const TRASH = nodeId(7);
export const FIRST_FREE_NODE = nodeId(16);

const SOURCE_CODE = /^(?:text\/(?:x-(?!rst$|tex$)|javascript$|typescript$|css$)|application\/sql$)/;

/** Whether a media type is that of a programming language; markup is not. */
export const isSourceCode = (mime: string | undefined): boolean =>
  mime !== undefined && SOURCE_CODE.test(mime);

/** Location of a node generation's chunks in the index. */
export interface ChunkRange {
  readonly partition: number;
  readonly first: number;
  readonly count: number;
}

/**
 * A directory entry, which maps a name to a node. Moving a node only rewrites entries, so all data about the
 * content is stored under `node`.
 */
export interface Entry {
  readonly node: NodeId;
  readonly kind: NodeKind;
  /** Version of content, layers and chunks; unique and increasing within the workspace. */
  readonly generation: number;
  /** Size in bytes; 0 for directories. */
  readonly size: number;
  /** Unix time in ms. */
  readonly created: number;
  readonly modified: number;
  readonly mime?: string;
  /** SHA-256 of the content in lower-case hex; the ETag. */
  readonly hash?: string;
  /** Chunks of this generation. */
  readonly chunks?: ChunkRange;
  /** The file from which this node is derived. */
  readonly source?: NodeId;
  /** Whether L0 and L1 of this generation exist. */
  readonly layered?: boolean;
  /** Whether the caller gave the L0 (mkdir description); it is then not regenerated. */
  readonly described?: boolean;
  /** Whether relations start or end here, or once did; only then a removal looks for them. */
  readonly related?: boolean;
  /**
   * Whether the node was imported with build_index=false: it has no terms or vectors until the next write or
   * import.
   */
  readonly unindexed?: boolean;
  /**
   * Whether the node is a session or the directory of a user's sessions, which has more data under separate
   * keys.
   */
  readonly session?: boolean;
  /** Version number of the file's content, from 1; absent: 1. */
  readonly version?: number;
  /** The stored earlier versions; absent if there are none. */
  readonly history?: History;
  /** Author of the content; absent if unknown, as in older records. */
  readonly by?: Author;
  readonly change?: ChangeKind;
}

/** The stored versions: from `first` up to the one before the current version. */
export interface History {
  readonly first: number;
  /** Their total size in bytes. */
  readonly bytes: number;
}

/** Operations that write content. */
export const CHANGE_KINDS = ["write", "append", "import", "restore", "copy"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A registered user by incarnation, so that removing the user leaves no name; any other caller by name. */
export type Author = UserIncarnation | string;

/** Author of a content and the operation that wrote it. */
export interface Authorship {
  readonly by?: Author | undefined;
  readonly change: ChangeKind;
}

/** Nodes derived from a file: its text (converted formats) and its directory of sections. */
export interface Derived {
  readonly text?: NodeId;
  readonly sections?: NodeId;
}

/** Parent and name of a node. */
export interface NodeRecord {
  readonly directory: NodeId;
  readonly name: string;
  readonly derived?: Derived;
  /** Metadata of an import's root, rendered as `.meta.json`. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

export const FILE_MODE = 33188;
export const DIRECTORY_MODE = 16877;
