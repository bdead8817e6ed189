import type { Caller } from "../../domain/caller.ts";
import type { SourceFilter, SourceSpec } from "../../ingest/source.ts";

/** Options of an import, as stored in `.meta.json`, with which it can be repeated. */
export interface ImportTerms {
  readonly kind: SourceSpec["kind"];
  readonly ignore_dirs: string;
  readonly include: string;
  readonly exclude: string;
  readonly strict: boolean;
  readonly build_index: boolean;
  /** Whether a language model writes its layers; absent in imports of older versions. */
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
  /** Tags to add to the root; absent if none. */
  readonly tags?: readonly string[];
}
