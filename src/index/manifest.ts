import { isList, isMissingOr, isNumber, objects } from "../storage/records.ts";
import type { SegmentFiles } from "./segments/segment-files.ts";

/** One segment of a partition. */
export interface SegmentRecord {
  readonly files: SegmentFiles;
  /** Number of its documents. */
  readonly docs: number;
  /** The lowest of their numbers; `last` is the highest. */
  readonly first: number;
  readonly last: number;
}

export type DocRange = readonly [first: number, count: number];

/**
 * The contents of a partition for searches, `x/<partition>`; written in one transaction with every seal and
 * merge.
 */
export interface IndexManifest {
  /** Partitions with content that was moved into this one. */
  readonly guests: readonly number[];
  readonly segments: readonly SegmentRecord[];
  /** Records from this number on are in no segment. */
  readonly end: number;
  /** Numbers below `end` whose records may exist outside of segments. */
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

/** Numbers as ranges, ascending. */
export function rangesOf(numbers: number[]): DocRange[] {
  const ranges: [number, number][] = [];
  for (const number of numbers.sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[0] + last[1] === number) last[1]++;
    else ranges.push([number, 1]);
  }
  return ranges;
}
