import { findSnapshot } from "../../workspace/snapshots/visible-snapshots.ts";
import type { ServiceCall } from "../service-call.ts";
import type { SnapshotDeps } from "./own-snapshots.ts";
import { type SnapshotView, snapshotView } from "./snapshot-view.ts";

/** GET snapshots/{name}: returns a snapshot. */
export async function getSnapshot(
  { tenants }: Pick<SnapshotDeps, "tenants">,
  call: ServiceCall,
  input: { readonly name: string },
): Promise<SnapshotView> {
  const tenant = await tenants.openOrEmpty(call.caller);
  return snapshotView(tenants, tenant, findSnapshot(tenant, input.name));
}
