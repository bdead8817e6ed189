import type { Cursors } from "../cursors.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { checkNodeLimit } from "./entry-view.ts";
import { type EntryPage, type ListInput, listBelow } from "./list-entries.ts";

const DEFAULT_LEVELS = 3;

/** GET fs/tree: a flat list in pre-order, with `rel_path`. */
export async function listTree(
  deps: { tenants: Tenants; cursors: Cursors },
  call: ServiceCall,
  input: ListInput & { readonly levelLimit?: number | undefined },
): Promise<EntryPage> {
  const limit = checkNodeLimit(input.nodeLimit);
  return listBelow(deps, call, {
    ...input,
    limit,
    list: "tree",
    levels: input.levelLimit ?? DEFAULT_LEVELS,
    simple: false,
    withRelPath: true,
  });
}
