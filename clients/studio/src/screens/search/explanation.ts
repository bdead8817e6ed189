import type { Value } from "@bufbuild/protobuf/wkt";
import { jsonOf } from "../../../../typescript/src/values.ts";

/** How the score of a hit came about. */
export interface HitExplanation {
  readonly level: string;
  readonly quoted: boolean;
  /** What words and meaning bring, 0 to 1. */
  readonly lexical: number;
  readonly dense: number;
  /** Of the hit itself, and with what its folder adds. */
  readonly own: number;
  readonly semantic: number;
  readonly hotness: number;
  readonly score: number;
  /** Of a memory: the messages that it was made of. */
  readonly sources?: readonly {
    readonly session: string;
    readonly archive: number;
    readonly messages: readonly string[];
  }[];
}

/** How a search went. */
export interface SearchExplanation {
  readonly documents: number;
  readonly quotes: number;
  readonly candidates: { readonly lexical: number; readonly dense: number; readonly nodes: number };
  readonly meaning: { readonly documents: number; readonly code: number };
  /** Folders it started from, best first. */
  readonly seeds: readonly string[];
  /** Folders that were opened, in order. */
  readonly explored: readonly string[];
  readonly rounds: number;
  readonly converged: boolean;
  readonly filled: number;
  readonly reranked: number;
  readonly spaces: readonly string[];
}

const objectOf = (value: Value | undefined): unknown => (value === undefined ? undefined : jsonOf(value));

export const explanationOfHit = (value: Value | undefined): HitExplanation | undefined =>
  objectOf(value) as HitExplanation | undefined;
export const explanationOfSearch = (value: Value | undefined): SearchExplanation | undefined =>
  objectOf(value) as SearchExplanation | undefined;
