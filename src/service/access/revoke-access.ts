import type { Grantee } from "../../domain/access.ts";
import { notFound } from "../../domain/errors.ts";
import { userIncarnation } from "../../domain/ids.ts";
import { checkMainKey } from "../../domain/permission.ts";
import { alone } from "../../workspace/access/grants-and-groups.ts";
import { granteeKey } from "../../workspace/access/records.ts";
import { locate } from "../../workspace/tree/locate.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { checkGrantee, type GranteeInput, grantPath } from "./grant-view.ts";

/** POST access/revoke and DELETE access/grants: removes a rule; not an error if there is none. */
export async function revokeAccess(
  deps: { tenants: Tenants },
  call: ServiceCall,
  input: GranteeInput & { readonly uri: string },
): Promise<{ revoked: boolean }> {
  const kind = checkGrantee(input);
  checkMainKey(call.caller, "change grants");
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const { workspace, owner } = tenant;
  const { path, uri } = grantPath(tenant, input.uri);
  owner.access?.check(path, uri, "admin");
  const name = input.granteeId;
  // the user's incarnation does not matter: there is one grant per name
  const to: Grantee =
    kind === "user"
      ? { kind, name, incarnation: userIncarnation(0) }
      : kind === "everyone"
        ? { kind }
        : { kind, name };
  return alone(workspace, () =>
    workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      const node = locate(draft, workspace.keys, owner, path)?.node;
      if (node === undefined) throw notFound("resource", uri);
      const { sharing } = workspace;
      const answer = { revoked: sharing.on(node).some((one) => granteeKey(one.to) === granteeKey(to)) };
      if (answer.revoked) sharing.drop(draft, node, to);
      call.keepAnswer?.(draft, answer);
      return () => answer;
    }),
  );
}
