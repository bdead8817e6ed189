import type { Reading } from "../ingest/prepare.ts";
import type { Source, SourceFilter, SourceSpec } from "../ingest/source.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { TaskFollower } from "./task-follower.ts";
import type { Tenants } from "./tenants.ts";

/** What imports stand on, at once or by a job. */
export interface ImportDeps extends Reading {
  readonly tenants: Tenants;
  readonly queue: JobQueue;
  readonly follower: TaskFollower;
  readonly ids: () => string;
  /** Opens a source: checks that it may be read, lists its files. */
  readonly openSource: (spec: SourceSpec, filter: SourceFilter) => Promise<Source>;
  readonly uploads: { find(id: string, incarnation: number, user: string): { readonly name: string } };
}
