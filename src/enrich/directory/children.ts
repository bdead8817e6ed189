import type { Entry, NodeId } from "../../domain/node.ts";
import { isHidden } from "../../domain/scope.ts";
import { pairPages, prefixRange } from "../../storage/kv.ts";
import { ENTRIES } from "../../workspace/records.ts";
import { layerOf } from "../../workspace/tree/layers.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Children, LayerChild } from "./child-lines.ts";

/**
 * Number of children whose abstracts are read for a stored overview; only the names of the following ones are
 * read.
 */
export const READ_ABSTRACTS = 400;
/** Number of children whose names are read; the others are only counted. */
const READ_NAMES = 10_000;
const PAGE = 500;
/** Maximum number of children whose overviews are read; an overview has no room for more. */
const READ_OVERVIEWS = { directory: 256, file: 64 } as const;

/**
 * The content of a directory: visible children by name, the first `abstracts` of them with their L0, and the
 * first directories and files with their L1. Nodes derived from a file are represented by that file.
 * `isWanted` selects children by name.
 */
export async function readChildren(
  workspace: Workspace,
  node: NodeId,
  directory: Entry,
  abstracts: number,
  isWanted?: (name: string) => boolean,
): Promise<Children> {
  const prefix = workspace.keys.entries(node);
  const shown: LayerChild[] = [];
  const more: string[] = [];
  let read = 0;
  const overviews = { directory: 0, file: 0 };
  const isSkipped = (name: string, entry: Entry): boolean =>
    isHidden(name) ||
    (entry.source !== undefined && directory.source === undefined) ||
    isWanted?.(name) === false;
  for await (const page of pairPages(workspace.kv, prefixRange(prefix, PAGE))) {
    for (const [key, value] of page) {
      const name = key.slice(prefix.length);
      const entry = ENTRIES.decode(value, key);
      if (isSkipped(name, entry)) continue;
      const isDirectory = entry.kind === "directory";
      if (shown.length < abstracts) {
        const abstract = layerOf(workspace, entry, 0) ?? "";
        const isRead = overviews[entry.kind]++ < READ_OVERVIEWS[entry.kind];
        shown.push({
          name,
          isDirectory,
          abstract,
          overview: isRead ? layerOf(workspace, entry, 1) : undefined,
        });
      } else more.push(isDirectory ? `${name}/` : name);
    }
    read += page.length;
    if (read >= READ_NAMES) break;
  }
  const listed = shown.length + more.length;
  const isWhole = isWanted !== undefined || read < READ_NAMES;
  return { shown, more, count: isWhole ? listed : workspace.table.children(node) };
}
