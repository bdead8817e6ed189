import { checkIdentifier } from "../../domain/caller.ts";
import { alreadyExists } from "../../domain/errors.ts";
import { SHARING_LIMITS } from "../../workspace/access/grants-and-groups.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { tooMany } from "./grant-view.ts";
import { changeGroups, GROUP_RULES, groupView, workspaceOf } from "./group-rules.ts";

/** POST admin/accounts/{account_id}/groups: creates an empty group. */
export async function createGroup(
  deps: { tenants: Tenants },
  call: ServiceCall,
  { accountId, groupId }: { readonly accountId: string; readonly groupId: string },
) {
  GROUP_RULES.createGroup(call.caller, accountId);
  checkIdentifier("group_id", groupId);
  const workspace = await workspaceOf(deps.tenants, accountId);
  return changeGroups(deps, call, workspace, accountId, (draft) => {
    const { sharing } = workspace;
    if (sharing.groups.has(groupId)) throw alreadyExists("group", groupId);
    if (sharing.groups.size >= SHARING_LIMITS.groups)
      throw tooMany(`account ${accountId}`, "groups", SHARING_LIMITS.groups);
    const group = { members: {}, createdAt: workspace.clock() };
    sharing.putGroup(draft, groupId, group);
    return { group: groupView(groupId, group) };
  });
}
