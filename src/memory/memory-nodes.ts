import { NO_NODE, type NodeId } from "../domain/node.ts";
import { locate, type Owner } from "../workspace/tree/locate.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { FactCategory } from "./fact.ts";
import { directoryOf, homesOf } from "./fact-places.ts";

const CATEGORIES: readonly FactCategory[] = ["profile", "preferences", "entities", "cases", "patterns"];

/** The directory of the conversations of an owner; 0 where there is none. */
export const eventsDirectoryOf = (workspace: Workspace, owner: Owner): NodeId =>
  locate(workspace.kv, workspace.keys, owner, [...homesOf(owner).user, "events"])?.node ?? NO_NODE;

/**
 * Tells the files of facts that were found in conversations of an owner from all others. Records are read
 * only of what lies where facts do.
 */
export function isFactNode(workspace: Workspace, owner: Owner): (node: NodeId) => boolean {
  const homes = homesOf(owner);
  const directories = new Set(
    CATEGORIES.flatMap(
      (category) => locate(workspace.kv, workspace.keys, owner, directoryOf(homes, category))?.node || [],
    ),
  );
  const { table } = workspace;
  return (node) =>
    directories.has(table.parentOf(node)) && workspace.entryOf(node)?.record.meta?.facts !== undefined;
}
