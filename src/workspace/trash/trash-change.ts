import { TRASH } from "../../domain/node.ts";
import type { NodeTable } from "../tree/node-table.ts";
import { countedBytes } from "../tree/stored-bytes.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";
import type { WorkspaceLimits } from "../workspace-limits.ts";
import type { TrashChange } from "./trash-limits.ts";

/** Effect of a transaction on the trash; undefined if none. Call it after the stored bytes are counted. */
export function trashChange(
  { table, limits }: { readonly table: NodeTable; readonly limits: WorkspaceLimits },
  draft: WorkspaceDraft,
): TrashChange | undefined {
  const { trash, stored } = draft;
  const { storedBytes } = limits.trash;
  if (storedBytes === Number.POSITIVE_INFINITY) return trash;
  const used = countedBytes(draft, draft.keys) ?? 0;
  const isOver = used > storedBytes;
  // in a small account, even a single file counts as large
  if (trash === "small" && used > storedBytes / 2) return isOver ? "full" : "large";
  if (trash !== undefined) return isOver ? "full" : trash;
  // only for the transaction that crosses the limit
  return isOver && used - stored <= storedBytes && table.children(TRASH) > 0 ? "full" : undefined;
}
