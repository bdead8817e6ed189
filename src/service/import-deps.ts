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
   * What is known of a source that only a task opens, since it has to be fetched or unpacked for long; its
   * address is checked. Undefined for others.
   */
  readonly head: (spec: SourceSpec) => Promise<SourceHead | undefined>;
  /** Checks that it may be read, fetches and unpacks it, lists its files. To be closed. */
  readonly open: (spec: SourceSpec, filter: SourceFilter, opening: Opening) => Promise<ImportSource>;
  /** A source read as it is: archives stay files. Needs no closing. */
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
