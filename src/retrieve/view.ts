import type { Level } from "../domain/chunk.ts";
import type { NodeId } from "../domain/node.ts";
import type { QueryReading } from "../domain/score.ts";
import type { SegmentTables } from "../index/searchable.ts";
import { ScoreBuffer } from "../index/segments/score-buffer.ts";

/** The node table of a workspace, indexed by node. */
export interface NodeColumns {
  readonly size: number;
  /** Parent directory; -1 for the root. */
  readonly parent: Int32Array;
  readonly generation: Uint32Array;
  /** 1 = directory. */
  readonly isDirectory: Uint8Array;
  /** 1 = source code. */
  readonly isCode: Uint8Array;
  /** Unix time in ms. */
  readonly updatedAt: Float64Array;
  readonly activeCount: Uint32Array;
  /** Increases with every change of the table. */
  readonly sequence: number;
}

/**
 * The data that a search may see. A chunk is live if its generation is current and its node is in `scope`;
 * all statistics count only live chunks.
 */
export interface SearchView {
  readonly nodes: NodeColumns;
  /** By node: 1 = reachable, permitted and within the target. */
  readonly scope: Uint8Array;
  /** By level and node: 1 = may be a hit at that level (scope and filter). */
  readonly filterMasks: readonly [Uint8Array, Uint8Array, Uint8Array];
  /** Target directories; empty: everything. */
  readonly targets: readonly number[];
  readonly segments: readonly SegmentTables[];
  /** Nearest rows of segments whose neighbour index has answered; other segments are scanned. */
  readonly nearest?: ReadonlyMap<SegmentTables, Uint32Array>;
  /**
   * Whether few hits are requested without a filter, so that the nearest rows suffice for segments that are
   * mostly in scope.
   */
  readonly isBroad?: boolean | undefined;
  /** Passages that contain the query verbatim. */
  readonly phraseMatches?: PhraseMatches;
  /** The directory of conversations, each a directory of parts; 0: none. */
  readonly conversations?: number;
  /**
   * Whether a node repeats others, as a fact repeats its episode. Such nodes take at most half of the hits.
   */
  readonly isRepeating?: (node: NodeId) => boolean;
  /** Document of a node; by default, every node is a document. */
  readonly documentOf?: (node: NodeId) => DocumentPart;
}

/** Passages that contain the query verbatim: by node, their start offsets in a generation's text. */
export type PhraseMatches = ReadonlyMap<
  number,
  { readonly generation: number; readonly starts: ReadonlySet<number> }
>;

/** A node as a part of a document. */
export interface DocumentPart {
  /** The node that represents the document; the same for all its parts. */
  readonly document: NodeId;
  /**
   * Whether the node covers the whole document: its text, or a directory that contains nothing else. Such
   * nodes count as one result.
   */
  readonly isWhole: boolean;
}

export interface SearchQuery {
  /** Terms of `analyseQuery`, including repeated ones. */
  readonly terms: readonly string[];
  /** Share of the query's word pieces that the model knows, 0 to 1. */
  readonly known: number;
  /** Properties of the best space and of the query's words. */
  readonly reading: QueryReading;
  /** The query's vector by space, the best space first. */
  readonly vectors: ReadonlyMap<string, Float32Array>;
  /** Spaces with vectors for which the query was not embedded in time. */
  readonly missed?: readonly string[];
}

export interface SearchOptions {
  /** Maximum number of hits, 1 to 1,000. */
  readonly limit: number;
  /** Maximum number of additional documents, which replace hits that are dropped later; default 0. */
  readonly spare?: number;
  /** Only scores above this value. */
  readonly threshold?: number;
  /** Current time for hotness, Unix time in ms. */
  readonly now: number;
  /** Buffers of an earlier search that has ended; default: new ones. */
  readonly scratch?: SearchScratch;
}

/**
 * Buffers that are too large to be created for each search. Searches are synchronous, so that one set serves
 * all searches of a thread.
 */
export class SearchScratch {
  /** Both scores of each row. */
  readonly scores = new ScoreBuffer();
  files = fileScratch(0);
  nodes = nodeScratch(0);
}

/** Scores of files by node; all zero between searches. */
export const fileScratch = (nodes: number) => ({
  sums: new Float32Array(nodes),
  scores: new Float32Array(nodes),
  /** Nodes with a sum, and nodes with a score. */
  summed: new Int32Array(nodes),
  scored: new Int32Array(nodes),
});

/** Scores of nodes, stored in entries; a node gets an entry when it is first requested. */
export const nodeScratch = (nodes: number) => ({
  /** Number of a node's latest entry; entries of earlier searches have lower numbers. */
  entry: new Int32Array(nodes),
  next: 1,
  /** Three positions per entry of this search, for the best chunk at each level. */
  own: new Float64Array(0),
  segment: new Int32Array(0),
  row: new Int32Array(0),
});

/** A hit: a node at one of its levels. */
export interface Ranked {
  readonly node: NodeId;
  readonly level: Level;
  /** 0.8 × semantic + 0.2 × hotness, 0 to 1. */
  readonly score: number;
  /** `own`, raised by the parent directory. */
  readonly semantic: number;
  /** Score of the best chunk by the formula. */
  readonly own: number;
  /** Index in `view.segments`. */
  readonly segment: number;
  /** The best chunk: its row in the segment, and its chunk number. */
  readonly row: number;
  readonly doc: number;
}

/** A chunk that may be shown for a hit. */
export interface ShownChunk {
  readonly node: NodeId;
  /** Index in `view.segments`. */
  readonly segment: number;
  readonly doc: number;
  /** F of the formula, which combines words and meaning. */
  readonly fused: number;
}

/** A hit with the explanation of its score. */
export interface Hit extends Omit<Ranked, "row"> {
  /** Candidate chunks of the document, best first; the first is that of the hit. */
  readonly chunks: readonly ShownChunk[];
  /** Whether the passage contains the query verbatim. */
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
  /** Number of queued directories after the round. */
  readonly waiting: number;
  /** Whether the set of the best hits changed. */
  readonly changed: boolean;
}

/** Trace of a search, for `query_results` and metrics. */
export interface SearchTrace {
  /** Number of live chunks in the scope. */
  readonly documents: number;
  /** Number of nodes (per level) found by terms, by vectors, and distinct in total. */
  readonly candidates: { readonly lexical: number; readonly dense: number; readonly nodes: number };
  /** Directories where exploration started, best first. */
  readonly seeds: readonly NodeId[];
  /** Explored directories, one per round. */
  readonly steps: readonly ExploredDirectory[];
  /**
   * True if exploration ended because the best hits no longer changed; false if no directories were left or a
   * limit was reached.
   */
  readonly converged: boolean;
  /** Spaces used for the query, best first, and those whose query vector was late. */
  readonly spaces: readonly string[];
  readonly missed: readonly string[];
  /** Weight of the cosine similarity in F, for text and for source code. */
  readonly meaning: { readonly documents: number; readonly code: number };
  /** Number of files that contain the query verbatim. */
  readonly quotes: number;
  /** Number of nodes added only because there were fewer hits than requested. */
  readonly filled: number;
}

export interface Found {
  /** Score descending, then node. */
  readonly hits: readonly Hit[];
  /** The next documents, at most as many as requested. */
  readonly spare: readonly Hit[];
  /** Inverse document frequency of each query term in the scope. */
  readonly weights: ReadonlyMap<string, number>;
  readonly trace: SearchTrace;
}
