import { pruneSnapshotsJob } from "../../domain/prune-jobs.ts";
import { findSnapshot } from "../../workspace/snapshots/visible-snapshots.ts";
import type { ServiceCall } from "../service-call.ts";
import { checkOwn, type SnapshotDeps } from "./own-snapshots.ts";

/** DELETE snapshots/{name}: removes a snapshot. A job removes content that no other snapshot needs. */
export async function deleteSnapshot(
  { tenants, queue }: SnapshotDeps,
  call: ServiceCall,
  input: { readonly name: string },
): Promise<{ name: string }> {
  const tenant = await tenants.openOrCreate(call.caller);
  const { workspace } = tenant;
  const { name } = input;
  return workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    const snapshot = findSnapshot(tenant, name);
    checkOwn(tenant, snapshot);
    workspace.snapshots.drop(draft, snapshot);
    queue.enqueue(draft, pruneSnapshotsJob(workspace.incarnation, 0));
    return () => ({ name });
  });
}
