import type { NodeId } from "../domain/node.ts";
import { importMetaOf } from "../workspace/tree/import-meta.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Whether a node lies in an import whose layers a language model is to write. */
export function isSummarized(workspace: Workspace, node: NodeId): boolean {
  const terms = importMetaOf(workspace, node)?.import as { readonly summarize?: boolean } | undefined;
  return terms?.summarize === true;
}

/** What whoever imported a node wished to be heeded; "" where nothing. */
export const wishOf = (workspace: Workspace, node: NodeId): string =>
  String(importMetaOf(workspace, node)?.instruction ?? "");
