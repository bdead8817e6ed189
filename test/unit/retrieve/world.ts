import { type Chunk, INSTANT_DIMENSIONS, INSTANT_SPACE, type Level } from "../../../src/domain/chunk.ts";
import { nodeId } from "../../../src/domain/node.ts";
import { quantise } from "../../../src/domain/quantise.ts";
import { analyseQuery, weightedLength, weightedTerms } from "../../../src/domain/text/analyse.ts";
import { MutableSegment, type MutableSegmentOptions } from "../../../src/index/segments/mutable-segment.ts";
import type { SearchQuery, SearchView } from "../../../src/retrieve/view.ts";

export interface MadeNode {
  /** -1: the root. */
  readonly parent: number;
  readonly directory?: boolean;
  readonly code?: boolean;
  readonly updatedAt?: number;
  readonly activeCount?: number;
  readonly generation?: number;
}

export interface MadeChunk {
  readonly node: number;
  readonly level?: Level;
  readonly text: string;
  readonly title?: string;
  readonly generation?: number;
  readonly segment?: number;
  readonly vector?: Float32Array;
}

export interface Narrowed {
  readonly scope?: (node: number) => boolean;
  readonly admitted?: (node: number, level: Level) => boolean;
  readonly targets?: readonly number[];
  readonly mutable?: MutableSegmentOptions;
}

const mask = (size: number, holds: (node: number) => boolean) =>
  Uint8Array.from({ length: size }, (_, node) => Number(holds(node)));

/** Returns the document number of a chunk by its position in the list. */
export const docOf = (chunk: number): number => chunk * 10;

/** A view over real tails; the scope narrows `admitted`. */
export function world(
  nodes: readonly MadeNode[],
  chunks: readonly MadeChunk[],
  { scope = () => true, admitted = () => true, targets = [], mutable }: Narrowed = {},
): Omit<SearchView, "segments"> & { readonly segments: readonly MutableSegment[] } {
  const size = nodes.length;
  const segments = Array.from(
    { length: 1 + Math.max(0, ...chunks.map(({ segment = 0 }) => segment)) },
    () => new MutableSegment(mutable),
  );
  for (const [at, chunk] of chunks.entries()) segments[chunk.segment ?? 0]!.add(docOf(at), stored(chunk));
  const admittedAt = (level: Level) => mask(size, (node) => scope(node) && admitted(node, level));
  return {
    nodes: {
      size,
      parent: Int32Array.from(nodes, ({ parent }) => parent),
      generation: Uint32Array.from(nodes, ({ generation = 1 }) => generation),
      isDirectory: Uint8Array.from(nodes, ({ directory }) => Number(directory === true)),
      isCode: Uint8Array.from(nodes, ({ code }) => Number(code === true)),
      updatedAt: Float64Array.from(nodes, ({ updatedAt = 0 }) => updatedAt),
      activeCount: Uint32Array.from(nodes, ({ activeCount = 0 }) => activeCount),
      sequence: 1,
    },
    scope: mask(size, scope),
    filterMasks: [admittedAt(0), admittedAt(1), admittedAt(2)],
    targets,
    segments,
  };
}

function stored({
  node,
  level = 2,
  text,
  title = "",
  generation = 1,
  vector = new Float32Array(INSTANT_DIMENSIONS),
}: MadeChunk): Chunk {
  const terms = weightedTerms(text, title);
  return {
    node: nodeId(node),
    generation,
    level,
    start: 0,
    end: text.length,
    length: weightedLength(terms),
    terms,
    instant: quantise(vector),
  };
}

/** As with the static table of word vectors. */
export const WORDS = { isOfSentences: false, isOfIdentifiers: false };

export const asked = (text: string, known = 1, vector?: Float32Array): SearchQuery => ({
  terms: analyseQuery(text),
  known,
  reading: WORDS,
  vectors: new Map(vector === undefined ? [] : [[INSTANT_SPACE, vector]]),
});

export const folder = (parent: number): MadeNode => ({ parent, directory: true });
export const file = (parent: number, more: Partial<MadeNode> = {}): MadeNode => ({ parent, ...more });
