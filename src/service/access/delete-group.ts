import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { changeGroups, GROUP_RULES, mustFindGroup, workspaceOf } from "./group-rules.ts";

/** DELETE admin/accounts/{account_id}/groups/{group_id}: deletes a group and all grants to it. */
export async function deleteGroup(
  deps: { tenants: Tenants },
  call: ServiceCall,
  { accountId, groupId }: { readonly accountId: string; readonly groupId: string },
) {
  GROUP_RULES.deleteGroup(call.caller, accountId);
  const workspace = await workspaceOf(deps.tenants, accountId);
  return changeGroups(deps, call, workspace, accountId, (draft) => {
    mustFindGroup(workspace, groupId);
    workspace.sharing.dropGroup(draft, groupId);
    return { deleted: true };
  });
}
