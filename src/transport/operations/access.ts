import { AccessService } from "../../../gen/ctxdb/v1/access_pb.ts";
import { addGroupMember } from "../../service/access/add-group-member.ts";
import { createGroup } from "../../service/access/create-group.ts";
import { deleteGroup } from "../../service/access/delete-group.ts";
import { explainAccess } from "../../service/access/explain-access.ts";
import { grantAccess } from "../../service/access/grant-access.ts";
import { GROUP_RULES } from "../../service/access/group-rules.ts";
import { listGrants } from "../../service/access/list-grants.ts";
import { listGroups } from "../../service/access/list-groups.ts";
import { removeGroupMember } from "../../service/access/remove-group-member.ts";
import { revokeAccess } from "../../service/access/revoke-access.ts";
import { whoAmI } from "../../service/access/who-am-i.ts";
import type { Cursors } from "../../service/cursors.ts";
import type { Tenants } from "../../service/tenants.ts";
import { type Access, type Operation, unary } from "../operation.ts";

const { method } = AccessService;

/** Applies the operation's rule before the request is read. */
const early =
  (name: keyof typeof GROUP_RULES): Access =>
  (caller, path) =>
    GROUP_RULES[name](caller, path.account_id ?? "");

export const accessOperations = (deps: { tenants: Tenants; cursors: Cursors }): Operation[] => [
  unary(method.whoAmI, (call) => whoAmI(deps, call)),
  unary(method.explainAccess, (call, request) => explainAccess(deps, call, request)),
  unary(method.grantAccess, (call, request) => grantAccess(deps, call, request)),
  unary(method.revokeAccess, (call, request) => revokeAccess(deps, call, request)),
  unary(method.listGrants, (call, request) => listGrants(deps, call, request)),
  unary(method.createGroup, (call, request) => createGroup(deps, call, request), early("createGroup")),
  unary(
    method.listGroups,
    async (call, request) => ({ groups: await listGroups(deps, call, request) }),
    early("listGroups"),
  ),
  unary(method.deleteGroup, (call, request) => deleteGroup(deps, call, request), early("deleteGroup")),
  unary(
    method.addGroupMember,
    (call, request) => addGroupMember(deps, call, request),
    early("addGroupMember"),
  ),
  unary(
    method.removeGroupMember,
    (call, request) => removeGroupMember(deps, call, request),
    early("removeGroupMember"),
  ),
];
