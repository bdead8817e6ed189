import type { Snapshot } from "../../workspace/snapshots/snapshots.ts";
import { isSnapshotVisible, snapshotOwners } from "../../workspace/snapshots/visible-snapshots.ts";
import type { Cursors } from "../cursors.ts";
import type { ServiceCall } from "../service-call.ts";
import { listOf, pageSize, type SnapshotDeps } from "./own-snapshots.ts";
import { type SnapshotView, snapshotViews } from "./snapshot-view.ts";

/** GET snapshots: lists snapshots of folders that the caller can read, newest first. */
export async function listSnapshots(
  { tenants, cursors }: Pick<SnapshotDeps, "tenants"> & { readonly cursors: Cursors },
  call: ServiceCall,
  input: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
): Promise<{ snapshots: SnapshotView[]; total: number; nextCursor?: string }> {
  const limit = pageSize(input.limit);
  const tenant = await tenants.openOrEmpty(call.caller);
  const { workspace } = tenant;
  const list = listOf(call, workspace, "snapshots", []);
  const before = cursors.open(list, input.cursor);
  const all = snapshotOwners(tenant)
    .flatMap((of) => workspace.snapshots.of(of))
    .filter((snapshot) => isSnapshotVisible(tenant, snapshot))
    .sort((a, b) => numberOf(b) - numberOf(a));
  const rest = before === undefined ? all : all.filter((one) => numberOf(one) < Number(before));
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    snapshots: await snapshotViews(tenants, tenant, page),
    total: all.length,
    ...(last && rest.length > limit && { nextCursor: cursors.seal(list, String(numberOf(last))) }),
  };
}

const numberOf = ({ parts }: Snapshot): number => parts[0]?.number ?? 0;
