import { SHARING_LIMITS } from "../../workspace/access/grants-and-groups.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { tooMany } from "./grant-view.ts";
import { changeGroups, GROUP_RULES, groupView, mustFindGroup, workspaceOf } from "./group-rules.ts";

/** PUT admin/accounts/{account_id}/groups/{group_id}/members/{user_id}: adds a user to a group. */
export async function addGroupMember(
  deps: { tenants: Tenants },
  call: ServiceCall,
  input: { readonly accountId: string; readonly groupId: string; readonly userId: string },
) {
  const { accountId, groupId, userId } = input;
  GROUP_RULES.addGroupMember(call.caller, accountId);
  const workspace = await workspaceOf(deps.tenants, accountId);
  return changeGroups(deps, call, workspace, accountId, (draft) => {
    const group = mustFindGroup(workspace, groupId);
    const incarnation = deps.tenants.registrationOf(draft, workspace, userId);
    const members = { ...group.members, [userId]: incarnation };
    if (Object.keys(members).length > SHARING_LIMITS.members)
      throw tooMany(`group ${groupId}`, "members", SHARING_LIMITS.members);
    const changed = { ...group, members };
    workspace.sharing.putGroup(draft, groupId, changed);
    return { group: groupView(groupId, changed) };
  });
}
