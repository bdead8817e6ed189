import { NO_NODE, type NodeId } from "../domain/node.ts";
import { locate, type Owner } from "../workspace/tree/locate.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { directoryOf, homesOf } from "./facts/choose-fact-file.ts";
import type { FactCategory } from "./facts/fact.ts";

const CATEGORIES: readonly FactCategory[] = ["profile", "preferences", "entities", "cases", "patterns"];

/** Directory of an owner's conversations; 0 if there is none. */
export const eventsDirectoryOf = (workspace: Workspace, owner: Owner): NodeId =>
  locate(workspace.kv, workspace.keys, owner, [...homesOf(owner).user, "events"])?.node ?? NO_NODE;

/**
 * Whether a file contains facts from an owner's conversations. Only reads records of files in the directories
 * for facts.
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
