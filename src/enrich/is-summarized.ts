import { isObject } from "../base/expect.ts";
import type { NodeId } from "../domain/node.ts";
import { importMetaOf } from "../workspace/tree/import-meta.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Whether a node belongs to an import with `summarize`. */
export function isSummarized(workspace: Workspace, node: NodeId): boolean {
  const terms = importMetaOf(workspace, node)?.import;
  return isObject(terms) && terms.summarize === true;
}

/** Instruction given with the import of a node; "" if none. */
export const wishOf = (workspace: Workspace, node: NodeId): string =>
  String(importMetaOf(workspace, node)?.instruction ?? "");
