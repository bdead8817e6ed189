import type { Branded, UserIncarnation } from "./ids.ts";
/**
 * The number of a node: dense, per workspace, never reused. 0 stands for a directory that exists by rule and
 * has no record yet.
 */
export type NodeId = Branded<number, "node">;

/** Only for numbers from records, keys and columns, and to allocate a new one. */
export const nodeId = (number: number): NodeId => number as NodeId;

export const NO_NODE = nodeId(0);

export type NodeKind = "file" | "directory";

/** Fixed numbers of the directories that every workspace has. */
export const ROOT = nodeId(1);
export const RESOURCES = nodeId(2);
export const SKILLS = nodeId(3);
export const USERS = nodeId(4);
export const AGENTS = nodeId(5);
export const SESSIONS = nodeId(6);
/** Holds what was removed and can be restored. It is not below the root, so nothing in it has a path. */
export const TRASH = nodeId(7);
export const FIRST_FREE_NODE = nodeId(16);

const SOURCE_CODE = /^(?:text\/(?:x-(?!rst$|tex$)|javascript$|typescript$|css$)|application\/sql$)/;

/** Whether a media type is a programming language; markup is not. */
export const isSourceCode = (mime: string | undefined): boolean =>
  mime !== undefined && SOURCE_CODE.test(mime);

/** Index location of one node generation's chunks. */
export interface ChunkRange {
  readonly partition: number;
  readonly first: number;
  readonly count: number;
}

/**
 * A directory entry: maps a name to a node. A move rewrites entries only, so everything that belongs to the
 * content is stored under `node`.
 */
export interface Entry {
  readonly node: NodeId;
  readonly kind: NodeKind;
  /** Current version of content, layers and chunks; unique and increasing within the workspace. */
  readonly generation: number;
  /** Bytes; 0 for directories. */
  readonly size: number;
  /** Unix time in ms. */
  readonly created: number;
  readonly modified: number;
  readonly mime?: string;
  /** SHA-256 of the bytes, lower-case hex; the ETag. */
  readonly hash?: string;
  /** Chunks of this generation. */
  readonly chunks?: ChunkRange;
  /** The file from which this node is derived. */
  readonly source?: NodeId;
  /** L0 and L1 of this generation exist. */
  readonly layered?: boolean;
  /** The caller gave the L0 (mkdir description); it is kept. */
  readonly described?: boolean;
  /** Relations begin or end here, or did: a removal checks for them. */
  readonly related?: boolean;
  /** Imported with build_index=false: neither terms nor vectors until the next write or import. */
  readonly unindexed?: boolean;
  /** A session, or the directory of a user's sessions: it also has data under separate keys. */
  readonly session?: boolean;
  /** Version number of the file's content, from 1; missing: 1. */
  readonly version?: number;
  /** The earlier versions that are kept; missing if there are none. */
  readonly history?: History;
  /** Author of the content; missing if unknown, as in earlier records. */
  readonly by?: Author;
  readonly change?: ChangeKind;
}

/** The kept versions: all from `first` to the one before the present one. */
export interface History {
  readonly first: number;
  /** Their contents in all. */
  readonly bytes: number;
}

/** The operation that wrote a content. */
export const CHANGE_KINDS = ["write", "append", "import", "restore", "copy"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/**
 * A registered user by registration number, so that a removed user is not named; any other caller by name.
 */
export type Author = UserIncarnation | string;

/** Author and cause of a content. */
export interface Authorship {
  readonly by?: Author | undefined;
  readonly change: ChangeKind;
}

/** Nodes derived from a file: text (converted formats) and directory of sections. */
export interface Derived {
  readonly text?: NodeId;
  readonly sections?: NodeId;
}

/** The node's parent and name. */
export interface NodeRecord {
  readonly directory: NodeId;
  readonly name: string;
  readonly derived?: Derived;
  /** Rendered as `.meta.json` of an import's root. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

export const FILE_MODE = 33188;
export const DIRECTORY_MODE = 16877;
