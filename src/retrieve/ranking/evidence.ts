import type { RowColumns, SegmentTables } from "../../index/searchable.ts";
import type { LiveRows } from "./live.ts";

/** Both halves of the formula for every document of a segment, by row. */
export interface SegmentEvidence {
  readonly segment: SegmentTables;
  readonly documents: RowColumns;
  readonly live: LiveRows;
  /** Length norms of the rows, as in ScoreBuffer. */
  readonly norms: Float32Array;
  /** 0 for a document that does not count. */
  readonly bm25: Float32Array;
  /**
   * In the best space in which the document has a vector; NaN without one, which differs from 0: nothing is
   * known. Undefined content for a document that does not count.
   */
  readonly cosine: Float32Array;
  /**
   * Computes the cosine of rows that were not scanned, if only the nearest ones were: then NaN in `cosine`
   * means nothing.
   */
  scoreRow?: ((row: number) => number) | undefined;
  /** The rows that were scored, if only the nearest ones were: the best cosines are among them. */
  nearest?: number[] | undefined;
}
