import type { Level } from "../domain/chunk.ts";
import type { NodeId } from "../domain/node.ts";
import type { QueryReading } from "../domain/score.ts";
import type { SegmentTables } from "../index/searchable.ts";
import { ScoreBuffer } from "../index/segments/score-buffer.ts";

/** The node table of a workspace, indexed by node. */
export interface NodeColumns {
  readonly size: number;
  /** The parent directory; -1 for the root. */
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
  /** The nearest rows of segments whose neighbour index has answered; the other segments are scanned. */
  readonly nearest?: ReadonlyMap<SegmentTables, Uint32Array>;
  /**
   * Few hits are requested and no filter is set, so that the nearest rows suffice for segments that are
   * mostly in scope.
   */
  readonly isBroad?: boolean | undefined;
  /** Passages that contain the query verbatim. */
  readonly phraseMatches?: PhraseMatches;
  /** The directory of conversations, which are directories of parts; 0 = none. */
  readonly conversations?: number;
  /**
   * Whether a node repeats others (a fact repeats its episode): such nodes never take more than half of the
   * places from others.
   */
  readonly isRepeating?: (node: NodeId) => boolean;
  /** Document of a node; by default every node is its own document. */
  readonly documentOf?: (node: NodeId) => DocumentPart;
}

/** Passages that contain the query verbatim, by node: their start offsets in a generation's text. */
export type PhraseMatches = ReadonlyMap<
  number,
  { readonly generation: number; readonly starts: ReadonlySet<number> }
>;

/** A node as a part of a document. */
export interface DocumentPart {
  /** The node that represents the document: the same for all its parts. */
  readonly document: NodeId;
  /**
   * Whether the node covers the whole document: its text, or a directory with nothing else. Such nodes are
   * equivalent.
   */
  readonly isWhole: boolean;
}

export interface SearchQuery {
  /** Terms of `analyseQuery`, including repeated ones. */
  readonly terms: readonly string[];
  /** Share of the query's word pieces that the model knows, 0 to 1. */
  readonly known: number;
  /** Traits of the best space and the query's words. */
  readonly reading: QueryReading;
  /** The query's vector in each space with vectors, by name, the best space first. */
  readonly vectors: ReadonlyMap<string, Float32Array>;
  /** Spaces with vectors for which the query was not embedded in time. */
  readonly missed?: readonly string[];
}

export interface SearchOptions {
  /** Maximum number of hits, 1 to 1,000. */
  readonly limit: number;
  /** Maximum number of further documents, for places that hits give up: 0 by default. */
  readonly spare?: number;
  /** Only scores above it. */
  readonly threshold?: number;
  /** Unix time in ms, for hotness. */
  readonly now: number;
  /** Buffers of an earlier search, which has ended; new ones by default. */
  readonly scratch?: SearchScratch;
}

/**
 * Buffers that are too large to be made for each search. A search is synchronous, so one set serves all
 * searches of a thread.
 */
export class SearchScratch {
  /** Both scores of each row. */
  readonly scores = new ScoreBuffer();
  files = fileScratch(0);
  nodes = nodeScratch(0);
}

/** Scores of files, by node: all zero between searches. */
export const fileScratch = (nodes: number) => ({
  sums: new Float32Array(nodes),
  scores: new Float32Array(nodes),
  /** Nodes with a sum, and nodes with a score. */
  summed: new Int32Array(nodes),
  scored: new Int32Array(nodes),
});

/** Scores of nodes, in entries: a node has one when it is first asked for. */
export const nodeScratch = (nodes: number) => ({
  /** By node, the number of its latest entry: entries of earlier searches have lower numbers. */
  entry: new Int32Array(nodes),
  next: 1,
  /** Three positions per entry of this search, for the node's best chunk at each level. */
  own: new Float64Array(0),
  segment: new Int32Array(0),
  row: new Int32Array(0),
});

/** A hit: a node at one of its levels. */
export interface Ranked {
  readonly node: NodeId;
  readonly level: Level;
  /** .8 semantic + .2 hotness, 0 to 1. */
  readonly score: number;
  /** `own`, raised by the parent directory. */
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
  /** F of the formula: words and meaning combined. */
  readonly fused: number;
}

/** A hit with the origin of its score. */
export interface Hit extends Omit<Ranked, "row"> {
  /** Candidate chunks of the document, best first; the first one is that of the hit. */
  readonly chunks: readonly ShownChunk[];
  /** The passage contains the query verbatim. */
  readonly quoted: boolean;
  /** Contributions of words and meaning to the score, before it is mapped to 0 to 1. */
  readonly lexical: number;
  readonly dense: number;
  readonly hotness: number;
}

/** One round: a directory was opened and its children were scored. */
export interface ExploredDirectory {
  readonly directory: NodeId;
  /** Its priority when it was chosen. */
  readonly priority: number;
  /** Number of directories in the queue after the round. */
  readonly waiting: number;
  /** The set of the best hits changed. */
  readonly changed: boolean;
}

/** Trace of a search, for `query_results` and measurements. */
export interface SearchTrace {
  /** Live chunks in the scope. */
  readonly documents: number;
  /** Nodes (per level) found by terms, by vectors, and different ones in total. */
  readonly candidates: { readonly lexical: number; readonly dense: number; readonly nodes: number };
  /** Directories the exploration started from, best first. */
  readonly seeds: readonly NodeId[];
  /** Directories explored, one per round. */
  readonly steps: readonly ExploredDirectory[];
  /**
   * True if exploration ended because the best hits no longer changed; false if it ran out of directories or
   * reached a limit.
   */
  readonly converged: boolean;
  /** Spaces used for the query, the best first, and those for which its vector was late. */
  readonly spaces: readonly string[];
  readonly missed: readonly string[];
  /** Share of the cosine, for documents and for source code. */
  readonly meaning: { readonly documents: number; readonly code: number };
  /** Number of files that contain the query verbatim. */
  readonly quotes: number;
  /** Nodes added only because there were fewer hits than requested. */
  readonly filled: number;
}

export interface Found {
  /** Score descending, then node. */
  readonly hits: readonly Hit[];
  /** The next documents after them, at most as many as requested. */
  readonly spare: readonly Hit[];
  /** The idf of each term of the query, in the scope. */
  readonly weights: ReadonlyMap<string, number>;
  readonly trace: SearchTrace;
}
