import type { VectorColumns } from "../vectors/vectors.ts";
import type { SealedRowColumns } from "./sealed-rows.ts";
import type { TermColumns } from "./sealed-terms.ts";

/** What the files of a segment hold. */
export interface SegmentColumns {
  readonly documents: SealedRowColumns;
  readonly terms: TermColumns;
  /** By the name of the space. */
  readonly vectors: ReadonlyMap<string, VectorColumns>;
}
