import { includes } from "../../domain/access.ts";
import { notFound, permissionDenied, ServiceError } from "../../domain/errors.ts";
import { isReadable } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Snapshot } from "../../workspace/snapshots/snapshots.ts";
import { SHARED } from "../../workspace/tree/locate.ts";
import type { Tenant, Tenants } from "../tenants.ts";

export interface SnapshotDeps {
  readonly tenants: Tenants;
  readonly queue: JobQueue;
}

/** Owners whose snapshots a caller can use, in the order in which a name is looked up. */
export const snapshotOwners = ({ owner: { user } }: Pick<Tenant, "owner">): readonly string[] => [
  user,
  SHARED,
];

/** Whether a snapshot exists for the caller: it has not expired, and its folder is readable. */
export const isSnapshotVisible = ({ workspace, owner }: Tenant, { expires, path }: Snapshot): boolean =>
  (expires === undefined || expires > workspace.clock()) && isReadable(owner, path);

/** The snapshot with a name. Throws NOT_FOUND, also if its folder is hidden from the caller. */
export function findSnapshot(tenant: Tenant, name: string): Snapshot {
  for (const of of snapshotOwners(tenant)) {
    const found = tenant.workspace.snapshots.find(of, name);
    if (found && isSnapshotVisible(tenant, found)) return found;
  }
  throw new ServiceError("NOT_FOUND", `snapshot not found: ${name}; list them with GET /api/v1/snapshots`, {
    resource: name,
    type: "snapshot",
  });
}

/** Refuses a caller who neither created a snapshot nor administers its folder. */
export function checkOwn({ workspace, owner }: Tenant, { owner: of, by, path, name }: Snapshot): void {
  if (of === owner.user || (by !== undefined && by === owner.author)) return;
  const at: Path = path.length === 0 ? ["resources"] : path;
  if (owner.access && !includes(owner.access.levelAt(at), "admin"))
    throw permissionDenied(
      workspace.uris.format(path),
      `the snapshot ${name} can be deleted only by who created it and by administrators of the folder`,
    );
}

/** The path of a URI in a snapshot; by default that of the snapshot. Throws NOT_FOUND outside it. */
export function pathIn(tenant: Tenant, snapshot: Snapshot, text: string | undefined): Path {
  if (text === undefined) return snapshot.path;
  const { uris } = tenant.workspace;
  const path = uris.parse(text);
  if (snapshot.path.some((name, i) => path[i] !== name)) throw notFound("resource", uris.format(path));
  return path;
}
