import type { FileReading } from "../ingest/prepare.ts";
import type { Sources } from "../ingest/source.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Uploads } from "../workspace/requests/uploads.ts";
import type { TaskFollower } from "./task-follower.ts";
import type { Tenants } from "./tenants.ts";

/** Dependencies of immediate and queued imports. */
export interface ImportDeps extends FileReading {
  readonly tenants: Tenants;
  readonly queue: JobQueue;
  readonly follower: TaskFollower;
  readonly ids: () => string;
  readonly sources: Sources;
  readonly uploads: Pick<Uploads, "find">;
}
