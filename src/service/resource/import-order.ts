import type { Caller } from "../../domain/caller.ts";
import type { SourceFilter, SourceSpec } from "../../ingest/source.ts";

/** The options of an import, as in `.meta.json`, for importing it again. */
export interface ImportTerms {
  readonly kind: SourceSpec["kind"];
  readonly ignore_dirs: string;
  readonly include: string;
  readonly exclude: string;
  readonly strict: boolean;
  readonly build_index: boolean;
  /** Whether a language model writes its layers; missing in imports of older versions. */
  readonly summarize?: boolean;
}

/** An accepted import, stored with its job. */
export interface ImportOrder {
  readonly task: string;
  readonly caller: Pick<Caller, "user" | "agent">;
  readonly spec: SourceSpec;
  readonly filter: SourceFilter;
  readonly strict: boolean;
  readonly index: boolean;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Added to the root; missing without any. */
  readonly tags?: readonly string[];
}
