import { type Entry, type NodeId, TRASH } from "../../domain/node.ts";
import { isInMemories } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import { idKey } from "../../storage/key-numbers.ts";
import { encodeRecord } from "../../storage/records.ts";
import type { WorkspaceDraft } from "../draft.ts";
import { noteGone } from "../relations/ends.ts";
import { type Owner, partitionOwner } from "../tree/locate.ts";
import type { NodeTable } from "../tree/node-table.ts";
import {
  derivedOf,
  makeDirectory,
  newDirectory,
  type PendingCleanup,
  relocate,
  unlink,
} from "../tree/tree.ts";
import type { Workspace } from "../workspace.ts";
import { TRASHED, type TrashCause, type TrashRecord } from "./records.ts";

/**
 * The trash of a workspace: below TRASH a directory for each owner, with one directory per item that holds
 * the removed nodes under their names (decision 35). Since TRASH is not below the root, nothing in it has a
 * path: it is not listed, found or read, and readers of the change stream see a removal. The records of the
 * nodes, their vectors and versions stay as they are.
 */

/** The number of items from which removals are for good, in multiples of the limit: emptying cannot follow. */
const MAX_EXCESS = 2;

/** An item of the trash. */
export interface TrashItem extends TrashRecord {
  /** Whose trash it is: a user's or that of the account (see partitionOwner). */
  readonly owner: string;
  /** The directory that holds it. */
  readonly item: NodeId;
}

/** A place in the tree whose node is to be removed. */
interface Place {
  readonly directory: NodeId;
  readonly name: string;
  readonly entry: Entry;
  readonly path: Path;
}

/** The removal of a node, with the item of the trash that holds it now. */
export interface Trashing extends PendingCleanup {
  readonly item?: NodeId;
}

/** Whether what is removed at a path goes to the trash. Memories do not: what is deleted leaves no trace. */
export const hasTrash = ({ trashLimits }: Pick<Workspace, "trashLimits">, path: Path): boolean =>
  trashLimits.items > 0 && path[0] !== "session" && !isInMemories(path);

/** Moves a file or directory of any size to the trash in one step, or removes it where there is none. */
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

/** An empty item; undefined if there are far too many. The change must put the node in it. */
export function newItem(
  draft: WorkspaceDraft,
  workspace: Workspace,
  owner: Owner,
  about: Pick<TrashRecord, "node" | "kind" | "path" | "cause" | "bytes">,
): NodeId | undefined {
  const of = partitionOwner(owner, about.path);
  const { items } = workspace.trashLimits;
  const space = draft.entry(TRASH, of)?.node ?? makeDirectory(draft, workspace, TRASH, of).node;
  const count = workspace.childrenAt(draft, space);
  if (count >= MAX_EXCESS * items) return undefined;
  const directory = newDirectory(draft, workspace);
  draft.putEntry(space, idKey(directory.node), directory, {});
  const by = owner.author !== undefined && { by: owner.author };
  const record: TrashRecord = { ...about, at: directory.created, ...by };
  draft.put(draft.keys.trashed(of, directory.node), encodeRecord(record));
  if (count >= items) draft.trash = "full";
  return directory.node;
}

/** Moves a node with what is derived from it into a directory of the trash. */
export function putIn(
  draft: WorkspaceDraft,
  workspace: Workspace,
  into: NodeId,
  { directory, name, entry }: Omit<Place, "path">,
): void {
  for (const { entry: derived, record } of derivedOf(draft, entry))
    noteGone(draft, workspace, record.directory, record.name, derived);
  noteGone(draft, workspace, directory, name, entry);
  relocate(draft, directory, entry, into, name);
}

/** Whether a directory of the trash is that of an owner or of an item, which nobody sees. */
export const isTrashPlace = (table: Pick<NodeTable, "parentOf">, node: NodeId): boolean =>
  table.parentOf(node) === TRASH || table.parentOf(table.parentOf(node)) === TRASH;

/** Bytes of one file: its content and its earlier versions. */
export const bytesOf = ({ size, history }: Entry): number => size + (history?.bytes ?? 0);

/** Those of a file with its text; undefined for what a job has to count. */
function bytesOfFile(draft: WorkspaceDraft, entry: Entry): number | undefined {
  const all = [entry, ...derivedOf(draft, entry).map((part) => part.entry)];
  if (all.some(({ kind }) => kind === "directory")) return undefined;
  return all.reduce((sum, one) => sum + bytesOf(one), 0);
}

/**
 * Takes an item's directory and record out of the trash; the entry of the directory is to be purged unless it
 * is empty. Undefined if the item is gone.
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
