import type { WorkspaceId } from "../../domain/ids.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";

/**
 * Namespace in which URIs of a caller are unique: the account's incarnation, and the owner of agent spaces.
 */
export async function lockSpace(
  deps: { tenants: Tenants },
  call: Pick<ServiceCall, "caller">,
): Promise<{ readonly workspace: WorkspaceId; readonly space: string }> {
  const { workspace, owner } = await deps.tenants.openOrEmpty(call.caller);
  return { workspace: workspace.incarnation, space: owner.agentsOf };
}
