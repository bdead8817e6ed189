import { lastOf, present } from "../../base/expect.ts";
import { alreadyExists, failedPrecondition } from "../../domain/errors.ts";
import type { NodeId } from "../../domain/node.ts";
import { stemOf, withEnding } from "../../domain/text/names.ts";
import type { Path } from "../../domain/uri.ts";
import { pairPages, prefixRange } from "../../storage/kv.ts";
import { entryParts } from "../keys.ts";
import { ENTRIES } from "../records.ts";
import { forgetGone } from "../relations/ends.ts";
import { checkLevels } from "../tree/depth-and-length.ts";
import { locate, type Owner } from "../tree/locate.ts";
import {
  checkNotDerived,
  derivedOf,
  ensureDirectory,
  type PendingCleanup,
  relocate,
  renameDerivedAside,
} from "../tree/tree.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";
import type { TrashItem } from "./trash.ts";

const ENTRIES_PER_PAGE = 500;
/** Maximum number of names tried for a node whose path is taken. */
const MAX_NAMES = 100;
/** Maximum length of an extension with its dot, in characters. */
const MAX_ENDING = 17;

/** A node of an item, and the path to which it is restored. */
export interface Returning {
  /** Directory of the trash that contains it. */
  readonly directory: NodeId;
  readonly node: NodeId;
  readonly to: Path;
}

/**
 * The nodes to restore from an item: its root to the original path or `to`; what an import replaced, each to
 * its own path unless another is given. The item must not change meanwhile.
 */
export async function returningOf(
  workspace: Workspace,
  { item, node, path, cause }: TrashItem,
  to: Path | undefined,
  signal: AbortSignal,
): Promise<readonly Returning[]> {
  const root = workspace.entryOf(node);
  if (root?.record.directory !== item) throw new Error(`trash item ${item} does not contain node ${node}`);
  if (cause !== "import" || to) return [{ directory: item, node, to: to ?? path }];
  const found: Returning[] = [];
  const folders: { readonly node: NodeId; readonly path: Path }[] = [{ node, path }];
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    const { kv, keys } = workspace;
    for await (const page of pairPages(kv, prefixRange(keys.entries(folder.node), ENTRIES_PER_PAGE))) {
      signal.throwIfAborted();
      for (const [key, value] of page) {
        const inner = ENTRIES.decode(value, key);
        const there = [...folder.path, entryParts(keys, key)[1]];
        // folders created for the item have higher numbers than the item itself; derived nodes follow their
        // files
        if (inner.node > item) folders.push({ node: inner.node, path: there });
        else if (inner.source === undefined)
          found.push({ directory: folder.node, node: inner.node, to: there });
      }
    }
  }
  return found;
}

/** Where a node was restored. */
export interface Returned extends Omit<PendingCleanup, "purge"> {
  readonly path: Path;
}

/**
 * Restores a node from the trash. If its path is taken, picks a free name beside it with `mayRename`,
 * otherwise throws ALREADY_EXISTS.
 */
export function putBack(
  draft: WorkspaceDraft,
  workspace: Workspace,
  owner: Owner,
  { directory, node, to }: Returning,
  mayRename: boolean,
): Returned {
  const { uris, keys } = workspace;
  // jobs may have created layers since the item was read
  const name = draft.node(node)?.name ?? "";
  const entry = present(draft.entry(directory, name), `entry of node ${node} in the trash`);
  const toUri = uris.format(to);
  if (!mayRename) checkLevels(workspace.table, { node, to });
  const parent = ensureDirectory(draft, workspace, owner, to.slice(0, -1), toUri);
  const target = locate(draft, keys, owner, to);
  let path = to;
  if (target && !target.entry && target.kind !== entry.kind)
    throw failedPrecondition(toUri, `a ${entry.kind} cannot replace a ${target.kind}`);
  if (target?.entry?.source !== undefined && mayRename)
    renameDerivedAside(draft, parent, lastOf(to), target.entry);
  else if (target?.entry) {
    checkNotDerived(workspace, target.entry, toUri);
    if (!mayRename) throw alreadyExists("resource", toUri);
    path = [...to.slice(0, -1), freeNameIn(draft, parent, lastOf(to), toUri)];
  }
  for (const { entry: derived } of derivedOf(draft, entry)) forgetGone(draft, derived.node);
  forgetGone(draft, entry.node);
  relocate(draft, directory, entry, parent, lastOf(path));
  return { stale: [parent], path };
}

/** The first free name among `name_1.ending`, `name_2.ending` … */
function freeNameIn(draft: WorkspaceDraft, directory: NodeId, name: string, uri: string): string {
  const known = stemOf(name);
  // a longer ending is not an extension
  const stem = name.length - known.length > MAX_ENDING ? name : known;
  for (let i = 1; i <= MAX_NAMES; i++) {
    const candidate = withEnding(stem, `_${i}${name.slice(stem.length)}`);
    if (draft.entry(directory, candidate) === undefined) return candidate;
  }
  throw alreadyExists("resource", uri);
}
