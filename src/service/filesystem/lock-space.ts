import type { WorkspaceId } from "../../domain/ids.ts";
import type { ServiceCall } from "../call.ts";
import type { Tenants } from "../tenants.ts";

/**
 * What tells the places of a caller from those of others with the same URI: the account's incarnation, and
 * whose the agents' spaces are.
 */
export async function lockSpace(
  deps: { tenants: Tenants },
  call: Pick<ServiceCall, "caller">,
): Promise<{ readonly workspace: WorkspaceId; readonly space: string }> {
  const { workspace, owner } = await deps.tenants.reading(call.caller);
  return { workspace: workspace.incarnation, space: owner.agentsOf };
}
