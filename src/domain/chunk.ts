import type { NodeId } from "./node.ts";
/** A vector as whole numbers: component i is `values[i] × scale`. */
export interface QuantisedVector {
  readonly scale: number;
  readonly values: Int8Array;
}

/** 0: a directory's abstract, 1: its overview, 2: the content of a file. */
export type Level = 0 | 1 | 2;

/** The space whose vectors are written together with the content. */
export const INSTANT_SPACE = "static-128";
export const INSTANT_DIMENSIONS = 128;

/**
 * Limit of indexed chunks of a file (about 20 MB of text); the rest is stored, read and downloaded, but not
 * found.
 */
export const MAX_CHUNKS_PER_FILE = 20_000;

/** A piece of a node's text in the index. Current while `generation` is that of its node. */
export interface Chunk {
  readonly node: NodeId;
  readonly generation: number;
  readonly level: Level;
  /** Span of the chunk in the indexed text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The length for BM25: the sum of the weights, a multiple of .5. */
  readonly length: number;
  /** Terms of the analyser with their weights: multiples of .5, at most MAX_WEIGHT. */
  readonly terms: ReadonlyMap<string, number>;
  /** In the instant space. */
  readonly instant: QuantisedVector;
  /** Prefix for embedding: the titles of the document and of the headings around the piece; absent = none. */
  readonly title?: string;
}

/** Text of a chunk as the embedder gets it. */
export function embeddedText(title: string, text: string): string {
  const body = withoutHeading(title, text);
  return body === "" || title === "" ? title + body : `${title}. ${body}`;
}

const HEADING = /^#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*(?:\n|$)\s*/;

/** A text without its first heading, if the title repeats it. */
export function withoutHeading(title: string, text: string): string {
  const [line = "", heading] = HEADING.exec(text) ?? [];
  return heading !== undefined && (title === heading || title.endsWith(` > ${heading}`))
    ? text.slice(line.length)
    : text;
}

/** Weights are stored as 16-bit numbers of halves; heavier ones are capped. */
export const MAX_WEIGHT = 32_767.5;

/** Quantises to whole numbers from -127 to 127. A zero vector stays zero (scale 0). */
export function quantise(vector: Float32Array): QuantisedVector {
  let greatest = 0;
  for (const value of vector) greatest = Math.max(greatest, Math.abs(value));
  const values = new Int8Array(vector.length);
  if (greatest === 0 || !Number.isFinite(greatest)) return { scale: 0, values };
  const scale = Math.fround(greatest / 127);
  for (const [i, value] of vector.entries()) values[i] = Math.round(value / scale);
  return { scale, values };
}

export const isSameVector = (a: QuantisedVector | undefined, b: QuantisedVector): boolean =>
  a?.scale === b.scale && a.values.every((value, i) => value === b.values[i]);
