import { readFileSync } from "node:fs";

/** Values computed by the reference implementation (models/recipe) over artificial texts. */
interface Reference {
  readonly documents: readonly {
    readonly title: string;
    readonly text: string;
    readonly terms: Readonly<Record<string, number>>;
  }[];
  readonly queries: readonly {
    readonly text: string;
    readonly terms: readonly string[];
    readonly known: number;
    readonly ceiling: number;
    /** Whether the best document contains more than one of the words. */
    readonly agreed: number;
    /** By document, as are the following fields. */
    readonly bm25: readonly number[];
    readonly cosine: readonly number[];
    readonly fused: readonly number[];
    readonly shown: readonly number[];
  }[];
}

export const reference: Reference = JSON.parse(
  readFileSync(new URL("fixtures/reference.json", import.meta.url), "utf8"),
);
