import type { NodeId } from "../../domain/node.ts";
import { isVisible } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import type { Workspace } from "../workspace.ts";
import { isOfOwner, type Owner } from "./locate.ts";

/**
 * Whether the owner may see a node at this path. Checked again whenever a node is shown, because shared
 * content may have been moved since it was found.
 */
export function isOwn({ kv, keys }: Workspace, owner: Owner, node: NodeId, path: Path): boolean {
  // an agent's path does not contain its owner
  const isAgents = path[0] === "agent" && path.length > 1 && path[1] !== "skills";
  return isAgents ? isOfOwner(kv, keys, owner, { path, node }) : isVisible(owner, path);
}

/** URI of a stored node for its owner; undefined if the node is unreachable or belongs to another user. */
export function ownUri(
  workspace: Workspace,
  owner: Owner,
  node: NodeId,
  cache?: Map<NodeId, Path>,
): string | undefined {
  const path = workspace.pathOf(node, cache);
  return path && isOwn(workspace, owner, node, path) ? workspace.uris.format(path) : undefined;
}
