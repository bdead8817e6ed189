import { lastOf, present } from "../../base/expect.ts";
import { alreadyExists, failedPrecondition } from "../../domain/errors.ts";
import type { NodeId } from "../../domain/node.ts";
import { stemOf, withEnding } from "../../domain/text/names.ts";
import type { Path } from "../../domain/uri.ts";
import { pairPages, prefixRange } from "../../storage/kv.ts";
import type { WorkspaceDraft } from "../draft.ts";
import { entryParts } from "../keys.ts";
import { ENTRIES } from "../records.ts";
import { forgetGone } from "../relations/ends.ts";
import { locate, type Owner } from "../tree/locate.ts";
import { checkLevels } from "../tree/reach.ts";
import {
  checkNotDerived,
  derivedOf,
  ensureDirectory,
  type PendingCleanup,
  relocate,
  renameDerivedAside,
} from "../tree/tree.ts";
import type { Workspace } from "../workspace.ts";
import type { TrashItem } from "./trash.ts";

const ENTRIES_PER_PAGE = 500;
/** Limit of names that are tried for a node whose place is taken. */
const MAX_NAMES = 100;
/** Limit of characters of an extension with its dot. */
const MAX_ENDING = 17;

/** A node of an item, and where it goes. */
export interface Returning {
  /** The directory of the trash that holds it. */
  readonly directory: NodeId;
  readonly node: NodeId;
  readonly to: Path;
}

/**
 * The nodes that an item gives back: its root to its place or `to`; of what an import replaced each to its
 * own place, unless another one is asked for. The item must not change meanwhile.
 */
export async function returningOf(
  workspace: Workspace,
  { item, node, path, cause }: TrashItem,
  to: Path | undefined,
  signal: AbortSignal,
): Promise<readonly Returning[]> {
  const root = workspace.entryOf(node);
  if (root?.record.directory !== item) throw new Error(`item ${item} of the trash has lost node ${node}`);
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
        // folders made for the item have later numbers than it; derived nodes follow their files
        if (inner.node > item) folders.push({ node: inner.node, path: there });
        else if (inner.source === undefined)
          found.push({ directory: folder.node, node: inner.node, to: there });
      }
    }
  }
  return found;
}

/** Where a node has been put back. */
export interface Returned extends Omit<PendingCleanup, "purge"> {
  readonly path: Path;
}

/**
 * Puts a node of the trash back into the tree. `mayRename`: if the place is taken it gets a free name beside
 * it, otherwise ALREADY_EXISTS.
 */
export function putBack(
  draft: WorkspaceDraft,
  workspace: Workspace,
  owner: Owner,
  { directory, node, to }: Returning,
  mayRename: boolean,
): Returned {
  const { uris, keys } = workspace;
  // jobs may have made layers since the item was read
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

/** The first free one of `name_1.ending`, `name_2.ending` … */
function freeNameIn(draft: WorkspaceDraft, directory: NodeId, name: string, uri: string): string {
  const known = stemOf(name);
  // what is as long as that is no extension
  const stem = name.length - known.length > MAX_ENDING ? name : known;
  for (let i = 1; i <= MAX_NAMES; i++) {
    const candidate = withEnding(stem, `_${i}${name.slice(stem.length)}`);
    if (draft.entry(directory, candidate) === undefined) return candidate;
  }
  throw alreadyExists("resource", uri);
}
