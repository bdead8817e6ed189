import { withoutMember } from "../../workspace/access/grants-and-groups.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { changeGroups, GROUP_RULES, groupView, mustFindGroup, workspaceOf } from "./group-rules.ts";

/** DELETE admin/accounts/{account_id}/groups/{group_id}/members/{user_id}: removes a user from a group. */
export async function removeGroupMember(
  deps: { tenants: Tenants },
  call: ServiceCall,
  input: { readonly accountId: string; readonly groupId: string; readonly userId: string },
) {
  const { accountId, groupId, userId } = input;
  GROUP_RULES.removeGroupMember(call.caller, accountId);
  const workspace = await workspaceOf(deps.tenants, accountId);
  return changeGroups(deps, call, workspace, accountId, (draft) => {
    const group = mustFindGroup(workspace, groupId);
    const changed = { ...group, members: withoutMember(group.members, userId) };
    workspace.sharing.putGroup(draft, groupId, changed);
    return { group: groupView(groupId, changed) };
  });
}
