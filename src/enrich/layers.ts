/** UTF-16 units. */
export const MAX_ABSTRACT_LENGTH = 256;
/** Longer sentences lose their side clauses. */
export const MAX_ABSTRACT_WORDS = 25;
export const MAX_FILE_OVERVIEW_LENGTH = 2000;

export interface Layers {
  /** L0: one sentence, of at most 25 words if it can be shortened that far. */
  readonly abstract: string;
  /** L1: Markdown. */
  readonly overview: string;
}

/** Input of layers: fields of a parsed file. */
export interface LayerSource {
  readonly kind: "markdown" | "text" | "data" | "html" | "document" | "code" | "binary";
  readonly title: string;
  readonly text: string;
  readonly outline: string;
  /** The author's description. */
  readonly description?: string | undefined;
}
