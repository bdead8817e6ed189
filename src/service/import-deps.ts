import type { FileReading } from "../ingest/prepare.ts";
import type {
  ImportSource,
  LocalSpec,
  Opening,
  SourceFilter,
  SourceHead,
  SourceSpec,
} from "../ingest/source.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Uploads } from "../workspace/requests/uploads.ts";
import type { TaskFollower } from "./task-follower.ts";
import type { Tenants } from "./tenants.ts";

/** Opens what imports name. */
export interface Sources {
  /**
   * Metadata of a source that only a task opens, since fetching or unpacking takes long; checks its address.
   * Undefined for other sources.
   */
  readonly head: (spec: SourceSpec) => Promise<SourceHead | undefined>;
  /** Checks the permission to read it, fetches and unpacks it, lists its files. The caller closes it. */
  readonly open: (spec: SourceSpec, filter: SourceFilter, opening: Opening) => Promise<ImportSource>;
  /** A source without unpacking: archives stay files. Needs no closing. */
  readonly openLocal: (spec: LocalSpec, filter: SourceFilter) => Promise<ImportSource>;
}

/** Dependencies of imports, immediate or queued. */
export interface ImportDeps extends FileReading {
  readonly tenants: Tenants;
  readonly queue: JobQueue;
  readonly follower: TaskFollower;
  readonly ids: () => string;
  readonly sources: Sources;
  readonly uploads: Pick<Uploads, "find">;
}
