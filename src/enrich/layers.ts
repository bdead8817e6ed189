/** Maximum length of an abstract in UTF-16 units. */
export const MAX_ABSTRACT_LENGTH = 256;
/** Number of words above which a sentence loses its subordinate clauses. */
export const MAX_ABSTRACT_WORDS = 25;
export const MAX_FILE_OVERVIEW_LENGTH = 2000;

export interface Layers {
  /** L0: one sentence, of at most MAX_ABSTRACT_WORDS if it can be shortened that far. */
  readonly abstract: string;
  /** L1: Markdown. */
  readonly overview: string;
}

/** Input for layers: fields of a parsed file. */
export interface LayerSource {
  readonly kind: "markdown" | "text" | "data" | "html" | "document" | "code" | "binary";
  readonly title: string;
  readonly text: string;
  readonly outline: string;
  /** The author's description. */
  readonly description?: string | undefined;
}
