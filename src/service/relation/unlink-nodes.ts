import { unlinkRelation } from "../../workspace/relations/relations.ts";
import type { ServiceCall } from "../call.ts";
import type { Tenants } from "../tenants.ts";
import { endAt } from "./ends.ts";

/** POST relations/unlink and DELETE relations/link: removes one direction; no error if it does not exist. */
export async function unlinkNodes(
  deps: { tenants: Tenants },
  call: ServiceCall,
  input: { readonly fromUri: string; readonly toUri: string },
): Promise<object> {
  const { workspace, owner } = await deps.tenants.writing(call.caller);
  await unlinkRelation(
    workspace,
    owner,
    endAt(workspace, call, input.fromUri),
    endAt(workspace, call, input.toUri),
  );
  return {};
}
