import { EventLoopYielder } from "../../base/event-loop.ts";
import { GRANTEE_KINDS, includes, inOrder } from "../../domain/access.ts";
import { invalidArgument } from "../../domain/errors.ts";
import { compareNames, type Path } from "../../domain/uri.ts";
import { isOwn } from "../../workspace/tree/own-path.ts";
import type { Cursors } from "../cursors.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant, Tenants } from "../tenants.ts";
import { type GrantView, grantPath, grantView } from "./grant-view.ts";

const DEFAULT_LIMIT = 500;
const MAX_LIMIT = 2000;

export interface GrantPage {
  grants: GrantView[];
  nextCursor?: string;
}

/** GET access/grants: lists grants, sorted by URI. */
export async function listGrants(
  deps: { tenants: Tenants; cursors: Cursors },
  call: ServiceCall,
  input: {
    readonly uri?: string | undefined;
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
  },
): Promise<GrantPage> {
  const { limit = DEFAULT_LIMIT } = input;
  if (limit < 1 || limit > MAX_LIMIT) throw invalidArgument("limit", `must be 1 to ${MAX_LIMIT}`);
  const tenant = await deps.tenants.openOrEmpty(call.caller);
  const { workspace } = tenant;
  const asked = input.uri === undefined || input.uri === "" ? undefined : grantPath(tenant, input.uri);
  if (asked) tenant.owner.access?.check(asked.path, asked.uri, "admin");
  const { caller } = call;
  const list = { operation: "grants", caller, incarnation: workspace.incarnation, args: [asked?.uri ?? ""] };
  const after = deps.cursors.open(list, input.cursor);
  const all = (asked ? grantsAbove(tenant, asked.path) : await grantsOf(tenant)).filter(
    (grant) => after === undefined || compareNames(orderOf(grant), after) > 0,
  );
  const grants = all.sort((a, b) => compareNames(orderOf(a), orderOf(b))).slice(0, limit);
  const last = grants.at(-1);
  return all.length > limit && last
    ? { grants, nextCursor: deps.cursors.seal(list, orderOf(last)) }
    : { grants };
}

const orderOf = ({ uri, granteeType, granteeId }: GrantView): string =>
  `${uri}\n${GRANTEE_KINDS.indexOf(granteeType)}${granteeId}`;

/** The grants on a node and its ancestors. */
function grantsAbove({ workspace, owner }: Tenant, path: Path): GrantView[] {
  return (owner.access?.nodesAlong(path) ?? []).flatMap(({ node, path: at }) =>
    inOrder(workspace.sharing.on(node)).map((grant) => grantView(workspace, at, grant)),
  );
}

/** The grants that the caller may change, or that apply to the caller. */
async function grantsOf({ workspace, owner }: Tenant): Promise<GrantView[]> {
  const { sharing, table } = workspace;
  const yielder = new EventLoopYielder(workspace.incarnation);
  const found: GrantView[] = [];
  for (const node of [...sharing.nodes]) {
    await yielder.yieldIfDue();
    // read from the current tree, because it may change during a yield
    const path = table.isReachable(node) ? workspace.pathOf(node) : undefined;
    if (!path || !isOwn(workspace, owner, node, path)) continue;
    const isAdmin = includes(owner.access?.levelAt(path) ?? "none", "admin");
    const shown = isAdmin ? sharing.on(node) : (owner.access?.grantsTo(node) ?? []);
    for (const grant of shown) found.push(grantView(workspace, path, grant));
  }
  return found;
}
