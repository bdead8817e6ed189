import { namedAccount } from "../../accounts/account-lookup.ts";
import type { Caller } from "../../domain/caller.ts";
import { notFound } from "../../domain/errors.ts";
import { checkAccountAdmin } from "../../domain/permission.ts";
import { alone } from "../../workspace/access/grants-and-groups.ts";
import type { GroupRecord } from "../../workspace/access/records.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";

/**
 * Access rules of the group operations; they throw PERMISSION_DENIED. Also checked before a request body is
 * read.
 */
export const GROUP_RULES = {
  createGroup: checkAccountAdmin,
  listGroups: checkAccountAdmin,
  deleteGroup: checkAccountAdmin,
  addGroupMember: checkAccountAdmin,
  removeGroupMember: checkAccountAdmin,
} as const satisfies Record<string, (caller: Caller, accountId: string) => void>;

export interface GroupView {
  groupId: string;
  createdAt: string;
  members: string[];
}

export const groupView = (groupId: string, { createdAt, members }: GroupRecord): GroupView => ({
  groupId,
  createdAt: new Date(createdAt).toISOString(),
  members: Object.keys(members).sort(),
});

/** The workspace of an account. Throws NOT_FOUND for an unknown account. */
export async function workspaceOf(tenants: Tenants, accountId: string): Promise<Workspace> {
  const workspace = await tenants.ofAccount(namedAccount(accountId));
  if (!workspace) throw notFound("account", accountId);
  return workspace;
}

export function mustFindGroup({ sharing }: Workspace, group: string): GroupRecord {
  const found = sharing.groups.get(group);
  if (!found) throw notFound("group", group);
  return found;
}

/**
 * Changes groups; one change of groups or grants at a time, because each reads the tables that it changes. At
 * the commit point, checks again that the caller administers the account.
 */
export function changeGroups<T extends object>(
  { tenants }: { readonly tenants: Tenants },
  call: ServiceCall,
  workspace: Workspace,
  accountId: string,
  decide: (draft: WorkspaceDraft) => T,
): Promise<T> {
  return alone(workspace, () =>
    workspace.transact((draft) => {
      tenants.checkAdministrator(draft, namedAccount(accountId), workspace, call.caller);
      const answer = decide(draft);
      call.keepAnswer?.(draft, answer);
      return () => answer;
    }),
  );
}
