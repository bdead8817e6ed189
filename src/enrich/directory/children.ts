import type { Entry, NodeId } from "../../domain/node.ts";
import { isHidden } from "../../domain/scope.ts";
import { pairPages, prefixRange } from "../../storage/kv.ts";
import { ENTRIES } from "../../workspace/records.ts";
import { layerOf } from "../../workspace/tree/layers.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Children, LayerChild } from "./child-lines.ts";

/** Children whose abstracts are read for a stored overview; of those after them the names. */
export const READ_ABSTRACTS = 200;
/** Children whose names are read; the others are only counted. */
const READ_NAMES = 10_000;
const PAGE = 500;
/** Directories whose overviews are read: there is no room to show what more of them hold. */
const READ_OVERVIEWS = 64;

/**
 * Content of a directory: visible children by name, the first `abstracts` of them with their L0, the
 * first directories with their L1. Nodes derived from a file are represented by it.
 */
export async function readChildren(
  workspace: Workspace,
  node: NodeId,
  directory: Entry,
  abstracts: number,
): Promise<Children> {
  const prefix = workspace.keys.entries(node);
  const shown: LayerChild[] = [];
  const more: string[] = [];
  let read = 0;
  let overviews = 0;
  for await (const page of pairPages(workspace.kv, prefixRange(prefix, PAGE))) {
    for (const [key, value] of page) {
      const name = key.slice(prefix.length);
      const entry = ENTRIES.decode(value, key);
      if (isHidden(name) || (entry.source !== undefined && directory.source === undefined)) continue;
      const isDirectory = entry.kind === "directory";
      if (shown.length < abstracts) {
        const abstract = layerOf(workspace, entry, 0) ?? "";
        const overview =
          isDirectory && overviews++ < READ_OVERVIEWS ? layerOf(workspace, entry, 1) : undefined;
        shown.push({ name, isDirectory, abstract, overview });
      } else more.push(isDirectory ? `${name}/` : name);
    }
    read += page.length;
    if (read >= READ_NAMES) break;
  }
  const listed = shown.length + more.length;
  return { shown, more, count: read < READ_NAMES ? listed : workspace.table.children(node) };
}
