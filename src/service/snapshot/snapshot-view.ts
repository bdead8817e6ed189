import { itemAt } from "../../base/expect.ts";
import type { UserIncarnation } from "../../domain/ids.ts";
import type { Snapshot } from "../../workspace/snapshots/snapshots.ts";
import type { Tenant, Tenants } from "../tenants.ts";

/** A snapshot in API responses. */
export interface SnapshotView {
  name: string;
  uri: string;
  createdAt: string;
  expiresAt?: string;
  description?: string;
  userId?: string;
  /** Whether other users with access to the folder can use it. */
  isShared: boolean;
}

export async function snapshotView(
  tenants: Tenants,
  tenant: Tenant,
  snapshot: Snapshot,
): Promise<SnapshotView> {
  return itemAt(await snapshotViews(tenants, tenant, [snapshot]), 0);
}

export async function snapshotViews(
  tenants: Tenants,
  tenant: Tenant,
  snapshots: readonly Snapshot[],
): Promise<SnapshotView[]> {
  const { workspace } = tenant;
  const wanted = new Set<UserIncarnation>();
  for (const { by } of snapshots) if (typeof by === "number") wanted.add(by);
  const names = await tenants.userNames(workspace.incarnation, wanted);
  return snapshots.map((snapshot) => {
    const { by } = snapshot;
    return viewBy(tenant, snapshot, typeof by === "number" ? names.get(by) : by);
  });
}

/** `userId`: name of the creator; undefined if that user was removed. */
export const viewBy = (
  { workspace, owner }: Tenant,
  { name, path, created, expires, description, owner: of }: Snapshot,
  userId: string | undefined,
): SnapshotView => ({
  name,
  uri: workspace.uris.format(path),
  createdAt: new Date(created).toISOString(),
  ...(expires !== undefined && { expiresAt: new Date(expires).toISOString() }),
  ...(description !== undefined && { description }),
  ...(userId !== undefined && { userId }),
  isShared: of !== owner.user,
});
