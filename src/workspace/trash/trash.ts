import { type Entry, type NodeId, TRASH } from "../../domain/node.ts";
import { isInMemories } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import { idKey } from "../../storage/key-numbers.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { noteGone } from "../relations/ends.ts";
import { foldersOf, type Owner, partitionOwner } from "../tree/locate.ts";
import type { NodeTable } from "../tree/node-table.ts";
import { dropRevealingLayers } from "../tree/revealing-layers.ts";
import {
  derivedOf,
  makeDirectory,
  newDirectory,
  type PendingCleanup,
  relocate,
  unlink,
} from "../tree/tree.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";
import { TRASHED, type TrashCause, type TrashRecord } from "./records.ts";

/**
 * The trash of a workspace. Below TRASH there is a directory per owner, with one directory per item that
 * contains the removed nodes under their names (decision 35). TRASH is not below the root, so its content has
 * no path: it is not listed, found or read, and readers of the change stream see a removal. Records, vectors
 * and versions of the nodes are unchanged.
 */

/**
 * Multiple of the maximum number of items above which removals are permanent, because emptying cannot keep
 * up.
 */
const MAX_EXCESS = 2;

export interface TrashItem extends TrashRecord {
  /** Owner of the trash: a user, or the account for shared content (see partitionOwner). */
  readonly owner: string;
  /** Directory with the content of the item. */
  readonly item: NodeId;
}

/** Location of a node that is to be removed. */
interface Place {
  readonly directory: NodeId;
  readonly name: string;
  readonly entry: Entry;
  readonly path: Path;
}

/** The removal of a node, with the trash item that now contains it. */
export interface Trashing extends PendingCleanup {
  readonly item?: NodeId;
}

/**
 * Whether nodes removed at a path go to the trash. Memories do not, because deleting them must leave no
 * trace.
 */
export const hasTrash = ({ limits }: Pick<Workspace, "limits">, path: Path): boolean =>
  limits.trash.items > 0 && path[0] !== "session" && !isInMemories(path);

/** Moves a file or directory of any size to the trash in one step; removes it if there is no trash. */
export function moveToTrash(
  draft: WorkspaceDraft,
  workspace: Workspace,
  owner: Owner,
  { directory, name, entry, path }: Place,
  cause: TrashCause,
): Trashing {
  const bytes = bytesOfFile(draft, entry);
  const about = { node: entry.node, kind: entry.kind, path, cause, ...(bytes !== undefined && { bytes }) };
  const item = hasTrash(workspace, path) ? newItem(draft, workspace, owner, about) : undefined;
  if (item === undefined) return unlink(draft, workspace, directory, name, entry);
  putIn(draft, workspace, item, { directory, name, entry });
  draft.trash ??= bytes === undefined ? "large" : "small";
  return { purge: [], stale: [directory], item };
}

/**
 * Creates an empty item, into which the transaction must put a node; undefined if there are far too many
 * items.
 */
export function newItem(
  draft: WorkspaceDraft,
  workspace: Workspace,
  owner: Owner,
  about: Pick<TrashRecord, "node" | "kind" | "path" | "cause" | "bytes">,
): NodeId | undefined {
  const of = partitionOwner(owner, about.path);
  const { items } = workspace.limits.trash;
  const space = draft.entry(TRASH, of)?.node ?? makeDirectory(draft, workspace, TRASH, of).node;
  const count = workspace.childrenAt(draft, space);
  if (count >= MAX_EXCESS * items) return undefined;
  const directory = newDirectory(draft, workspace);
  draft.putEntry(space, idKey(directory.node), directory, {});
  const by = owner.author !== undefined && { by: owner.author };
  const folders = foldersOf(
    draft,
    draft.keys,
    owner,
    about.cause === "import" ? [...about.path, ""] : about.path,
  );
  const record: TrashRecord = { ...about, folders, at: directory.created, ...by };
  draft.put(draft.keys.trashed(of, directory.node), encodeRecord(record));
  if (count >= items) draft.trash = "full";
  return directory.node;
}

/** Moves a node and its derived nodes into a directory of the trash. */
export function putIn(
  draft: WorkspaceDraft,
  workspace: Workspace,
  into: NodeId,
  { directory, name, entry }: Omit<Place, "path">,
): void {
  for (const { entry: derived, record } of derivedOf(draft, entry))
    noteGone(draft, workspace, record.directory, record.name, derived);
  noteGone(draft, workspace, directory, name, entry);
  dropRevealingLayers(draft, workspace, directory, entry.node);
  relocate(draft, directory, entry, into, name);
}

/** Whether a directory in the trash belongs to an owner or an item; these are not visible. */
export const isTrashPlace = (table: Pick<NodeTable, "parentOf">, node: NodeId): boolean =>
  table.parentOf(node) === TRASH || table.parentOf(table.parentOf(node)) === TRASH;

/** Size of a file in bytes, including its earlier versions. */
export const bytesOf = ({ size, history }: Entry): number => size + (history?.bytes ?? 0);

/** Size of a file and its derived text; undefined if a job must count it. */
function bytesOfFile(draft: WorkspaceDraft, entry: Entry): number | undefined {
  const all = [entry, ...derivedOf(draft, entry).map((part) => part.entry)];
  if (all.some(({ kind }) => kind === "directory")) return undefined;
  return all.reduce((sum, one) => sum + bytesOf(one), 0);
}

/**
 * Removes an item's directory and record from the trash. The directory's entry must be purged unless it is
 * empty. Undefined if the item is gone.
 */
export function dropItem(
  draft: WorkspaceDraft,
  { owner, item }: Pick<TrashItem, "owner" | "item">,
): Entry | undefined {
  const key = draft.keys.trashed(owner, item);
  const space = draft.entry(TRASH, owner)?.node;
  const name = idKey(item);
  const entry = space === undefined ? undefined : draft.entry(space, name);
  if (space === undefined || !entry || !TRASHED.read(draft, key)) return undefined;
  draft.deleteEntry(space, name, entry);
  draft.delete(key);
  return entry;
}
