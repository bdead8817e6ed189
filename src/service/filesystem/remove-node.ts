import { failedPrecondition, notFound } from "../../domain/errors.ts";
import { checkRemovable } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { type Located, locate } from "../../workspace/tree/locate.ts";
import { checkNotDerived } from "../../workspace/tree/tree.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import { removeLocated } from "../remove-located.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant, Tenants } from "../tenants.ts";

/** DELETE fs: removes a node of any size in one step, to the trash or permanently. */
export async function removeNode(
  deps: { tenants: Tenants; queue: JobQueue },
  call: ServiceCall,
  input: { readonly uri: string; readonly recursive: boolean; readonly permanent: boolean },
): Promise<{ uri: string; deleted: number; trashId?: string }> {
  const { workspace, owner } = await deps.tenants.openOrCreate(call.caller);
  const path = workspace.uris.parse(input.uri);
  const uri = workspace.uris.format(path);
  checkRemovable(owner, path, uri, "uri");
  return workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    const located = removableAt(draft, { workspace, owner }, path, uri, input.recursive);
    const isPermanent = input.permanent;
    const removed = removeLocated(draft, deps.queue, workspace, located, { owner, isPermanent });
    return () => ({ uri, ...removed() });
  });
}

/** The node at a path. Throws if it cannot be removed. */
export function removableAt(
  draft: WorkspaceDraft,
  { workspace, owner }: Tenant,
  path: Path,
  uri: string,
  recursive: boolean,
): Located {
  const located = locate(draft, workspace.keys, owner, path);
  if (!located) throw notFound("resource", uri);
  if (!located.entry)
    throw failedPrecondition(uri, "this folder is created by the server and cannot be deleted");
  checkNotDerived(workspace, located.entry, uri);
  if (located.kind === "directory" && !recursive && workspace.childrenAt(draft, located.node) > 0)
    throw failedPrecondition(
      uri,
      "the folder is not empty: set recursive to delete it with everything below it",
    );
  return located;
}
