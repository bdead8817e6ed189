import type { RowColumns, SegmentTables } from "../../index/searchable.ts";
import type { LiveRows } from "./live.ts";

/** Both halves of the formula for every document of a segment, by row. */
export interface SegmentEvidence {
  readonly segment: SegmentTables;
  readonly documents: RowColumns;
  readonly live: LiveRows;
  /** Length norms of the rows, as in ScoreBuffer. */
  readonly norms: Float32Array;
  /** 0 where a document does not count. */
  readonly bm25: Float32Array;
  /**
   * In the best space in which the document has a vector; NaN if it has none, which is not 0: nothing is
   * known. Says nothing where a document does not count.
   */
  readonly cosine: Float32Array;
  /**
   * Tells the cosine of rows that were not scanned, where only the nearest ones were: NaN in `cosine` says
   * nothing then.
   */
  scoreRow?: ((row: number) => number) | undefined;
}
