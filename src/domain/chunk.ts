import type { NodeId } from "./node.ts";
import type { QuantisedVector } from "./quantise.ts";

/** 0: abstract of a directory; 1: its overview; 2: content of a file. */
export type Level = 0 | 1 | 2;

/** Space whose vectors are written in the same transaction as the content. */
export const INSTANT_SPACE = "static-128";
export const INSTANT_DIMENSIONS = 128;

/**
 * Maximum number of indexed chunks per file (about 20 MB of text). The rest is stored and can be read, but is
 * not found by searches.
 */
export const MAX_CHUNKS_PER_FILE = 20_000;

/** A part of a node's text in the index. A chunk is current while `generation` is that of its node. */
export interface Chunk {
  readonly node: NodeId;
  readonly generation: number;
  readonly level: Level;
  /** Span of the chunk in the indexed text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Length for BM25: the sum of the weights, a multiple of .5. */
  readonly length: number;
  /** Terms from the analyser with their weights: multiples of .5, at most MAX_WEIGHT. */
  readonly terms: ReadonlyMap<string, number>;
  /** Vector in the instant space. */
  readonly instant: QuantisedVector;
  /** Prefix for embedding: the titles of the document and of the headings above the chunk; absent if none. */
  readonly title?: string;
}

/** The text that is embedded for a chunk. */
export function embeddedText(title: string, text: string): string {
  const body = withoutHeading(title, text);
  return body === "" || title === "" ? title + body : `${title}. ${body}`;
}

const HEADING = /^#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*(?:\n|$)\s*/;

/** Removes the first heading of a text if the title repeats it. */
export function withoutHeading(title: string, text: string): string {
  const [line = "", heading] = HEADING.exec(text) ?? [];
  return heading !== undefined && (title === heading || title.endsWith(` > ${heading}`))
    ? text.slice(line.length)
    : text;
}

/** Maximum weight of a term: weights are stored as 16-bit integers in halves. Larger weights are capped. */
export const MAX_WEIGHT = 32_767.5;
