import { EFFECTS, GRANT_LEVELS, type Grantee } from "../../domain/access.ts";
import type { Caller } from "../../domain/caller.ts";
import { invalidArgument, notFound } from "../../domain/errors.ts";
import type { Author, NodeId } from "../../domain/node.ts";
import { checkMainKey } from "../../domain/permission.ts";
import type { Path } from "../../domain/uri.ts";
import { alone, SHARING_LIMITS, type Sharing } from "../../workspace/access/grants-and-groups.ts";
import { type Grant, granteeKey } from "../../workspace/access/records.ts";
import { locate } from "../../workspace/tree/locate.ts";
import { checkNotDerived, ensureDirectory } from "../../workspace/tree/tree.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant, Tenants } from "../tenants.ts";
import {
  checkGrantee,
  type GranteeInput,
  type GrantView,
  grantPath,
  grantView,
  tooMany,
} from "./grant-view.ts";
import { mustFindGroup } from "./group-rules.ts";

export interface GrantInput extends GranteeInput {
  readonly uri: string;
  readonly level: string;
  readonly effect?: string | undefined;
}

/** POST access/grants: adds a rule for a node and everything below it, replacing one for the same grantee. */
export async function grantAccess(
  deps: { tenants: Tenants },
  call: ServiceCall,
  input: GrantInput,
): Promise<{ grant: GrantView }> {
  const level = GRANT_LEVELS.find((known) => known === input.level);
  if (!level) throw invalidArgument("level", `must be one of ${GRANT_LEVELS.join(", ")}`);
  const effect = EFFECTS.find((known) => known === (input.effect ?? "allow"));
  if (!effect) throw invalidArgument("effect", `must be one of ${EFFECTS.join(", ")}`);
  const kind = checkGrantee(input);
  checkMainKey(call.caller, "change grants");
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const { workspace, owner } = tenant;
  const { path, uri } = grantPath(tenant, input.uri);
  owner.access?.check(path, uri, "admin");
  return alone(workspace, () =>
    workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      const node = nodeAt(draft, tenant, path, uri);
      const to = granteeOf(deps.tenants, draft, tenant, kind, input.granteeId);
      const grant: Grant = { to, level, effect, createdAt: workspace.clock(), by: owner.author };
      const { sharing } = workspace;
      const isKnown = sharing.on(node).some((one) => granteeKey(one.to) === granteeKey(to));
      if (!isKnown) checkRoom(sharing, call.caller, owner.author);
      sharing.put(draft, node, grant);
      const answer = { grant: grantView(workspace, path, grant) };
      call.keepAnswer?.(draft, answer);
      return () => answer;
    }),
  );
}

/** Throws RESOURCE_EXHAUSTED if the account, or the user who gives the grant, has too many grants. */
function checkRoom(sharing: Sharing, { role, user }: Caller, author: Author | undefined): void {
  const { grants, grantsOfUser, grantsOfAdministrators } = SHARING_LIMITS;
  const most = role === "user" ? grants - grantsOfAdministrators : grants;
  if (sharing.grantCount >= most) throw tooMany("account", "grants", most);
  if (role === "user" && author !== undefined && sharing.grantsBy(author) >= grantsOfUser)
    throw tooMany(`user ${user}`, "grants", grantsOfUser);
}

/** The node at a path; creates the record of an implicit folder. */
function nodeAt(draft: WorkspaceDraft, { workspace, owner }: Tenant, path: Path, uri: string): NodeId {
  const found = locate(draft, workspace.keys, owner, path);
  if (!found) throw notFound("resource", uri);
  checkNotDerived(workspace, found.entry, uri);
  return found.node === 0 ? ensureDirectory(draft, workspace, owner, path, uri) : found.node;
}

function granteeOf(
  tenants: Tenants,
  draft: WorkspaceDraft,
  { workspace }: Tenant,
  kind: Grantee["kind"],
  name: string,
): Grantee {
  if (kind === "everyone") return { kind };
  if (kind === "user") return { kind, name, incarnation: tenants.registrationOf(draft, workspace, name) };
  if (kind === "group") mustFindGroup(workspace, name);
  return { kind, name };
}
