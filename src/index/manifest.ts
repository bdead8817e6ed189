import { isList, isMissingOr, isNumber, objects } from "../storage/record-codec.ts";
import type { SegmentFiles } from "./segments/segment-files.ts";

/** One segment of a partition. */
export interface SegmentRecord {
  readonly files: SegmentFiles;
  /** Number of chunks. */
  readonly docs: number;
  /** Lowest chunk number in the segment; `last` is the highest. */
  readonly first: number;
  readonly last: number;
}

export type DocRange = readonly [first: number, count: number];

/**
 * Segments and records that a search of a partition reads; stored under `x/<partition>`. Updated in the
 * transaction of every seal and merge.
 */
export interface IndexManifest {
  /** Partitions from which content was moved into this one. */
  readonly guests: readonly number[];
  readonly segments: readonly SegmentRecord[];
  /** First chunk number that is in no segment. */
  readonly end: number;
  /** Chunk numbers below `end` whose records may be in no segment. */
  readonly late: readonly DocRange[];
}

const EMPTY: IndexManifest = { guests: [], segments: [], end: 0, late: [] };

/** Manifests of earlier versions lack the newer fields. */
const MANIFESTS = objects<Partial<IndexManifest>>(
  "manifest",
  ({ guests, segments, end, late }) =>
    isMissingOr(guests, isList) &&
    isMissingOr(segments, isList) &&
    isMissingOr(end, isNumber) &&
    isMissingOr(late, isList),
);

export const manifestOf = (bytes: Uint8Array | undefined): IndexManifest => ({
  ...EMPTY,
  ...(bytes && MANIFESTS.decode(bytes)),
});

/** Converts numbers to ascending ranges. */
export function rangesOf(numbers: number[]): DocRange[] {
  const ranges: [number, number][] = [];
  for (const number of numbers.sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[0] + last[1] === number) last[1]++;
    else ranges.push([number, 1]);
  }
  return ranges;
}
