import type { Level } from "../domain/chunk.ts";
import type { NodeId } from "../domain/node.ts";
import type { QueryReading } from "../domain/score.ts";
import type { SegmentTables } from "../index/searchable.ts";

/** The node table of a workspace, indexed by node. */
export interface NodeColumns {
  readonly size: number;
  /** The containing directory; -1 for the root. */
  readonly parent: Int32Array;
  readonly generation: Uint32Array;
  /** 1 = directory. */
  readonly isDirectory: Uint8Array;
  /** 1 = source code. */
  readonly isCode: Uint8Array;
  /** Unix time in ms. */
  readonly updatedAt: Float64Array;
  readonly activeCount: Uint32Array;
  /** Grows with every change of the table. */
  readonly sequence: number;
}

/**
 * What one search may see. A chunk is live if its generation is its node's and the node is in `scope`; all
 * statistics are counted over live chunks alone.
 */
export interface SearchView {
  readonly nodes: NodeColumns;
  /** By node, 1 = reachable, permitted and inside the target. */
  readonly scope: Uint8Array;
  /** By level, then by node, 1 = may be a hit at that level (scope and filter). */
  readonly filterMasks: readonly [Uint8Array, Uint8Array, Uint8Array];
  /** Directories named by the target; empty = everything. */
  readonly targets: readonly number[];
  readonly segments: readonly SegmentTables[];
  /** The rows nearest to the query where an index of neighbours has answered; the other parts are scanned. */
  readonly nearest?: ReadonlyMap<SegmentTables, Uint32Array>;
  /**
   * Few hits are wanted and no filter is set, so that of parts which lie in the scope for the most part the
   * nearest rows are enough.
   */
  readonly isBroad?: boolean | undefined;
  /** Passages that hold the query word for word. */
  readonly phraseMatches?: PhraseMatches;
  /** The directory whose directories are conversations, cut into files; 0 = none. */
  readonly conversations?: number;
  /**
   * Whether a node says again what others say (a fact, of the episode it comes from): such nodes never take
   * more than half of the places from others.
   */
  readonly isRepeating?: (node: NodeId) => boolean;
  /** Document of a node; without it every node is its own document. */
  readonly documentOf?: (node: NodeId) => DocumentPart;
}

/** Passages that hold a query word for word, by node: where those of a generation begin in the text. */
export type PhraseMatches = ReadonlyMap<
  number,
  { readonly generation: number; readonly starts: ReadonlySet<number> }
>;

/** A node as a part of what a reader calls one document. */
export interface DocumentPart {
  /** The node that stands for the document: the same for all its parts. */
  readonly document: NodeId;
  /**
   * Whether the node tells of the whole document: its text, or a directory that holds nothing else. Such
   * nodes say the same.
   */
  readonly isWhole: boolean;
}

export interface SearchQuery {
  /** As `analyseQuery` gives them, repeated ones included. */
  readonly terms: readonly string[];
  /** Share of the query's word pieces that the model knows, 0 to 1. */
  readonly known: number;
  /** Traits of the best space and the query's words. */
  readonly reading: QueryReading;
  /** The query in each space that may hold vectors, by the space's name, the best space first. */
  readonly vectors: ReadonlyMap<string, Float32Array>;
  /** Spaces that hold vectors and in which the query has none: it was not embedded in time. */
  readonly missed?: readonly string[];
}

export interface SearchOptions {
  /** Hits at most, 1 to 1,000. */
  readonly limit: number;
  /** Further documents at most, for places that hits give up: 0 unless given. */
  readonly spare?: number;
  /** Only scores above it. */
  readonly threshold?: number;
  /** Unix time in ms, for hotness. */
  readonly now: number;
}

/** A hit: a node at one of its levels. */
export interface Ranked {
  readonly node: NodeId;
  readonly level: Level;
  /** .8 semantic + .2 hotness, 0 to 1. */
  readonly score: number;
  /** `own`, lifted by the containing directory. */
  readonly semantic: number;
  /** The score of the formula for the best chunk. */
  readonly own: number;
  /** Index in `view.segments`. */
  readonly segment: number;
  /** The best chunk: its row in its segment, and its number there. */
  readonly row: number;
  readonly doc: number;
}

/** A chunk that may be shown for a hit. */
export interface ShownChunk {
  readonly node: NodeId;
  /** Index in `view.segments`. */
  readonly segment: number;
  readonly doc: number;
  /** F of the formula: words and meaning together. */
  readonly fused: number;
}

/** A hit with how its score came about. */
export interface Hit extends Omit<Ranked, "row"> {
  /** Chunks of the document that may answer, best first; the first one is that of the hit. */
  readonly chunks: readonly ShownChunk[];
  /** The passage holds the query word for word. */
  readonly quoted: boolean;
  /**
   * What its words and its meaning bring to the score of the formula before it is put on the scale of 0 to 1.
   */
  readonly lexical: number;
  readonly dense: number;
  readonly hotness: number;
}

/** One round: a directory was opened and its children were scored. */
export interface ExploredDirectory {
  readonly directory: NodeId;
  /** By which it was chosen among those that waited. */
  readonly priority: number;
  /** Directories that waited when the round was over. */
  readonly waiting: number;
  /** The set of the best hits changed. */
  readonly changed: boolean;
}

/** Trace of a search, for `query_results` and measurements. */
export interface SearchTrace {
  /** Live chunks in the scope. */
  readonly documents: number;
  /** Nodes (per level) taken from the terms, from the vectors, and different nodes together. */
  readonly candidates: { readonly lexical: number; readonly dense: number; readonly nodes: number };
  /** Directories the exploration started from, best first. */
  readonly seeds: readonly NodeId[];
  /** Directories explored, one a round. */
  readonly steps: readonly ExploredDirectory[];
  /**
   * True if exploration ended because the best hits no longer changed, false if it ran out of directories or
   * reached a limit.
   */
  readonly converged: boolean;
  /** Spaces the query was compared in, the best first, and those for which it came too late. */
  readonly spaces: readonly string[];
  readonly missed: readonly string[];
  /** Share of the dense half, for documents and for source code. */
  readonly meaning: { readonly documents: number; readonly code: number };
  /** Files that hold the query word for word. */
  readonly quotes: number;
  /** Nodes added only because there were fewer hits than asked for. */
  readonly filled: number;
}

export interface Found {
  /** Score descending, then node. */
  readonly hits: readonly Hit[];
  /** The next documents after them, at most as many as asked for. */
  readonly spare: readonly Hit[];
  /** The idf of each term of the query, in the scope. */
  readonly weights: ReadonlyMap<string, number>;
  readonly trace: SearchTrace;
}
