import { unlinkRelation } from "../../workspace/relations/relations.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { endAt, startAt } from "./ends.ts";

/**
 * POST relations/unlink and DELETE relations/link: removes one direction; not an error if it does not exist.
 */
export async function unlinkNodes(
  deps: { tenants: Tenants },
  call: ServiceCall,
  input: { readonly fromUri: string; readonly toUri: string },
): Promise<object> {
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const { workspace, owner } = tenant;
  await unlinkRelation(workspace, owner, startAt(tenant, input.fromUri), endAt(tenant, input.toUri));
  return {};
}
