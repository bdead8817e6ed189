import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { GROUP_RULES, type GroupView, groupView, workspaceOf } from "./group-rules.ts";

/** GET admin/accounts/{account_id}/groups: lists groups, sorted by id. */
export async function listGroups(
  deps: { tenants: Tenants },
  call: ServiceCall,
  { accountId }: { readonly accountId: string },
): Promise<GroupView[]> {
  GROUP_RULES.listGroups(call.caller, accountId);
  const { sharing } = await workspaceOf(deps.tenants, accountId);
  return [...sharing.groups]
    .map(([name, group]) => groupView(name, group))
    .sort((a, b) => (a.groupId < b.groupId ? -1 : 1));
}
