import { FIRST_FREE_NODE, type NodeId } from "../domain/node.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** As deep as a URI can be. */
const MAX_DEPTH = 64;

/** Whether a node lies in an import whose layers a language model is to write. */
export function isSummarized(workspace: Workspace, node: NodeId): boolean {
  let at = node;
  for (let depth = 0; at >= FIRST_FREE_NODE && depth < MAX_DEPTH; depth++) {
    const record = workspace.entryOf(at)?.record;
    const terms = record?.meta?.import as { readonly summarize?: boolean } | undefined;
    if (!record || terms) return terms?.summarize === true;
    at = record.directory;
  }
  return false;
}
