import type { VectorColumns } from "../vectors/vectors.ts";
import type { SealedRowColumns } from "./sealed-rows.ts";
import type { TermColumns } from "./sealed-terms.ts";

/** Columns stored in a segment's files. */
export interface SegmentColumns {
  readonly documents: SealedRowColumns;
  readonly terms: TermColumns;
  /** Vector columns by space name. */
  readonly vectors: ReadonlyMap<string, VectorColumns>;
}
