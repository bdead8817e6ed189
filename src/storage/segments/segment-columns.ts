import type { Columns } from "./columns.ts";
import type { SealedDocumentColumns } from "./sealed-documents.ts";
import type { TermColumns } from "./sealed-terms.ts";

/** The vectors of one space: row, scale and components of each. */
export const VECTOR_COLUMNS = { rows: "u32", scales: "f32", values: "i8" } as const;

export type VectorColumns = Columns<typeof VECTOR_COLUMNS>;

/** What the files of a segment hold. */
export interface SegmentColumns {
  readonly documents: SealedDocumentColumns;
  readonly terms: TermColumns;
  /** By the name of the space. */
  readonly vectors: ReadonlyMap<string, VectorColumns>;
}
