import type { Caller } from "../../domain/caller.ts";
import type { Chunker } from "../../ingest/prepare.ts";
import type { Source, SourceFilter, SourceSpec } from "../../ingest/source.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { TaskFollower } from "../task-follower.ts";
import type { Tenants } from "../tenants.ts";

/** What imports stand on, at once or by a job. */
export interface ImportDeps {
  readonly tenants: Tenants;
  readonly queue: JobQueue;
  readonly follower: TaskFollower;
  readonly chunk: Chunker;
  readonly ids: () => string;
  /** Opens a source: checks that it may be read, lists its files. */
  readonly openSource: (spec: SourceSpec, filter: SourceFilter) => Promise<Source>;
  readonly uploads: { find(id: string, incarnation: number, user: string): { readonly name: string } };
}

/** On what terms a root was imported, as `.meta.json` tells them; for importing it again. */
export interface ImportTerms {
  readonly kind: SourceSpec["kind"];
  readonly ignore_dirs: string;
  readonly include: string;
  readonly exclude: string;
  readonly strict: boolean;
  readonly build_index: boolean;
}

/** An accepted import, as it is kept with its job. */
export interface ImportOrder {
  readonly task: string;
  readonly caller: Caller;
  readonly spec: SourceSpec;
  readonly filter: SourceFilter;
  readonly strict: boolean;
  readonly index: boolean;
  readonly meta: Readonly<Record<string, unknown>>;
}
