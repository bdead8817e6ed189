import type { NodeId } from "../../domain/node.ts";
import type { Path } from "../../domain/uri.ts";
import type { NumberedPart } from "../../workspace/sessions/recalled.ts";
import { locate, type Owner } from "../../workspace/tree/locate.ts";
import { isOwn } from "../../workspace/tree/own-path.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** The parts whose nodes still exist. */
export function partsThere(
  workspace: Workspace,
  owner: Owner,
  parts: readonly NumberedPart[],
): NumberedPart[] {
  const paths = new Map<NodeId, Path>();
  return parts.filter(([, { node }]) => isThere(workspace, owner, node, paths));
}

/** Whether a node is still reachable for this owner. */
function isThere(workspace: Workspace, owner: Owner, node: NodeId, paths: Map<NodeId, Path>): boolean {
  const path = workspace.pathOf(node, paths);
  return (
    path !== undefined &&
    isOwn(workspace, owner, node, path) &&
    locate(workspace.kv, workspace.keys, owner, path)?.node === node
  );
}
