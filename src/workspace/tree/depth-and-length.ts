import { invalidArgument } from "../../domain/errors.ts";
import type { NodeId } from "../../domain/node.ts";
import {
  fitsUri,
  MAX_PATH_BYTES,
  MAX_SEGMENT_BYTES,
  MAX_SEGMENTS,
  type Path,
  pathBytes,
} from "../../domain/uri.ts";
import { pairPages, prefixRange } from "../../storage/kv.ts";
import { entryParts } from "../keys.ts";
import { ENTRIES } from "../records.ts";
import type { Workspace } from "../workspace.ts";
import type { NodeTable } from "./node-table.ts";

const ENTRIES_PER_PAGE = 500;

/** A node with its new location. */
interface Relocation {
  readonly node: NodeId;
  /** Absent if the current depth of the node is irrelevant. */
  readonly from?: Path;
  readonly to: Path;
}

const tooLong = (why: string) =>
  invalidArgument("to_uri", `the URIs below the folder would ${why}: choose a shorter one`);

/** Number of levels below a node; makes one pass over the table. */
export function levelsBelow(table: Pick<NodeTable, "parent" | "size" | "children">, top: NodeId): number {
  if (table.children(top) === 0) return 0;
  const UNKNOWN = 0;
  const OUTSIDE = 1;
  const TOP = 2;
  const level = new Uint32Array(table.size);
  level[top] = TOP;
  let most = TOP;
  const way: number[] = [];
  for (let node = 1; node < table.size; node++) {
    let at = node;
    for (; at > 0 && level[at] === UNKNOWN; at = table.parent[at] ?? 0) way.push(at);
    let known = at > 0 ? (level[at] ?? OUTSIDE) : OUTSIDE;
    for (let passed = way.pop(); passed !== undefined; passed = way.pop()) {
      if (known !== OUTSIDE) known++;
      level[passed] = known;
    }
    if (known > most) most = known;
  }
  return most - TOP;
}

/**
 * Throws INVALID_ARGUMENT for a location where nodes would be deeper than a URI allows: these nodes could not
 * be named, and moving folders into each other repeatedly would make the tree ever deeper.
 */
export function checkLevels(table: NodeTable, { node, from, to }: Relocation): void {
  if (from && to.length <= from.length) return;
  if (to.length + levelsBelow(table, node) > MAX_SEGMENTS)
    throw tooLong(`have more than ${MAX_SEGMENTS} segments`);
}

/**
 * Throws INVALID_ARGUMENT for a location where the longest URI below would exceed the byte limit. Reads the
 * names below only if their depth makes that possible.
 */
export async function checkLengths(
  workspace: Workspace,
  relocation: Relocation,
  signal: AbortSignal,
): Promise<void> {
  const { table } = workspace;
  checkLevels(table, relocation);
  const { node, from, to } = relocation;
  if (from && pathBytes(to) <= pathBytes(from)) return;
  if (pathBytes(to) + levelsBelow(table, node) * (1 + MAX_SEGMENT_BYTES) <= MAX_PATH_BYTES) return;
  const { kv, keys } = workspace;
  const folders = [{ node, path: to }];
  for (let folder = folders.pop(); folder; folder = folders.pop())
    for await (const page of pairPages(kv, prefixRange(keys.entries(folder.node), ENTRIES_PER_PAGE))) {
      signal.throwIfAborted();
      for (const [key, value] of page) {
        const path = [...folder.path, entryParts(keys, key)[1]];
        if (!fitsUri(path)) throw tooLong("be too long");
        const entry = ENTRIES.decode(value, key);
        if (entry.kind === "directory") folders.push({ node: entry.node, path });
      }
    }
}
