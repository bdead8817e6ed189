import { isInside, type Path } from "../../domain/uri.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { alone } from "../../workspace/access/grants-and-groups.ts";
import { moveToTrash } from "../../workspace/trash/trash.ts";
import { checkLengths } from "../../workspace/tree/depth-and-length.ts";
import { locate, partitionOwner } from "../../workspace/tree/locate.ts";
import { move, type Replaces } from "../../workspace/tree/tree.ts";
import { enqueueLayersAndPurges } from "../after-change.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { writableEnds } from "./writable-ends.ts";

/**
 * POST fs/mv: moves a node of any size in one atomic step; vectors, usage, relations and history move with
 * it. By default, it replaces a node of its kind.
 */
export async function moveNode(
  deps: { tenants: Tenants; queue: JobQueue },
  call: ServiceCall,
  input: { readonly fromUri: string; readonly toUri: string; readonly replaces?: Replaces },
): Promise<{ from: string; to: string }> {
  const { workspace, owner } = await deps.tenants.openOrCreate(call.caller);
  const { from, to, fromUri, toUri } = writableEnds(workspace.uris, owner, input, "move");
  const source = locate(workspace.kv, workspace.keys, owner, from)?.entry;
  if (source && !isInside(to, from))
    await checkLengths(workspace, { node: source.node, from, to }, call.signal);
  const partitionOf = (path: Path) => workspace.partitionFor(partitionOwner(owner, path));
  const [fromPartition, toPartition] = await Promise.all([partitionOf(from), partitionOf(to)]);
  const change = () =>
    workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      const cleanup = move(draft, workspace, owner, {
        from,
        to,
        fromUri,
        toUri,
        fromPartition,
        toPartition,
        replaces: input.replaces,
        takeOut: (directory, name, entry) =>
          moveToTrash(draft, workspace, owner, { directory, name, entry, path: to }, "replace"),
      });
      enqueueLayersAndPurges(draft, deps.queue, workspace, cleanup);
      return () => ({ from: fromUri, to: toUri });
    });
  // grants on what is replaced must not change before the commit
  const isReplacing = locate(workspace.kv, workspace.keys, owner, to)?.entry !== undefined;
  return isReplacing ? alone(workspace, change) : change();
}
